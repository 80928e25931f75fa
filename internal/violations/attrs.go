package violations

import (
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// keys is the keys of one list of attributes as far as it has been read. Most
// lists are short, and no two keys in them have the same hash.
type keys struct {
	base int                 // where they start in the walker's
	n    int                 // how many there are
	seen uint64              // their hashes, one bit each
	many map[string]struct{} // all of them, once there are many
}

// many is how many keys are compared one by one at most.
const many = 64

func (w *walker) open() keys { return keys{base: len(w.keys)} }

// close is for a list that has been read.
func (w *walker) close(k *keys) { w.keys = w.keys[:k.base] }

// again says whether a key is there already, and adds it.
func (w *walker) again(k *keys, key []byte) bool {
	k.n++
	if k.n > many {
		return w.amongMany(k, key)
	}
	bit, found := keyBit(key), false
	if k.seen&bit != 0 {
		for _, other := range w.keys[k.base:] {
			found = found || string(other) == string(key)
		}
	}
	k.seen |= bit
	w.keys = append(w.keys, key)
	return found
}

func (w *walker) amongMany(k *keys, key []byte) bool {
	if k.many == nil {
		k.many = map[string]struct{}{}
		for _, other := range w.keys[k.base:] {
			k.many[string(other)] = struct{}{}
		}
	}
	_, found := k.many[string(key)]
	k.many[string(key)] = struct{}{}
	return found
}

// keyBit is one bit of 64, which depends on the ends of the key and its length.
func keyBit(key []byte) uint64 {
	h := uint32(len(key)) << 16
	if n := len(key); n > 0 {
		h |= uint32(key[0]) | uint32(key[n-1])<<8 | uint32(key[n/2])<<24
	}
	return 1 << (h * 0x9e3779b1 >> 26)
}

// attrs goes over the attributes that a message has under a tag.
func (w *walker) attrs(list string, message []byte, tag uint64) {
	k := w.open()
	for r := wire.Read(message); r.Next(); {
		if r.Tag() == tag {
			w.attr(&k, list, r.Raw())
		}
	}
	w.close(&k)
}

// attr goes over one attribute of a list, or one entry of a map.
func (w *walker) attr(k *keys, list string, kv []byte) {
	index := k.n
	key, plain := plainAttr(kv)
	if !plain {
		key = wire.Last(kv, kvKey)
	}
	again := w.again(k, key)
	if plain && !again && len(key) > 0 {
		return
	}
	w.enter(list, index)
	w.key(key, again, list == mapEntries, !plain && wire.LastNum(kv, kvStrindex) != 0)
	if !plain {
		w.enter("value", -1)
		w.value(wire.Merged(kv, kvValue))
		w.leave()
	}
	w.leave()
}

// What is said of an index into a string table.
const (
	gotIndex  = "an index"
	wantIndex = "none, since only profiles have a string table"
)

// mapEntries is the name of a map's list. Its keys may be empty.
const mapEntries = "values"

func (w *walker) key(key []byte, again, inMap, indexed bool) {
	switch {
	case indexed:
		w.report(strindex, "key_strindex", words(gotIndex), wantIndex)
	case len(key) == 0 && !inMap:
		w.report(emptyKey, "key", words("an empty key"), "one that is not")
	case again:
		w.report(duplicateKey, "key", repeatedKey(key), "each key once")
	}
}

// value goes over an AnyValue, for what nests in it.
func (w *walker) value(v []byte) {
	if plainValue(v) {
		return
	}
	for r := wire.Read(v); r.Next(); {
		if r.Tag() == anyStrindex {
			w.report(strindex, "string_value_strindex", words(gotIndex), wantIndex)
		}
	}
	switch kind, list := wire.List(v); kind {
	case query.KindArray:
		w.array(list)
	case query.KindMap:
		w.entries(list)
	}
}

func (w *walker) array(list []byte) {
	w.enter("array_value", -1)
	n := 0
	for r := wire.Read(list); r.Next(); {
		if r.Tag() == listValues {
			w.enter("values", n)
			w.value(r.Raw())
			w.leave()
			n++
		}
	}
	w.leave()
}

func (w *walker) entries(list []byte) {
	w.enter("kvlist_value", -1)
	k := w.open()
	for r := wire.Read(list); r.Next(); {
		if r.Tag() == listValues {
			w.attr(&k, mapEntries, r.Raw())
		}
	}
	w.close(&k)
	w.leave()
}

// plainAttr is the key of an attribute in the form that encoders write for a
// short string or a number, and whether it has that form. It may miss some.
func plainAttr(kv []byte) (key []byte, ok bool) {
	if len(kv) < 4 || kv[0] != byte(kvKey) || kv[1] >= 0x80 {
		return nil, false
	}
	end := 2 + int(kv[1])
	if end+2 > len(kv) || kv[end] != byte(kvValue) || kv[end+1] >= 0x80 || end+2+int(kv[end+1]) != len(kv) {
		return nil, false
	}
	return kv[2:end], plainValue(kv[end+2:])
}

// plainValue says whether an AnyValue is empty, or one short string, bool or
// number.
func plainValue(v []byte) bool {
	if len(v) < 2 {
		return len(v) == 0
	}
	switch uint64(v[0]) {
	case anyString:
		return v[1] < 0x80 && int(v[1])+2 == len(v)
	case anyDouble:
		return len(v) == 9
	case anyBool, anyInt:
		for _, c := range v[1 : len(v)-1] {
			if c < 0x80 {
				return false // a second field
			}
		}
		return v[len(v)-1] < 0x80
	}
	return false
}
