package wire

import (
	"math"
	"sync"

	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
)

// value is an AnyValue or another field's value, looked at but not decoded:
// what can be compared without allocating.
type value struct {
	kind query.ValueKind
	num  uint64 // a bool, an integer, or a double's bits
	raw  []byte // a string, bytes, or the message of an array or a map
}

// valueOf looks at an AnyValue. Of its members the last one counts, and an
// array or a map that comes several times in a row is merged.
func valueOf(message []byte) (v value) {
	var list pieces
	var before uint64
	r := read(message)
	for r.next() {
		switch r.tag {
		case anyString:
			v = value{kind: query.KindString, raw: r.raw()}
		case anyBool:
			v = boolValue(r.num() != 0)
		case anyInt:
			v = value{kind: query.KindInt, num: r.num()}
		case anyDouble:
			v = value{kind: query.KindFloat, num: r.num()}
		case anyBytes:
			v = value{kind: query.KindBytes, raw: r.raw()}
		case anyArray, anyMap:
			if r.tag != before {
				list = pieces{}
			}
			list.add(r.raw())
			v = value{kind: query.KindArray, raw: list.bytes}
			if r.tag == anyMap {
				v.kind = query.KindMap
			}
		default:
			if r.tag != strindex() {
				continue // not a member
			}
			v = value{}
		}
		before = r.tag
	}
	return v
}

// strindex is the tag of the AnyValue's member string_value_strindex, which
// refers to a table that only profiles have, and 0 where the official messages
// that are linked do not know it.
var strindex = sync.OnceValue(func() uint64 {
	fd := (&commonpb.AnyValue{}).ProtoReflect().Descriptor().Fields().ByNumber(8)
	if fd == nil || fd.ContainingOneof() == nil {
		return 0
	}
	return 8<<3 | varintType
})

func intValue(i int64) value { return value{kind: query.KindInt, num: uint64(i)} }

func boolValue(b bool) value {
	if b {
		return value{kind: query.KindBool, num: 1}
	}
	return value{kind: query.KindBool}
}

// decode makes the value what a user sees, with lists to a depth.
func (v value) decode(depth int) query.Value {
	switch v.kind {
	case query.KindString:
		return query.StringValue(str(v.raw))
	case query.KindBool:
		return query.BoolValue(v.num != 0)
	case query.KindInt:
		return query.IntValue(int64(v.num))
	case query.KindFloat:
		return query.FloatValue(math.Float64frombits(v.num))
	case query.KindBytes:
		return query.BytesValue(v.raw)
	case query.KindArray:
		return decodeArray(v.raw, depth-1)
	case query.KindMap:
		return query.MapValue(decodeAttrs(v.raw, listValues, depth-1)...)
	}
	return query.Value{}
}

func decodeArray(message []byte, depth int) query.Value {
	if depth <= 0 {
		return query.ArrayValue()
	}
	var vs []query.Value
	r := read(message)
	for r.next() {
		if r.tag == listValues {
			vs = append(room(vs, &r), valueOf(r.raw()).decode(depth))
		}
	}
	return query.ArrayValue(vs...)
}
