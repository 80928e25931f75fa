package wire

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"google.golang.org/protobuf/encoding/protowire"
)

// The wire types, as they stand in the low bits of a tag.
const (
	varintType  = uint64(protowire.VarintType)
	fixed64Type = uint64(protowire.Fixed64Type)
	bytesType   = uint64(protowire.BytesType)
	groupType   = uint64(protowire.StartGroupType)
	fixed32Type = uint64(protowire.Fixed32Type)
)

// A reader walks over the fields of one message in the order on the wire. It
// stops where the bytes are no message, so that it is safe on any input.
//
// Fields are told apart by their whole tag, number<<3 | wire type: one whose
// wire type is not its own is thereby unknown, as it has to be.
type reader struct {
	buf  []byte
	tag  uint64 // of the field just read
	from int    // where its value starts
	at   int    // where it ends and the next field starts
}

func read(message []byte) reader { return reader{buf: message} }

// next reads the next field, if there is one.
func (r *reader) next() bool {
	r.tag, r.from, r.at = step(r.buf, r.at)
	return r.tag != 0
}

// raw is the field's value, where that is length-delimited.
func (r *reader) raw() []byte { return r.buf[r.from:r.at:r.at] }

// num is the field's value, where that is a varint or fixed.
func (r *reader) num() uint64 { return number(r.buf, r.tag, r.from) }

// step reads the field at i: its tag, and from where to where its value is.
// The tag is 0, which no field has, at the end of the message and where the
// bytes are no field.
func step(b []byte, i int) (tag uint64, from, to int) {
	if i >= len(b) {
		return 0, len(b), len(b)
	}
	tag, from = uint64(b[i]), i+1
	if tag >= 0x80 {
		if tag, from = longVarint(b, i); from < 0 {
			return 0, len(b), len(b)
		}
	}
	switch {
	case tag&7 != bytesType:
		to = skip(b, from, tag)
	case from < len(b) && b[from] < 0x80: // varint, inlined
		from, to = from+1, from+1+int(b[from])
	default:
		var size uint64
		if size, from = longVarint(b, from); from >= 0 && size <= uint64(len(b)-from) {
			to = from + int(size)
		}
	}
	if to <= 0 || to > len(b) {
		return 0, len(b), len(b)
	}
	return tag, from, to
}

// skip gives the index after the value at i of a field that is not
// length-delimited, or -1 for none.
func skip(b []byte, i int, tag uint64) int {
	switch tag & 7 {
	case varintType:
		_, i = varint(b, i)
		return i
	case fixed64Type:
		i += 8
	case fixed32Type:
		i += 4
	case groupType:
		n := protowire.ConsumeFieldValue(protowire.Number(tag>>3), protowire.StartGroupType, b[i:])
		if n < 0 {
			return -1
		}
		i += n
	default:
		return -1
	}
	if i > len(b) {
		return -1
	}
	return i
}

// number is the value at i of a field that is a varint or fixed.
func number(b []byte, tag uint64, i int) (n uint64) {
	switch tag & 7 {
	case varintType:
		n, _ = varint(b, i)
	case fixed64Type:
		n = binary.LittleEndian.Uint64(b[i:])
	case fixed32Type:
		n = uint64(binary.LittleEndian.Uint32(b[i:]))
	}
	return n
}

// varint reads a varint at i, and gives the index after it, or -1 for none.
func varint(b []byte, i int) (v uint64, to int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return longVarint(b, i)
}

func longVarint(b []byte, i int) (uint64, int) {
	if i+1 < len(b) && b[i+1] < 0x80 {
		return uint64(b[i]&0x7f) | uint64(b[i+1])<<7, i + 2
	}
	v, n := binary.Uvarint(b[i:])
	if n <= 0 {
		return 0, -1
	}
	return v, i + n
}

// count says how many fields from i on have a tag.
func count(b []byte, i int, tag uint64) int {
	n := 0
	for i < len(b) {
		var t uint64
		if t, _, i = step(b, i); t == tag {
			n++
		}
	}
	return n
}

// last is the bytes of the last field that has a tag, which is the one that
// counts for a string or bytes, and nil where there is none.
func last(b []byte, tag uint64) []byte {
	from, to := -1, -1
	for i := 0; i < len(b); {
		t, start, end := step(b, i)
		if t == tag {
			from, to = start, end
		}
		i = end
	}
	if from < 0 {
		return nil
	}
	return b[from:to:to]
}

// lastNum is last for a varint or fixed field.
func lastNum(b []byte, tag uint64) uint64 {
	at := -1
	for i := 0; i < len(b); {
		t, start, end := step(b, i)
		if t == tag {
			at = start
		}
		i = end
	}
	if at < 0 {
		return 0
	}
	return number(b, tag, at)
}

// merged is a sub-message that is not repeated. Where it comes several times
// all the same, the protocol has it merged, for which its pieces one after the
// other are the encoding.
func merged(message []byte, tag uint64) []byte {
	var m pieces
	r := read(message)
	for r.next() {
		if r.tag == tag {
			m.add(r.raw())
		}
	}
	return m.bytes
}

// pieces is one message that comes in one or more pieces. It copies them only
// where there are several.
type pieces struct {
	bytes []byte
	n     int
}

func (p *pieces) add(b []byte) {
	p.n++
	switch p.n {
	case 1:
		p.bytes = b
	case 2:
		p.bytes = slices.Concat(p.bytes, b)
	default:
		p.bytes = append(p.bytes, b...)
	}
}

// room is the list with room for one more element, and at the first one for
// all that the reader will still meet.
func room[S ~[]E, E any](list S, r *reader) S {
	if list != nil {
		return list
	}
	return make(S, 0, 1+count(r.buf, r.at, r.tag))
}

// str is the bytes as a string that shares their memory.
func str(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
