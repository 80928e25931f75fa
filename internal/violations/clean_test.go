package violations

import (
	"math"
	"testing"

	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// attributes is one of every kind, with the same keys in different maps.
func attributes() []*commonpb.KeyValue {
	return []*commonpb.KeyValue{
		kv("s", text("x")), kv("S", text("")), kv("i", number64(-1)), kv("none", nil), kv("empty", &commonpb.AnyValue{}),
		kv("b", &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: true}}),
		kv("d", &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: math.NaN()}}),
		kv("raw", &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: make([]byte, 200)}}),
		kv("m", mapOf(kv("s", text("x")), kv("", number64(1)), kv("m", mapOf(kv("s", nil))))),
		kv("l", array(text("x"), text("x"), mapOf(kv("s", nil)), mapOf(kv("s", nil)), array())),
	}
}

// cleanTraces is what an SDK sends, with everything that it can have.
func cleanTraces() *tracepb.TracesData {
	remote := &tracepb.Span{
		TraceId: []byte("0123456789abcdef"), SpanId: []byte("12345678"), ParentSpanId: []byte("87654321"), TraceState: "a=b",
		Flags: 0x301, Name: "charge", Kind: tracepb.Span_SPAN_KIND_CONSUMER, StartTimeUnixNano: noon, EndTimeUnixNano: noon,
		Attributes: attributes(), DroppedAttributesCount: 1, DroppedEventsCount: 2, DroppedLinksCount: 3,
		Events: []*tracepb.Span_Event{{TimeUnixNano: noon, Name: "e", Attributes: attributes()}, {Name: "e", Attributes: attributes()}},
		Links: []*tracepb.Span_Link{
			{TraceId: []byte("0123456789abcdef"), SpanId: []byte("12345678"), Flags: 0x3ff, Attributes: attributes()},
			{TraceId: make([]byte, 16), SpanId: make([]byte, 8), Attributes: attributes()}, // an API takes a link to nowhere that says something
			{TraceState: "a=b"},
		},
		Status: &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: "declined"},
	}
	root := &tracepb.Span{
		TraceId: []byte("0123456789abcdef"), SpanId: []byte("abcdefgh"), Flags: 0x101, Name: "GET",
		StartTimeUnixNano: noon, EndTimeUnixNano: noon + 1,
	}
	d := spansOf(remote, root)
	d.ResourceSpans[0].ScopeSpans = append(d.ResourceSpans[0].ScopeSpans, &tracepb.ScopeSpans{Spans: []*tracepb.Span{root}})
	return d
}

func cleanLogs() *logspb.LogsData {
	in := &logspb.LogRecord{
		TimeUnixNano: noon, ObservedTimeUnixNano: noon, SeverityNumber: 24, SeverityText: "FATAL4", Body: mapOf(attributes()...),
		Attributes: attributes(), Flags: 0xff, TraceId: []byte("0123456789abcdef"), SpanId: []byte("12345678"), EventName: "paid",
	}
	out := &logspb.LogRecord{ObservedTimeUnixNano: noon, Body: array(mapOf(attributes()...), text("x"))}
	onlyTrace := &logspb.LogRecord{TimeUnixNano: noon, TraceId: in.TraceId}
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: shop(), ScopeLogs: []*logspb.ScopeLogs{{Scope: cart(), LogRecords: []*logspb.LogRecord{in, out, onlyTrace}}},
	}}}
}

func cleanMetrics() *metricspb.MetricsData {
	none := func(f func(*metricspb.NumberDataPoint)) *metricspb.MetricsData {
		return pointWith(func(p *metricspb.NumberDataPoint) {
			p.Attributes, p.Exemplars = attributes(), []*metricspb.Exemplar{{Value: &metricspb.Exemplar_AsDouble{AsDouble: math.NaN()}, FilteredAttributes: attributes()}}
			f(p)
		})
	}
	var metrics []*metricspb.Metric
	for i, d := range []*metricspb.MetricsData{
		none(func(p *metricspb.NumberDataPoint) { p.StartTimeUnixNano = 0 }),
		none(func(p *metricspb.NumberDataPoint) { p.StartTimeUnixNano = p.TimeUnixNano }),
		none(func(p *metricspb.NumberDataPoint) { p.Value, p.Flags = nil, 1 }),
		none(func(p *metricspb.NumberDataPoint) { p.Value = &metricspb.NumberDataPoint_AsDouble{} }),
		exemplarWith(func(*metricspb.Exemplar) {}),
		histogramWith(func(*metricspb.HistogramDataPoint) {}),
		histogramWith(func(p *metricspb.HistogramDataPoint) { p.BucketCounts, p.ExplicitBounds = nil, nil }),
		histogramWith(func(p *metricspb.HistogramDataPoint) { p.BucketCounts, p.ExplicitBounds = []uint64{6}, nil }),
		histogramWith(func(p *metricspb.HistogramDataPoint) { p.ExplicitBounds = []float64{math.Inf(-1), 0, math.Inf(1)} }),
		histogramWith(func(p *metricspb.HistogramDataPoint) {
			p.Count, p.Sum, p.BucketCounts = 0, proto.Float64(0), make([]uint64, 4)
		}),
		histogramWith(func(p *metricspb.HistogramDataPoint) {
			p.Flags, p.Count, p.Sum, p.BucketCounts = 1, 0, nil, make([]uint64, 4)
		}),
		exponentialWith(func(*metricspb.ExponentialHistogramDataPoint) {}),
		exponentialWith(func(p *metricspb.ExponentialHistogramDataPoint) {
			p.Count, p.ZeroCount, p.Positive, p.Negative = 2, 2, nil, nil
		}),
		summaryWith(func(*metricspb.SummaryDataPoint) {}),
		summaryWith(func(p *metricspb.SummaryDataPoint) { p.QuantileValues = nil }),
	} {
		m := d.ResourceMetrics[0].ScopeMetrics[0].Metrics[0]
		m.Name, m.Metadata = m.Name+string(rune('a'+i)), attributes()
		metrics = append(metrics, m)
	}
	gauge := &metricspb.Gauge{DataPoints: []*metricspb.NumberDataPoint{{TimeUnixNano: noon, Value: integer(-5)}}}
	metrics = append(metrics, &metricspb.Metric{Name: "depth", Data: &metricspb.Metric_Gauge{Gauge: gauge}})
	return metricsOf(metrics...)
}

func clean() []proto.Message { return []proto.Message{cleanTraces(), cleanMetrics(), cleanLogs()} }

func TestNothingIsWrongWithWhatIsRight(t *testing.T) {
	for _, m := range clean() {
		same(t, look(t, m))
		sig := signalOf(m)
		if v := Judge(sig, encode(t, m)); v.Rejected != 0 || v.RefuseRequest || v.Message != "" {
			t.Errorf("%s: got %+v, want nothing refused", sig, v)
		}
	}
}

// Fields that are unknown, or that come in another order or form, are no
// violation (S-39).
func TestNothingIsWrongWithAnotherEncoding(t *testing.T) {
	for _, m := range clean() {
		m.ProtoReflect().SetUnknown([]byte{0xfa, 0x3f, 1, 'x'})
		sig := signalOf(m)
		for _, body := range [][]byte{reversed(encode(t, m)), append(encode(t, m), encode(t, m)...)} {
			same(t, texts(Look(sig, body, false, nil).list))
		}
	}
}

// reversed is a message whose own fields are in the opposite order.
func reversed(b []byte) (out []byte) {
	for r := fieldsOf(b); len(r) > 0; r = r[:len(r)-1] {
		out = append(out, r[len(r)-1]...)
	}
	return out
}

func TestThereIsNothingInAnUnknownSignal(t *testing.T) {
	body := encode(t, cleanTraces())
	for _, sig := range []query.Signal{"", "profiles"} {
		if f, v := Look(sig, body, false, nil), Judge(sig, body); len(f.list) != 0 || v.Rejected != 0 {
			t.Errorf("%q: got %v and %+v, want nothing", sig, f.list, v)
		}
	}
}
