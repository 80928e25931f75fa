// Package wire reads OTLP protobuf as it was received: it validates a request
// in one pass, walks over its items, evaluates filters on the bytes, and
// decodes only what is asked for.
//
// A body is the bytes of a TracesData, MetricsData or LogsData, which are the
// same as those of the requests. What is decoded shares the body's memory, so
// a body must never change. Everything else here takes a body that [Validate]
// accepts; from any other it makes something arbitrary, but never panics.
package wire

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/encoding/protowire"
)

// maxDepth is how deep messages may nest.
const maxDepth = protowire.DefaultRecursionLimit

// Validate checks a body in one pass and counts the spans, data points or log
// records in it. It accepts exactly what the official unmarshaler accepts, and
// counts what the official message would hold. The error says where the fault
// is and what, and has [ErrMalformed] in its chain.
func Validate(sig query.Signal, b []byte) (items int, err error) {
	t := tables()[sig]
	if t == nil {
		return 0, noSignal(sig)
	}
	if !t.walk(b, maxDepth, &items) {
		return 0, t.explain(b)
	}
	return items, nil
}

// walk validates one message, which may nest to a depth, and adds the items in
// it to n.
func (t *table) walk(b []byte, depth int, n *int) bool {
	depth--
	if depth < 0 {
		return false
	}
	if t.item {
		*n++
	}
	before, data := *n, uint64(0)
	for i := 0; i < len(b); {
		tag, from, to := uint64(b[i]), i+2, len(b)+1
		if tag < 0x80 && tag&7 == bytesType && from <= len(b) && b[from-1] < 0x80 { // step, inlined for the usual field
			to = from + int(b[from-1])
		}
		if to > len(b) {
			tag, from, to = step(b, i)
		}
		num := tag >> 3
		if num-1 >= uint64(protowire.MaxValidNumber) {
			return false
		}
		i = to
		if tag&7 != bytesType || num >= uint64(len(t.fields)) {
			continue
		}
		v, f := b[from:to], &t.fields[num]
		if f.check != aMessage {
			if f.check != nothing && !f.check.holds(v) {
				return false
			}
			continue
		}
		if f.sub.attr && depth >= 2 && plainAttr(v) {
			continue
		}
		if f.data && num != data {
			*n, data = before, num // it takes the place of another member
		}
		if !f.sub.walk(v, depth, n) {
			return false
		}
	}
	return true
}

// holds checks the value of a field that is not a message.
func (c check) holds(v []byte) bool {
	switch c {
	case aString:
		return ascii(v) || utf8.Valid(v)
	case packed64:
		return len(v)%8 == 0
	case packed32:
		return len(v)%4 == 0
	case packedVarint:
		for i := 0; i < len(v); {
			if _, i = varint(v, i); i < 0 {
				return false
			}
		}
	}
	return true
}

// plainAttr says whether b is a KeyValue in the form that encoders write for
// a string or a number: a key, then a value, both short, all text ASCII. It
// may miss some; those are walked.
func plainAttr(b []byte) bool {
	if len(b) < 4 || b[0] != byte(kvKey) {
		return false
	}
	end := 2 + int(b[1])
	if end+4 > len(b) || b[end] != byte(kvValue) || end+2+int(b[end+1]) != len(b) {
		return false
	}
	v := b[end+2:]
	if uint64(v[0]) == anyString {
		return int(v[1])+2 == len(v) && ascii(b) // the lengths, too
	}
	if !ascii(b[:end+2]) {
		return false
	}
	switch uint64(v[0]) {
	case anyInt:
		return oneVarint(v[1:])
	case anyBool:
		return len(v) == 2 && v[1] < 0x80
	case anyDouble:
		return len(v) == 9
	}
	return false
}

// oneVarint says whether b is a varint of at most 63 bits and nothing else.
func oneVarint(b []byte) bool {
	n := len(b) - 1
	if n > 8 {
		return false
	}
	for _, c := range b[:n] {
		if c < 0x80 {
			return false
		}
	}
	return b[n] < 0x80
}

// ascii says whether v has no byte above 0x7f.
func ascii(v []byte) bool {
	const high = 0x8080808080808080
	n := len(v)
	if n >= 8 {
		x := binary.LittleEndian.Uint64(v[n-8:])
		for len(v) > 8 {
			x |= binary.LittleEndian.Uint64(v)
			v = v[8:]
		}
		return x&high == 0
	}
	if n >= 4 {
		return (binary.LittleEndian.Uint32(v)|binary.LittleEndian.Uint32(v[n-4:]))&(high>>32) == 0
	}
	var x byte
	for _, c := range v {
		x |= c
	}
	return x < 0x80
}
