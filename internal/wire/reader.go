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
	buf []byte
	at  int    // where the next field starts
	tag uint64 // of the field just read
	num uint64 // its value, where that is a varint or fixed
	raw []byte // its value, where that is length-delimited or a group
}

func read(message []byte) reader { return reader{buf: message} }

// next reads the next field, if there is one.
func (r *reader) next() bool {
	b := r.buf
	if r.at >= len(b) {
		return false
	}
	tag, i := varint(b, r.at)
	if i < 0 {
		return r.stop()
	}
	r.tag = tag
	switch tag & 7 {
	case varintType:
		if r.num, i = varint(b, i); i < 0 {
			return r.stop()
		}
		r.at = i
		return true
	case bytesType:
		n, i := varint(b, i)
		if i < 0 || n > uint64(len(b)-i) {
			return r.stop()
		}
		r.at = i + int(n)
		r.raw = b[i:r.at:r.at]
		return true
	}
	return r.rare(i)
}

// rare reads the value at i of a field that is not as frequent.
func (r *reader) rare(i int) bool {
	b := r.buf[i:]
	n := -1
	switch typ := r.tag & 7; {
	case typ == fixed64Type && len(b) >= 8:
		r.num, n = binary.LittleEndian.Uint64(b), 8
	case typ == fixed32Type && len(b) >= 4:
		r.num, n = uint64(binary.LittleEndian.Uint32(b)), 4
	case typ == groupType && r.tag>>3 <= uint64(protowire.MaxValidNumber):
		n = protowire.ConsumeFieldValue(protowire.Number(r.tag>>3), protowire.StartGroupType, b)
	}
	if n < 0 {
		return r.stop()
	}
	r.at, r.raw = i+n, b[:n:n]
	return true
}

func (r *reader) stop() bool {
	r.at = len(r.buf)
	return false
}

// varint reads a varint at i, and gives the index after it, or -1 for none.
func varint(b []byte, i int) (uint64, int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return longVarint(b, i)
}

func longVarint(b []byte, i int) (uint64, int) {
	v, n := binary.Uvarint(b[i:])
	if n <= 0 {
		return 0, -1
	}
	return v, i + n
}

// count says how many fields have a tag.
func count(message []byte, tag uint64) int {
	n := 0
	r := read(message)
	for r.next() {
		if r.tag == tag {
			n++
		}
	}
	return n
}

// last is the bytes of the last field that has a tag, which is the one that
// counts for a string or bytes, and nil where there is none.
func last(message []byte, tag uint64) (b []byte) {
	r := read(message)
	for r.next() {
		if r.tag == tag {
			b = r.raw
		}
	}
	return b
}

// lastNum is last for a varint or fixed field.
func lastNum(message []byte, tag uint64) (n uint64) {
	r := read(message)
	for r.next() {
		if r.tag == tag {
			n = r.num
		}
	}
	return n
}

// merged is a sub-message that is not repeated. Where it comes several times
// all the same, the protocol has it merged, for which its pieces one after the
// other are the encoding.
func merged(message []byte, tag uint64) []byte {
	var m pieces
	r := read(message)
	for r.next() {
		if r.tag == tag {
			m.add(r.raw)
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
	return make(S, 0, 1+count(r.buf[r.at:], r.tag))
}

// str is the bytes as a string that shares their memory.
func str(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
