package query

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
)

// ValueKind says which of the kinds of an AnyValue a [Value] holds.
type ValueKind uint8

// The kinds of a value (opentelemetry.proto.common.v1.AnyValue).
const (
	KindEmpty ValueKind = iota // no value at all, the zero Value
	KindString
	KindBool
	KindInt
	KindFloat
	KindBytes
	KindArray
	KindMap
)

var valueKinds = [...]string{"empty", "string", "bool", "int", "float", "bytes", "array", "map"}

// String is the kind in one lower-case word.
func (k ValueKind) String() string {
	if int(k) < len(valueKinds) {
		return valueKinds[k]
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// Value is an attribute's value, a log's body or a number that may be absent.
// The zero Value is the empty one. Values are immutable and safe to share;
// [Value.Equal] makes them comparable with go-cmp.
type Value struct {
	kind ValueKind
	num  uint64 // a bool, an int, or a float's bits
	str  string // a string, or bytes
	list Attrs  // a map, or an array with empty keys
}

// StringValue makes a string value.
func StringValue(s string) Value { return Value{kind: KindString, str: s} }

// BoolValue makes a bool value.
func BoolValue(b bool) Value {
	if b {
		return Value{kind: KindBool, num: 1}
	}
	return Value{kind: KindBool}
}

// IntValue makes an integer value.
func IntValue(i int64) Value { return Value{kind: KindInt, num: uint64(i)} }

// FloatValue makes a double value.
func FloatValue(f float64) Value { return Value{kind: KindFloat, num: math.Float64bits(f)} }

// BytesValue makes a value of a copy of b.
func BytesValue(b []byte) Value { return Value{kind: KindBytes, str: string(b)} }

// ArrayValue makes an array.
func ArrayValue(vs ...Value) Value {
	list := make(Attrs, len(vs))
	for i, v := range vs {
		list[i].Value = v
	}
	return Value{kind: KindArray, list: list}
}

// MapValue makes a map (a KeyValueList), keeping the order of its entries.
func MapValue(kvs ...KeyValue) Value { return Value{kind: KindMap, list: append(Attrs(nil), kvs...)} }

// Kind says what the value is.
func (v Value) Kind() ValueKind { return v.kind }

// IsEmpty says whether there is no value.
func (v Value) IsEmpty() bool { return v.kind == KindEmpty }

// Str is the string of a string value, and "" for every other kind.
func (v Value) Str() string {
	if v.kind != KindString {
		return ""
	}
	return v.str
}

// Bool is the bool of a bool value, and false for every other kind.
func (v Value) Bool() bool { return v.kind == KindBool && v.num != 0 }

// Int is the number of an integer value, a double's whole part, and 0 for
// every other kind.
func (v Value) Int() int64 {
	switch v.kind {
	case KindInt:
		return int64(v.num)
	case KindFloat:
		return int64(math.Float64frombits(v.num))
	}
	return 0
}

// Float is the number of a double or of an integer value, and 0 for every
// other kind.
func (v Value) Float() float64 {
	switch v.kind {
	case KindInt:
		return float64(int64(v.num))
	case KindFloat:
		return math.Float64frombits(v.num)
	}
	return 0
}

// Bytes is a copy of the bytes of a bytes value, and nil for every other kind.
func (v Value) Bytes() []byte {
	if v.kind != KindBytes {
		return nil
	}
	return []byte(v.str)
}

// Array is the elements of an array, and nil for every other kind.
func (v Value) Array() []Value {
	if v.kind != KindArray {
		return nil
	}
	vs := make([]Value, len(v.list))
	for i, kv := range v.list {
		vs[i] = kv.Value
	}
	return vs
}

// Map is the entries of a map in the order received, and nil for every other
// kind.
func (v Value) Map() Attrs {
	if v.kind != KindMap {
		return nil
	}
	return v.list
}

// Any is the value as a plain Go value: nil, string, bool, int64, float64,
// []byte, []any or map[string]any.
func (v Value) Any() any {
	switch v.kind {
	case KindString:
		return v.str
	case KindBool:
		return v.num != 0
	case KindInt:
		return int64(v.num)
	case KindFloat:
		return math.Float64frombits(v.num)
	case KindBytes:
		return []byte(v.str)
	case KindArray:
		list := make([]any, len(v.list))
		for i, kv := range v.list {
			list[i] = kv.Value.Any()
		}
		return list
	case KindMap:
		return v.list.Map()
	}
	return nil
}

// Equal says whether two values have the same kind and content. NaN equals
// NaN; an integer never equals a double.
func (v Value) Equal(w Value) bool {
	if v.kind != w.kind {
		return false
	}
	switch v.kind {
	case KindFloat:
		return Float(v.Float()).Equal(Float(w.Float()))
	case KindArray, KindMap:
		return v.list.equal(w.list)
	}
	return v.num == w.num && v.str == w.str
}

// Float is a double of the protocol. NaN equals NaN, for go-cmp.
type Float float64

// Equal says whether two doubles are the same number or both NaN.
func (f Float) Equal(g Float) bool { return f == g || f != f && g != g }

// MarshalJSON writes a number; NaN and the infinities are strings, as in OTLP
// JSON.
func (f Float) MarshalJSON() ([]byte, error) {
	switch {
	case f != f:
		return []byte(`"NaN"`), nil
	case math.IsInf(float64(f), 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(float64(f), -1):
		return []byte(`"-Infinity"`), nil
	}
	return json.Marshal(float64(f))
}

// String writes the value as the filter grammar does: a string is quoted, a
// number and a bool are bare. Bytes are base64, as in OTLP JSON.
func (v Value) String() string {
	switch v.kind {
	case KindEmpty:
		return "empty"
	case KindString:
		return strconv.Quote(v.str)
	case KindBytes:
		return "bytes:" + base64.StdEncoding.EncodeToString([]byte(v.str))
	case KindArray:
		parts := make([]string, len(v.list))
		for i, kv := range v.list {
			parts[i] = kv.Value.String()
		}
		return "[" + strings.Join(parts, " ") + "]"
	case KindMap:
		return "{" + v.list.String() + "}"
	}
	return expr.Literal(v.Any())
}

// MarshalJSON writes the value as the plain JSON value that it is. Bytes are a
// base64 string; NaN and the infinities are strings, as in OTLP JSON.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case KindFloat:
		return Float(v.Float()).MarshalJSON()
	case KindArray:
		return marshal(v.Array())
	case KindMap:
		return marshal(v.list)
	}
	return marshal(v.Any())
}

// marshal leaves <, > and & as they are, which URLs are full of: whether they
// are escaped is for the caller's encoder to say.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
