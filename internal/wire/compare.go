package wire

import (
	"cmp"
	"math"

	"github.com/otlptest/otlptest/query"
)

// equal says whether two values are equal as a filter sees it: numbers by
// value, whether integers or doubles, NaN equal to NaN; nothing else across
// kinds; lists never.
func (v value) equal(w value) bool {
	switch {
	case v.kind == query.KindInt && w.kind == query.KindFloat:
		return equalNumbers(int64(v.num), math.Float64frombits(w.num))
	case v.kind == query.KindFloat && w.kind == query.KindInt:
		return equalNumbers(int64(w.num), math.Float64frombits(v.num))
	case v.kind != w.kind:
		return false
	}
	switch v.kind {
	case query.KindBool, query.KindInt:
		return v.num == w.num
	case query.KindFloat:
		return query.Float(math.Float64frombits(v.num)).Equal(query.Float(math.Float64frombits(w.num)))
	case query.KindString, query.KindBytes:
		return string(v.raw) == string(w.raw)
	}
	return false
}

// equalNumbers compares without rounding: above 1<<53 not every integer is a
// double.
func equalNumbers(i int64, f float64) bool {
	return f >= -1<<63 && f < 1<<63 && f == math.Trunc(f) && int64(f) == i
}

// atLeast says whether v is a number that is not less than w, and more whether
// it is greater. Both are false where one is no number, or NaN.
func atLeast(v, w value) bool {
	c, ok := compare(v, w)
	return ok && c >= 0
}

func more(v, w value) bool {
	c, ok := compare(v, w)
	return ok && c > 0
}

// compare orders numbers by value, whether integers or doubles. It is not ok
// where one is no number, or NaN.
func compare(v, w value) (order int, ok bool) {
	switch {
	case v.kind == query.KindInt && w.kind == query.KindInt:
		return cmp.Compare(int64(v.num), int64(w.num)), true
	case v.kind == query.KindFloat && w.kind == query.KindFloat:
		f, g := math.Float64frombits(v.num), math.Float64frombits(w.num)
		return cmp.Compare(f, g), f == f && g == g
	case v.kind == query.KindInt && w.kind == query.KindFloat:
		return compareNumbers(int64(v.num), math.Float64frombits(w.num))
	case v.kind == query.KindFloat && w.kind == query.KindInt:
		order, ok = compareNumbers(int64(w.num), math.Float64frombits(v.num))
		return -order, ok
	}
	return 0, false
}

// compareNumbers compares without rounding, as equalNumbers does.
func compareNumbers(i int64, f float64) (order int, ok bool) {
	switch {
	case f != f:
		return 0, false
	case f >= 1<<63:
		return -1, true
	case f < -1<<63:
		return 1, true
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c, true
	}
	return cmp.Compare(whole, f), true
}
