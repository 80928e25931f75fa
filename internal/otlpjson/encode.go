package otlpjson

import (
	"cmp"
	"encoding/binary"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// encoder reads protobuf and appends JSON to out. Its methods say whether the
// bytes were protobuf.
type encoder struct {
	out     []byte
	fields  []*field // by place
	entries []entry  // of the messages being read, one on top of the other
	depth   int      // of these
}

// entry is a field as it was read.
type entry struct {
	value uint64 // a number; or where in the message it starts, and in the high half where it ends
	num   uint32 // the field's number
	field place
	raw   bool // it is length-delimited
}

// bytes is the value of a field that is length-delimited, in its message.
func (in entry) bytes(b []byte) []byte { return b[uint32(in.value):uint32(in.value>>32)] }

// message writes a message as an object.
func (e *encoder) message(t *table, b []byte) bool {
	if e.depth++; e.depth > maxDepth {
		return false
	}
	base := len(e.entries)
	if !e.collect(t, b) {
		return false
	}
	if t.oneof {
		e.choose(base)
	}
	e.sort(base)
	e.out = append(e.out, '{')
	start := len(e.out)
	for i := base; i < len(e.entries); {
		end := i + 1
		for end < len(e.entries) && e.entries[end].num == e.entries[i].num {
			end++
		}
		if !e.member(b, start, i, end) {
			return false
		}
		i = end
	}
	e.out = append(e.out, '}')
	e.entries = e.entries[:base]
	e.depth--
	return true
}

// collect reads the fields of a message that it has.
func (e *encoder) collect(t *table, b []byte) bool {
	for i := 0; i < len(b); {
		num, typ, n := protowire.ConsumeTag(b[i:])
		if n < 0 {
			return false
		}
		i += n
		in := entry{num: uint32(num), raw: typ == protowire.BytesType}
		switch typ {
		case protowire.VarintType:
			in.value, n = protowire.ConsumeVarint(b[i:])
		case protowire.Fixed64Type:
			in.value, n = protowire.ConsumeFixed64(b[i:])
		case protowire.Fixed32Type:
			var x uint32
			x, n = protowire.ConsumeFixed32(b[i:])
			in.value = uint64(x)
		case protowire.BytesType:
			var raw []byte
			raw, n = protowire.ConsumeBytes(b[i:])
			in.value = uint64(i+n)<<32 | uint64(i+n-len(raw))
		default:
			n = protowire.ConsumeFieldValue(num, typ, b[i:])
		}
		if n < 0 {
			return false
		}
		i += n
		if f := t.numbered(in.num); f != nil && (typ == f.wireType() || f.list && in.raw) {
			in.field = f.after
			e.entries = append(e.entries, in)
		}
	}
	return true
}

// numbered is the field with a number, or nil.
func (t *table) numbered(num uint32) *field {
	if num < uint32(len(t.number)) {
		return t.number[num]
	}
	return nil
}

// choose leaves of a oneof's members only the last, and of that what came after
// the others.
func (e *encoder) choose(base int) {
	var replaced uint64
	keep := len(e.entries)
	for i := keep - 1; i >= base; i-- {
		f := e.fields[e.entries[i].field]
		if replaced&f.bit == 0 {
			keep--
			e.entries[keep] = e.entries[i]
		}
		replaced |= f.rivals
	}
	e.entries = slices.Delete(e.entries, base, keep)
}

// sort puts a message's fields in the order of their numbers.
func (e *encoder) sort(base int) {
	byNumber := func(a, b entry) int { return cmp.Compare(a.num, b.num) }
	if !slices.IsSortedFunc(e.entries[base:], byNumber) {
		slices.SortStableFunc(e.entries[base:], byNumber)
	}
}

// member writes the entries of b from i to end, which are of one field, unless
// they are as good as absent. The object's first member is to be at start.
func (e *encoder) member(b []byte, start, i, end int) bool {
	f, last := e.fields[e.entries[i].field], e.entries[end-1]
	switch {
	case f.shape == ofProfiles:
		return true
	case f.list:
		return e.list(b, start, i, end)
	case f.shape == aMessage:
		e.key(start, f)
		return e.message(f.sub, e.merged(b, i, end))
	case f.coding == delimited:
		raw := last.bytes(b)
		if len(raw) == 0 && !f.presence {
			return true
		}
		e.key(start, f)
		return e.delimited(f, raw)
	}
	if u := f.value(last.value); u != 0 || f.presence {
		e.key(start, f)
		e.number(f, u)
	}
	return true
}

func (e *encoder) key(start int, f *field) {
	if len(e.out) > start {
		e.out = append(e.out, ',')
	}
	e.out = append(e.out, f.quick...)
}

// merged is a message that comes in one or more pieces, for which the pieces
// one after the other are the encoding.
func (e *encoder) merged(b []byte, i, end int) []byte {
	if end == i+1 {
		return e.entries[i].bytes(b)
	}
	var whole []byte
	for _, piece := range e.entries[i:end] {
		whole = append(whole, piece.bytes(b)...)
	}
	return whole
}

// list writes an array, unless it has no elements.
func (e *encoder) list(b []byte, start, i, end int) bool {
	f, before := e.fields[e.entries[i].field], len(e.out)
	e.key(start, f)
	e.out = append(e.out, '[')
	empty := len(e.out)
	for ; i < end; i++ {
		if !e.elements(b, f, e.entries[i]) {
			return false
		}
	}
	if len(e.out) == empty {
		e.out = e.out[:before]
		return true
	}
	e.out[len(e.out)-1] = ']' // in the place of the last comma
	return true
}

// elements writes what one entry adds to a list, a comma after each.
func (e *encoder) elements(b []byte, f *field, in entry) bool {
	switch {
	case f.shape == aMessage:
		if !e.message(f.sub, in.bytes(b)) {
			return false
		}
	case f.coding == delimited:
		if !e.delimited(f, in.bytes(b)) {
			return false
		}
	case in.raw:
		return e.unpack(f, in.bytes(b))
	default:
		e.number(f, f.value(in.value))
	}
	e.out = append(e.out, ',')
	return true
}

// unpack writes the numbers of a packed list.
func (e *encoder) unpack(f *field, b []byte) bool {
	for len(b) > 0 {
		var u uint64
		n := -1
		switch {
		case f.coding == fixed64 && len(b) >= 8:
			u, n = binary.LittleEndian.Uint64(b), 8
		case f.coding == fixed32 && len(b) >= 4:
			u, n = uint64(binary.LittleEndian.Uint32(b)), 4
		case f.coding == varint || f.coding == zigzag:
			u, n = protowire.ConsumeVarint(b)
		}
		if n < 0 {
			return false
		}
		b = b[n:]
		e.number(f, f.value(u))
		e.out = append(e.out, ',')
	}
	return true
}
