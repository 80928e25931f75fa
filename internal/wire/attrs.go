package wire

import "github.com/otlptest/otlptest/query"

// decodeAttrs decodes the attributes that a message has under a tag, with
// lists in their values to a depth.
func decodeAttrs(message []byte, tag uint64, depth int) (attrs query.Attrs) {
	if depth <= 0 {
		return nil
	}
	r := read(message)
	for r.next() {
		if r.tag == tag {
			attrs = append(room(attrs, &r), decodeAttr(r.raw(), depth))
		}
	}
	return attrs
}

// addAttr decodes the attribute that a reader has just read.
func addAttr(attrs query.Attrs, r *reader) query.Attrs {
	return append(room(attrs, r), decodeAttr(r.raw(), maxDepth))
}

func decodeAttr(kv []byte, depth int) query.KeyValue {
	var key []byte
	var val pieces
	r := read(kv)
	for r.next() {
		switch r.tag {
		case kvKey:
			key = r.raw()
		case kvValue:
			val.add(r.raw())
		}
	}
	return query.KeyValue{Key: str(key), Value: valueOf(val.bytes).decode(depth)}
}

// lookup looks for the first attribute with a key among those that a message
// has under a tag.
func lookup(message []byte, tag uint64, key string) (v value, found bool) {
	r := read(message)
	for r.next() {
		if r.tag == tag && string(last(r.raw(), kvKey)) == key {
			return valueOf(merged(r.raw(), kvValue)), true
		}
	}
	return value{}, false
}
