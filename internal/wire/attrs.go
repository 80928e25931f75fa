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
	for i := 0; i < len(message); {
		t, from, to := step(message, i)
		if i = to; t != tag {
			continue
		}
		kv := message[from:to:to]
		k, val, plain := usualAttr(kv)
		if !plain {
			k = last(kv, kvKey)
		}
		if string(k) != key {
			continue
		}
		if !plain {
			val = merged(kv, kvValue)
		}
		return valueOf(val), true
	}
	return value{}, false
}

// usualAttr is the key and the value of an attribute that is encoded as nearly
// all are: the key and then the value, each once and of less than 128 bytes.
func usualAttr(kv []byte) (key, val []byte, ok bool) {
	if len(kv) < 2 || uint64(kv[0]) != kvKey || kv[1] >= 0x80 {
		return nil, nil, false
	}
	n := 2 + int(kv[1])
	if len(kv) < n+2 || uint64(kv[n]) != kvValue || kv[n+1] >= 0x80 || len(kv) != n+2+int(kv[n+1]) {
		return nil, nil, false
	}
	return kv[2:n:n], kv[n+2:], true
}
