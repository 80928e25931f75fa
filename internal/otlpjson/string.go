package otlpjson

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Eight bytes at a time: a byte in every lane.
const (
	lanes = 0x0101010101010101
	high  = 0x80 * lanes
)

// plain gives the index of the first byte at or after i that is not simply a
// part of a string: a quote, a backslash or a control character. It says
// whether there may be bytes above 0x7f before it.
func plain(b []byte, i int) (end int, wide bool) {
	var all uint64
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		all |= x
		quote, slash := x^'"'*lanes, x^'\\'*lanes
		// In each lane the high bit stands for a hit. Lanes above the first
		// hit may be wrong.
		m := (quote-lanes)&^quote | (slash-lanes)&^slash | (x-' '*lanes)&^x
		if m &= high; m != 0 {
			return i + bits.TrailingZeros64(m)/8, all&high != 0
		}
	}
	wide = all&high != 0
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"' || c == '\\' || c < ' ':
			return i, wide
		case c >= utf8.RuneSelf:
			wide = true
		}
	}
	return i, wide
}

// simple gives the end of the string whose content starts at i, if it is
// written without escapes and is valid, and else -1.
func simple(b []byte, i int) int {
	end, wide := plain(b, i)
	if end >= len(b) || b[end] != '"' || wide && !utf8.Valid(b[i:end]) {
		return -1
	}
	return end
}

// text reads the string at i, where a quote is. It is part of the input, or of
// memory that the next call uses again.
func (d *decoder) text(i int) (s []byte, next int) {
	i++
	if end := simple(d.in, i); end >= 0 {
		return d.in[i:end], end + 1
	}
	var bad fault
	d.scratch, next, bad = unescape(d.scratch[:0], d.in, i)
	if next < 0 {
		return nil, d.badString(bad)
	}
	return d.scratch, next
}

// textOf is text for the value of a field.
func (d *decoder) textOf(i int, f *field) (s []byte, next int) {
	if s, next = d.text(i); next < 0 {
		d.err.Path = d.where(f)
	}
	return s, next
}

// fault is what is wrong with a string.
type fault struct {
	at   int
	want string
}

// unescape appends to dst the string whose content starts at i, and gives the
// index after its closing quote, or -1.
func unescape(dst, b []byte, i int) ([]byte, int, fault) {
	for {
		end, wide := plain(b, i)
		part := b[i:end]
		if wide && !utf8.Valid(part) {
			return dst, -1, fault{i + invalid(part), "UTF-8"}
		}
		dst = append(dst, part...)
		switch i = end; {
		case i >= len(b):
			return dst, -1, fault{i, "a closing quote"}
		case b[i] == '"':
			return dst, i + 1, fault{}
		case b[i] != '\\':
			return dst, -1, fault{i, "control characters escaped"}
		}
		r, next := escape(b, i+1)
		if next < 0 {
			return dst, -1, fault{i, "one of the escapes of JSON"}
		}
		if utf16.IsSurrogate(r) {
			if r, next = pair(r, b, next); next < 0 {
				return dst, -1, fault{i, "surrogates in pairs"}
			}
		}
		dst, i = utf8.AppendRune(dst, r), next
	}
}

// invalid is the index of the first byte that is not UTF-8.
func invalid(s []byte) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRune(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(s)
}

var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads what follows a backslash, which may be half of a pair.
func escape(b []byte, i int) (r rune, next int) {
	switch {
	case i >= len(b):
		return 0, -1
	case b[i] != 'u':
		if r = rune(escapes[b[i]]); r == 0 {
			return 0, -1
		}
		return r, i + 1
	case i+5 > len(b):
		return 0, -1
	}
	for _, c := range b[i+1 : i+5] {
		h := hexDigits[c]
		if h > 15 {
			return 0, -1
		}
		r = r<<4 | rune(h)
	}
	return r, i + 5
}

// pair reads the second half of a surrogate pair.
func pair(first rune, b []byte, i int) (r rune, next int) {
	if i >= len(b) || b[i] != '\\' {
		return 0, -1
	}
	second, next := escape(b, i+1)
	r = utf16.DecodeRune(first, second)
	if next < 0 || r == utf8.RuneError {
		return 0, -1
	}
	return r, next
}

// str is the bytes as a string that shares their memory.
func str(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
