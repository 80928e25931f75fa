package query

import (
	"time"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

// Point is one metric data point with the metric that it belongs to
// (opentelemetry.proto.metrics.v1), with every field of the messages.
type Point struct {
	Name        string      `json:"name"` // the metric's
	Description string      `json:"description,omitempty"`
	Unit        string      `json:"unit,omitempty"` // UCUM, such as ms or By
	Metadata    Attrs       `json:"metadata,omitempty"`
	Type        MetricType  `json:"type"`
	Temporality Temporality `json:"temporality,omitempty"` // of sums and histograms
	Monotonic   bool        `json:"monotonic,omitempty"`   // of sums

	Attrs Attrs      `json:"attributes,omitempty"`
	Start time.Time  `json:"start,omitzero"` // zero where unknown
	Time  time.Time  `json:"time,omitzero"`  // zero where unknown, which a sender must not do (S-43)
	Flags PointFlags `json:"flags,omitempty"`

	Value       Value                 `json:"value,omitzero"` // of gauges and sums: an integer, a double, or empty
	Histogram   *Histogram            `json:"histogram,omitempty"`
	Exponential *ExponentialHistogram `json:"exponentialHistogram,omitempty"`
	Summary     *Summary              `json:"summary,omitempty"`
	Exemplars   []Exemplar            `json:"exemplars,omitempty"`

	Resource Resource `json:"resource"`
	Scope    Scope    `json:"scope"`
	Ref      Ref      `json:"-"`
}

// NoRecordedValue says whether the point stands for a missing value, as a
// stale series has (DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK).
func (p Point) NoRecordedValue() bool { return p.Flags&1 != 0 }

// Proto decodes the official message of the point's metric from the bytes
// received, with only this one of its data points. It is a new message at
// every call, and nil for a point that was not received.
func (p Point) Proto() *metricspb.Metric {
	m := decode(p.Ref, &metricspb.Metric{})
	if m != nil {
		keepPoint(m, p.Ref.index)
	}
	return m
}

// keepPoint drops all data points of m but the i-th.
func keepPoint(m *metricspb.Metric, i int) {
	switch d := m.Data.(type) {
	case *metricspb.Metric_Gauge:
		d.Gauge.DataPoints = only(d.Gauge.DataPoints, i)
	case *metricspb.Metric_Sum:
		d.Sum.DataPoints = only(d.Sum.DataPoints, i)
	case *metricspb.Metric_Histogram:
		d.Histogram.DataPoints = only(d.Histogram.DataPoints, i)
	case *metricspb.Metric_ExponentialHistogram:
		d.ExponentialHistogram.DataPoints = only(d.ExponentialHistogram.DataPoints, i)
	case *metricspb.Metric_Summary:
		d.Summary.DataPoints = only(d.Summary.DataPoints, i)
	}
}

func only[P any](points []P, i int) []P {
	if i >= len(points) {
		return nil
	}
	return points[i : i+1]
}

// PointFlags is the flags field of a data point as received, reserved bits
// included.
type PointFlags uint32

// MetricType is the kind of a metric's data.
type MetricType string

// The types of metric.
const (
	Gauge           MetricType = "gauge"
	Sum             MetricType = "sum"
	HistogramType   MetricType = "histogram"
	ExponentialType MetricType = "exponential_histogram"
	SummaryType     MetricType = "summary"
)

// Temporality says from when on a sum or histogram counts, with the numbers
// of the protocol.
type Temporality int32

// The aggregation temporalities.
const (
	TemporalityUnspecified Temporality = iota
	Delta
	Cumulative
)

var temporalities = []string{"unspecified", "delta", "cumulative"}

// String is the temporality in one lower-case word, or temporality(N).
func (t Temporality) String() string { return enum("temporality", temporalities, int32(t)) }

// ParseTemporality is the inverse of [Temporality.String].
func ParseTemporality(s string) (Temporality, error) {
	i, err := parseEnum("temporality", temporalities, s)
	return Temporality(i), err
}

// MarshalText writes [Temporality.String].
func (t Temporality) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Histogram is the value of a histogram's data point.
type Histogram struct {
	Count  uint64   `json:"count"`
	Sum    Value    `json:"sum,omitzero"`     // empty where it was not sent
	Min    Value    `json:"min,omitzero"`     // likewise
	Max    Value    `json:"max,omitzero"`     // likewise
	Bounds []Float  `json:"bounds,omitempty"` // explicit bounds, upper and inclusive
	Counts []uint64 `json:"counts,omitempty"` // one more than Bounds, or none
}

// ExponentialHistogram is the value of an exponential histogram's data point.
type ExponentialHistogram struct {
	Count         uint64  `json:"count"`
	Sum           Value   `json:"sum,omitzero"` // empty where it was not sent
	Min           Value   `json:"min,omitzero"` // likewise
	Max           Value   `json:"max,omitzero"` // likewise
	Scale         int32   `json:"scale"`
	ZeroCount     uint64  `json:"zeroCount"`
	ZeroThreshold Float   `json:"zeroThreshold,omitempty"`
	Positive      Buckets `json:"positive"`
	Negative      Buckets `json:"negative"`
}

// Buckets is one side of an exponential histogram: Counts[i] belongs to the
// bucket with index Offset+i.
type Buckets struct {
	Offset int32    `json:"offset"`
	Counts []uint64 `json:"counts,omitempty"`
}

// Summary is the value of a summary's data point.
type Summary struct {
	Count     uint64     `json:"count"`
	Sum       Float      `json:"sum"`
	Quantiles []Quantile `json:"quantiles,omitempty"`
}

// Quantile is a value at a quantile between 0 and 1.
type Quantile struct {
	Quantile Float `json:"quantile"`
	Value    Float `json:"value"` // NaN where nothing was observed
}

// Exemplar is a measurement that stands for many.
type Exemplar struct {
	Time    time.Time `json:"time,omitzero"`
	Value   Value     `json:"value"`                        // an integer, a double, or empty
	Attrs   Attrs     `json:"filteredAttributes,omitempty"` // those that the point does not have
	TraceID TraceID   `json:"traceId,omitzero"`
	SpanID  SpanID    `json:"spanId,omitzero"`
}
