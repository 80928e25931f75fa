package wire

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// judge wants a filter to hold for an item or not, whichever way it is asked.
func judge(t *testing.T, what string, it *Item, e expr.Expr, want bool) {
	t.Helper()
	if got := it.Holds(e); got != want {
		t.Errorf("%s: Holds(%s): got %v, want %v", what, e, got, want)
	}
	if got := it.Match(Compile([]expr.Expr{e})); got != want {
		t.Errorf("%s: Match(%s): got %v, want %v", what, e, got, want)
	}
}

// opposite also wants the contrary of its negation.
func opposite(t *testing.T, what string, it *Item, e expr.Expr, want bool) {
	t.Helper()
	judge(t, what, it, e, want)
	judge(t, what, it, not(e), !want)
	judge(t, what, it, not(not(e)), want)
}

func not(e expr.Expr) expr.Expr { return expr.Expr{Op: expr.Not, Sub: []expr.Expr{e}} }

func anyOf(es ...expr.Expr) expr.Expr { return expr.Expr{Op: expr.Any, Sub: es} }

func TestAttributesAreComparedByValue(t *testing.T) {
	for _, c := range []struct {
		key  string
		arg  any
		want bool
	}{
		{"text", "é", true}, {"text", "second", false}, {"text", "", false}, {"text", "e", false},
		{"empty", "", true}, {"empty", false, false}, {"empty", int64(0), false},
		{"none", "", false}, {"none", int64(0), false}, {"absent", "", false}, {"absent", false, false},
		{"true", true, true}, {"true", false, false}, {"true", int64(1), false}, {"true", "true", false},
		{"false", false, true}, {"false", int64(0), false},
		{"one", int64(1), true}, {"one", 1.0, true}, {"one", 1.5, false}, {"one", "1", false}, {"one", true, false},
		{"minus", int64(-1), true}, {"minus", -1.0, true},
		{"1.0", int64(1), true}, {"1.0", 1.0, true}, {"1.0", int64(2), false},
		{"-0.0", 0.0, true}, {"-0.0", int64(0), true},
		{"half", .5, true}, {"half", int64(0), false}, {"half", int64(1), false},
		{"NaN", math.NaN(), true}, {"NaN", 0.0, false}, {"NaN", int64(0), false}, {"NaN", int64(math.MinInt64), false},
		{"one", math.NaN(), false}, {"inf", math.Inf(1), true}, {"inf", int64(math.MaxInt64), false},
		{"2^53", float64(1 << 53), true}, {"2^53+1", float64(1 << 53), false}, {"2^53+1", int64(1<<53 + 1), true},
		{"2^53.0", int64(1 << 53), true}, {"2^53.0", int64(1<<53 + 1), false},
		{"2^63.0", int64(math.MaxInt64), false}, {"max", float64(1 << 63), false},
		{"min", float64(-1 << 63), true}, {"-2^63.0", int64(math.MinInt64), true},
		{"bytes", "é", false}, {"digits", int64(1), false}, {"digits", "1", true},
		{"array", int64(1), false}, {"array", "", false}, {"map", "", false},
		{"late", int64(9), true}, {"early", int64(9), false}, {"renamed", int64(9), true},
	} {
		for what, it := range all(t) {
			opposite(t, what, it, expr.Expr{Key: expr.Attr, Name: c.key, Arg: c.arg}, c.want)
			opposite(t, what, it, expr.Expr{Key: expr.Resource, Name: c.key, Arg: c.arg}, c.want)
		}
	}
}

func TestAttributesExistWhateverTheirValue(t *testing.T) {
	for what, it := range all(t) {
		for key, want := range map[string]bool{"text": true, "empty": true, "none": true, "late": true, "early": false, "absent": false, "": false} {
			opposite(t, what, it, expr.Expr{Op: expr.Exists, Key: expr.Attr, Name: key}, want)
			opposite(t, what, it, expr.Expr{Op: expr.Exists, Key: expr.Resource, Name: key}, want)
		}
		opposite(t, what, it, expr.Expr{Op: expr.Exists, Key: expr.Attr, Name: "service.name"}, false)
		opposite(t, what, it, expr.Expr{Op: expr.Exists, Key: expr.Attr, Name: "scoped"}, false)
	}
}

func TestFieldsAreCompared(t *testing.T) {
	label := func(v any) expr.Label { return expr.Label{Value: v, Text: "x"} }
	items := all(t)
	items["child"] = only(t, query.Traces, aChild)
	items["bare"] = only(t, query.Traces, bare)
	items["bare log"] = only(t, query.Logs, bare)
	for _, c := range []struct {
		items string
		e     expr.Expr
		want  bool
	}{
		{"span gauge summary", expr.Expr{Key: expr.Name, Arg: "charge"}, true},
		{"span gauge summary", expr.Expr{Key: expr.Name, Arg: "charg"}, false},
		{"span gauge", expr.Expr{Key: expr.Name, Arg: int64(1)}, false},
		{"span gauge", expr.Expr{Op: expr.Exists, Key: expr.Name}, true},
		{"bare", expr.Expr{Key: expr.Name, Arg: ""}, true},
		{"bare", expr.Expr{Op: expr.Exists, Key: expr.Name}, false},
		{"span histogram log", expr.Expr{Key: expr.Service, Arg: "shop"}, true},
		{"span histogram log", expr.Expr{Key: expr.Service, Arg: "sho"}, false},
		{"span histogram log", expr.Expr{Op: expr.Exists, Key: expr.Service}, true},
		{"bare", expr.Expr{Key: expr.Service, Arg: ""}, false},
		{"bare", expr.Expr{Op: expr.Exists, Key: expr.Service}, false},
		{"span exponential log", expr.Expr{Key: expr.Scope, Arg: "net/http"}, true},
		{"span exponential log", expr.Expr{Key: expr.Scope, Arg: ""}, false},
		{"bare", expr.Expr{Key: expr.Scope, Arg: ""}, true},
		{"bare", expr.Expr{Op: expr.Exists, Key: expr.Scope}, false},
		{"span", expr.Expr{Key: expr.Kind, Arg: label(int64(3))}, true},
		{"span", expr.Expr{Key: expr.Kind, Arg: label(int64(0))}, false},
		{"bare", expr.Expr{Key: expr.Kind, Arg: label(int64(0))}, true},
		{"bare", expr.Expr{Op: expr.Exists, Key: expr.Kind}, true},
		{"span", expr.Expr{Key: expr.Status, Arg: label(int64(2))}, true},
		{"span", expr.Expr{Key: expr.Status, Arg: label(int64(1))}, false},
		{"bare", expr.Expr{Key: expr.Status, Arg: label(int64(0))}, true},
		{"span log", expr.Expr{Key: expr.TraceID, Arg: label(someTrace)}, true},
		{"span log", expr.Expr{Key: expr.TraceID, Arg: label(strings.ToUpper(someTrace))}, true},
		{"span log", expr.Expr{Key: expr.TraceID, Arg: label(strings.Repeat("0", 32))}, false},
		{"bare", expr.Expr{Key: expr.TraceID, Arg: label(strings.Repeat("0", 32))}, false},
		{"span log", expr.Expr{Op: expr.Exists, Key: expr.TraceID}, true},
		{"bare", expr.Expr{Op: expr.Exists, Key: expr.TraceID}, false},
		{"span log", expr.Expr{Key: expr.SpanID, Arg: label(someSpan)}, true},
		{"span log", expr.Expr{Key: expr.SpanID, Arg: label("3132333435363739")}, false},
		{"span log", expr.Expr{Key: expr.SpanID, Arg: label(strings.Repeat("0", 16))}, false},
		{"bare child", expr.Expr{Key: expr.SpanID, Arg: label(strings.Repeat("0", 16))}, false},
		{"span bare", expr.Expr{Op: expr.Exists, Key: expr.Root}, true},
		{"child", expr.Expr{Op: expr.Exists, Key: expr.Root}, false},
		{"child", expr.Expr{Key: expr.Root, Arg: false}, true},
		{"child", expr.Expr{Key: expr.Root, Arg: true}, false},
		{"span child", anyOf(), false},
		{"span", anyOf(expr.Expr{Key: expr.Name, Arg: "x"}, expr.Expr{Key: expr.Service, Arg: "shop"}), true},
		{"span", anyOf(expr.Expr{Key: expr.Name, Arg: "x"}, expr.Expr{Key: expr.Service, Arg: "x"}), false},
		{"span", anyOf(not(expr.Expr{Key: expr.Name, Arg: "x"}), expr.Expr{Key: expr.Service, Arg: "x"}), true},
	} {
		for what := range strings.FieldsSeq(c.items) {
			opposite(t, what, items[what], c.e, c.want)
		}
	}
	opposite(t, "bare log", items["bare log"], expr.Expr{Op: expr.Exists, Key: expr.TraceID}, false)
}

func TestParentsThatAreNoIDsMakeARoot(t *testing.T) {
	root := where.Root().Expr()
	for parent, want := range map[string]bool{
		"": true, "1234567": true, "123456789": true, strings.Repeat("\x00", 8): true, "12345678": false,
	} {
		it := only(t, query.Traces, inSpan(text(4, parent)))
		opposite(t, parent, it, root, want)
		if got := it.Span().IsRoot(); got != want {
			t.Errorf("parent %q: got IsRoot %v, want %v", parent, got, want)
		}
	}
}

// A filter never matches an item that one of its terms cannot apply to,
// negated or not.
func TestTermsThatCannotApplyNeverMatch(t *testing.T) {
	yes := expr.Expr{Op: expr.Exists, Key: expr.Attr, Name: "text"}
	kind := expr.Expr{Key: expr.Kind, Arg: expr.Label{Value: int64(0), Text: "unspecified"}}
	items := all(t)
	for _, c := range []struct {
		items string
		e     expr.Expr
	}{
		{"log gauge", kind},
		{"log gauge", where.Status(query.StatusUnset).Expr()},
		{"log gauge", where.Root().Expr()},
		{"gauge", expr.Expr{Key: expr.TraceID, Arg: expr.Label{Value: someTrace, Text: someTrace}}},
		{"gauge", expr.Expr{Key: expr.SpanID, Arg: expr.Label{Value: someSpan, Text: someSpan}}},
		{"log", where.Name("").Expr()},
		{"log gauge", anyOf(yes, kind)},
		{"log gauge", anyOf(not(kind), yes)},
		{"log gauge", where.Func("", func(query.Span) bool { return true }).Expr()},
		{"span log", where.Func("", func(query.Point) bool { return true }).Expr()},
		{"span gauge", where.Func("", func(query.Log) bool { return true }).Expr()},
		{"span gauge log", where.Func("", func(int) bool { return true }).Expr()},
		{"span gauge log", where.Func[query.Span]("", nil).Expr()},
		{"span gauge log", query.Func[query.Span]("", nil).Expr()},
		{"span gauge log", where.Attr("text", []int{1}).Expr()},
		{"span gauge log", where.Any().Expr()},
		{"span gauge log", expr.Expr{Key: expr.Attr, Name: "text", Arg: 1}},
		{"span gauge log", expr.Expr{Key: expr.Attr, Name: "text"}},
		{"span gauge log", expr.Expr{Key: "nothing", Arg: "x"}},
		{"span gauge log", expr.Expr{Op: expr.Exists, Key: "nothing"}},
		{"span gauge log", expr.Expr{}},
		{"span gauge log", expr.Expr{Op: expr.Not}},
		{"span gauge log", expr.Expr{Op: 99}},
		{"span log", expr.Expr{Key: expr.TraceID, Arg: expr.Label{Value: "xyz", Text: "xyz"}}},
		{"span log", expr.Expr{Key: expr.SpanID, Arg: expr.Label{Value: "xyz", Text: "xyz"}}},
	} {
		for what := range strings.FieldsSeq(c.items) {
			judge(t, what, items[what], c.e, false)
			judge(t, what, items[what], not(c.e), false)
			judge(t, what, items[what], anyOf(yes, not(c.e)), false)
			if items[what].Match(Compile([]expr.Expr{yes, c.e})) {
				t.Errorf("%s: Match(%s, %s): got true", what, yes, c.e)
			}
		}
	}
}

func TestFunctionsSeeTheDecodedItem(t *testing.T) {
	items := all(t)
	span := where.Func("", func(s query.Span) bool { return s.Name == "charge" && s.Resource.Service() == "shop" })
	point := where.Func("", func(p query.Point) bool { return p.Name == "charge" && p.Scope.Name == "net/http" })
	log := where.Func("", func(l query.Log) bool { return l.Attrs.Get("one").Int() == 1 })
	opposite(t, "span", items["span"], span.Expr(), true)
	opposite(t, "gauge", items["gauge"], point.Expr(), true)
	opposite(t, "log", items["log"], log.Expr(), true)
	for _, it := range items {
		opposite(t, "export", it, where.Func("", func(e query.Export) bool { return e.Number == 3 }).Expr(), true)
		opposite(t, "export", it, where.Func("", func(e query.Export) bool { return e.Number == 4 }).Expr(), false)
	}
}

func TestFunctionsAreAskedLast(t *testing.T) {
	called := 0
	f := where.Func("", func(query.Span) bool { called++; return true })
	m := Compile(query.Exprs([]query.Filter{f, where.Attr("text", "no"), where.Name("charge")}))
	if only(t, query.Traces, aSpan).Match(m) || called != 0 {
		t.Errorf("got %d calls, want none", called)
	}
}

func TestTheZeroMatcherMatchesEverything(t *testing.T) {
	for what, it := range all(t) {
		if !it.Match(Matcher{}) || !it.Match(Compile(nil)) {
			t.Errorf("%s: got no match", what)
		}
	}
}

// many is a body of 2 resources x 2 scopes x 2 items, told apart by name.
func many(item func(name string) []byte) []byte {
	var body []byte
	for _, service := range []string{"a", "b"} {
		var scopes [][]byte
		for _, scope := range []string{"x", "y"} {
			scopes = append(scopes, lenField(2, lenField(1, text(1, scope)),
				lenField(2, item(service+scope+"1")), lenField(2, item(service+scope+"2"))))
		}
		body = append(body, lenField(1, append(scopes, lenField(1, attrField(1, "service.name", text(1, service))))...)...)
	}
	return body
}

func TestVerdictsAreKeptOnlyForTheirGroup(t *testing.T) {
	spans := many(func(name string) []byte { return text(5, name) })
	points := many(func(name string) []byte {
		return slices.Concat(text(1, name), lenField(5, lenField(1), lenField(1)))
	})
	for _, c := range []struct {
		filters []query.Filter
		want    string
	}{
		{[]query.Filter{where.Service("b")}, "bx1 bx2 by1 by2"},
		{[]query.Filter{where.ScopeName("y")}, "ay1 ay2 by1 by2"},
		{[]query.Filter{where.ScopeName("x"), where.Service("a")}, "ax1 ax2"},
		{[]query.Filter{where.Name("by2")}, "by2"},
		{[]query.Filter{where.Name("by2"), where.Service("a")}, ""},
		{[]query.Filter{where.Any(where.Name("ax2"), where.Service("b")), where.Not(where.ScopeName("y"))}, "ax2 bx1 bx2"},
		{[]query.Filter{where.Func("", func(e query.Export) bool { return e.Number == 9 })}, ""},
	} {
		m, other := Compile(query.Exprs(c.filters)), Compile([]expr.Expr{where.Service("zzz").Expr()})
		var got, gotPoints []string
		for it := range Items(query.Traces, spans, origin(3), 1) {
			if it.Match(other) {
				t.Error("matched a service that is not there")
			}
			matched := it.Match(m)
			if again := it.Match(m); again != matched {
				t.Errorf("%s: matched: %t, and the second time: %t", c.filters, matched, again)
			}
			if matched {
				got = append(got, it.Span().Name)
			}
		}
		for it := range Items(query.Metrics, points, origin(3), 1) {
			if it.Match(m) {
				gotPoints = append(gotPoints, it.Point().Name)
			}
		}
		want := strings.Fields(c.want)
		if diff := cmp.Diff(strings.Join(want, " "), strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.filters, diff)
		}
		var twice []string
		for _, name := range want {
			twice = append(twice, name, name)
		}
		if diff := cmp.Diff(strings.Join(twice, " "), strings.Join(gotPoints, " ")); diff != "" {
			t.Errorf("%s: points (-want +got)\n%s", c.filters, diff)
		}
	}
}

func TestMatchingNothingAllocatesNothing(t *testing.T) {
	if underRace {
		t.Skip("the race detector takes things out of pools at random, those of regexp too")
	}
	filters := map[query.Signal][]query.Filter{
		query.Traces: {
			where.Name("no"), where.Not(where.Kind(99)), where.Attr("no", 1), where.Attr("http.method", where.Matches("^no")),
			where.Attr("http.status_code", where.AtLeast(900)), where.Attr("http.status_code", where.OneOf(900, "x")),
			where.MinDuration(time.Hour), where.During(time.Unix(1, 0), time.Unix(2, 0)), where.HasEvent("no"),
			where.HasLink(query.TraceID{1}), where.Name(where.Contains("no")), where.StatusError(), where.Root(),
		},
		query.Metrics: {
			where.Name("no"), where.HasAttr("no"), where.Unit("no"), where.Type(query.SummaryType), where.Temporality(7), where.Monotonic(),
		},
		query.Logs: {
			where.Attr("currency", "no"), where.Service("shop"), where.ScopeName("shop/cart"), where.Severity(query.SeverityFatal),
			where.Body("no"), where.Body(where.Matches("no$")), where.EventName("no"),
		},
	}
	for sig, fs := range filters {
		for _, body := range append(captured(t, sig), encode(t, full(sig))) {
			for _, f := range fs {
				m, it, matched := Compile([]expr.Expr{f.Expr()}), new(Item), 0
				n := testing.AllocsPerRun(100, func() {
					it.Scan(sig, body, nil, 1, func(it *Item) bool {
						if it.Match(m) {
							matched++
						}
						return true
					})
				})
				if n != 0 {
					t.Errorf("%s %s: got %v allocations, want none", sig, f, n)
				}
			}
		}
	}
}
