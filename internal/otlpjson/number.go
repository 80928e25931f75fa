package otlpjson

import (
	"bytes"
	"math"
	"strconv"
)

// digits reads the decimal digits at i. They are only right if there are no
// more than 19, which 64 bits can hold.
func digits(b []byte, i int) (n uint64, end int) {
	for i < len(b) {
		c := b[i] - '0'
		if c > 9 {
			break
		}
		n = n*10 + uint64(c)
		i++
	}
	return n, i
}

// plainInteger reads an integer of a field, quoted or not, that consists of
// digits and nothing else. It gives index 0 for what it leaves to others.
func plainInteger(b []byte, i int, f *field) (u uint64, next int) {
	quoted := i < len(b) && b[i] == '"'
	if quoted {
		i++
	}
	neg := i < len(b) && b[i] == '-'
	if neg {
		i++
	}
	u, end := digits(b, i)
	n := end - i
	if n == 0 || n > 19 || n > 1 && b[i] == '0' || end == len(b) || !f.fits(u, neg) {
		return 0, 0
	}
	switch {
	case quoted && b[end] == '"':
		end++
	case quoted || inWord[b[end]]:
		return 0, 0
	}
	if neg {
		u = -u
	}
	return u, end
}

// inWord are the characters that a number can consist of, and those that no
// JSON has right after one.
var inWord = func() (t [256]bool) {
	for _, c := range "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-._" {
		t[c] = true
	}
	return t
}()

// literal reads what stands at i where a number should: a string's content, or
// as much as looks like a number.
func (d *decoder) literal(i int, f *field) (s []byte, next int) {
	if d.in[i] == '"' {
		return d.textOf(i, f)
	}
	for next = i; next < len(d.in) && inWord[d.in[next]]; next++ {
	}
	return d.in[i:next], next
}

// numeral is the parts of a number of JSON.
type numeral struct {
	neg       bool
	int, frac []byte // digits
	exp       []byte // digits, perhaps with a sign
}

// split takes a number apart. It fails for whatever is not one by the grammar
// of JSON.
func split(s []byte) (n numeral, ok bool) {
	n.neg = len(s) > 0 && s[0] == '-'
	if n.neg {
		s = s[1:]
	}
	n.int, s = leading(s)
	if len(n.int) == 0 || n.int[0] == '0' && len(n.int) > 1 {
		return n, false
	}
	if len(s) > 0 && s[0] == '.' {
		if n.frac, s = leading(s[1:]); len(n.frac) == 0 {
			return n, false
		}
	}
	if len(s) > 0 && s[0]|0x20 == 'e' {
		n.exp = s[1:]
		s = s[1:]
		if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		var exp []byte
		if exp, s = leading(s); len(exp) == 0 {
			return n, false
		}
	}
	return n, len(s) == 0
}

func leading(s []byte) (digits, rest []byte) {
	i := 0
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	return s[:i], s[i:]
}

// verdict is what came of reading a number.
type verdict uint8

const (
	good verdict = iota
	noNumber
	notWhole
	outOfRange
)

// whole is the exact value of a numeral that may have a fraction and an
// exponent as long as it is an integer.
func (n numeral) whole() (uint64, verdict) {
	all := bytes.TrimLeft(bytes.Join([][]byte{n.int, n.frac}, nil), "0")
	significant := bytes.TrimRight(all, "0")
	if len(significant) == 0 {
		return 0, good
	}
	exp := int64(0)
	if len(n.exp) > 0 {
		exp, _ = strconv.ParseInt(str(n.exp), 10, 32) // at the bounds it is as good as beyond
	}
	exp += int64(len(all)-len(significant)) - int64(len(n.frac))
	switch {
	case exp < 0:
		return 0, notWhole
	case int64(len(significant))+exp > 20:
		return 0, outOfRange
	}
	u, err := strconv.ParseUint(string(significant)+"00000000000000000000"[:exp], 10, 64)
	if err != nil {
		return 0, outOfRange
	}
	return u, good
}

// fits says whether an integer is one of the field's.
func (f *field) fits(u uint64, neg bool) bool {
	switch limit := uint64(1) << (f.bits - 1); {
	case f.signed && neg:
		return u <= limit
	case f.signed:
		return u < limit
	case neg:
		return u == 0
	}
	return f.bits == 64 || u <= math.MaxUint32
}

// parseInteger reads the whole of s, as 64 bits.
func (f *field) parseInteger(s []byte) (uint64, verdict) {
	n, ok := split(s)
	if !ok {
		return 0, noNumber
	}
	u, v := n.whole()
	if v == good && !f.fits(u, n.neg) {
		v = outOfRange
	}
	if n.neg {
		u = -u
	}
	return u, v
}

// parseFloat reads the whole of s, as the bits of the field's type.
func (f *field) parseFloat(s []byte) (uint64, verdict) {
	if _, ok := split(s); !ok {
		return 0, noNumber
	}
	x, err := strconv.ParseFloat(str(s), int(f.bits))
	if err != nil {
		return 0, outOfRange
	}
	return f.floatBits(x), good
}

// notFinite are the numbers that JSON has as strings.
func notFinite(s []byte) (float64, bool) {
	switch string(s) {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	return 0, false
}

func (f *field) floatBits(x float64) uint64 {
	if f.bits == 32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}
