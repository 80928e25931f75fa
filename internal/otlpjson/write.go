package otlpjson

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// value is a number as the field's type has it: the wire may carry more bits.
func (f *field) value(u uint64) uint64 {
	if f.coding == zigzag {
		if f.bits == 32 {
			u &= math.MaxUint32
		}
		u = uint64(protowire.DecodeZigZag(u))
	}
	switch {
	case f.shape == aBool:
		return min(u, 1)
	case f.shape == aFloat || f.bits == 64:
		return u
	case f.signed:
		return uint64(int64(int32(u)))
	}
	return u & math.MaxUint32
}

// number writes a number, or a bool.
func (e *encoder) number(f *field, u uint64) {
	switch {
	case f.shape == aBool:
		e.out = strconv.AppendBool(e.out, u != 0)
	case f.shape == aFloat && f.bits == 32:
		e.float(float64(math.Float32frombits(uint32(u))), 32)
	case f.shape == aFloat:
		e.float(math.Float64frombits(u), 64)
	case f.bits == 64:
		e.out = append(e.out, '"')
		e.integer(f, u)
		e.out = append(e.out, '"')
	default:
		e.integer(f, u)
	}
}

func (e *encoder) integer(f *field, u uint64) {
	if f.signed {
		e.out = strconv.AppendInt(e.out, int64(u), 10)
	} else {
		e.out = strconv.AppendUint(e.out, u, 10)
	}
}

// float writes a number with as few digits as tell it from all others, in the
// form that JavaScript would choose.
func (e *encoder) float(x float64, bits int) {
	switch {
	case x != x:
		e.out = append(e.out, `"NaN"`...)
		return
	case x > math.MaxFloat64:
		e.out = append(e.out, `"Infinity"`...)
		return
	case x < -math.MaxFloat64:
		e.out = append(e.out, `"-Infinity"`...)
		return
	}
	format := byte('f')
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	e.out = strconv.AppendFloat(e.out, x, format, -1, bits)
}

// delimited writes a string, an id or bytes.
func (e *encoder) delimited(f *field, b []byte) bool {
	if f.shape == aString {
		return e.string(b)
	}
	e.out = append(e.out, '"')
	if f.shape == anID {
		e.out = hex.AppendEncode(e.out, b)
	} else {
		e.out = base64.StdEncoding.AppendEncode(e.out, b)
	}
	e.out = append(e.out, '"')
	return true
}

// string writes a string, in which only what has to be escaped is.
func (e *encoder) string(s []byte) bool {
	e.out = append(e.out, '"')
	for i := 0; ; {
		end, wide := plain(s, i)
		if wide && !utf8.Valid(s[i:end]) {
			return false
		}
		e.out = append(e.out, s[i:end]...)
		if end == len(s) {
			break
		}
		e.escape(s[end])
		i = end + 1
	}
	e.out = append(e.out, '"')
	return true
}

func (e *encoder) escape(c byte) {
	switch c {
	case '"', '\\':
		e.out = append(e.out, '\\', c)
	case '\n':
		e.out = append(e.out, `\n`...)
	case '\r':
		e.out = append(e.out, `\r`...)
	case '\t':
		e.out = append(e.out, `\t`...)
	default:
		const digits = "0123456789abcdef"
		e.out = append(e.out, `\u00`...)
		e.out = append(e.out, digits[c>>4], digits[c&15])
	}
}
