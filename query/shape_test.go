package query_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// checkoutShape is the shape of checkout.
var checkoutShape = query.Shape("checkout", where.Service("shop"), where.Kind(query.SpanKindServer),
	query.Shape("charge", where.Attr("currency", "EUR"),
		query.Shape("POST /pay", where.Service("bank"), where.Status(query.StatusError))),
	query.Shape("ship"))

func TestShapesThatFit(t *testing.T) {
	at := func(ms int) []query.Span { // three spans that start together
		return []query.Span{made(1, 0, "a", 0, 9), made(4, 1, "b", ms, 9), made(3, 1, "c", ms, 9), made(2, 1, "d", ms, 9)}
	}
	twice := []query.Span{
		made(1, 0, "a", 0, 9), made(2, 1, "b", 1, 2, with("n", 1)), made(3, 1, "b", 2, 3, with("n", 2)), made(4, 1, "b", 3, 4, with("n", 2)),
	}
	n := func(n int) query.Filter { return where.Attr("n", n) }
	for _, c := range []struct {
		spans []query.Span
		shape query.SpanShape
	}{
		{checkout(), checkoutShape},
		{append(checkout(), checkout()...), checkoutShape},
		{checkout()[:1], query.Shape("")},
		{checkout()[:1], query.SpanShape{}},
		{checkout(), query.Shape("checkout", query.AndOthers)},
		{checkout(), query.Shape("checkout", query.Shape("charge", query.AndOthers), query.Shape("ship"), query.InOrder)},
		{checkout(), query.Shape("checkout", query.InOrder, query.AndOthers, query.Shape("ship"))},
		{checkout(), query.Shape("", query.Shape("ship"), query.Shape("", query.Shape("")))},
		{checkout()[1:3], query.Shape("charge", query.RemoteParent, query.Shape("POST /pay"))},
		{at(1), query.Shape("a", query.Shape("c"), query.Shape("b"), query.Shape("d"), query.InOrder)},
		{twice, query.Shape("a", query.Shape("b"), query.Shape("b"), query.Shape("b", n(1)))},
		{twice, query.Shape("a", query.Shape("b"), query.Shape("b", n(2)), query.Shape("b", n(2)), query.InOrder)},
		{twice, query.Shape("a", query.Shape("b"), query.Shape("b"), query.Shape("b"), query.InOrder)},
		{twice, query.Shape("a", query.Shape("b", n(1)), query.Shape("b"), query.InOrder, query.AndOthers)},
		{twice[:2], query.Shape("a", where.Func("short", func(s query.Span) bool { return s.Duration() < time.Second }), query.Shape("b", where.Not(n(2))))},
	} {
		tr := one(t, c.spans...)
		if err := c.shape.Check(tr); err != nil || !c.shape.Fits(tr) {
			t.Errorf("%s: %v", c.shape, err)
		}
	}
}

func TestShapesThatDoNotFit(t *testing.T) {
	wide := []query.Span{made(1, 0, "root", 0, 100)}
	parts := []query.ShapePart{query.Shape("child 31")}
	for i := range 30 {
		name := fmt.Sprintf("child %02d", i)
		wide, parts = append(wide, made(100+i, 1, name, i, i+1)), append(parts, query.Shape(name))
	}
	long := strings.Repeat("long ", 20)
	var b strings.Builder
	for _, c := range []struct {
		name  string
		spans []query.Span
		shape query.SpanShape
	}{
		{"missing span", checkout()[:3], checkoutShape},
		{"missing spans", checkout()[:1], checkoutShape},
		{"extra span", append(checkout(), made(5, 1, "refund", 70, 80), made(6, 5, "POST /refund", 72, 78)), checkoutShape},
		{"wrong nesting", []query.Span{checkout()[0], checkout()[1], made(3, 1, "POST /pay", 20, 50, of("bank"), failed("")), checkout()[3]}, checkoutShape},
		{"wrong name", append(checkout()[:3], made(4, 1, "send", 60, 90)), checkoutShape},
		{"wrong attribute", append(checkout()[:1], made(2, 1, "charge", 10, 60, with("currency", "USD")), checkout()[2], checkout()[3]), checkoutShape},
		{"missing attribute", append(checkout()[:1], made(2, 1, "charge", 10, 60), checkout()[2], checkout()[3]), checkoutShape},
		{"wrong kind, service and status", []query.Span{made(1, 0, "checkout", 0, 9, of("web")), checkout()[1], made(3, 2, "POST /pay", 20, 50, of("bank")), checkout()[3]}, checkoutShape},
		{"wrong order", checkout(), query.Shape("checkout", query.InOrder, query.Shape("ship"), query.Shape("charge", query.AndOthers))},
		{"orphan", append(checkout(), made(9, 8, "audit", 0, 3)), checkoutShape},
		{"orphan at the top", checkout()[1:3], query.Shape("charge", query.Shape("POST /pay"))},
		{"root where a remote parent is wanted", checkout()[:1], query.Shape("checkout", query.RemoteParent)},
		{"two roots", append(checkout(), made(9, 0, "refund", 0, 3)), checkoutShape},
		{"nothing in common", []query.Span{made(1, 0, "GET /health", 0, 1)}, checkoutShape},
		{"function", checkout()[3:], query.Shape("ship", query.RemoteParent, where.Func("takes a second", func(query.Span) bool { return false }), where.Not(where.Name("ship")))},
		{"wide", wide, query.Shape("root", parts...)},
		{"more", wide, query.Shape("root")},
		{"long names", []query.Span{made(1, 0, long+"a", 0, 1, with("k", long))}, query.Shape(long+"b", where.Attr("k", "v"), query.Shape(long))},
		{"others are allowed", checkout(), query.Shape("checkout", query.AndOthers, query.Shape("refund"))},
	} {
		tr := one(t, c.spans...)
		err := c.shape.Check(tr)
		if err == nil || c.shape.Fits(tr) {
			t.Errorf("%s: got no error", c.name)
			continue
		}
		fmt.Fprintf(&b, "=== %s\n%v\n", c.name, err)
	}
	goldenFile(t, "shape", b.String())
}

func TestShapesOfNoTrace(t *testing.T) {
	err := query.Shape("a").Check(query.Trace{})
	want(t, "error", err.Error(), "trace 00000000000000000000000000000000 does not have the shape: 1 difference\n"+
		"  want     | got\n- a        |\n  a: missing")
	err = query.Shape("a").CheckAny(nil)
	if !errors.Is(err, query.ErrNothingToCheck) {
		t.Errorf("got %v, want ErrNothingToCheck", err)
	}
}

func TestTheClosestTraceIsShown(t *testing.T) {
	far, near, other := one(t, made(1, 0, "GET /health", 0, 1)), one(t, checkout()[:3]...), one(t, made(1, 0, "x", 0, 1))
	err := checkoutShape.CheckAny([]query.Trace{far, near, other})
	if err == nil || !strings.HasPrefix(err.Error(), "none of 3 traces has the shape; the closest:\ntrace ") || !strings.Contains(err.Error(), "checkout > ship: missing") {
		t.Errorf("got %v, want the trace that lacks only one span", err)
	}
	if err := checkoutShape.CheckAny([]query.Trace{far, one(t, checkout()...)}); err != nil {
		t.Error(err)
	}
}

func TestTextOfShapes(t *testing.T) {
	want(t, "text", checkoutShape.String(), `checkout[service="shop" kind=server]{charge[attr.currency="EUR"]{POST /pay[service="bank" status=error]}, ship}`)
	want(t, "text", query.Shape("", query.RemoteParent, query.InOrder, query.AndOthers, query.Shape("a"), query.Shape("b", query.AndOthers)).String(), "-> *{a then b{...}, ...}")
}

func TestErrorsOfShapes(t *testing.T) {
	for _, c := range []struct {
		shape query.SpanShape
		want  string
	}{
		{query.Shape("a", query.Shape("b", where.Attr("k", struct{}{}))), `shape b[attr.k="{}"]: filter attr.k="{}": got a value of type struct {}, want a string, a bool, an integer that fits an int64, or a float`},
		{query.Shape("a", where.Complete()), `shape a[complete]: filter complete applies to traces, not to spans`},
		{query.Shape("a", where.Func("x", func(query.Log) bool { return true })), `shape a[func("x")]: filter func("x") applies to logs, not to spans`},
		{query.Shape("a", where.Not(where.Child(where.Root()))), `shape a[not child(root)]: filter child(root): only a server's views can answer it, want one about the span itself`},
		{query.Shape("a", query.Shape("b", query.RemoteParent)), `shape -> b: RemoteParent is a rule for the top of a shape, got it below`},
	} {
		tr := one(t, made(1, 0, "a", 0, 1))
		for _, err := range []error{c.shape.Err(), c.shape.Check(tr), c.shape.CheckAny([]query.Trace{tr})} {
			if err == nil {
				t.Fatalf("%s: got no error", c.shape)
			}
			want(t, "error", err.Error(), c.want)
		}
		if c.shape.Fits(tr) {
			t.Errorf("%s fits", c.shape)
		}
	}
}

// shapeOf is the shape of a span and what is below it, with the children in
// another order.
func shapeOf(r *rand.Rand, n *query.Node) query.SpanShape {
	var parts []query.ShapePart
	for _, i := range r.Perm(len(n.Children)) {
		parts = append(parts, shapeOf(r, n.Children[i]))
	}
	return query.Shape(n.Name, parts...)
}

func TestEveryTraceHasItsOwnShape(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		spans := []query.Span{made(1, 0, "root", 0, 100)}
		for n := 2; n < 2+r.IntN(12); n++ {
			spans = append(spans, made(n, 1+r.IntN(n-1), string(rune('a'+r.IntN(3))), r.IntN(9), 10+r.IntN(9)))
		}
		tr := one(t, spans...)
		if err := shapeOf(r, tr.Roots[0]).Check(tr); err != nil {
			t.Fatal(err)
		}
		if len(spans) == 1 {
			continue
		}
		changed := append([]query.Span(nil), spans...)
		changed[1+r.IntN(len(spans)-1)].Name = "other"
		if err := shapeOf(r, tr.Roots[0]).Check(one(t, changed...)); err == nil {
			t.Fatalf("%s has the shape of %s", outline(one(t, changed...)), outline(tr))
		}
	}
}
