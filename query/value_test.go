package query_test

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"github.com/otlptest/otlptest/query"
)

// values are all different from each other, with their text and JSON.
var values = []struct {
	value      query.Value
	kind       query.ValueKind
	text, json string
}{
	{query.Value{}, query.KindEmpty, `empty`, `null`},
	{query.StringValue(""), query.KindString, `""`, `""`},
	{query.StringValue("a \"b\"\n"), query.KindString, `"a \"b\"\n"`, `"a \"b\"\n"`},
	{query.StringValue("1"), query.KindString, `"1"`, `"1"`},
	{query.BoolValue(true), query.KindBool, `true`, `true`},
	{query.BoolValue(false), query.KindBool, `false`, `false`},
	{query.IntValue(0), query.KindInt, `0`, `0`},
	{query.IntValue(1), query.KindInt, `1`, `1`},
	{query.IntValue(math.MinInt64), query.KindInt, `-9223372036854775808`, `-9223372036854775808`},
	{query.FloatValue(0), query.KindFloat, `0.0`, `0`},
	{query.FloatValue(1), query.KindFloat, `1.0`, `1`},
	{query.FloatValue(0.25), query.KindFloat, `0.25`, `0.25`},
	{query.FloatValue(1e21), query.KindFloat, `1e+21`, `1e+21`},
	{query.FloatValue(math.NaN()), query.KindFloat, `NaN`, `"NaN"`},
	{query.FloatValue(math.Inf(1)), query.KindFloat, `+Inf`, `"Infinity"`},
	{query.FloatValue(math.Inf(-1)), query.KindFloat, `-Inf`, `"-Infinity"`},
	{query.BytesValue(nil), query.KindBytes, `bytes:`, `""`},
	{query.BytesValue([]byte{1, 255}), query.KindBytes, `bytes:Af8=`, `"Af8="`},
	{query.ArrayValue(), query.KindArray, `[]`, `[]`},
	{query.ArrayValue(query.IntValue(1), query.Value{}), query.KindArray, `[1 empty]`, `[1,null]`},
	{query.ArrayValue(query.Value{}, query.IntValue(1)), query.KindArray, `[empty 1]`, `[null,1]`},
	{query.MapValue(), query.KindMap, `{}`, `{}`},
	{query.MapValue(query.Attr("b", 1), query.Attr("a", "x")), query.KindMap, `{b=1 a="x"}`, `{"a":"x","b":1}`},
	{query.MapValue(query.Attr("a", "x"), query.Attr("b", 1)), query.KindMap, `{a="x" b=1}`, `{"a":"x","b":1}`},
}

func TestValuesAreWritten(t *testing.T) {
	for _, c := range values {
		if got := c.value.Kind(); got != c.kind {
			t.Errorf("%s: got kind %s, want %s", c.text, got, c.kind)
		}
		if got := c.value.IsEmpty(); got != (c.kind == query.KindEmpty) {
			t.Errorf("%s: got empty %t", c.text, got)
		}
		if got := c.value.String(); got != c.text {
			t.Errorf("got text %s, want %s", got, c.text)
		}
		if got, err := json.Marshal(c.value); err != nil || string(got) != c.json {
			t.Errorf("%s: got JSON %s, %v, want %s", c.text, got, err, c.json)
		}
	}
}

func TestValuesEqualOnlyThemselves(t *testing.T) {
	for i, a := range values {
		for j, b := range values {
			if got := a.value.Equal(b.value); got != (i == j) {
				t.Errorf("%s equals %s: got %t", a.text, b.text, got)
			}
		}
	}
}

func TestNaNEqualsNaN(t *testing.T) {
	a, b := math.NaN(), math.Float64frombits(math.Float64bits(math.NaN())^1)
	if !query.FloatValue(a).Equal(query.FloatValue(b)) || !query.Float(a).Equal(query.Float(b)) {
		t.Error("NaNs with different bits are not equal")
	}
	if !query.ArrayValue(query.FloatValue(a)).Equal(query.ArrayValue(query.FloatValue(b))) {
		t.Error("arrays of NaNs are not equal")
	}
}

func TestPlainValuesRoundTrip(t *testing.T) {
	for _, want := range []any{
		nil, "x", true, int64(5), 2.5, []byte{1}, []any{}, []any{"x", int64(1), []any{nil}},
	} {
		v, err := query.ValueOf(want)
		if err != nil {
			t.Errorf("ValueOf(%#v): %v", want, err)
		}
		if got := v.Any(); !reflect.DeepEqual(got, want) {
			t.Errorf("got %#v, want %#v", got, want)
		}
	}
}

func TestValuesOfEveryType(t *testing.T) {
	for _, c := range []struct {
		plain any
		want  query.Value
	}{
		{5, query.IntValue(5)},
		{int8(-5), query.IntValue(-5)},
		{uint16(5), query.IntValue(5)},
		{uint64(math.MaxInt64), query.IntValue(math.MaxInt64)},
		{float32(0.5), query.FloatValue(0.5)},
		{query.StringValue("x"), query.StringValue("x")},
		{query.Attrs{query.Attr("k", 1)}, query.MapValue(query.Attr("k", 1))},
		{[]any{1, "x"}, query.ArrayValue(query.IntValue(1), query.StringValue("x"))},
	} {
		if got, err := query.ValueOf(c.plain); err != nil || !got.Equal(c.want) {
			t.Errorf("ValueOf(%T): got %s, %v, want %s", c.plain, got, err, c.want)
		}
	}
	for _, bad := range []any{struct{}{}, uint64(math.MaxUint64), []any{1, struct{}{}}} {
		if got, err := query.ValueOf(bad); err == nil {
			t.Errorf("ValueOf(%#v): got %s, want an error", bad, got)
		}
	}
}

func TestAccessorsOfOtherKindsAreZero(t *testing.T) {
	for _, c := range values {
		v := c.value
		if v.Kind() != query.KindString && v.Str() != "" {
			t.Errorf("%s: got string %q", v, v.Str())
		}
		if v.Kind() != query.KindBool && v.Bool() {
			t.Errorf("%s: got true", v)
		}
		if v.Kind() != query.KindInt && v.Kind() != query.KindFloat && (v.Int() != 0 || v.Float() != 0) {
			t.Errorf("%s: got number %d, %g", v, v.Int(), v.Float())
		}
		if v.Kind() != query.KindBytes && v.Bytes() != nil || v.Kind() != query.KindArray && v.Array() != nil || v.Kind() != query.KindMap && v.Map() != nil {
			t.Errorf("%s: got bytes %v, array %v, map %v", v, v.Bytes(), v.Array(), v.Map())
		}
	}
	if i, f := query.FloatValue(-2.5).Int(), query.IntValue(3).Float(); i != -2 || f != 3 {
		t.Errorf("got %d and %g, want -2 and 3", i, f)
	}
}

func TestBytesAreCopied(t *testing.T) {
	b := []byte("abc")
	v := query.BytesValue(b)
	b[0] = 'x'
	v.Bytes()[1] = 'x'
	if got := string(v.Bytes()); got != "abc" {
		t.Errorf("got %s, want abc", got)
	}
}

func TestAttrs(t *testing.T) {
	attrs := query.Attrs{query.Attr("k", 1), query.Attr("e", nil), query.Attr("k", "again"), query.Attr("http.route", "/pay")}
	if v := attrs.Get("k"); !v.Equal(query.IntValue(1)) {
		t.Errorf("Get of a double key: got %s, want the first", v)
	}
	if v, ok := attrs.Lookup("e"); !ok || !v.IsEmpty() {
		t.Errorf("Lookup of an empty value: got %s, %t", v, ok)
	}
	if v, ok := attrs.Lookup("none"); ok || !v.IsEmpty() {
		t.Errorf("Lookup of a key that is not there: got %s, %t", v, ok)
	}
	if got, want := attrs.Map(), map[string]any{"k": int64(1), "e": nil, "http.route": "/pay"}; !reflect.DeepEqual(got, want) {
		t.Errorf("Map: got %v, want %v", got, want)
	}
	if got, want := attrs.String(), `k=1 e=empty k="again" http.route="/pay"`; got != want {
		t.Errorf("String: got %s, want %s", got, want)
	}
	if got, err := json.Marshal(attrs); err != nil || string(got) != `{"e":null,"http.route":"/pay","k":1}` {
		t.Errorf("JSON: got %s, %v", got, err)
	}
	var keys []string
	for k := range attrs.All() {
		if keys = append(keys, k); len(keys) == 3 {
			break
		}
	}
	if want := []string{"k", "e", "k"}; !reflect.DeepEqual(keys, want) {
		t.Errorf("All: got %v, want %v", keys, want)
	}
}

func TestAttrPanicsOnOtherTypes(t *testing.T) {
	defer func() {
		want := `query.Attr("k"): got a struct {}, want nil, string, bool, int, float64, []byte, []any, query.Attrs or query.Value`
		if got := recover(); got != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}()
	query.Attr("k", struct{}{})
}
