package otlpjson

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxDepth is how deep messages may nest, and what an unknown key holds.
const maxDepth = protowire.DefaultRecursionLimit

// decoder reads JSON from in and appends protobuf to out.
//
// Its methods take the index of what they read, and give the index after it,
// or -1 once there is an err.
type decoder struct {
	in   []byte
	out  []byte
	most int // how long out may become
	mode Mode

	path    []step   // of the fields that are being read
	scratch []byte   // a string that was written with escapes
	fields  []*field // by place
	keys    []place  // which field's key was at each place last

	err        *Error
	tooLong    bool
	departures []Departure
	tallies    []tally
}

// step is a field of messages, or any list, that is being read.
type step struct {
	field place
	room  int16 // how many bytes to reserve for the next message's length
	index int32 // in the list; -1 for none
}

// body reads the whole of a body.
func (d *decoder) body(t *table) bool {
	i := 0
	if bytes.HasPrefix(d.in, []byte("\ufeff")) {
		if i = 3; !d.depart(&theBody, Departure{Rule: "S-37", Got: "a byte order mark", Want: "none"}) {
			return false
		}
	}
	if i = d.space(i); i >= len(d.in) || d.in[i] != '{' {
		return d.refuse(i, &theBody) >= 0
	}
	if i = d.message(i, t); i < 0 {
		return false
	}
	if i = d.space(i); i < len(d.in) {
		return d.unexpected(i, "the end of the body") >= 0
	}
	return true
}

// theBody stands for a body in what is said of it.
var theBody = field{rule: "S-37", want: "an object"}

// message reads an object as the fields of a message.
func (d *decoder) message(i int, t *table) int {
	if len(d.path) >= maxDepth {
		return d.tooDeep()
	}
	if i = d.space(i + 1); i < len(d.in) && d.in[i] == '}' {
		return i + 1
	}
	m := members{at: t.first}
	for {
		if i = d.member(i, t, &m); i < 0 {
			return -1
		}
		if i = d.space(i); i >= len(d.in) || d.in[i] != ',' {
			break
		}
		i = d.space(i + 1)
	}
	switch {
	case i >= len(d.in) || d.in[i] != '}':
		return d.unexpected(i, "a comma or }")
	case m.lost != nil && m.seen&m.lost.rivals == 0 && !d.notANumber(m.lost):
		return -1
	}
	return i + 1
}

// members is what is known of an object's members so far.
type members struct {
	at   place
	seen uint64 // the fields that were there
	set  uint64 // those of them that were not null
	lost *field // a double of a oneof that was null
}

// member reads a key and its value.
func (d *decoder) member(i int, t *table, m *members) int {
	f, i := d.key(i, t, m.at)
	switch {
	case i < 0:
		return -1
	case f == nil:
		return d.skip(i, maxDepth-1-len(d.path))
	case m.seen&f.bit != 0:
		return d.misuse(f, "the key a second time", "it once")
	}
	m.at = f.after
	m.seen |= f.bit
	switch {
	case i < len(d.in) && d.in[i] == 'n':
		if f.shape == aFloat && f.rivals != 0 {
			m.lost = f
		}
		return d.word(i, "null", f)
	case m.set&f.rivals != 0:
		return d.misuse(f, "a second member of a oneof", "one")
	}
	m.set |= f.bit
	return d.value(i, f)
}

// notANumber takes NaN for the null that JSON.stringify makes of NaN and of the
// infinities, where a double is the only member of its oneof that is given. It
// cannot be a value that is absent: who leaves a value out gives no member, or
// all of them.
func (d *decoder) notANumber(f *field) bool {
	if !d.depart(f, Departure{Rule: "S-37", Got: "null", Want: `"NaN", "Infinity" or "-Infinity"`}) {
		return false
	}
	d.tag(f)
	d.put(f, f.floatBits(math.NaN()))
	return true
}

// value reads the value of a field, which is not null.
func (d *decoder) value(i int, f *field) int {
	switch {
	case i >= len(d.in):
		return d.unexpected(i, "a value")
	case f.list:
		return d.list(i, f)
	case f.shape != aMessage:
		return d.single(i, f)
	}
	d.path = append(d.path, step{f.after, 1, -1})
	i = d.single(i, f)
	d.path = d.path[:len(d.path)-1]
	return i
}

// list reads an array as a list. A packed one is a single field.
func (d *decoder) list(i int, f *field) int {
	if d.in[i] != '[' {
		return d.misuse(f, d.show(i), "an array")
	}
	if i = d.space(i + 1); i < len(d.in) && d.in[i] == ']' {
		return i + 1
	}
	start := 0
	if f.packed {
		start = d.open(f, 1)
	}
	top := len(d.path)
	d.path = append(d.path, step{f.after, 1, 0})
	for {
		if !d.room() {
			return -1
		}
		if i = d.element(i, f); i < 0 {
			return -1
		}
		if i = d.space(i); i >= len(d.in) || d.in[i] != ',' {
			break
		}
		i = d.space(i + 1)
		d.path[top].index++
	}
	if i >= len(d.in) || d.in[i] != ']' {
		return d.unexpected(i, "a comma or ]")
	}
	d.path = d.path[:top]
	if f.packed {
		d.close(start, 1)
	}
	return i + 1
}

// room makes room for more elements, once for all that may come rather than
// little by little: protobuf is at most four times as long as its JSON. It is
// false where the result is too long.
func (d *decoder) room() bool {
	const number = 16 // more bytes than one takes
	if len(d.out) > d.most {
		d.tooLong = true
		return false
	}
	if cap(d.out)-len(d.out) < number {
		d.out = slices.Grow(d.out, max(number, min(d.most, 4*len(d.in))+number-len(d.out)))
	}
	return true
}

func (d *decoder) element(i int, f *field) int {
	if i >= len(d.in) {
		return d.unexpected(i, "a value")
	}
	if f.attr && len(d.path)+1 < maxDepth {
		if next := d.attribute(i, f); next > 0 {
			return next
		}
	}
	if !f.packed {
		return d.single(i, f)
	}
	u, next, v := d.number(i, f)
	if v == good {
		d.put(f, u)
	}
	return next
}

// single reads one value and appends it with its tag. A message is already on
// the path.
func (d *decoder) single(i int, f *field) int {
	switch f.shape {
	case aMessage:
		return d.nested(i, f)
	case aString:
		return d.string(i, f)
	case anID:
		return d.id(i, f)
	case someBytes:
		return d.bytes(i, f)
	}
	u, next, v := d.number(i, f)
	if v == good && (u != 0 || f.presence || f.list) {
		d.tag(f)
		d.put(f, u)
	}
	return next
}

func (d *decoder) nested(i int, f *field) int {
	if d.in[i] != '{' {
		return d.refuse(i, f)
	}
	top := len(d.path) - 1
	room := int(d.path[top].room)
	start := d.open(f, room)
	if i = d.message(i, f.sub); i >= 0 {
		d.path[top].room = int16(d.close(start, room))
	}
	return i
}

// open appends a tag and room for a length, and gives the index of that.
func (d *decoder) open(f *field, room int) (start int) {
	d.tag(f)
	start = len(d.out)
	d.out = append(d.out, "0123456789"[:room]...)
	return start
}

// close puts the length in its place, and gives the number of bytes that it
// took.
func (d *decoder) close(start, room int) int {
	size := len(d.out) - start - room
	need := protowire.SizeVarint(uint64(size))
	if need != room {
		if need > room {
			d.out = append(d.out, "0123456789"[:need-room]...)
		}
		copy(d.out[start+need:], d.out[start+room:start+room+size])
		d.out = d.out[:start+need+size]
	}
	binary.PutUvarint(d.out[start:], uint64(size))
	return need
}

func (d *decoder) tag(f *field) { d.varint(f.tag) }

// put appends a number in the field's coding.
func (d *decoder) put(f *field, u uint64) {
	switch f.coding {
	case fixed64:
		d.fixed64(u)
	case fixed32:
		d.out = append(d.out, byte(u), byte(u>>8), byte(u>>16), byte(u>>24))
	case zigzag:
		d.varint(protowire.EncodeZigZag(int64(u)))
	default:
		d.varint(u)
	}
}

// varint and the like append to out in its place, which a function that
// returns the slice would not, at a price while garbage is collected.
func (d *decoder) varint(u uint64) {
	for ; u >= 0x80; u >>= 7 {
		d.out = append(d.out, byte(u)|0x80)
	}
	d.out = append(d.out, byte(u))
}

func (d *decoder) fixed64(u uint64) {
	d.out = append(d.out, byte(u), byte(u>>8), byte(u>>16), byte(u>>24), byte(u>>32), byte(u>>40), byte(u>>48), byte(u>>56))
}
