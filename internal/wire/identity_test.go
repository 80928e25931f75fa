package wire

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

func ids(sig query.Signal, body []byte) (list []query.ItemID) {
	for it := range Items(sig, body, nil, 1) {
		list = append(list, it.ID())
	}
	return list
}

func fingerprints(sig query.Signal, body []byte) (list [][24]byte) {
	for it := range Items(sig, body, nil, 1) {
		list = append(list, it.Bytes())
	}
	return list
}

func kv(key string, v *commonpb.AnyValue) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: v}
}

func doublePB(f float64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: f}}
}

func spansOf(resource *resourcepb.Resource, spans ...*tracepb.Span) *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: resource, ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}},
	}}}
}

func spanPB(trace, self byte, name string) *tracepb.Span {
	s := &tracepb.Span{TraceId: make([]byte, 16), SpanId: make([]byte, 8), Name: name}
	s.TraceId[15], s.SpanId[7] = trace, self
	return s
}

func TestASpanIsItsIDs(t *testing.T) {
	res := &resourcepb.Resource{Attributes: []*commonpb.KeyValue{kv("service.name", stringValuePB("shop"))}}
	a, b := spanPB(1, 1, "a"), spanPB(1, 2, "b")
	whole := ids(query.Traces, encode(t, spansOf(res, a, b)))
	split := append(ids(query.Traces, encode(t, spansOf(nil, b))), ids(query.Traces, encode(t, spansOf(res, spanPB(1, 1, "otherwise"))))...)
	if !whole[0].Unique || whole[0] == whole[1] || whole[0] != split[1] || whole[1] != split[0] {
		t.Errorf("got %v whole and %v split, want the ids", whole, split)
	}
	if got := whole[1].Hash; got != [24]byte{15: 1, 23: 2} {
		t.Errorf("got %x, want the trace id and the span id", got)
	}
}

func TestASpanWithoutValidIDsIsItsContent(t *testing.T) {
	short := spanPB(1, 1, "a")
	short.SpanId = short.SpanId[1:]
	got := ids(query.Traces, encode(t, spansOf(nil, spanPB(0, 1, "a"), spanPB(1, 0, "a"), short, spanPB(0, 1, "b"), spanPB(0, 1, "a"))))
	for i, id := range got {
		if id.Unique || slices.Index(got, id) != i && i != 4 {
			t.Errorf("got %v for span %d of %v, want one of its own that proves nothing", id, i, got)
		}
	}
	if got[4] != got[0] {
		t.Error("two equal spans have different identities")
	}
}

// gauge is a metric of one point.
func gauge(time uint64, change func(*metricspb.ResourceMetrics, *metricspb.Metric, *metricspb.NumberDataPoint)) *metricspb.MetricsData {
	p := &metricspb.NumberDataPoint{
		TimeUnixNano: time, Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: 1},
		Attributes: []*commonpb.KeyValue{kv("a", stringValuePB("1")), kv("b", doublePB(math.NaN())), kv("c", nil)},
	}
	m := &metricspb.Metric{Name: "queue", Unit: "1", Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: []*metricspb.NumberDataPoint{p}}}}
	r := &metricspb.ResourceMetrics{
		Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{kv("service.name", stringValuePB("shop")), kv("host", stringValuePB("x"))}},
		ScopeMetrics: []*metricspb.ScopeMetrics{{
			Scope: &commonpb.InstrumentationScope{Name: "meter", Version: "1"}, Metrics: []*metricspb.Metric{m},
		}},
	}
	if change != nil {
		change(r, m, p)
	}
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{r}}
}

func TestAPointIsItsSeriesAndTime(t *testing.T) {
	type (
		res   = *metricspb.ResourceMetrics
		met   = *metricspb.Metric
		point = *metricspb.NumberDataPoint
	)
	base := ids(query.Metrics, encode(t, gauge(1, nil)))[0]
	if base.Unique {
		t.Error("got an identity of a point that proves that it is the same one")
	}
	for name, change := range map[string]func(res, met, point){
		"value":           func(_ res, _ met, p point) { p.Value = &metricspb.NumberDataPoint_AsDouble{AsDouble: math.NaN()} },
		"order":           func(_ res, _ met, p point) { slices.Reverse(p.Attributes) },
		"resource order":  func(r res, _ met, _ point) { slices.Reverse(r.Resource.Attributes) },
		"description":     func(_ res, m met, _ point) { m.Description = "d" },
		"start":           func(_ res, _ met, p point) { p.StartTimeUnixNano = 1 },
		"schema":          func(r res, _ met, _ point) { r.SchemaUrl = "s" },
		"scope attribute": func(r res, _ met, _ point) { r.ScopeMetrics[0].Scope.Attributes = r.Resource.Attributes },
	} {
		if got := ids(query.Metrics, encode(t, gauge(1, change)))[0]; got != base {
			t.Errorf("%s: got another identity, want the same", name)
		}
	}
	seen := map[query.ItemID]string{base: "base"}
	for name, change := range map[string]func(res, met, point){
		"time":         func(_ res, _ met, p point) { p.TimeUnixNano = 2 },
		"attribute":    func(_ res, _ met, p point) { p.Attributes[0].Value = stringValuePB("2") },
		"no attribute": func(_ res, _ met, p point) { p.Attributes = p.Attributes[:2] },
		"resource":     func(r res, _ met, _ point) { r.Resource.Attributes[1].Value = stringValuePB("y") },
		"elsewhere":    func(r res, _ met, p point) { p.Attributes = append(p.Attributes, r.Resource.Attributes[1]) },
		"scope":        func(r res, _ met, _ point) { r.ScopeMetrics[0].Scope.Name = "other" },
		"version":      func(r res, _ met, _ point) { r.ScopeMetrics[0].Scope.Version = "2" },
		"name":         func(_ res, m met, _ point) { m.Name = "queues" },
		"unit":         func(_ res, m met, _ point) { m.Unit = "2" },
		"type": func(_ res, m met, p point) {
			m.Data = &metricspb.Metric_Sum{Sum: &metricspb.Sum{DataPoints: []point{p}}}
		},
		"delta": func(_ res, m met, p point) {
			m.Data = &metricspb.Metric_Sum{Sum: &metricspb.Sum{DataPoints: []point{p}, AggregationTemporality: 1}}
		},
		"cumulative": func(_ res, m met, p point) {
			m.Data = &metricspb.Metric_Sum{Sum: &metricspb.Sum{DataPoints: []point{p}, AggregationTemporality: 2}}
		},
	} {
		got := ids(query.Metrics, encode(t, gauge(1, change)))[0]
		if other, ok := seen[got]; ok {
			t.Errorf("%s has the identity of %s", name, other)
		}
		seen[got] = name
	}
}

func TestPointsOfEveryKindHaveTheirAttributes(t *testing.T) {
	attrs := []*commonpb.KeyValue{kv("a", stringValuePB("1"))}
	for name, both := range map[string][2]*metricspb.Metric{
		"histogram": {
			{Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{DataPoints: []*metricspb.HistogramDataPoint{{Attributes: attrs}}}}},
			{Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{DataPoints: []*metricspb.HistogramDataPoint{{}}}}},
		},
		"exponential": {
			{Data: &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{DataPoints: []*metricspb.ExponentialHistogramDataPoint{{Attributes: attrs}}}}},
			{Data: &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{DataPoints: []*metricspb.ExponentialHistogramDataPoint{{}}}}},
		},
		"summary": {
			{Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: []*metricspb.SummaryDataPoint{{Attributes: attrs}}}}},
			{Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: []*metricspb.SummaryDataPoint{{}}}}},
		},
	} {
		var got []query.ItemID
		for _, m := range both {
			got = append(got, ids(query.Metrics, encode(t, &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
				ScopeMetrics: []*metricspb.ScopeMetrics{{Metrics: []*metricspb.Metric{m}}},
			}}}))...)
		}
		if got[0] == got[1] {
			t.Errorf("%s: two series have one identity", name)
		}
	}
}

func TestALogRecordIsItsContent(t *testing.T) {
	record := func(body string) *logspb.LogRecord {
		return &logspb.LogRecord{Body: stringValuePB(body), Attributes: []*commonpb.KeyValue{
			kv("a", stringValuePB("1")), kv("m", &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{
				Values: []*commonpb.KeyValue{kv("x", doublePB(1)), kv("y", doublePB(math.NaN()))},
			}}}),
		}}
	}
	of := func(service, scope string, records ...*logspb.LogRecord) []byte {
		return encode(t, &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
			Resource:  &resourcepb.Resource{Attributes: []*commonpb.KeyValue{kv("service.name", stringValuePB(service))}},
			ScopeLogs: []*logspb.ScopeLogs{{Scope: &commonpb.InstrumentationScope{Name: scope}, LogRecords: records}},
		}}})
	}
	turned := record("a")
	slices.Reverse(turned.Attributes)
	slices.Reverse(turned.Attributes[0].Value.GetKvlistValue().Values)
	got := ids(query.Logs, of("shop", "s", record("a"), record("b"), turned, record("a")))
	if got[0] == got[1] || got[0] != got[2] || got[0] != got[3] || got[0].Unique {
		t.Errorf("got %v, want one identity for each content", got)
	}
	for _, body := range [][]byte{of("bank", "s", record("a")), of("shop", "t", record("a"))} {
		if other := ids(query.Logs, body)[0]; other == got[0] {
			t.Error("a record of another resource or scope has the same identity")
		}
	}
}

// The identity is of what a message says, not of how it is encoded.
func TestIdentitiesDoNotDependOnTheEncoding(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	logRecord := &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{
		LogRecords: []*logspb.LogRecord{{TimeUnixNano: 1, Body: stringValuePB("a"), Attributes: []*commonpb.KeyValue{kv("k", doublePB(1))}}},
	}}}}}
	for sig, m := range map[query.Signal]proto.Message{
		query.Traces: spansOf(nil, spanPB(1, 2, "a"), spanPB(0, 0, "b")), query.Metrics: gauge(1, nil), query.Logs: logRecord,
	} {
		body := encode(t, m)
		want := ids(sig, body)
		for range 200 {
			if got := ids(sig, recode(r, tables()[sig], body)); !slices.Equal(got, want) {
				t.Fatalf("%s: got %v encoded anew, want %v", sig, got, want)
			}
		}
	}
}

func TestBytesAreOfTheItemAndWhatStandsAroundIt(t *testing.T) {
	base := encode(t, gauge(1, nil))
	if !slices.Equal(fingerprints(query.Metrics, base), fingerprints(query.Metrics, slices.Clone(base))) {
		t.Error("equal bytes differ")
	}
	for name, change := range map[string]func(*metricspb.ResourceMetrics, *metricspb.Metric, *metricspb.NumberDataPoint){
		"value": func(_ *metricspb.ResourceMetrics, _ *metricspb.Metric, p *metricspb.NumberDataPoint) { p.Flags = 1 },
		"order": func(r *metricspb.ResourceMetrics, _ *metricspb.Metric, _ *metricspb.NumberDataPoint) {
			slices.Reverse(r.Resource.Attributes)
		},
		"schema": func(r *metricspb.ResourceMetrics, _ *metricspb.Metric, _ *metricspb.NumberDataPoint) {
			r.SchemaUrl = "s"
		},
		"scope": func(r *metricspb.ResourceMetrics, _ *metricspb.Metric, _ *metricspb.NumberDataPoint) {
			r.ScopeMetrics[0].Scope.Version = "2"
		},
		"description": func(_ *metricspb.ResourceMetrics, m *metricspb.Metric, _ *metricspb.NumberDataPoint) {
			m.Description = "d"
		},
	} {
		if slices.Equal(fingerprints(query.Metrics, base), fingerprints(query.Metrics, encode(t, gauge(1, change)))) {
			t.Errorf("%s: other bytes are equal", name)
		}
	}
	more := gauge(1, func(_ *metricspb.ResourceMetrics, m *metricspb.Metric, p *metricspb.NumberDataPoint) {
		m.GetGauge().DataPoints = append(m.GetGauge().DataPoints, &metricspb.NumberDataPoint{TimeUnixNano: 9})
	})
	if fingerprints(query.Metrics, encode(t, more))[0] != fingerprints(query.Metrics, base)[0] {
		t.Error("another point of the metric makes a difference")
	}
}

func BenchmarkIdentity(b *testing.B) {
	bench(b, func(body []byte) {
		var it Item
		it.Scan(query.Traces, body, nil, 1, func(it *Item) bool {
			it.ID()
			return true
		})
	})
}
