package query

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
)

// KeyValue is one attribute.
type KeyValue struct {
	Key   string
	Value Value
}

// Attr makes an attribute of a plain Go value, for expectations in tests:
// nil, string, bool, an integer, a float, []byte, []any, map entries as Attrs,
// or a Value. It panics on any other type, which only a mistake in the
// expectation can cause.
func Attr(key string, value any) KeyValue {
	v, err := ValueOf(value)
	if err != nil {
		panic("query.Attr(" + strconv.Quote(key) + "): " + err.Error())
	}
	return KeyValue{key, v}
}

// ValueOf makes a value of a plain Go value; see [Attr] for the types.
func ValueOf(x any) (Value, error) {
	switch x := x.(type) {
	case nil:
		return Value{}, nil
	case Value:
		return x, nil
	case string:
		return StringValue(x), nil
	case bool:
		return BoolValue(x), nil
	case float64:
		return FloatValue(x), nil
	case float32:
		return FloatValue(float64(x)), nil
	case []byte:
		return BytesValue(x), nil
	case Attrs:
		return MapValue(x...), nil
	case []any:
		vs := make([]Value, len(x))
		for i := range x {
			v, err := ValueOf(x[i])
			if err != nil {
				return Value{}, err
			}
			vs[i] = v
		}
		return ArrayValue(vs...), nil
	}
	if i, ok := integer(x); ok {
		return IntValue(i), nil
	}
	return Value{}, fmt.Errorf("got a %T, want nil, string, bool, int, float64, []byte, []any, query.Attrs or query.Value", x)
}

// integer is the number in any of Go's integer types, where an int64 holds it.
func integer(x any) (int64, bool) {
	switch x := x.(type) {
	case int:
		return int64(x), true
	case int8:
		return int64(x), true
	case int16:
		return int64(x), true
	case int32:
		return int64(x), true
	case int64:
		return x, true
	case uint:
		return int64(x), uint64(x) <= math.MaxInt64
	case uint8:
		return int64(x), true
	case uint16:
		return int64(x), true
	case uint32:
		return int64(x), true
	case uint64:
		return int64(x), x <= math.MaxInt64
	}
	return 0, false
}

// Attrs is a list of attributes in the order received, duplicate keys
// included. Treat it as read-only.
type Attrs []KeyValue

// Get is the value of the first attribute with that key, and the empty value
// where there is none.
func (a Attrs) Get(key string) Value {
	v, _ := a.Lookup(key)
	return v
}

// Lookup is [Attrs.Get] that also says whether the key is there.
func (a Attrs) Lookup(key string) (Value, bool) {
	for i := range a {
		if a[i].Key == key {
			return a[i].Value, true
		}
	}
	return Value{}, false
}

// Map is the attributes as plain Go values by key, for comparisons that
// ignore order. The first of several equal keys wins.
func (a Attrs) Map() map[string]any {
	m := make(map[string]any, len(a))
	for _, kv := range a {
		if _, dup := m[kv.Key]; !dup {
			m[kv.Key] = kv.Value.Any()
		}
	}
	return m
}

// All ranges over the attributes in the order received.
func (a Attrs) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, kv := range a {
			if !yield(kv.Key, kv.Value) {
				return
			}
		}
	}
}

// String writes key=value pairs with a space between them.
func (a Attrs) String() string {
	parts := make([]string, len(a))
	for i, kv := range a {
		parts[i] = kv.Key + "=" + kv.Value.String()
	}
	return strings.Join(parts, " ")
}

// MarshalJSON writes an object. The first of several equal keys wins.
func (a Attrs) MarshalJSON() ([]byte, error) {
	m := make(map[string]Value, len(a))
	for _, kv := range a {
		if _, dup := m[kv.Key]; !dup {
			m[kv.Key] = kv.Value
		}
	}
	return marshal(m)
}

func (a Attrs) equal(b Attrs) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key || !a[i].Value.Equal(b[i].Value) {
			return false
		}
	}
	return true
}
