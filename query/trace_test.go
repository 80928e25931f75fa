package query_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

// The trace of made-up spans, and when it begins.
var (
	traceID = query.TraceID{0x0a, 0xf7, 15: 0x9c}
	began   = time.Unix(1000, 0).UTC()
)

func spanIDOf(n int) (id query.SpanID) {
	binary.BigEndian.PutUint64(id[:], uint64(n))
	return id
}

// made is a span of the service shop with a number and its parent's, 0 for
// none, that lasts from one to another millisecond.
func made(number, parent int, name string, from, to int, change ...func(*query.Span)) query.Span {
	s := query.Span{
		TraceID: traceID, SpanID: spanIDOf(number), ParentSpanID: spanIDOf(parent), Name: name, Kind: query.SpanKindInternal,
		Start: began.Add(time.Duration(from) * time.Millisecond), End: began.Add(time.Duration(to) * time.Millisecond),
		Resource: query.Resource{Attrs: query.Attrs{query.Attr("service.name", "shop")}},
	}
	for _, c := range change {
		c(&s)
	}
	return s
}

func with(key string, value any) func(*query.Span) {
	return func(s *query.Span) { s.Attrs = append(s.Attrs, query.Attr(key, value)) }
}

func of(service string) func(*query.Span) {
	return func(s *query.Span) { s.Resource.Attrs = query.Attrs{query.Attr("service.name", service)} }
}

func as(kind query.SpanKind) func(*query.Span) { return func(s *query.Span) { s.Kind = kind } }

func failed(message string) func(*query.Span) {
	return func(s *query.Span) { s.Status = query.SpanStatus{Code: query.StatusError, Message: message} }
}

// checkout is a trace of two services.
func checkout() []query.Span {
	return []query.Span{
		made(1, 0, "checkout", 0, 100, as(query.SpanKindServer)),
		made(2, 1, "charge", 10, 60, as(query.SpanKindClient), with("currency", "EUR")),
		made(3, 2, "POST /pay", 20, 50, as(query.SpanKindServer), of("bank"), failed("card declined")),
		made(4, 1, "ship", 60, 90),
	}
}

// one is the only trace of some spans.
func one(t testing.TB, spans ...query.Span) query.Trace {
	t.Helper()
	traces := query.Assemble(slices.Values(spans))
	if len(traces) != 1 {
		t.Fatalf("got %d traces, want 1", len(traces))
	}
	return traces[0]
}

// outline is the names in a trace, those below others in braces.
func outline(t query.Trace) string {
	text := outlineOf(t.Roots)
	if len(t.Orphans) > 0 {
		text += " orphans " + outlineOf(t.Orphans)
	}
	return strings.TrimSpace(text)
}

func outlineOf(nodes []*query.Node) string {
	var list []string
	for _, n := range nodes {
		text := n.Name
		if len(n.Children) > 0 {
			text += "{" + outlineOf(n.Children) + "}"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// goldenFile compares a text with a file in testdata, which OTLPTEST_UPDATE=1
// rewrites.
func goldenFile(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if os.Getenv("OTLPTEST_UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, text, string(want))
}

func TestSpansBecomeTrees(t *testing.T) {
	spans := checkout()
	slices.Reverse(spans)
	tr := one(t, spans...)
	want(t, "tree", outline(tr), "checkout{charge{POST /pay} ship}")
	want(t, "names", names(tr.Spans()), "checkout charge POST /pay ship")
	want(t, "services", strings.Join(tr.Services(), " "), "shop bank")
	want(t, "duration", tr.Duration().String(), "100ms")
	if !tr.Complete() || tr.Incomplete() != "" || tr.Len() != 4 || tr.ID != traceID || !tr.Start().Equal(began) || len(tr.Skew)+len(tr.Duplicates) > 0 {
		t.Errorf("got %+v, want a complete trace", tr)
	}
	if n := tr.Node(spanIDOf(2)); n == nil || n.Name != "charge" || len(n.Children) != 1 {
		t.Errorf("got %v, want charge and what is below it", n)
	}
	if tr.Node(spanIDOf(9)) != nil || tr.Node(query.SpanID{}) != nil {
		t.Error("got a span for an id that is not there")
	}
}

func TestChildrenStandInOrder(t *testing.T) {
	tr := one(t, made(1, 0, "root", 0, 9), made(4, 1, "c", 5, 7), made(3, 1, "b", 5, 7), made(5, 1, "a", 5, 6), made(2, 1, "first", 4, 9))
	want(t, "tree", outline(tr), "root{first a b c}")
}

func TestATraceMayBeInPieces(t *testing.T) {
	for _, c := range []struct {
		spans      []query.Span
		outline    string
		incomplete string
	}{
		{nil, "", ""},
		{checkout()[1:], "orphans charge{POST /pay} ship", "no root, parent 0000000000000001 of charge has not come"},
		{[]query.Span{made(1, 0, "a", 0, 1), made(2, 0, "b", 1, 2)}, "a b", "2 roots"},
		{[]query.Span{made(1, 0, "a", 0, 1), made(2, 9, "b", 1, 2)}, "a orphans b", "parent 0000000000000009 of b has not come"},
		{
			[]query.Span{made(1, 0, "a", 0, 1), made(2, 3, "b", 1, 2), made(3, 2, "c", 0, 2), made(4, 2, "below", 0, 1)},
			"a orphans c{b{below}}", "parent 0000000000000002 of c is itself below",
		},
		{[]query.Span{made(1, 1, "own parent", 0, 1)}, "orphans own parent", "no root, parent 0000000000000001 of own parent is itself below"},
	} {
		for _, tr := range query.Assemble(slices.Values(c.spans)) {
			want(t, "tree", outline(tr), c.outline)
			want(t, "incomplete", tr.Incomplete(), c.incomplete)
			if tr.Complete() != (c.incomplete == "") || tr.Len() != len(c.spans) {
				t.Errorf("%s: got complete %t with %d spans", c.outline, tr.Complete(), tr.Len())
			}
		}
	}
}

// open-telemetry/opentelemetry-collector#11056: a retry brings spans again.
func TestASpanThatComesTwiceIsInTheTreeOnce(t *testing.T) {
	again := made(2, 1, "charge", 10, 60, with("currency", "USD"))
	tr := one(t, append(checkout(), again, again)...)
	want(t, "tree", outline(tr), "checkout{charge{POST /pay} ship}")
	if diff := cmp.Diff([]query.Span{again, again}, tr.Duplicates); diff != "" {
		t.Errorf("duplicates (-want +got):\n%s", diff)
	}
	if got := tr.Node(spanIDOf(2)).Attrs.Get("currency").Str(); got != "EUR" || tr.Len() != 4 {
		t.Errorf("got currency %s of %d spans, want the first copy", got, tr.Len())
	}
}

func TestInvalidIDsMakeNoTrees(t *testing.T) {
	none := made(1, 0, "no trace", 0, 1)
	none.TraceID = query.TraceID{}
	a, b := made(0, 1, "a", 0, 1), made(0, 1, "b", 0, 1)
	tr := one(t, none, made(1, 0, "root", 0, 1), a, b)
	want(t, "tree", outline(tr), "root{a b}")
	if len(tr.Duplicates) > 0 {
		t.Errorf("got %d duplicates of spans without an id", len(tr.Duplicates))
	}
	if got := query.Assemble(slices.Values([]query.Span{none})); len(got) != 0 {
		t.Errorf("got %v, want no trace", got)
	}
}

func TestTracesStandInOrderOfArrival(t *testing.T) {
	other := made(1, 0, "other", 0, 1)
	other.TraceID[0]++
	var got []string
	for _, tr := range query.Assemble(slices.Values([]query.Span{other, made(2, 1, "b", 0, 1), made(1, 0, "a", 0, 1)})) {
		got = append(got, outline(tr))
	}
	want(t, "traces", strings.Join(got, " | "), "other | a{b}")
}

func TestSkewIsReportedAndNotCorrected(t *testing.T) {
	unknown := made(5, 1, "unknown", 0, 0)
	unknown.Start, unknown.End = time.Time{}, time.Time{}
	tr := one(t, made(1, 0, "root", 10, 50), made(2, 1, "early", 5, 20), made(3, 1, "late", 40, 57), made(4, 1, "both", 0, 60), unknown, made(6, 1, "within", 10, 50))
	var got []string
	for _, s := range tr.Skew {
		got = append(got, s.String())
	}
	want(t, "skew", strings.Join(got, "\n"), "both starts 10ms before and ends 10ms after its parent root\n"+
		"early starts 5ms before its parent root\nlate ends 7ms after its parent root")
	want(t, "tree", outline(tr), "root{unknown both early within late}")
	want(t, "duration", tr.Duration().String(), "60ms")
}

func TestZeroTraceIsEmpty(t *testing.T) {
	var tr query.Trace
	if tr.Len() != 0 || tr.Complete() || tr.Duration() != 0 || tr.CriticalPath() != nil || tr.Services() != nil || tr.Spans() != nil {
		t.Errorf("got %+v", tr)
	}
	want(t, "text", tr.String(), "trace 00000000000000000000000000000000  0 spans, 0 services, incomplete, no root\n")
}

func TestWalkCanEndEarly(t *testing.T) {
	tr := one(t, append(checkout(), made(9, 8, "orphan", 0, 1))...)
	for stop := 1; stop <= 5; stop++ {
		var got []string
		for depth, n := range tr.Walk() {
			got = append(got, fmt.Sprint(depth, n.Name))
			if len(got) == stop {
				break
			}
		}
		all := []string{"0checkout", "1charge", "2POST /pay", "1ship", "0orphan"}
		if diff := cmp.Diff(all[:stop], got); diff != "" {
			t.Errorf("walk (-want +got):\n%s", diff)
		}
	}
}

func TestTracesCompareAndHaveJSON(t *testing.T) {
	again := append(checkout(), checkout()[3], made(9, 8, "audit", 0, 3))
	a, b := one(t, again...), one(t, again...)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("got a difference between equal traces:\n%s", diff)
	}
	b.Roots[0].Children[0].Name = "other"
	if cmp.Diff(a, b) == "" {
		t.Error("got no difference between traces that differ")
	}
	text, err := json.Marshal(one(t, made(1, 0, "a", 0, 1), made(2, 1, "b", 0, 2)))
	span := func(id, parent, name string, ms int, children string) string {
		return fmt.Sprintf(`{"traceId":"%s","spanId":"000000000000000%s",%s"name":"%s","kind":"internal","start":"1970-01-01T00:16:40Z",`+
			`"end":"1970-01-01T00:16:40.00%dZ","resource":{"attributes":{"service.name":"shop"}},"scope":{}%s}`, traceID, id, parent, name, ms, children)
	}
	child := span("2", `"parentSpanId":"0000000000000001",`, "b", 2, "")
	want(t, "JSON", string(text), fmt.Sprintf(`{"traceId":"%s","roots":[%s],"skew":[{"span":%s,"parent":%s,"late":1000000}]}`,
		traceID, span("1", "", "a", 1, `,"children":[`+child+`]`), child, span("1", "", "a", 1, "")))
	if err != nil {
		t.Error(err)
	}
}

func TestLargeTraces(t *testing.T) {
	const n = 5_000
	chain, orphans, ring := make([]query.Span, n), make([]query.Span, n), make([]query.Span, n)
	for i := range n {
		chain[n-1-i] = made(i+1, i, "link", i, 2*n-i)
		orphans[i] = made(i+1, n+i+2, "orphan", 0, 1)
		ring[i] = made(i+1, (i+1)%n+1, "ring", i, i+1)
	}
	tr := one(t, chain...)
	if path := tr.CriticalPath(); !tr.Complete() || len(path) != 2*n-1 {
		t.Errorf("got a path of %d, want down and up again", len(path))
	}
	for _, spans := range [][]query.Span{chain, orphans, ring} {
		tr := one(t, spans...)
		lines := strings.Count(tr.String(), "\n")
		if tr.Len() != n || lines > 110 || len(tr.Incomplete()) > 1000 {
			t.Errorf("got %d spans in %d lines, want all of %d", tr.Len(), lines, n)
		}
		if err := query.Shape("other").Check(tr); err == nil || strings.Count(err.Error(), "\n") > 60 {
			t.Errorf("got %d lines of an error", strings.Count(err.Error(), "\n"))
		}
	}
}
