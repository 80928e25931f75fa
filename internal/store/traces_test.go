package store_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// withTraces is a store of traces of so many spans each, in random order and
// exports of 512. One span in a hundred is called "rare".
func withTraces(t testing.TB, traces, spansEach int) *store.Store {
	t.Helper()
	var spans []*tracepb.Span
	for trace := range traces {
		for n := range spansEach {
			s := &tracepb.Span{
				TraceId: binary.BigEndian.AppendUint64(make([]byte, 8), uint64(trace+1)), SpanId: number(n), Name: "span", Kind: 2,
				StartTimeUnixNano: uint64(1e18 + n), EndTimeUnixNano: uint64(1e18 + 2*spansEach - n),
			}
			if n > 0 {
				s.ParentSpanId = number((n - 1) / 4)
			}
			if trace%100 == 0 && n == 7 {
				s.Name = "rare"
			}
			for range 5 {
				s.Attributes = append(s.Attributes, &commonpb.KeyValue{Key: "http.route", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "/pay"}}})
			}
			spans = append(spans, s)
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(spans), func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
	st := store.New(time.Second)
	for len(spans) > 0 {
		n := min(512, len(spans))
		body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans[:n]}}}}})
		if err != nil {
			t.Fatal(err)
		}
		r := st.NewRecord(query.Export{Signal: query.Traces, Items: n}, body)
		r.Keep(0)
		st.Append(r)
		spans = spans[n:]
	}
	return st
}

func number(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n+1)) }

func TestOnlyTracesWithAMatchAreAssembled(t *testing.T) {
	v := query.NewView(store.Traces{Source: store.SourceOf(withTraces(t, 200, 40))}, where.Name("rare"))
	asked := 0
	all := v.Where(where.Func("counts", func(tr query.Trace) bool {
		asked++
		return tr.Complete() && tr.Len() == 40
	})).Slice()
	if len(all) != 2 || asked != 2 {
		t.Errorf("got %d traces of %d that were put together, want 2 of 2", len(all), asked)
	}
}

func BenchmarkTraces(b *testing.B) {
	st := withTraces(b, 500, 100)
	for _, c := range []struct {
		name    string
		filters []query.Filter
		want    int
	}{
		{"all", nil, 500},
		{"complete", []query.Filter{where.Complete(), where.MinSpans(100)}, 500},
		{"rare", []query.Filter{where.Name("rare")}, 5},
	} {
		b.Run(c.name, func(b *testing.B) {
			v := query.NewView(store.Traces{Source: store.SourceOf(st)}, c.filters...)
			b.ReportAllocs()
			for b.Loop() {
				if got := len(v.Slice()); got != c.want {
					b.Fatalf("got %d traces, want %d", got, c.want)
				}
			}
		})
	}
}
