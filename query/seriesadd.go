package query

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// arithmetic adds up points, or takes one from a later one.
type arithmetic struct {
	counts func(a, b uint64) (uint64, error)
	ints   func(a, b int64) (int64, error)
	floats func(a, b float64) float64
	keeps  bool // the least and the greatest value of both are those of the result
}

var adding = arithmetic{addCounts, addInts, func(a, b float64) float64 { return a + b }, true}

var taking = arithmetic{takeCounts, takeInts, func(a, b float64) float64 { return a - b }, false}

func addCounts(a, b uint64) (uint64, error) {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return 0, fmt.Errorf("got counts of %d and %d, want a total that 64 bits hold", a, b)
	}
	return sum, nil
}

func takeCounts(a, b uint64) (uint64, error) {
	if a < b {
		return 0, fmt.Errorf("got a count of %d after %d, want no less", a, b)
	}
	return a - b, nil
}

func addInts(a, b int64) (int64, error) {
	sum := a + b
	if (sum < a) != (b < 0) {
		return 0, fmt.Errorf("got %d and %d, want a total that an int64 holds", a, b)
	}
	return sum, nil
}

func takeInts(a, b int64) (int64, error) {
	rest := a - b
	if (rest > a) != (b < 0) {
		return 0, fmt.Errorf("got %d after %d, want a difference that an int64 holds", a, b)
	}
	return rest, nil
}

// numbers combines two numbers. Integers are exact; beside a double they
// become doubles.
func (o arithmetic) numbers(a, b Value) (Value, error) {
	if a.kind == KindInt && b.kind == KindInt {
		i, err := o.ints(a.Int(), b.Int())
		return IntValue(i), err
	}
	return FloatValue(o.floats(a.Float(), b.Float())), nil
}

// optional is numbers where one may be missing, and then is in the result.
func (o arithmetic) optional(a, b Value) (Value, error) {
	if a.IsEmpty() || b.IsEmpty() {
		return Value{}, nil
	}
	return o.numbers(a, b)
}

// limit is the number of two that is less, or not; there is none if either has
// none, or if nothing is kept.
func (o arithmetic) limit(a, b Value, least bool) Value {
	switch {
	case !o.keeps || a.IsEmpty() || b.IsEmpty():
		return Value{}
	case less(b, a) == least:
		return b
	}
	return a
}

// points combines the values of a point of a series and of what came before it.
// What is not the value is that of a.
func (o arithmetic) points(a, b Point) (p Point, err error) {
	p = a
	switch {
	case a.Histogram != nil && b.Histogram != nil:
		p.Histogram, err = o.histograms(a.Histogram, b.Histogram)
	case a.Exponential != nil && b.Exponential != nil:
		p.Exponential, err = o.exponentials(a.Exponential, b.Exponential)
	default:
		p.Value, err = o.numbers(a.Value, b.Value)
	}
	return p, err
}

func (o arithmetic) histograms(a, b *Histogram) (*Histogram, error) {
	if err := firstErr(a.check(), b.check()); err != nil {
		return nil, err
	}
	if !slices.EqualFunc(a.Bounds, b.Bounds, Float.Equal) || len(a.Counts) != len(b.Counts) {
		return nil, fmt.Errorf("got bounds of %v after %v, want the same at all times", a.Bounds, b.Bounds)
	}
	h := &Histogram{Bounds: a.Bounds, Min: o.limit(a.Min, b.Min, true), Max: o.limit(a.Max, b.Max, false)}
	var errs [3]error
	h.Count, errs[0] = o.counts(a.Count, b.Count)
	h.Sum, errs[1] = o.optional(a.Sum, b.Sum)
	h.Counts, errs[2] = joinCounts(a.Counts, b.Counts, o.counts)
	return h, firstErr(errs[:]...)
}

func (o arithmetic) exponentials(a, b *ExponentialHistogram) (*ExponentialHistogram, error) {
	if err := firstErr(a.check(), b.check()); err != nil {
		return nil, err
	}
	a, b = align(a, b)
	h := &ExponentialHistogram{
		Scale: a.Scale, ZeroThreshold: a.ZeroThreshold,
		Min: o.limit(a.Min, b.Min, true), Max: o.limit(a.Max, b.Max, false),
	}
	var errs [5]error
	h.Count, errs[0] = o.counts(a.Count, b.Count)
	h.Sum, errs[1] = o.optional(a.Sum, b.Sum)
	h.ZeroCount, errs[2] = o.counts(a.ZeroCount, b.ZeroCount)
	h.Positive, errs[3] = a.Positive.join(b.Positive, o.counts)
	h.Negative, errs[4] = a.Negative.join(b.Negative, o.counts)
	return h, firstErr(errs[:]...)
}

// joinCounts combines two lists of the same length.
func joinCounts(a, b []uint64, combine func(a, b uint64) (uint64, error)) ([]uint64, error) {
	if len(a) == 0 {
		return nil, nil
	}
	list := make([]uint64, len(a))
	for i := range a {
		n, err := combine(a[i], b[i])
		if err != nil {
			return nil, fmt.Errorf("bucket %d: %w", i, err)
		}
		list[i] = n
	}
	return list, nil
}

// check says what keeps the buckets from being used.
func (h *Histogram) check() error {
	switch {
	case h == nil:
		return errors.New("got no histogram, want one")
	case len(h.Counts) == 0 && len(h.Bounds) == 0:
		return nil
	case len(h.Counts) != len(h.Bounds)+1:
		return fmt.Errorf("got %d bucket counts for %d bounds, want one count more than bounds, or none of either", len(h.Counts), len(h.Bounds))
	}
	for i, bound := range h.Bounds {
		if bound != bound || i > 0 && bound <= h.Bounds[i-1] {
			return fmt.Errorf("got bounds of %v, want them to rise", h.Bounds)
		}
	}
	return holds(h.Count, h.Counts)
}

// holds says whether buckets hold what is counted.
func holds(count uint64, buckets []uint64) error {
	sum, over := uint64(0), uint64(0)
	for _, n := range buckets {
		var carry uint64
		sum, carry = bits.Add64(sum, n, 0)
		over |= carry
	}
	if sum != count || over != 0 {
		return fmt.Errorf("got a count of %d and %d in buckets, want the same", count, sum)
	}
	return nil
}
