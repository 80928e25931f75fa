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
		{where.SpanID(query.SpanID{}), "where.SpanID: got the zero span id, want a valid one"},
		{where.Rule("S-4"), `where.Rule: got rule "S-4", want a number such as "S-40"`},
		{where.Rule("R-01"), `filter rule="R-01" applies to violations, not to spans`},
		{where.Any(), "where.Any: got no filter, want at least one"},
		{where.Not(where.Any(where.Any())), "where.Any: got no filter, want at least one"},
		{where.Attr("k", where.OneOf()), `filter attr.k=(): got no value, want at least one`},
		{where.Attr("k", where.OneOf(1, nil)), `filter attr.k=("1","<nil>"): got a value of type <nil>, ` + values},
		{where.Attr("k", where.Condition{}), `filter attr.k=(): got no value, want at least one`},
		{where.Attr("k", where.Is(where.Is(1))), `filter attr.k="{0 [1]}": got a value of type where.Condition, ` + values},
		{where.Attr("k", where.AtLeast("5")), `filter attr.k>="5": got "5", want a number`},
		{where.Attr("k", where.LessThan(math.NaN())), `filter attr.k<"NaN": got NaN, want a number: none is more or less than NaN`},
		{where.Attr("k", where.Matches("(")), "filter attr.k~\"(\": got \"(\", want a regular expression: error parsing regexp: missing closing ): `(`"},
		{where.Name(where.AtLeast(1)), `filter name>="1": name takes only =, ~ or *=`},
		{where.Name(where.Is(1)), `filter name="1": got a value of type int, want a string`},
		{where.Kind(), `filter kind=(): got no value, want at least one`},
		{where.Duration(where.AtLeast(5)), `filter duration>="5": got a value of type int, want a time.Duration`},
		{where.Duration(where.Matches("s")), `filter duration~"s": duration takes only =, <, <=, >= or >`},
		{where.During(morning, morning.Add(-1)), `filter during="[2026-01-02 15:04:05.5 +0000 UTC 2026-01-02 15:04:05.499999999 +0000 UTC]": got a window that ends at 2026-01-02T15:04:05.499999999Z, before it begins at 2026-01-02T15:04:05.5Z`},
		{where.HasLink(query.TraceID{}), `filter has_link="00000000000000000000000000000000": got the zero trace id, want a valid one`},
		{where.Child(), `where.Child: got no filter, want at least one`},
		{where.Descendant(where.Severity(query.SeverityError)), `filter severity>=error applies to logs, not to spans`},
		{where.Severity(query.SeverityError), `filter severity>=error applies to logs, not to spans`},
		{where.Severity(query.Severity(30)), `filter severity>="severity(30)": got severity(30), want 0 to 24`},
		{where.Severity(where.Is("error")), `filter severity="error": got a value of type string, want a query.Severity or an integer`},
		{where.Type("counter"), `filter type="counter": got metric type "counter", want one of exponential_histogram, gauge, histogram, sum, summary`},
		{where.ViaProtocol("http"), `filter protocol="http": got protocol "http", want one of grpc, http/json, http/protobuf`},
		{where.Outcome(query.Refused), `filter outcome=refused applies to exports, not to spans`},
		{where.Attempt(2), `filter attempt=2 applies to exports, not to spans`},
		{where.InExport(0), `filter export="0": got 0, want 1 or more`},
		{where.Header("a b", "x"), `filter header."a b": got header field "a b", want a name such as x-tenant`},
		{where.HasHeader(""), `filter header."": got header field "", want a name such as x-tenant`},
		{where.Func("odd", func(string) bool { return true }), `where.Func("odd"): got a function of string, want one of query.Span, query.Point, query.Log, query.Export, query.Connection, query.Violation or query.Trace`},
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
		{where.SpanID(query.SpanID{1}), true, false, true, true},
		{where.Root(), true, false, false, true},
		{where.Not(where.Root()), true, false, false, true},
		{where.Any(where.TraceID(trace), where.Name("x")), true, false, false, true},
		{where.During(morning, morning), true, true, true, true},
		{where.StatusError(), true, false, false, true},
		{where.MinDuration(1), true, false, false, true},
		{where.HasEvent("x"), true, false, false, true},
		{where.HasLink(trace), true, false, false, true},
		{where.Child(where.Root()), true, false, false, true},
		{where.Descendant(where.Root()), true, false, false, true},
		{where.Unit("x"), false, true, false, true},
		{where.Type(query.Sum), false, true, false, true},
		{where.Temporality(query.Delta), false, true, false, true},
		{where.Monotonic(), false, true, false, true},
		{where.Severity(query.SeverityWarn), false, false, true, true},
		{where.Body("x"), false, false, true, true},
		{where.EventName("x"), false, false, true, true},
		{where.ViaProtocol(query.GRPC), true, true, true, true},
		{where.Header("x", "y"), true, true, true, true},
		{where.HasHeader("x"), true, true, true, true},
		{where.InExport(1), true, true, true, true},
		{where.Since(query.Mark{}), true, true, true, true},
		{where.Outcome(query.Open), false, false, false, true},
		{where.Attempt(1), false, false, false, true},
		{where.Any(where.Attempt(1), where.Name("x")), false, false, false, true},
		{where.Complete(), false, false, false, false},
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
