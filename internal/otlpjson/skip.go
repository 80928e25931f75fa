package otlpjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// space gives the index of the first character at or after i that is not
// white space.
func (d *decoder) space(i int) int {
	if i < len(d.in) && d.in[i] > ' ' {
		return i
	}
	return blank(d.in, i)
}

// blank is space for where there is some. Indentation goes by eight spaces at
// a time.
func blank(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ' ', '\n', '\r', '\t':
			i++
		default:
			return i
		}
		for i+8 <= len(b) {
			others := binary.LittleEndian.Uint64(b[i:]) ^ ' '*lanes
			if i += bits.TrailingZeros64(others) / 8; others != 0 {
				break
			}
		}
	}
	return i
}

// skip reads any value, which may nest to a depth, and makes nothing of it
// (S-34).
func (d *decoder) skip(i, depth int) int {
	if i >= len(d.in) {
		return d.unexpected(i, "a value")
	}
	switch c := d.in[i]; c {
	case '{', '[':
		if depth == 0 {
			return d.tooDeep()
		}
		return d.skipAll(i+1, depth-1, c+2) // the closing one
	case '"':
		_, i = d.text(i)
		return i
	case 't', 'f', 'n':
		for _, w := range [...]string{"true", "false", "null"} {
			if bytes.HasPrefix(d.in[i:], []byte(w)) {
				return i + len(w)
			}
		}
	default:
		s, next := d.literal(i, &syntax)
		if _, ok := split(s); ok {
			return next
		}
	}
	return d.unexpected(i, "a value")
}

// skipAll skips what an object or an array holds, up to its end.
func (d *decoder) skipAll(i, depth int, end byte) int {
	if i = d.space(i); i < len(d.in) && d.in[i] == end {
		return i + 1
	}
	for {
		if end == '}' {
			if _, i = d.anyKey(i, &noFields); i < 0 {
				return -1
			}
		}
		if i = d.skip(i, depth); i < 0 {
			return -1
		}
		if i = d.space(i); i < len(d.in) && d.in[i] == end {
			return i + 1
		}
		if i >= len(d.in) || d.in[i] != ',' {
			return d.unexpected(i, "a comma or "+string(end))
		}
		i = d.space(i + 1)
	}
}

// noFields is the table of an object that is of no interest.
var noFields table
