package store_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// What the queries of the benchmark look at.
const (
	exportsAsked   = 800
	spansPerExport = 500
)

// full is a store of 400,000 spans of 10 attributes, and the bodies in it.
func full(tb testing.TB) (*store.Store, [][]byte) {
	s := store.New(time.Second)
	var bodies [][]byte
	for e := range exportsAsked {
		body := spansBody(tb, e)
		r := s.NewRecord(query.Export{Signal: query.Traces, Protocol: query.GRPC, Items: spansPerExport, Outcome: query.Open}, body)
		r.KeepAll()
		s.Append(r)
		finish(s, r)
		bodies = append(bodies, body)
	}
	return s, bodies
}

func spansBody(tb testing.TB, export int) []byte {
	text := func(s string) *commonpb.AnyValue {
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
	}
	ss := &tracepb.ScopeSpans{Scope: &commonpb.InstrumentationScope{Name: "shop/cart"}}
	for i := range spansPerExport {
		n := uint64(export*spansPerExport + i + 1)
		s := &tracepb.Span{
			TraceId: fmt.Appendf(nil, "%016d", n/10), SpanId: fmt.Appendf(nil, "%08d", n), ParentSpanId: fmt.Appendf(nil, "%08d", n-n%10),
			Name: "load-generator-span", Kind: 2, StartTimeUnixNano: 1<<60 + n*1e6, EndTimeUnixNano: 1<<60 + n*1e6 + 1000, Status: &tracepb.Status{}, Flags: 257,
		}
		for j := range 10 {
			v := &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: int64(i * j)}}
			if j%2 == 0 {
				v = text(fmt.Sprintf("value number %d", i))
			}
			s.Attributes = append(s.Attributes, &commonpb.KeyValue{Key: fmt.Sprintf("load.attribute.%d", j), Value: v})
		}
		ss.Spans = append(ss.Spans, s)
	}
	if export%100 == 50 {
		ss.Spans[100].Name, ss.Spans[100].EndTimeUnixNano = "charge", ss.Spans[100].StartTimeUnixNano+2e9
	}
	b, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   &resourcepb.Resource{Attributes: []*commonpb.KeyValue{{Key: "service.name", Value: text("shop")}}},
		ScopeSpans: []*tracepb.ScopeSpans{ss},
	}}})
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

var selective = []query.Filter{
	where.Name("charge"),
	where.Name(where.Matches("^charge$")),
	where.MinDuration(time.Second),
	where.During(time.Unix(0, 1<<60-2e9), time.Unix(0, 1<<60-1e9)),
	where.StatusError(),
	where.Attr("load.attribute.3", -1),
	where.Attr("load.attribute.9", where.AtLeast(4490)),
	where.Attr("load.attribute.8", where.Matches("^no")),
	where.Attr("load.attribute.8", where.OneOf("a", "b", 5)),
	where.HasEvent("exception"),
	where.ViaProtocol(query.HTTPJSON),
	where.Since(query.NewMark(exportsAsked - 1)),
	where.Child(where.Name("charge")),
	where.Descendant(where.Name("charge")),
}

// walk goes over every field of every span without asking anything: the same
// scan without a predicate.
func walk(bodies [][]byte) (fields int) {
	for _, body := range bodies {
		for f := wire.Read(body); f.Next(); {
			for g := wire.Read(f.Raw()); g.Next(); {
				fields += walkGroup(g.Raw())
			}
		}
	}
	return fields
}

// scan goes over all spans without looking into them.
func scan(bodies [][]byte) (n int) {
	var it wire.Item
	for _, body := range bodies {
		it.Scan(query.Traces, body, nil, 1, func(*wire.Item) bool {
			n++
			return true
		})
	}
	return n
}

func walkGroup(group []byte) (fields int) {
	const items = 2<<3 | 2
	for s := wire.Read(group); s.Next(); {
		if s.Tag() != items {
			continue
		}
		for f := wire.Read(s.Raw()); f.Next(); {
			fields++
		}
	}
	return fields
}

// A selective query costs less than going over the fields of all spans, and
// allocates nothing for those that it does not return. The rounds are
// interleaved and the figures medians: the first query against a walk over all
// fields, against a scan that does not look into items, and against the view
// without a filter; the second one against the first; and what the first one
// allocated.
func BenchmarkSelectiveQuery(b *testing.B) {
	s, bodies := full(b)
	for _, f := range selective {
		b.Run(f.String(), func(b *testing.B) {
			var plain, bare, all, asked, first []float64
			var most uint64
			for range b.N {
				plain = append(plain, seconds(func() { walk(bodies) }))
				bare = append(bare, seconds(func() { scan(bodies) }))
				all = append(all, seconds(func() { spans(s).Len() }))
				before := allocated()
				first = append(first, seconds(func() { spans(s, f).Len() }))
				most = max(most, allocated()-before)
				asked = append(asked, seconds(func() { spans(s, f).Len() }))
			}
			n := float64(exportsAsked * spansPerExport)
			b.ReportMetric(median(first)/median(plain), "×fields")
			b.ReportMetric(median(first)/median(bare), "×items")
			b.ReportMetric(median(first)/median(all), "×unfiltered")
			b.ReportMetric(0, "ns/op") // which is that of all of them
			b.ReportMetric(median(asked)/median(first), "×first")
			b.ReportMetric(median(first)*1e9/n, "ns/span")
			b.ReportMetric(float64(most)/1e6, "MB")
		})
	}
}

func seconds(f func()) float64 {
	start := time.Now()
	f()
	return time.Since(start).Seconds()
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// What it costs to append an export, with nobody waiting and with somebody who
// waits for each.
func BenchmarkAppend(b *testing.B) {
	body := spansBody(b, 0)
	for _, waiting := range []bool{false, true} {
		b.Run(fmt.Sprintf("waiting=%t", waiting), func(b *testing.B) {
			s := store.New(time.Second)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%10_000 == 0 {
					s.Reset()
				}
				if waiting {
					s.Changed()
				}
				r := s.NewRecord(query.Export{Signal: query.Traces, Items: spansPerExport}, body)
				r.KeepAll()
				s.Append(r)
			}
		})
	}
}
