package wire

// The tags of the fields that are read, number<<3 | wire type, by message.
// A name ending in s stands for a repeated field. Of a list of numbers, which
// may come packed or one by one, there is a tag for each form.

// ResourceSpans, ResourceMetrics and ResourceLogs have the same numbers, and
// so have ScopeSpans, ScopeMetrics and ScopeLogs.
const (
	dataGroups = 1<<3 | bytesType // in TracesData, MetricsData and LogsData

	groupHead   = 1<<3 | bytesType // the resource, or the scope
	groupItems  = 2<<3 | bytesType // the scopes' groups; the spans, metrics or log records
	groupSchema = 3<<3 | bytesType
)

const (
	resourceAttrs    = 1<<3 | bytesType
	resourceDropped  = 2<<3 | varintType
	resourceEntities = 3<<3 | bytesType

	entitySchema       = 1<<3 | bytesType
	entityType         = 2<<3 | bytesType
	entityIDs          = 3<<3 | bytesType
	entityDescriptions = 4<<3 | bytesType

	scopeName    = 1<<3 | bytesType
	scopeVersion = 2<<3 | bytesType
	scopeAttrs   = 3<<3 | bytesType
	scopeDropped = 4<<3 | varintType
)

const (
	kvKey   = 1<<3 | bytesType
	kvValue = 2<<3 | bytesType

	anyString = 1<<3 | bytesType
	anyBool   = 2<<3 | varintType
	anyInt    = 3<<3 | varintType
	anyDouble = 4<<3 | fixed64Type
	anyArray  = 5<<3 | bytesType
	anyMap    = 6<<3 | bytesType
	anyBytes  = 7<<3 | bytesType

	listValues = 1<<3 | bytesType // of an ArrayValue and of a KeyValueList
)

const (
	spanTraceID       = 1<<3 | bytesType
	spanID            = 2<<3 | bytesType
	spanState         = 3<<3 | bytesType
	spanParentID      = 4<<3 | bytesType
	spanName          = 5<<3 | bytesType
	spanKind          = 6<<3 | varintType
	spanStart         = 7<<3 | fixed64Type
	spanEnd           = 8<<3 | fixed64Type
	spanAttrs         = 9<<3 | bytesType
	spanDropped       = 10<<3 | varintType
	spanEvents        = 11<<3 | bytesType
	spanDroppedEvents = 12<<3 | varintType
	spanLinks         = 13<<3 | bytesType
	spanDroppedLinks  = 14<<3 | varintType
	spanStatus        = 15<<3 | bytesType
	spanFlags         = 16<<3 | fixed32Type

	statusMessage = 2<<3 | bytesType
	statusCode    = 3<<3 | varintType

	eventTime    = 1<<3 | fixed64Type
	eventName    = 2<<3 | bytesType
	eventAttrs   = 3<<3 | bytesType
	eventDropped = 4<<3 | varintType

	linkTraceID = 1<<3 | bytesType
	linkSpanID  = 2<<3 | bytesType
	linkState   = 3<<3 | bytesType
	linkAttrs   = 4<<3 | bytesType
	linkDropped = 5<<3 | varintType
	linkFlags   = 6<<3 | fixed32Type
)

const (
	logTime         = 1<<3 | fixed64Type
	logSeverity     = 2<<3 | varintType
	logSeverityText = 3<<3 | bytesType
	logBody         = 5<<3 | bytesType
	logAttrs        = 6<<3 | bytesType
	logDropped      = 7<<3 | varintType
	logFlags        = 8<<3 | fixed32Type
	logTraceID      = 9<<3 | bytesType
	logSpanID       = 10<<3 | bytesType
	logObserved     = 11<<3 | fixed64Type
	logEventName    = 12<<3 | bytesType
)

const (
	metricName        = 1<<3 | bytesType
	metricDescription = 2<<3 | bytesType
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
	histogramMin       = 11<<3 | fixed64Type
	histogramMax       = 12<<3 | fixed64Type

	exponentialAttrs     = 1<<3 | bytesType
	exponentialCount     = 4<<3 | fixed64Type
	exponentialSum       = 5<<3 | fixed64Type
	exponentialScale     = 6<<3 | varintType
	exponentialZeros     = 7<<3 | fixed64Type
	exponentialPositive  = 8<<3 | bytesType
	exponentialNegative  = 9<<3 | bytesType
	exponentialFlags     = 10<<3 | varintType
	exponentialExemplars = 11<<3 | bytesType
	exponentialMin       = 12<<3 | fixed64Type
	exponentialMax       = 13<<3 | fixed64Type
	exponentialThreshold = 14<<3 | fixed64Type

	bucketsOffset = 1<<3 | varintType
	bucketsCounts = 2<<3 | bytesType
	bucketsCount1 = 2<<3 | varintType

	summaryCount     = 4<<3 | fixed64Type
	summarySum       = 5<<3 | fixed64Type
	summaryQuantiles = 6<<3 | bytesType
	summaryAttrs     = 7<<3 | bytesType
	summaryFlags     = 8<<3 | varintType

	quantileQuantile = 1<<3 | fixed64Type
	quantileValue    = 2<<3 | fixed64Type

	exemplarTime    = 2<<3 | fixed64Type
	exemplarDouble  = 3<<3 | fixed64Type
	exemplarSpanID  = 4<<3 | bytesType
	exemplarTraceID = 5<<3 | bytesType
	exemplarInt     = 6<<3 | fixed64Type
	exemplarAttrs   = 7<<3 | bytesType
)
