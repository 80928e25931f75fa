package otlpjson

import "encoding/binary"

// The form in which exporters write nearly all attributes, and its tags.
const (
	attrHead   = `{"key":"`
	attrValue  = `","value":{"`
	attrString = `stringValue":"`
	attrInt    = `intValue":`

	keyTag    = 1<<3 | 2
	valueTag  = 2<<3 | 2
	stringTag = 1<<3 | 2
	intTag    = 3 << 3
)

// attribute is a short cut for a KeyValue of a list f that is compact and
// short, its key first, and is a string or an integer without any escape or
// oddity. It gives 0 for any other, of which it reads nothing.
func (d *decoder) attribute(i int, f *field) int {
	b := d.in
	if !at(b, i, attrHead) {
		return 0
	}
	i += len(attrHead)
	end := simple(b, i)
	if end < 0 || !at(b, end, attrValue) {
		return 0
	}
	key := b[i:end]
	i = end + len(attrValue)
	if at(b, i, attrString) {
		i += len(attrString)
		end = simple(b, i)
		if end < 0 || !at(b, end, `"}}`) || len(key)+end-i+6 >= 0x80 {
			return 0
		}
		d.attributeHead(f, key, 2+end-i)
		d.out = append(d.out, stringTag, byte(end-i))
		d.out = append(d.out, b[i:end]...)
		return end + len(`"}}`)
	}
	if !at(b, i, attrInt) {
		return 0
	}
	u, end := plainInteger(b, i+len(attrInt), &anyInt)
	if end == 0 || !at(b, end, `}}`) || len(key)+15 >= 0x80 {
		return 0
	}
	var v [10]byte
	n := binary.PutUvarint(v[:], u)
	d.attributeHead(f, key, 1+n)
	d.out = append(d.out, intTag)
	d.out = append(d.out, v[:n]...)
	return end + len(`}}`)
}

// anyInt is an AnyValue's int_value.
var anyInt = field{bits: 64, signed: true}

// attributeHead appends a KeyValue but for what its value consists of.
func (d *decoder) attributeHead(f *field, key []byte, size int) {
	d.tag(f)
	d.out = append(d.out, byte(2+len(key)+2+size), keyTag, byte(len(key)))
	d.out = append(d.out, key...)
	d.out = append(d.out, valueTag, byte(size))
}

// at says whether s stands at i.
func at(b []byte, i int, s string) bool {
	return i+len(s) <= len(b) && string(b[i:i+len(s)]) == s
}
