package otlpjson

import "bytes"

// name is a name that a field has in JSON.
type name struct {
	text  string
	field *field
	proto bool  // it is the name in the .proto file, which JSON must not use
	next  *name // another one with the same hash
}

// hash takes the length and two letters of a key, which together differ for
// nearly all names of a message.
func hash[T []byte | string](key T) uint32 {
	if len(key) == 0 {
		return 0
	}
	h := uint32(key[0]) | uint32(key[len(key)-1])<<8 | uint32(len(key))<<16
	return h * 0x9e3779b1 >> 26
}

// add makes a field known by a name, unless another one is.
func (t *table) add(text string, f *field) {
	if t.find([]byte(text)) != nil {
		return
	}
	slot := &t.keys[hash(text)]
	*slot = &name{text, f, text != f.name, *slot}
}

// find is the name that a key is, or nil.
func (t *table) find(key []byte) *name {
	n := t.keys[hash(key)]
	for n != nil && n.text != string(key) {
		n = n.next
	}
	return n
}

// key reads the key at i, which is at a place, and the colon. It gives the
// index of the value. The field is nil where the message has none of that
// name.
//
// An exporter writes the keys of all its spans in the same order, so that the
// key is mostly the one that was at this place before.
func (d *decoder) key(i int, t *table, at place) (*field, int) {
	if f := d.fields[d.keys[at]]; f != nil && len(d.in)-i > len(f.quick) && string(d.in[i:i+len(f.quick)]) == f.quick {
		return f, d.space(i + len(f.quick))
	}
	n, i := d.anyKey(i, t)
	if n == nil {
		return nil, i
	}
	if !n.proto {
		d.keys[at] = n.field.after
	}
	return n.field, i
}

// anyKey reads a key of which nothing is known.
func (d *decoder) anyKey(i int, t *table) (*name, int) {
	if i >= len(d.in) || d.in[i] != '"' {
		return nil, d.unexpected(i, "a key")
	}
	key, i := d.text(i)
	if i < 0 {
		return nil, -1
	}
	n := t.find(key)
	if n == nil && !d.unknown(key) || n != nil && n.proto && !d.protoName(n) {
		return nil, -1
	}
	if i = d.space(i); i >= len(d.in) || d.in[i] != ':' {
		return nil, d.unexpected(i, "a colon")
	}
	return n, d.space(i + 1)
}

// unknown ignores a key that the message does not have (S-34), with a warning
// where only profiles have it.
func (d *decoder) unknown(key []byte) bool {
	if !bytes.HasSuffix(key, []byte(profilesSuffix)) && !bytes.HasSuffix(key, []byte("_strindex")) {
		return true
	}
	return d.depart(&syntax, Departure{
		Rule: "S-50", Got: named(key), Want: "none that only profiles have", Warning: true,
	})
}

// protoName takes a field's name in the .proto file for its key (S-35).
func (d *decoder) protoName(n *name) bool {
	return d.depart(n.field, Departure{Rule: "S-35", Got: named(n.text), Want: `"` + n.field.name + `"`})
}
