package wire

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"slices"

	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Key is a body's content key: two bodies of a signal have the same one if and
// only if they hold the same message, down to the bits of a double and to
// unknown fields, however it was encoded: the order of different fields, zero
// values written out, numbers packed or not, and whatever is merged or
// overwritten when it is read make no difference. A body that is malformed has
// a key of its bytes.
func Key(sig query.Signal, body []byte) (key [sha256.Size]byte) {
	d := digest{hash: sha256.New()}
	d.text([]byte(sig))
	if _, err := Validate(sig, body); err != nil {
		d.number(1)
		d.text(body)
	} else {
		d.number(0)
		d.message(tables()[sig], body)
	}
	d.flush()
	d.hash.Sum(key[:0])
	return key
}

// digest writes a canonical form of a message, from which the message could be
// read back, into a hash.
type digest struct {
	hash   hash.Hash // nil where all of it stays in buf
	buf    []byte    // what is not in the hash yet
	fields []entry   // of the messages being written, one on top of the other

	unordered bool  // lists of attributes are put in an order of their own; only without a hash
	starts    []int // in buf, of the elements of the lists being written, one on top of the other
	written   []byte
	texts     [][]byte // the elements of a list that is being put in order, in written
}

// entry is a field as it was read.
type entry struct {
	tag, num uint64
	raw      []byte
}

// message writes a message's fields in the order of their numbers, and a 0.
func (d *digest) message(t *table, b []byte) {
	base := len(d.fields)
	d.collect(t, b)
	for i := base; i < len(d.fields); {
		end := i + 1
		for end < len(d.fields) && d.fields[end].tag>>3 == d.fields[i].tag>>3 {
			end++
		}
		d.field(t, i, end)
		i = end
	}
	d.fields = d.fields[:base]
	d.number(0)
}

// collect reads a message's fields that count, and sorts them by number.
func (d *digest) collect(t *table, b []byte) {
	base := len(d.fields)
	member, from := t.member(b)
	sorted, before := true, uint64(0)
	for r := read(b); ; {
		at := r.at
		if !r.next() {
			break
		}
		num := r.tag >> 3
		if _, in := t.field(num); in.oneof && in.has(r.tag) && (num != member || at < from) {
			continue // another member took its place
		}
		sorted = sorted && num >= before
		before = num
		d.fields = append(d.fields, entry{r.tag, r.num(), r.raw()})
	}
	if !sorted {
		slices.SortStableFunc(d.fields[base:], func(a, b entry) int { return cmp.Compare(a.tag>>3, b.tag>>3) })
	}
}

// member is the number of the oneof's member that counts in a message, which
// is the last one, and where its last run of fields starts.
func (t *table) member(b []byte) (num uint64, from int) {
	if !t.oneof {
		return 0, 0
	}
	for r := read(b); ; {
		at := r.at
		if !r.next() {
			return num, from
		}
		n := r.tag >> 3
		if _, in := t.field(n); in.oneof && in.has(r.tag) && n != num {
			num, from = n, at
		}
	}
}

// has says whether a tag of the field's number has a wire type of the field.
func (in *info) has(tag uint64) bool {
	return in.name != "" && (tag&7 == in.wire || in.list && tag&7 == bytesType)
}

// field writes the entries from i to end, which are all of one number.
func (d *digest) field(t *table, i, end int) {
	num := d.fields[i].tag >> 3
	f, in := t.field(num)
	var one entry // the value of a field that is not a list
	var sub pieces
	base := len(d.starts)
	for j := i; j < end; j++ {
		e := d.fields[j]
		switch {
		case !in.has(e.tag):
		case in.list:
			if d.unordered && f.sub != nil && f.sub.attr {
				d.starts = append(d.starts, len(d.buf))
			}
			d.elements(num, f, in, e)
		case f.check == aMessage:
			sub.add(e.raw)
		default:
			one = e
		}
	}
	d.sort(base)
	switch {
	case sub.n > 0:
		d.number(num << 1)
		d.message(f.sub, sub.bytes)
	case one.tag != 0 && in.wire == bytesType && (in.presence || len(one.raw) > 0):
		d.number(num << 1)
		d.text(one.raw)
	case one.tag != 0 && in.wire != bytesType && (in.presence || in.scalar(one.num) != 0):
		d.number(num << 1)
		d.number(in.scalar(one.num))
	}
	d.unknown(in, i, end)
}

// sort puts what was written since the starts from base on in order, and
// forgets the starts.
func (d *digest) sort(base int) {
	starts := d.starts[base:]
	d.starts = d.starts[:base]
	if len(starts) < 2 {
		return
	}
	from := starts[0]
	d.written = append(d.written[:0], d.buf[from:]...)
	d.texts = d.texts[:0]
	for i, start := range starts {
		end := len(d.buf)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		d.texts = append(d.texts, d.written[start-from:end-from])
	}
	slices.SortFunc(d.texts, bytes.Compare)
	d.buf = d.buf[:from]
	for _, t := range d.texts {
		d.buf = append(d.buf, t...)
	}
}

// elements writes what one entry adds to a list.
func (d *digest) elements(num uint64, f *field, in *info, e entry) {
	switch {
	case f.check == aMessage:
		d.number(num << 1)
		d.message(f.sub, e.raw)
	case in.wire == bytesType:
		d.number(num << 1)
		d.text(e.raw)
	case e.tag&7 != bytesType:
		d.number(num << 1)
		d.number(in.scalar(e.num))
	default:
		for b := e.raw; len(b) > 0; {
			var n uint64
			n, b = unpack(b, in.wire)
			d.number(num << 1)
			d.number(in.scalar(n))
		}
	}
}

// unpack takes the first number off a packed list.
func unpack(b []byte, wire uint64) (n uint64, rest []byte) {
	switch {
	case wire == fixed64Type && len(b) >= 8:
		return binary.LittleEndian.Uint64(b), b[8:]
	case wire == fixed32Type && len(b) >= 4:
		return uint64(binary.LittleEndian.Uint32(b)), b[4:]
	}
	n, i := varint(b, 0)
	if i < 0 {
		return 0, nil
	}
	return n, b[i:]
}

// unknown writes those of the entries that the message has no field for.
func (d *digest) unknown(in *info, i, end int) {
	for _, e := range d.fields[i:end] {
		if in.has(e.tag) {
			continue
		}
		d.number(e.tag>>3<<1 | 1)
		d.number(e.tag & 7)
		switch e.tag & 7 {
		case bytesType, groupType:
			d.text(e.raw)
		default:
			d.number(e.num)
		}
	}
}

// scalar is a number as the field's type has it: the wire may carry more bits.
func (in *info) scalar(n uint64) uint64 {
	switch in.kind {
	case protoreflect.BoolKind:
		return min(n, 1)
	case protoreflect.Int32Kind, protoreflect.EnumKind, protoreflect.Uint32Kind, protoreflect.Sint32Kind:
		return n & math.MaxUint32
	}
	return n
}

func (d *digest) number(n uint64) {
	d.buf = binary.AppendUvarint(d.buf, n)
	if d.hash != nil && len(d.buf) >= 4<<10 {
		d.flush()
	}
}

func (d *digest) text(b []byte) {
	d.number(uint64(len(b)))
	d.buf = append(d.buf, b...)
}

func (d *digest) flush() {
	d.hash.Write(d.buf)
	d.buf = d.buf[:0]
}
