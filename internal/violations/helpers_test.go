package violations

import (
	"strings"
	"testing"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

var signals = []query.Signal{query.Traces, query.Metrics, query.Logs}

func encode(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// signalOf is the signal whose data a message is.
func signalOf(m proto.Message) query.Signal {
	switch m.(type) {
	case *tracepb.TracesData:
		return query.Traces
	case *metricspb.MetricsData:
		return query.Metrics
	}
	return query.Logs
}

// look is what an accepted export of a message shows, as text.
func look(t testing.TB, m proto.Message) []string {
	t.Helper()
	return texts(All([]Evidence{evidence(t, query.Export{Number: 1}, m)}, query.Report{}))
}

// evidence is an export that was answered with success and is all right but
// for its body.
func evidence(t testing.TB, e query.Export, m proto.Message) Evidence {
	t.Helper()
	body := encode(t, m)
	e.Signal = signalOf(m)
	if _, err := wire.Validate(e.Signal, body); err != nil {
		t.Fatal(err)
	}
	if e.Protocol == "" {
		e.Protocol = query.GRPC
	}
	if e.Outcome == "" {
		e.Outcome = query.Accepted
	}
	if e.Header == nil {
		e.Header = query.Header{"user-agent": {"OTel OTLP Exporter Go/1.47.0"}}
	}
	return Evidence{Export: e, Found: Look(e.Signal, body, e.Protocol == query.HTTPJSON, nil)}
}

func texts(vs []query.Violation) []string {
	list := make([]string, len(vs))
	for i, v := range vs {
		list[i] = v.String()
	}
	return list
}

func same(t testing.TB, got []string, want ...string) {
	t.Helper()
	g, w := strings.Join(got, "\n"), strings.Join(want, "\n")
	if g != w {
		t.Errorf("\n got %s\nwant %s", g, w)
	}
}

func kv(key string, v *commonpb.AnyValue) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: v}
}

func text(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

func number64(i int64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: i}}
}

func array(vs ...*commonpb.AnyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: vs}}}
}

func mapOf(kvs ...*commonpb.KeyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: kvs}}}
}

// twice is attributes of which two have the same key.
func twice() []*commonpb.KeyValue {
	return []*commonpb.KeyValue{kv("a", text("x")), kv("b", text("y")), kv("a", text("z"))}
}

// indexed is a message with a field that only profiles have.
func indexed[M proto.Message](m M, num protowire.Number) M {
	m.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), 7))
	return m
}

// shop is a resource that has nothing wrong.
func shop() *resourcepb.Resource {
	return &resourcepb.Resource{Attributes: []*commonpb.KeyValue{
		kv("service.name", text("shop")), kv("telemetry.sdk.name", text("opentelemetry")),
	}}
}

func cart() *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{Name: "shop/cart", Version: "1.2", Attributes: []*commonpb.KeyValue{kv("a", text("x"))}}
}

func spansOf(spans ...*tracepb.Span) *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: shop(), ScopeSpans: []*tracepb.ScopeSpans{{Scope: cart(), Spans: spans}},
	}}}
}

// The time of most things in tests, in nanoseconds: 2024-05-17T12:00:00Z.
const noon = 1715947200_000000000

// spanWith is a request of a span that is all right but for what f does.
func spanWith(f func(*tracepb.Span)) *tracepb.TracesData {
	s := &tracepb.Span{
		TraceId: []byte("0123456789abcdef"), SpanId: []byte("12345678"), Name: "charge",
		StartTimeUnixNano: noon, EndTimeUnixNano: noon + 5e6,
	}
	f(s)
	return spansOf(s)
}

func linkWith(f func(*tracepb.Span_Link)) *tracepb.TracesData {
	l := &tracepb.Span_Link{TraceId: []byte("0123456789abcdef"), SpanId: []byte("12345678")}
	f(l)
	return spanWith(func(s *tracepb.Span) {
		s.Links = append(s.Links, &tracepb.Span_Link{TraceId: s.TraceId, SpanId: s.SpanId}, l)
	})
}

func logWith(f func(*logspb.LogRecord)) *logspb.LogsData {
	l := &logspb.LogRecord{TimeUnixNano: noon, Body: text("paid")}
	f(l)
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: shop(), ScopeLogs: []*logspb.ScopeLogs{{Scope: cart(), LogRecords: []*logspb.LogRecord{l}}},
	}}}
}

func metricsOf(metrics ...*metricspb.Metric) *metricspb.MetricsData {
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource: shop(), ScopeMetrics: []*metricspb.ScopeMetrics{{Scope: cart(), Metrics: metrics}},
	}}}
}

const (
	deltaPB      = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
	cumulativePB = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
)

func integer(i int64) *metricspb.NumberDataPoint_AsInt {
	return &metricspb.NumberDataPoint_AsInt{AsInt: i}
}

func sumWith(f func(*metricspb.Sum)) *metricspb.MetricsData {
	s := &metricspb.Sum{
		AggregationTemporality: cumulativePB, IsMonotonic: true,
		DataPoints: []*metricspb.NumberDataPoint{{StartTimeUnixNano: noon - 1e9, TimeUnixNano: noon, Value: integer(3)}},
	}
	f(s)
	return metricsOf(&metricspb.Metric{Name: "requests", Data: &metricspb.Metric_Sum{Sum: s}})
}

func pointWith(f func(*metricspb.NumberDataPoint)) *metricspb.MetricsData {
	return sumWith(func(s *metricspb.Sum) { f(s.DataPoints[0]) })
}

func exemplarWith(f func(*metricspb.Exemplar)) *metricspb.MetricsData {
	e := &metricspb.Exemplar{
		TimeUnixNano: noon, TraceId: []byte("0123456789abcdef"), SpanId: []byte("12345678"),
		Value: &metricspb.Exemplar_AsInt{AsInt: 1},
	}
	f(e)
	return pointWith(func(p *metricspb.NumberDataPoint) { p.Exemplars = append(p.Exemplars, e) })
}

func histogramWith(f func(*metricspb.HistogramDataPoint)) *metricspb.MetricsData {
	p := &metricspb.HistogramDataPoint{
		StartTimeUnixNano: noon - 1e9, TimeUnixNano: noon, Count: 6, Sum: proto.Float64(21),
		ExplicitBounds: []float64{1, 2, 5}, BucketCounts: []uint64{1, 1, 2, 2},
	}
	f(p)
	return metricsOf(&metricspb.Metric{Name: "duration", Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
		AggregationTemporality: deltaPB, DataPoints: []*metricspb.HistogramDataPoint{p},
	}}})
}

func exponentialWith(f func(*metricspb.ExponentialHistogramDataPoint)) *metricspb.MetricsData {
	p := &metricspb.ExponentialHistogramDataPoint{
		StartTimeUnixNano: noon - 1e9, TimeUnixNano: noon, Count: 6, Sum: proto.Float64(21), ZeroCount: 1,
		Positive: &metricspb.ExponentialHistogramDataPoint_Buckets{BucketCounts: []uint64{1, 200, 0}},
		Negative: &metricspb.ExponentialHistogramDataPoint_Buckets{BucketCounts: []uint64{2, 1}},
	}
	p.Count = 205
	f(p)
	return metricsOf(&metricspb.Metric{Name: "size", Data: &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
		AggregationTemporality: deltaPB, DataPoints: []*metricspb.ExponentialHistogramDataPoint{p},
	}}})
}

func summaryWith(f func(*metricspb.SummaryDataPoint)) *metricspb.MetricsData {
	p := &metricspb.SummaryDataPoint{
		StartTimeUnixNano: noon - 1e9, TimeUnixNano: noon, Count: 6, Sum: 21,
		QuantileValues: []*metricspb.SummaryDataPoint_ValueAtQuantile{{Quantile: 0, Value: 1}, {Quantile: 0.5, Value: 3}, {Quantile: 1, Value: 6}},
	}
	f(p)
	return metricsOf(&metricspb.Metric{Name: "latency", Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{
		DataPoints: []*metricspb.SummaryDataPoint{p},
	}}})
}

// fieldsOf is the fields of a message, each with its tag.
func fieldsOf(b []byte) (fields [][]byte) {
	for len(b) > 0 {
		_, _, n := protowire.ConsumeField(b)
		fields = append(fields, b[:n])
		b = b[n:]
	}
	return fields
}
