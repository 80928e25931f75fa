package wire

import (
	"math"
	"math/rand"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/query"
)

// chance makes messages and filters from the same few values, so that many of
// these match.
type chance struct{ *rand.Rand }

func pick[T any](c chance, list ...T) T { return list[c.Intn(len(list))] }

func (c chance) text() string { return pick(c, "", "a", "b", "ab", "é", "1") }

func (c chance) key() string { return pick(c, "k", "n", "service.name") }

func (c chance) nano() uint64 {
	return pick[uint64](c, 0, 1, 1e9, 2e9, 2e9+1, 3e9, math.MaxInt64, math.MaxUint64)
}

func (c chance) trace() []byte {
	return pick(c, nil, []byte("0123456789abcdef"), []byte("0123456789abcdeg"), []byte("short"), make([]byte, 16))
}

func (c chance) span() []byte {
	return pick(c, nil, []byte("1234567a"), []byte("1234567b"), []byte("1234567c"), []byte("1234567d"), []byte("x"), make([]byte, 8))
}

func (c chance) int() int64 {
	return pick[int64](c, 0, 1, -1, 2, 1<<53, 1<<53+1, math.MaxInt64, math.MinInt64)
}

func (c chance) float() float64 {
	return pick[float64](c, 0, 1, .5, -1.5, 1<<53, 1<<63, -1<<63, math.Inf(1), math.Inf(-1))
}

func (c chance) value() *commonpb.AnyValue {
	switch c.Intn(8) {
	case 0, 1, 2:
		return stringValuePB(c.text())
	case 3:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: c.Intn(2) == 0}}
	case 4, 5:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: c.int()}}
	case 6:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: pick(c, c.float(), math.NaN())}}
	}
	return pick(c, nil, &commonpb.AnyValue{}, &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: []byte("a")}})
}

func (c chance) attrs() (kvs []*commonpb.KeyValue) {
	for range c.Intn(4) {
		kvs = append(kvs, &commonpb.KeyValue{Key: c.key(), Value: c.value()})
	}
	return kvs
}

// list makes a few of something.
func list[T any](c chance, most int, one func() T) (all []T) {
	for range c.Intn(most + 1) {
		all = append(all, one())
	}
	return all
}

func (c chance) message(sig query.Signal) proto.Message {
	resource := func() *resourcepb.Resource { return pick(c, nil, &resourcepb.Resource{Attributes: c.attrs()}) }
	scope := func() *commonpb.InstrumentationScope {
		return pick(c, nil, &commonpb.InstrumentationScope{Name: c.text()})
	}
	switch sig {
	case query.Traces:
		return &tracepb.TracesData{ResourceSpans: list(c, 3, func() *tracepb.ResourceSpans {
			return &tracepb.ResourceSpans{Resource: resource(), ScopeSpans: list(c, 2, func() *tracepb.ScopeSpans {
				return &tracepb.ScopeSpans{Scope: scope(), Spans: list(c, 4, c.aSpan)}
			})}
		})}
	case query.Metrics:
		return &metricspb.MetricsData{ResourceMetrics: list(c, 3, func() *metricspb.ResourceMetrics {
			return &metricspb.ResourceMetrics{Resource: resource(), ScopeMetrics: list(c, 2, func() *metricspb.ScopeMetrics {
				return &metricspb.ScopeMetrics{Scope: scope(), Metrics: list(c, 3, c.aMetric)}
			})}
		})}
	}
	return &logspb.LogsData{ResourceLogs: list(c, 3, func() *logspb.ResourceLogs {
		return &logspb.ResourceLogs{Resource: resource(), ScopeLogs: list(c, 2, func() *logspb.ScopeLogs {
			return &logspb.ScopeLogs{Scope: scope(), LogRecords: list(c, 4, c.aLog)}
		})}
	})}
}

func (c chance) aSpan() *tracepb.Span {
	return &tracepb.Span{
		TraceId: c.trace(), SpanId: c.span(), ParentSpanId: c.span(), Name: c.text(), Kind: tracepb.Span_SpanKind(c.Intn(7)),
		StartTimeUnixNano: c.nano(), EndTimeUnixNano: c.nano(), Attributes: c.attrs(),
		Status: pick(c, nil, &tracepb.Status{Code: tracepb.Status_StatusCode(c.Intn(4))}),
		Events: list(c, 2, func() *tracepb.Span_Event { return &tracepb.Span_Event{Name: c.text()} }),
		Links:  list(c, 2, func() *tracepb.Span_Link { return &tracepb.Span_Link{TraceId: c.trace()} }),
	}
}

func (c chance) aMetric() *metricspb.Metric {
	m := &metricspb.Metric{Name: c.text(), Unit: c.text()}
	temporality := metricspb.AggregationTemporality(c.Intn(4))
	numbers := list(c, 3, func() *metricspb.NumberDataPoint {
		return &metricspb.NumberDataPoint{TimeUnixNano: c.nano(), Attributes: c.attrs()}
	})
	switch c.Intn(6) {
	case 0:
		m.Data = &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: numbers}}
	case 1, 2:
		m.Data = &metricspb.Metric_Sum{Sum: &metricspb.Sum{DataPoints: numbers, AggregationTemporality: temporality, IsMonotonic: c.Intn(2) == 0}}
	case 3:
		m.Data = &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{AggregationTemporality: temporality, DataPoints: list(c, 2, func() *metricspb.HistogramDataPoint {
			return &metricspb.HistogramDataPoint{TimeUnixNano: c.nano(), Attributes: c.attrs()}
		})}}
	case 4:
		m.Data = &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{AggregationTemporality: temporality, DataPoints: list(c, 2, func() *metricspb.ExponentialHistogramDataPoint {
			return &metricspb.ExponentialHistogramDataPoint{TimeUnixNano: c.nano(), Attributes: c.attrs()}
		})}}
	case 5:
		m.Data = &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: list(c, 2, func() *metricspb.SummaryDataPoint {
			return &metricspb.SummaryDataPoint{TimeUnixNano: c.nano(), Attributes: c.attrs()}
		})}}
	}
	return m
}

func (c chance) aLog() *logspb.LogRecord {
	return &logspb.LogRecord{
		TimeUnixNano: c.nano(), ObservedTimeUnixNano: c.nano(), SeverityNumber: logspb.SeverityNumber(c.Intn(27) - 1),
		Body: c.value(), EventName: c.text(), Attributes: c.attrs(), TraceId: c.trace(),
	}
}
