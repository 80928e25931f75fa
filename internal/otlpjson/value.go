package otlpjson

import (
	"bytes"
	"encoding/base64"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// string reads a string.
func (d *decoder) string(i int, f *field) int {
	if d.in[i] != '"' {
		return d.refuse(i, f)
	}
	s, next := d.textOf(i, f)
	if next < 0 || len(s) == 0 && !f.presence && !f.list {
		return next
	}
	d.tag(f)
	d.varint(uint64(len(s)))
	d.out = append(d.out, s...)
	return next
}

// hexDigits is the value of a hexadecimal digit, and 0xff for all else.
var hexDigits = func() (t [256]byte) {
	for i := range t {
		t[i] = 0xff
	}
	for i, c := range "0123456789abcdef" {
		t[c] = byte(i)
	}
	for i, c := range "ABCDEF" {
		t[c] = byte(10 + i)
	}
	return t
}()

// id reads an id (S-32). An empty one is an absent one.
func (d *decoder) id(i int, f *field) int {
	if d.in[i] != '"' {
		return d.refuse(i, f)
	}
	s, next := d.textOf(i, f)
	switch {
	case next < 0:
		return -1
	case len(s) == 0:
		d.depart(f, Departure{Rule: f.rule, Got: `""`, Want: f.want + " or no key", Warning: true})
		return next
	case len(s) != 2*f.size:
		return d.fail(f, showID(s), f.want)
	}
	d.tag(f)
	d.out = append(d.out, byte(f.size))
	var all byte
	for j := 0; j+1 < len(s); j += 2 {
		hi, lo := hexDigits[s[j]], hexDigits[s[j+1]]
		all |= hi | lo
		d.out = append(d.out, hi<<4|lo)
	}
	if all > 15 {
		return d.fail(f, showID(s), f.want)
	}
	return next
}

// bytes reads base64, of either alphabet, padded or not, as proto3 JSON does.
func (d *decoder) bytes(i int, f *field) int {
	if d.in[i] != '"' {
		return d.refuse(i, f)
	}
	s, next := d.textOf(i, f)
	if next < 0 {
		return -1
	}
	before := len(d.out)
	room := protowire.SizeVarint(uint64(base64.StdEncoding.DecodedLen(len(s))))
	start := d.open(f, room)
	var err error
	if d.out, err = alphabet(s).AppendDecode(d.out, s); err != nil {
		return d.refuse(i, f)
	}
	if len(d.out) == start+room && !f.presence && !f.list {
		d.out = d.out[:before]
		return next
	}
	d.close(start, room)
	return next
}

func alphabet(s []byte) *base64.Encoding {
	e, padded := base64.StdEncoding, len(s)%4 == 0
	if bytes.ContainsAny(s, "-_") {
		e = base64.URLEncoding
	}
	if !padded {
		e = e.WithPadding(base64.NoPadding)
	}
	return e
}

// number reads a number or a word. The verdict is good, or next is -1, but
// for a value that is dropped.
func (d *decoder) number(i int, f *field) (u uint64, next int, v verdict) {
	switch f.shape {
	case anInteger:
		return d.integer(i, f)
	case aFloat:
		return d.float(i, f)
	case anEnum:
		return d.enum(i, f)
	}
	return d.bool(i, f)
}

func (d *decoder) bool(i int, f *field) (u uint64, next int, v verdict) {
	switch d.in[i] {
	case 't':
		return 1, d.word(i, "true", f), good
	case 'f':
		return 0, d.word(i, "false", f), good
	}
	return 0, d.refuse(i, f), noNumber
}

// word reads true, false or null.
func (d *decoder) word(i int, w string, f *field) int {
	if len(d.in)-i < len(w) || string(d.in[i:i+len(w)]) != w {
		return d.refuse(i, f)
	}
	return i + len(w)
}

// integer reads an integer, quoted or not (S-36).
func (d *decoder) integer(i int, f *field) (u uint64, next int, v verdict) {
	if u, next = plainInteger(d.in, i, f); next > 0 {
		return u, next, good
	}
	return d.oddInteger(i, f)
}

// oddInteger reads an integer that is not written in the usual way. One that
// is out of range is dropped where it is in a oneof: the attribute or the
// point is left without a value.
func (d *decoder) oddInteger(i int, f *field) (u uint64, next int, v verdict) {
	s, next := d.literal(i, f)
	if next < 0 {
		return 0, -1, noNumber
	}
	u, v = f.parseInteger(s)
	switch {
	case v == good:
		return u, next, good
	case v == outOfRange && f.rivals != 0 && d.depart(f, Departure{Rule: f.rule, Got: d.show(i), Want: f.want}):
		return 0, next, outOfRange
	case d.err != nil:
		return 0, -1, v
	}
	return 0, d.refuse(i, f), v
}

// float reads a number, or one of the strings for those that JSON lacks (S-37).
func (d *decoder) float(i int, f *field) (u uint64, next int, v verdict) {
	s, next := d.literal(i, f)
	if next < 0 {
		return 0, -1, noNumber
	}
	if d.in[i] == '"' {
		if x, ok := notFinite(s); ok {
			return f.floatBits(x), next, good
		}
	}
	if u, v = f.parseFloat(s); v != good {
		return 0, d.refuse(i, f), v
	}
	return u, next, good
}

// enum reads the number of an enumeration's value. A name, or the number in
// quotes, means just one number too (S-33).
func (d *decoder) enum(i int, f *field) (u uint64, next int, v verdict) {
	if d.in[i] != '"' {
		return d.integer(i, f)
	}
	s, next := d.textOf(i, f)
	if next < 0 {
		return 0, -1, noNumber
	}
	if n, ok := f.enums[string(s)]; ok {
		u = uint64(int64(n))
	} else if u, v = f.parseInteger(s); v != good {
		return 0, d.refuse(i, f), v
	}
	if !d.depart(f, Departure{Rule: f.rule, Got: d.show(i), Want: strconv.FormatInt(int64(u), 10)}) {
		return 0, -1, noNumber
	}
	return u, next, good
}
