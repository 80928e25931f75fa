package violations

import (
	"testing"

	"github.com/otlptest/otlptest/query"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Each check has the consequence that the table says.
func TestEachCheckHasItsConsequence(t *testing.T) {
	for _, row := range bodyRows {
		sig, body := signalOf(row.body), encode(t, row.body)
		v := Judge(sig, body)
		refused := row.check.Strict == RefuseItem
		if (v.Rejected > 0) != refused || v.RefuseRequest != refused || (v.Message != "") != refused {
			t.Errorf("%s: got %+v, want refused %v", row.name, v, refused)
		}
	}
	for _, c := range Table() {
		if requests := map[*Check]bool{method: true, contentType: true, malformed: true, encoding: true}; c.Strict == RefuseRequest && !requests[c] && jsonChecks[c.Rule] != c {
			t.Errorf("%s: it refuses a request, but nobody looks", c.Name)
		}
	}
}

func spanNamed(name string, f func(*tracepb.Span)) *tracepb.Span {
	return spanWith(func(s *tracepb.Span) { s.Name = name; f(s) }).ResourceSpans[0].ScopeSpans[0].Spans[0]
}

func TestItemsAreRefusedOneByOne(t *testing.T) {
	good, bad := func(*tracepb.Span) {}, func(s *tracepb.Span) { s.SpanId = nil }
	odd := func(s *tracepb.Span) { s.Flags = 0x400 }
	d := spansOf(spanNamed("a", good), spanNamed("b", bad), spanNamed("c", odd), spanNamed("d", bad), spanNamed("e", good))
	v := Judge(query.Traces, encode(t, d))
	check(t, v, []int{1, 3}, false, `2 of 5 spans refused: resource_spans[0].scope_spans[0].spans[1].span_id: got none, want 8 bytes that are not all zero (S-40)`)
}

func TestWhatHoldsItemsRefusesThemAll(t *testing.T) {
	good := func(*tracepb.Span) {}
	d := &tracepb.TracesData{}
	for range 3 {
		d.ResourceSpans = append(d.ResourceSpans, spansOf(spanNamed("a", good), spanNamed("b", good)).ResourceSpans...)
	}
	first := d.ResourceSpans[0]
	first.ScopeSpans = append(first.ScopeSpans, &tracepb.ScopeSpans{Scope: cart(), Spans: first.ScopeSpans[0].Spans})
	first.ScopeSpans[0].Scope.Attributes = twice()
	d.ResourceSpans[1].Resource.Attributes = twice()
	v := Judge(query.Traces, encode(t, d))
	check(t, v, []int{0, 1, 4, 5}, false, `4 of 8 spans refused: resource_spans[0].scope_spans[0].scope.attributes[2].key: got the key "a" again, want each key once (S-49)`)

	three := []*metricspb.NumberDataPoint{{TimeUnixNano: noon, Value: integer(1)}, {TimeUnixNano: noon}, {TimeUnixNano: noon, Value: integer(2)}}
	sum := func(temporality metricspb.AggregationTemporality) *metricspb.Metric {
		return &metricspb.Metric{Name: "m", Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{AggregationTemporality: temporality, DataPoints: three}}}
	}
	v = Judge(query.Metrics, encode(t, metricsOf(sum(deltaPB), sum(0), sum(deltaPB))))
	check(t, v, []int{1, 3, 4, 5, 7}, false, `5 of 9 points refused: resource_metrics[0].scope_metrics[0].metrics[0].sum.data_points[1]: got no value, want as_double or as_int (S-44)`)
}

func TestARequestOfNothingAcceptableIsRefused(t *testing.T) {
	bad := func(s *tracepb.Span) { s.TraceId = []byte("abc") }
	v := Judge(query.Traces, encode(t, spansOf(spanNamed("a", bad), spanNamed("b", bad))))
	check(t, v, []int{0, 1}, true, `2 of 2 spans refused: resource_spans[0].scope_spans[0].spans[0].trace_id: got 3 bytes, want 16 bytes that are not all zero (S-40)`)
	for _, m := range []proto.Message{&tracepb.TracesData{}, tracesWith(func(d *tracepb.ResourceSpans) { d.Resource.Attributes, d.ScopeSpans = twice(), nil })} {
		check(t, Judge(query.Traces, encode(t, m)), nil, false, "") // S-06
	}
}

func check(t *testing.T, v Verdict, refused []int, whole bool, message string) {
	t.Helper()
	set := map[int]bool{}
	for _, i := range refused {
		set[i] = true
	}
	for i := range 20 {
		if v.Refused.Has(i) != set[i] {
			t.Errorf("item %d: got refused %v, want %v", i, v.Refused.Has(i), set[i])
		}
	}
	if v.Rejected != len(refused) || v.RefuseRequest != whole || v.Message != message {
		t.Errorf("got %d, %v, %s\nwant %d, %v, %s", v.Rejected, v.RefuseRequest, v.Message, len(refused), whole, message)
	}
}
