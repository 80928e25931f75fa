package query_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestItemsCompareWithoutOptions(t *testing.T) {
	at := time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)
	point := func(n int, where *time.Location, nan float64) query.Point {
		return query.Point{
			Name:      "latency",
			Time:      at.In(where),
			Value:     query.FloatValue(nan),
			Attrs:     query.Attrs{query.Attr("k", []any{nan, "x"})},
			Histogram: &query.Histogram{Bounds: []query.Float{query.Float(nan), 1}, Sum: query.IntValue(3)},
			Exemplars: []query.Exemplar{{TraceID: query.TraceID{1}, Value: query.IntValue(1)}},
			Ref:       query.NewRef(origin{Number: n}, n, []byte{byte(n)}, n),
		}
	}
	a, b := point(1, time.UTC, math.NaN()), point(2, time.FixedZone("east", 3600), -math.NaN())
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the same point differs:\n%s", diff)
	}
	b.Histogram.Sum = query.FloatValue(3)
	if cmp.Equal(a, b) {
		t.Error("an integer equals a double")
	}
	span := query.Span{Name: "a", Start: at, Events: []query.Event{{Name: "e", Time: at}}}
	if diff := cmp.Diff(span, query.Span{Name: "a", Start: at.Local(), Events: []query.Event{{Name: "e", Time: at.Local()}}, Ref: a.Ref}); diff != "" {
		t.Errorf("the same span differs:\n%s", diff)
	}
	if diff := cmp.Diff(query.Log{Body: query.StringValue("x")}, query.Log{Body: query.StringValue("x"), Ref: a.Ref}); diff != "" {
		t.Errorf("the same log differs:\n%s", diff)
	}
	if cmp.Equal(query.Export{Number: 1, Header: query.Header{"a": {"b"}}}, query.Export{Number: 1}) {
		t.Error("different exports are equal")
	}
}

func TestFiltersCompare(t *testing.T) {
	a := where.Any(where.Name("a"), where.Not(where.Attr("k", 1)))
	if diff := cmp.Diff(a, where.Any(where.Name("a"), where.Not(where.Attr("k", 1)))); diff != "" {
		t.Errorf("the same filter differs:\n%s", diff)
	}
	if cmp.Equal(a, where.Any(where.Name("a"), where.Not(where.Attr("k", 1.0)))) {
		t.Error("filters with an integer and a double are equal")
	}
	f := where.Func("f", func(query.Span) bool { return true })
	if same := f; cmp.Equal(f, same) {
		t.Error("a function is equal to itself")
	}
}
