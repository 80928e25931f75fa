package violations

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Of what is alike only the first are listed, and the last says how many more
// there are.
func TestViolationsThatAreAlikeAreListedUpToABound(t *testing.T) {
	var spans []*tracepb.Span
	for i := range 599 {
		spans = append(spans, spanNamed(fmt.Sprint(i), func(s *tracepb.Span) {
			s.SpanId = nil
			if i == 598 {
				s.TraceId = nil
			}
		}))
	}
	got := look(t, spansOf(spans...))
	if len(got) != listed+1 {
		t.Fatalf("got %d, want %d", len(got), listed+1)
	}
	same(t, got[98:],
		`S-40 error  export 1 resource_spans[0].scope_spans[0].spans[98].span_id of span "98": got none, want 8 bytes that are not all zero`,
		`S-40 error  export 1 resource_spans[0].scope_spans[0].spans[99].span_id of span "99": got none, want 8 bytes that are not all zero (and 499 more)`,
		`S-40 error  export 1 resource_spans[0].scope_spans[0].spans[598].trace_id of span "598": got none, want 16 bytes that are not all zero`)
}

func TestSeriesThatAreAlikeAreListedUpToABound(t *testing.T) {
	many := func(start, end uint64, value int64) proto.Message {
		d := metricsOf()
		for i := range 250 {
			m := deltaOf(start, end, value).ResourceMetrics[0].ScopeMetrics[0].Metrics[0]
			m.Name = fmt.Sprint("m", i)
			d.ResourceMetrics[0].ScopeMetrics[0].Metrics = append(d.ResourceMetrics[0].ScopeMetrics[0].Metrics, m)
		}
		return d
	}
	row := sequenceRow{sent: []sent{{what: "a", e: ok(), body: many(0, 2, 1)}, {what: "b", after: second, e: ok(), body: many(1, 3, 1)}}}
	got := All(row.all(t))
	if len(got) != listed || got[0].More != 0 || got[listed-1].More != 150 {
		t.Errorf("got %d, the last with %d more, want %d and 150", len(got), got[len(got)-1].More, listed)
	}
}

// A request that is bad everywhere costs no more than what its size explains.
func TestHostileBodies(t *testing.T) {
	var attrs []*commonpb.KeyValue
	for i := range 20_000 {
		attrs = append(attrs, kv(fmt.Sprintf("%08d", i%15_000), text("x")))
	}
	deep := text("x")
	for range 1000 {
		deep = mapOf(kv("m", array(deep)), kv("m", nil))
	}
	empty := make([]*tracepb.Span, 200_000)
	for i := range empty {
		empty[i] = &tracepb.Span{}
	}
	long := strings.Repeat("ü\n", 100_000)
	for name, m := range map[string]proto.Message{
		"many attributes": spanWith(func(s *tracepb.Span) { s.Attributes = attrs }),
		"deep values":     logWith(func(l *logspb.LogRecord) { l.Body = deep }),
		"empty spans":     spansOf(empty...),
		"long texts": tracesWith(func(d *tracepb.ResourceSpans) {
			d.Resource.Attributes = []*commonpb.KeyValue{kv("service.name", text(long)), kv(long, text(long)), kv(long, nil)}
			d.ScopeSpans[0].Spans[0].Name, d.ScopeSpans[0].Spans[0].Attributes = long, []*commonpb.KeyValue{kv(long, nil), kv(long, nil)}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got := look(t, m)
			if len(got) == 0 || len(got) > 8*listed || time.Since(start) > 10*time.Second {
				t.Errorf("got %d after %s", len(got), time.Since(start))
			}
			for _, v := range got {
				if len(v) > 500 || strings.ContainsAny(v, "\n") {
					t.Fatalf("got a line of %d bytes: %.300q", len(v), v)
				}
			}
		})
	}
}

func TestManyKeysAreComparedExactly(t *testing.T) {
	for _, n := range []int{1, many - 1, many, many + 1, 3 * many} {
		var attrs []*commonpb.KeyValue
		for i := range n {
			attrs = append(attrs, kv(fmt.Sprint("k", i), nil))
		}
		d := spanWith(func(s *tracepb.Span) { s.Attributes = attrs })
		same(t, look(t, d))
		s := d.ResourceSpans[0].ScopeSpans[0].Spans[0]
		s.Attributes = append(s.Attributes, kv("k0", nil), kv(fmt.Sprint("k", n-1), nil))
		if got := Look(query.Traces, encode(t, d), false, nil).list; len(got) != 2 || got[1].Path != fmt.Sprintf("%s.attributes[%d].key", aSpan, n+1) {
			t.Errorf("%d keys: got %v, want the last two", n, texts(got))
		}
	}
}
