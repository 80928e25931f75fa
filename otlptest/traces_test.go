package otlptest_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// inTrace is a span of a trace, with its number and its parent's, 0 for none,
// that lasts from one to another nanosecond.
func inTrace(trace byte, number, parent int, name string, from, to int, attrs ...any) *tracepb.Span {
	s := span(name, attrs...)
	s.TraceId, s.SpanId = bytes.Repeat([]byte{trace}, 16), spanNumber(number)
	if parent != 0 {
		s.ParentSpanId = spanNumber(parent)
	}
	s.StartTimeUnixNano, s.EndTimeUnixNano = at+uint64(from), at+uint64(to)
	return s
}

func spanNumber(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// checkout is a whole trace.
func checkout(trace byte) []*tracepb.Span {
	return []*tracepb.Span{
		inTrace(trace, 1, 0, "checkout", 0, 100),
		inTrace(trace, 2, 1, "charge", 10, 60, "currency", "EUR"),
		inTrace(trace, 3, 2, "pay", 20, 50),
		inTrace(trace, 4, 1, "ship", 60, 90),
	}
}

var checkoutShape = query.Shape("checkout",
	query.Shape("charge", where.Attr("currency", "EUR"), query.Shape("pay")),
	query.Shape("ship"))

// outline is the names in some nodes, those below others in braces.
func outline(nodes []*query.Node) string {
	var list []string
	for _, n := range nodes {
		text := n.Name
		if len(n.Children) > 0 {
			text += "{" + outline(n.Children) + "}"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func TestTracesArePutTogetherAcrossExports(t *testing.T) {
	srv := otlptest.Start(t)
	w := newWire(t, srv)
	a, b := checkout(1), checkout(2)
	for i, order := 0, []int{2, 3, 0, 1}; i < len(order); i++ {
		w.export(protocols[i%3], traces(a[order[i]], b[order[len(order)-1-i]]))
	}
	all := otlptest.Exactly(t, srv.Traces(), 2)
	for i, tr := range all {
		if got := outline(tr.Roots); got != "checkout{charge{pay} ship}" || !tr.Complete() || tr.ID[0] != byte(i+1) {
			t.Errorf("got trace %s", tr)
		}
		if e := tr.Node(query.SpanID(spanNumber(3))).Ref.Export(); e.Number == 0 {
			t.Error("the span does not lead to its export")
		}
		if err := checkoutShape.Check(tr); err != nil {
			t.Error(err)
		}
	}
	conforms(t, srv)
}

func TestWholeTracesCanBeWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithWaitTimeout(time.Hour))
		start := time.Now()
		go func() {
			for i := range 4 {
				time.Sleep(time.Minute)
				send(t, srv, checkout(1)[3-i])
			}
			time.Sleep(time.Minute)
			send(t, srv, checkout(2)[:2]...)
		}()
		tr := otlptest.Await(t, srv.Traces(where.Complete(), where.MinSpans(3)), 1)[0]
		if tr.Len() != 4 || time.Since(start) != 4*time.Minute {
			t.Errorf("got %s after %s, want all of it", tr, time.Since(start))
		}
		tr = otlptest.HasShape(t, srv.Traces(where.Not(where.MinSpans(3))), query.Shape("checkout", query.Shape("charge")))
		if tr.ID[0] != 2 || time.Since(start) != 5*time.Minute {
			t.Errorf("got %s after %s", tr, time.Since(start))
		}
	})
}

func TestFiltersOfTraces(t *testing.T) {
	srv := otlptest.Start(t)
	send(t, srv, checkout(1)...)
	send(t, srv, checkout(2)[1:]...)
	send(t, srv, inTrace(3, 1, 0, "charge", 0, 1), inTrace(3, 2, 1, "other", 0, 1, "currency", "EUR"))
	for _, c := range []struct {
		filters []query.Filter
		want    string // the first bytes of the ids
	}{
		{nil, "123"},
		{[]query.Filter{where.Name("charge")}, "123"},
		{[]query.Filter{where.Name("charge"), where.Attr("currency", "EUR")}, "12"},
		{[]query.Filter{where.Name("charge"), where.Root()}, "3"},
		{[]query.Filter{where.Not(where.Name("charge")), where.Attr("currency", "EUR")}, "3"},
		{[]query.Filter{where.Child(where.Name("charge")), where.Name("pay")}, "12"},
		{[]query.Filter{where.TraceID(query.TraceID(bytes.Repeat([]byte{2}, 16)))}, "2"},
		{[]query.Filter{where.Complete()}, "13"},
		{[]query.Filter{where.Not(where.Complete())}, "2"},
		{[]query.Filter{where.MinSpans(3)}, "12"},
		{[]query.Filter{where.MinSpans(3), where.Complete()}, "1"},
		{[]query.Filter{where.Any(where.MinSpans(4), where.Not(where.Complete()))}, "12"},
		{[]query.Filter{where.Name("pay"), where.Complete()}, "1"},
		{[]query.Filter{where.Func("two spans", func(tr query.Trace) bool { return tr.Len() == 2 })}, "3"},
		{[]query.Filter{where.Func("ship", func(s query.Span) bool { return s.Name == "ship" })}, "12"},
	} {
		var got string
		v := srv.Traces(c.filters...)
		for tr := range v.All() {
			got += fmt.Sprint(tr.ID[0])
		}
		if got != c.want || v.Err() != nil {
			t.Errorf("%s: got traces %s, %v, want %s", v, got, v.Err(), c.want)
		}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{srv.Traces(where.Unit("1")).Err(), `filter unit="1" applies to points, not to traces`},
		{srv.Traces(where.MinSpans(0)).Err(), `where.MinSpans: got 0, want 1 or more: it would always hold`},
		{srv.Traces(where.Any(where.Complete(), where.Root())).Err(), `filter (complete or root) asks in one about traces and about spans, want them apart`},
		{srv.Spans(where.Complete()).Err(), `filter complete applies to traces, not to spans`},
		{srv.Exports(where.MinSpans(2)).Err(), `filter spans>=2 applies to traces, not to exports`},
		{srv.Exports(where.Func("x", func(query.Trace) bool { return true })).Err(), `filter func("x") applies to traces, not to exports`},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}

// What a view finds on the bytes is what a trace finds in its spans.
func TestTracesFindWhatViewsFind(t *testing.T) {
	srv := otlptest.Start(t)
	spans := checkout(1)
	spans[0].Kind, spans[0].Attributes = tracepb.Span_SPAN_KIND_SERVER, append(spans[0].Attributes, attr("n", 500), attr("", "empty"))
	spans[1].Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: "no"}
	spans[2].Events = []*tracepb.Span_Event{{Name: "retry"}, {}}
	spans[2].Links = []*tracepb.Span_Link{{TraceId: spans[0].TraceId, SpanId: spans[0].SpanId}}
	spans[3].EndTimeUnixNano, spans[3].Name = 0, ""
	send(t, srv, spans...)
	tr := otlptest.One(t, srv.Traces())
	filters := []query.Filter{
		where.Name("pay"), where.Name(""), where.Name(where.Matches("^c")), where.Name(where.Contains("ha")), where.Name(where.OneOf("pay", "charge")),
		where.Service("shop"), where.Service("bank"), where.Service(""), where.ScopeName(""), where.ResourceAttr("tenant", "b"), where.HasResourceAttr("tenant"),
		where.Attr("currency", "EUR"), where.HasAttr("currency"), where.HasAttr(""), where.Attr("currency", where.Matches("E")), where.Attr("n", where.Contains("5")),
		where.Attr("n", 500), where.Attr("n", 500.0), where.Attr("n", 500.5), where.Attr("n", "500"), where.Attr("n", true), where.Attr("n", where.AtLeast(500)),
		where.Attr("n", where.MoreThan(499.5)), where.Attr("n", where.LessThan(500)), where.Attr("n", where.AtMost(500)), where.Attr("currency", where.AtLeast(0)),
		where.Kind(query.SpanKindServer), where.Kind(query.SpanKindUnspecified), where.Status(query.StatusError), where.Status(query.StatusUnset), where.Root(),
		where.TraceID(tr.ID), where.TraceID(query.TraceID{1}), where.SpanID(tr.Roots[0].SpanID), where.SpanID(query.SpanID{1}), where.MinDuration(50), where.Duration(where.LessThan(time.Duration(50))), where.Duration(where.AtLeast(time.Duration(0))),
		where.HasEvent("retry"), where.HasEvent(""), where.HasEvent("x"), where.HasLink(tr.ID), where.HasLink(query.TraceID{1}),
		where.Func("short", func(s query.Span) bool { return s.Duration() < 40 }),
	}
	for i, f := range filters {
		filters = append(filters, where.Not(f), where.Any(f, filters[(i+7)%len(filters)]))
	}
	for _, f := range filters {
		want, got := srv.Spans(f), tr.Find(f)
		if got.Err() != nil || want.Err() != nil {
			t.Errorf("%s: got errors %v and %v", f, got.Err(), want.Err())
		}
		if diff := cmp.Diff(want.Slice(), got.Slice()); diff != "" {
			t.Errorf("%s: spans (-view +trace):\n%s", f, diff)
		}
	}
}

// open-telemetry/opentelemetry-collector#11056: spans that were kept before
// their connection ended, and sent again, are one.
func TestSpansReceivedTwiceShowOnce(t *testing.T) {
	for _, via := range protocols {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Close().Stored(), faults.Accept())))
		w := newWire(t, srv)
		w.fails(via, traces(checkout(1)...))
		w.export(via, traces(checkout(1)...))
		tr := otlptest.One(t, srv.Traces(where.Complete()))
		if got := outline(tr.Roots); got != "checkout{charge{pay} ship}" || len(tr.Duplicates) != 4 || tr.Duplicates[0].Ref.Export().Number != 2 {
			t.Errorf("%s: got %s", via, tr)
		}
		conforms(t, srv)
	}
}

// fails exports and expects no answer.
func (w *wire) fails(via query.Protocol, m *tracepb.TracesData) {
	w.t.Helper()
	c := dialBare(w.t, w.srv, map[bool]string{true: w.srv.GRPCEndpoint(), false: w.srv.HTTPEndpoint()}[via == query.GRPC])
	body := encode(w.t, via, m)
	if via == query.GRPC {
		c.http2(w.t).call(body)
	} else {
		c.post1(mediaType[via], body)
	}
	otlptest.Await(w.t, w.srv.Exports(), 1)
}

// open-telemetry/opentelemetry-java#1164, open-telemetry/opentelemetry-go#7436.
func TestRootsAndFlagsInTraces(t *testing.T) {
	for _, via := range protocols {
		srv := otlptest.Start(t)
		spans := checkout(1)
		spans[0].ParentSpanId, spans[0].Flags, spans[1].Flags = make([]byte, 8), 0x301, 0xfffffd00
		newWire(t, srv).export(via, traces(spans...))
		tr := otlptest.One(t, srv.Traces(where.Complete(), where.Root()))
		if len(tr.Roots) != 1 || !tr.Roots[0].IsRoot() {
			t.Fatalf("%s: got %s, want the span with a parent of zeros as its root", via, tr)
		}
		root, child := tr.Roots[0].Flags, tr.Roots[0].Children[0].Flags
		remote, known := root.Remote()
		if !root.Sampled() || !remote || !known {
			t.Errorf("%s: got flags %#x of the root", via, uint32(root))
		}
		if remote, known := child.Remote(); remote || !known || child.Sampled() {
			t.Errorf("%s: got flags %#x of the child", via, uint32(child))
		}
	}
}

func TestRandomTracesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		w := newWire(t, srv)
		var spans []*tracepb.Span
		parents := map[string]string{}
		counts := map[query.TraceID]int{}
		for trace := range byte(1 + r.IntN(4)) {
			n := 1 + r.IntN(15)
			counts[query.TraceID(bytes.Repeat([]byte{trace + 1}, 16))] = n
			for i := range n {
				parent := 0
				if i > 0 {
					parent = 1 + r.IntN(i)
				}
				parents[fmt.Sprint(trace+1, "/", i+1)] = fmt.Sprint(trace+1, "/", parent)
				spans = append(spans, inTrace(trace+1, i+1, parent, fmt.Sprint(trace+1, "/", i+1), r.IntN(100), 100+r.IntN(100)))
			}
		}
		r.Shuffle(len(spans), func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
		for len(spans) > 0 {
			n := 1 + r.IntN(len(spans))
			w.export(protocols[r.IntN(3)], traces(spans[:n]...))
			spans = spans[n:]
		}
		all := otlptest.Exactly(t, srv.Traces(where.Complete()), len(counts))
		for _, tr := range all {
			if tr.Len() != counts[tr.ID] || tr.Roots[0].Name != fmt.Sprint(tr.ID[0], "/1") {
				t.Fatalf("got %s, want %d spans", tr, counts[tr.ID])
			}
			for _, n := range tr.Walk() {
				for i, c := range n.Children {
					if parents[c.Name] != n.Name || i > 0 && c.Start.Before(n.Children[i-1].Start) {
						t.Fatalf("%s stands below %s, want it below %s and in order", c.Name, n.Name, parents[c.Name])
					}
				}
			}
		}
	}
}

func TestTracesAreSnapshots(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory())
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		writers.Go(func() {
			for i := range 40 {
				send(t, srv, checkout(byte(i))[i%4:]...)
				if i%10 == 9 {
					srv.Reset()
				}
			}
		})
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for _, tr := range srv.Traces(where.Name("charge")).Slice() {
					text := tr.String()
					tr.CriticalPath()
					if n := tr.Find(where.Name("ship")).Len(); n > 1 || tr.Len() > 4 || tr.String() != text {
						t.Errorf("got %s, want no span twice", tr)
					}
					checkoutShape.Fits(tr)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	srv.Reset()
	send(t, srv, checkout(1)[1:]...)
	before := otlptest.One(t, srv.Traces())
	text := before.String()
	send(t, srv, checkout(1)[0])
	srv.Reset()
	if before.String() != text || before.Complete() {
		t.Errorf("got %s, want what it was: %s", before, text)
	}
}
