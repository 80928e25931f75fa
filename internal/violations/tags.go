package violations

import "google.golang.org/protobuf/encoding/protowire"

// The tags of the fields that checks look at, number<<3 | wire type, by
// message.

const (
	varintType  = uint64(protowire.VarintType)
	fixed64Type = uint64(protowire.Fixed64Type)
	bytesType   = uint64(protowire.BytesType)
	fixed32Type = uint64(protowire.Fixed32Type)
)

// The groups of all signals have the same numbers.
const (
	dataGroups = 1<<3 | bytesType

	groupHead  = 1<<3 | bytesType // the resource, or the scope
	groupItems = 2<<3 | bytesType

	resourceAttrs = 1<<3 | bytesType

	scopeName    = 1<<3 | bytesType
	scopeVersion = 2<<3 | bytesType
	scopeAttrs   = 3<<3 | bytesType
)

const (
	kvKey      = 1<<3 | bytesType
	kvValue    = 2<<3 | bytesType
	kvStrindex = 3<<3 | varintType

	anyString   = 1<<3 | bytesType
	anyBool     = 2<<3 | varintType
	anyInt      = 3<<3 | varintType
	anyDouble   = 4<<3 | fixed64Type
	anyStrindex = 8<<3 | varintType

	listValues = 1<<3 | bytesType
)

const (
	spanTraceID  = 1<<3 | bytesType
	spanID       = 2<<3 | bytesType
	spanParentID = 4<<3 | bytesType
	spanName     = 5<<3 | bytesType
	spanKind     = 6<<3 | varintType
	spanStart    = 7<<3 | fixed64Type
	spanEnd      = 8<<3 | fixed64Type
	spanAttrs    = 9<<3 | bytesType
	spanEvents   = 11<<3 | bytesType
	spanLinks    = 13<<3 | bytesType
	spanStatus   = 15<<3 | bytesType
	spanFlags    = 16<<3 | fixed32Type

	statusCode = 3<<3 | varintType

	eventAttrs = 3<<3 | bytesType

	linkTraceID = 1<<3 | bytesType
	linkSpanID  = 2<<3 | bytesType
	linkState   = 3<<3 | bytesType
	linkAttrs   = 4<<3 | bytesType
	linkFlags   = 6<<3 | fixed32Type
)

const (
	logTime      = 1<<3 | fixed64Type
	logSeverity  = 2<<3 | varintType
	logBody      = 5<<3 | bytesType
	logAttrs     = 6<<3 | bytesType
	logFlags     = 8<<3 | fixed32Type
	logTraceID   = 9<<3 | bytesType
	logSpanID    = 10<<3 | bytesType
	logObserved  = 11<<3 | fixed64Type
	logEventName = 12<<3 | bytesType
)

const (
	metricName        = 1<<3 | bytesType
	metricUnit        = 3<<3 | bytesType
	metricGauge       = 5<<3 | bytesType
	metricSum         = 7<<3 | bytesType
	metricHistogram   = 9<<3 | bytesType
	metricExponential = 10<<3 | bytesType
	metricSummary     = 11<<3 | bytesType
	metricMetadata    = 12<<3 | bytesType

	dataPoints      = 1<<3 | bytesType // of every kind of metric
	dataTemporality = 2<<3 | varintType
	dataMonotonic   = 3<<3 | varintType // of a sum
)

const (
	// Every kind of point has these.
	pointStart = 2<<3 | fixed64Type
	pointTime  = 3<<3 | fixed64Type

	numberDouble    = 4<<3 | fixed64Type
	numberExemplars = 5<<3 | bytesType
	numberInt       = 6<<3 | fixed64Type
	numberAttrs     = 7<<3 | bytesType
	numberFlags     = 8<<3 | varintType

	histogramCount     = 4<<3 | fixed64Type
	histogramSum       = 5<<3 | fixed64Type
	histogramCounts    = 6<<3 | bytesType
	histogramCount1    = 6<<3 | fixed64Type
	histogramBounds    = 7<<3 | bytesType
	histogramBound1    = 7<<3 | fixed64Type
	histogramExemplars = 8<<3 | bytesType
	histogramAttrs     = 9<<3 | bytesType
	histogramFlags     = 10<<3 | varintType

	exponentialAttrs     = 1<<3 | bytesType
	exponentialCount     = 4<<3 | fixed64Type
	exponentialSum       = 5<<3 | fixed64Type
	exponentialZeros     = 7<<3 | fixed64Type
	exponentialPositive  = 8<<3 | bytesType
	exponentialNegative  = 9<<3 | bytesType
	exponentialFlags     = 10<<3 | varintType
	exponentialExemplars = 11<<3 | bytesType

	bucketsCounts = 2<<3 | bytesType
	bucketsCount1 = 2<<3 | varintType

	summaryCount     = 4<<3 | fixed64Type
	summarySum       = 5<<3 | fixed64Type
	summaryQuantiles = 6<<3 | bytesType
	summaryAttrs     = 7<<3 | bytesType
	summaryFlags     = 8<<3 | varintType

	quantileQuantile = 1<<3 | fixed64Type

	exemplarDouble  = 3<<3 | fixed64Type
	exemplarSpanID  = 4<<3 | bytesType
	exemplarTraceID = 5<<3 | bytesType
	exemplarInt     = 6<<3 | fixed64Type
	exemplarAttrs   = 7<<3 | bytesType
)
