package wire

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
	"google.golang.org/protobuf/encoding/protowire"
)

const (
	someTrace = "0af7651916cd43dd8448eb211c80319c"
	someSpan  = "3132333435363738"
)

var traceBytes = func() []byte {
	id, err := query.ParseTraceID(someTrace)
	if err != nil {
		panic(err)
	}
	return id[:]
}()

// attrsUnder is one attribute of each kind, for a message that has them under
// a number.
func attrsUnder(num protowire.Number) []byte {
	return slices.Concat(
		attrField(num, "text", text(1, "é")), attrField(num, "text", text(1, "second")),
		attrField(num, "empty", text(1, "")), attrField(num, "none"),
		attrField(num, "true", varintField(2, 1)), attrField(num, "false", varintField(2, 0)),
		attrField(num, "one", varintField(3, 1)), attrField(num, "minus", varintField(3, math.MaxUint64)),
		attrField(num, "1.0", double64(1)), attrField(num, "-0.0", double64(math.Copysign(0, -1))),
		attrField(num, "half", double64(.5)), attrField(num, "NaN", double64(math.NaN())),
		attrField(num, "inf", double64(math.Inf(1))),
		attrField(num, "2^53", varintField(3, 1<<53)), attrField(num, "2^53+1", varintField(3, 1<<53+1)),
		attrField(num, "2^53.0", double64(1<<53)), attrField(num, "2^63.0", double64(1<<63)),
		attrField(num, "max", varintField(3, math.MaxInt64)), attrField(num, "min", varintField(3, 1<<63)),
		attrField(num, "-2^63.0", double64(-1<<63)),
		attrField(num, "bytes", text(7, "é")), attrField(num, "digits", text(1, "1")),
		attrField(num, "array", lenField(5, lenField(1, varintField(3, 1)))), attrField(num, "map", lenField(6)),
		lenField(num, lenField(2, varintField(3, 9)), text(1, "late")),
		lenField(num, text(1, "early"), lenField(2, varintField(3, 9)), text(1, "renamed")),
	)
}

func double64(f float64) []byte { return fixed64Field(4, math.Float64bits(f)) }

// Bodies of one item each, with everything to look for.
var (
	aSpan = lenField(1,
		lenField(2, lenField(2, lenField(1, traceBytes), text(2, "12345678"), text(5, "charge"), varintField(6, 3), lenField(15, varintField(3, 2)), attrsUnder(9)), lenField(1, text(1, "net/http"))),
		lenField(1, attrField(1, "service.name", text(1, "shop")), attrsUnder(1)))
	aChild = lenField(1, lenField(2, lenField(2, text(4, "12345678"))))
	aLog   = lenField(1,
		lenField(1, attrField(1, "service.name", text(1, "shop")), attrsUnder(1)),
		lenField(2, lenField(1, text(1, "net/http")), lenField(2, attrsUnder(6), lenField(9, traceBytes), text(10, "12345678"))))
	bare = inSpan()
)

// aPoint is a body with a point of a kind of metric.
func aPoint(data, attrs protowire.Number) []byte {
	return lenField(1,
		lenField(1, attrField(1, "service.name", text(1, "shop")), attrsUnder(1)),
		lenField(2, lenField(1, text(1, "net/http")), lenField(2, lenField(data, lenField(1, attrsUnder(attrs))), text(1, "charge"))))
}

// only is the one item of a body.
func only(tb testing.TB, sig query.Signal, body []byte) *Item {
	tb.Helper()
	if n, err := Validate(sig, body); n != 1 || err != nil {
		tb.Fatalf("got %d items and error %v, want 1", n, err)
	}
	var item *Item
	for it := range Items(sig, body, origin(3), 1) {
		item = it
	}
	return item
}

// all is every kind of item, with everything to look for.
func all(tb testing.TB) map[string]*Item {
	return map[string]*Item{
		"span":        only(tb, query.Traces, aSpan),
		"gauge":       only(tb, query.Metrics, aPoint(5, 7)),
		"sum":         only(tb, query.Metrics, aPoint(7, 7)),
		"histogram":   only(tb, query.Metrics, aPoint(9, 9)),
		"exponential": only(tb, query.Metrics, aPoint(10, 1)),
		"summary":     only(tb, query.Metrics, aPoint(11, 7)),
		"log":         only(tb, query.Logs, aLog),
	}
}

func TestFieldsAreShown(t *testing.T) {
	items := all(t)
	items["child"], items["bare"] = only(t, query.Traces, aChild), only(t, query.Traces, bare)
	str := query.StringValue
	for _, c := range []struct {
		items string
		e     expr.Expr
		want  query.Value
		found bool
	}{
		{"span sum", expr.Expr{Key: expr.Name}, str("charge"), true},
		{"bare log", expr.Expr{Key: expr.Name}, query.Value{}, false},
		{"span histogram log", expr.Expr{Key: expr.Service}, str("shop"), true},
		{"bare", expr.Expr{Key: expr.Service}, query.Value{}, false},
		{"span histogram log", expr.Expr{Key: expr.Scope}, str("net/http"), true},
		{"bare", expr.Expr{Key: expr.Scope}, query.Value{}, false},
		{"span", expr.Expr{Key: expr.Kind}, str("client"), true},
		{"bare", expr.Expr{Key: expr.Kind}, str("unspecified"), true},
		{"log gauge", expr.Expr{Key: expr.Kind}, query.Value{}, false},
		{"span", expr.Expr{Key: expr.Status}, str("error"), true},
		{"bare", expr.Expr{Key: expr.Status}, str("unset"), true},
		{"span log", expr.Expr{Key: expr.TraceID}, str(someTrace), true},
		{"bare gauge", expr.Expr{Key: expr.TraceID}, query.Value{}, false},
		{"span log", expr.Expr{Key: expr.SpanID}, str(someSpan), true},
		{"bare gauge", expr.Expr{Key: expr.SpanID}, query.Value{}, false},
		{"span bare", expr.Expr{Key: expr.Root}, query.BoolValue(true), true},
		{"child", expr.Expr{Key: expr.Root}, query.BoolValue(false), true},
		{"log sum", expr.Expr{Key: expr.Root}, query.Value{}, false},
		{"span summary log", expr.Expr{Key: expr.Attr, Name: "text"}, str("é"), true},
		{"span exponential log", expr.Expr{Key: expr.Attr, Name: "none"}, query.Value{}, true},
		{"span histogram log", expr.Expr{Key: expr.Attr, Name: "array"}, query.ArrayValue(query.IntValue(1)), true},
		{"span sum log", expr.Expr{Key: expr.Attr, Name: "bytes"}, query.BytesValue([]byte("é")), true},
		{"span sum log", expr.Expr{Key: expr.Attr, Name: "half"}, query.FloatValue(.5), true},
		{"span sum log", expr.Expr{Key: expr.Attr, Name: "absent"}, query.Value{}, false},
		{"span sum log", expr.Expr{Key: expr.Resource, Name: "one"}, query.IntValue(1), true},
		{"span sum log", expr.Expr{Op: expr.Any}, query.Value{}, false},
		{"span", where.Func("", func(query.Span) bool { return true }).Expr(), query.Value{}, false},
	} {
		for what := range strings.FieldsSeq(c.items) {
			got, found := items[what].Field(c.e)
			if found != c.found || !got.Equal(c.want) {
				t.Errorf("%s: Field(%s %s): got %s, %v, want %s, %v", what, c.e.Key, c.e.Name, got, found, c.want, c.found)
			}
		}
	}
}

// probes is a term of each kind for a field.
func probes(key expr.Key) []expr.Expr {
	return []expr.Expr{
		{Op: expr.Exists, Key: key, Name: "k"}, {Key: key, Name: "k", Arg: "x"}, {Key: key, Name: "k", Arg: int64(1)},
		{Op: expr.AtLeast, Key: key, Name: "k", Arg: int64(1)}, {Op: expr.Matches, Key: key, Name: "k", Arg: "^x"},
		{Op: expr.OneOf, Key: key, Name: "k", Arg: []any{1.5, "x"}}, {Key: key, Arg: expr.Label{Value: expr.Window{To: 1}}},
	}
}
