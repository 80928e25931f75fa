package where_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestNumbersOfAllTypes(t *testing.T) {
	for _, n := range []any{int8(5), int16(5), int32(5), int64(5), uint(5), uint8(5), uint16(5), uint32(5), uint64(5), query.IntValue(5)} {
		if got, want := where.Attr("n", n), where.Attr("n", 5); !reflect.DeepEqual(got, want) {
			t.Errorf("%T: got %#v, want %#v", n, got, want)
		}
	}
	for _, f := range []any{float32(0.5), query.FloatValue(0.5)} {
		if got, want := where.Attr("n", f), where.Attr("n", 0.5); !reflect.DeepEqual(got, want) {
			t.Errorf("%T: got %#v, want %#v", f, got, want)
		}
	}
}

func TestFiltersThatCannotWork(t *testing.T) {
	const values = "want a string, a bool, an integer that fits an int64, or a float"
	for _, c := range []struct {
		filter query.Filter
		want   string
	}{
		{where.Attr("k", []byte("x")), `filter attr.k="[120]": got a value of type []uint8, ` + values},
		{where.Attr("k", nil), `filter attr.k="<nil>": got a value of type <nil>, ` + values},
		{where.ResourceAttr("k", uint64(math.MaxUint64)), `filter resource.k="18446744073709551615": got a value of type uint64, ` + values},
		{where.TraceID(query.TraceID{}), "where.TraceID: got the zero trace id, want a valid one"},
		{where.Rule("S-4"), `where.Rule: got rule "S-4", want a number such as "S-40"`},
		{where.Rule("R-01"), `filter rule="R-01" applies to violations, not to spans`},
		{where.Any(), "where.Any: got no filter, want at least one"},
		{where.Not(where.Any(where.Any())), "where.Any: got no filter, want at least one"},
		{where.Func("odd", func(string) bool { return true }), `where.Func("odd"): got a function of string, want one of query.Span, query.Point, query.Log, query.Export, query.Connection or query.Violation`},
		{where.Func[query.Span]("none", nil), `where.Func("none"): got a nil function`},
		{where.Func("logs", func(query.Log) bool { return true }), `filter func("logs") applies to logs, not to spans`},
	} {
		err := query.NewView[query.Span](nil, where.Root(), c.filter).Err()
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.filter, err, c.want)
		}
	}
}

func TestWhatFiltersApplyTo(t *testing.T) {
	for _, c := range []struct {
		filter                   query.Filter
		spans, points, logs, all bool
	}{
		{where.Name("x"), true, true, false, true},
		{where.Service("x"), true, true, true, true},
		{where.ScopeName("x"), true, true, true, true},
		{where.Attr("x", 1), true, true, true, true},
		{where.HasAttr("x"), true, true, true, true},
		{where.ResourceAttr("x", 1), true, true, true, true},
		{where.HasResourceAttr("x"), true, true, true, true},
		{where.Kind(query.SpanKindClient), true, false, false, true},
		{where.Status(query.StatusOK), true, false, false, true},
		{where.TraceID(trace), true, false, true, true},
		{where.Root(), true, false, false, true},
		{where.Not(where.Root()), true, false, false, true},
		{where.Any(where.TraceID(trace), where.Name("x")), true, false, false, true},
		{where.Func("x", func(query.Point) bool { return true }), false, true, false, true},
		{where.Func("x", func(query.Export) bool { return true }), false, false, false, true},
		{where.Func("x", func(query.Connection) bool { return true }), false, false, false, false},
		{where.Func("x", func(query.Violation) bool { return true }), false, false, false, false},
		{where.Rule("S-40"), false, false, false, false},
	} {
		got := [4]bool{
			query.NewView[query.Span](nil, c.filter).Err() == nil, query.NewView[query.Point](nil, c.filter).Err() == nil,
			query.NewView[query.Log](nil, c.filter).Err() == nil, query.NewView[query.Export](nil, c.filter).Err() == nil,
		}
		if want := [4]bool{c.spans, c.points, c.logs, c.all}; got != want {
			t.Errorf("%s applies to spans, points, logs, exports: got %v, want %v", c.filter, got, want)
		}
	}
}
