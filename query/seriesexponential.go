package query

import (
	"fmt"
	"math"
	"slices"
)

// The scales whose bounds doubles can tell apart and hold.
const minScale, maxScale = -64, 64

// boundary is the lower bound of the bucket at an index, base**index. It is 0
// or +Inf where a double cannot hold it.
func boundary(scale int32, index int64) float64 {
	x := math.Ldexp(float64(index), -int(scale))
	switch {
	case x > 1024:
		return math.Inf(1)
	case x < -1100:
		return 0
	}
	whole := math.Floor(x)
	return math.Ldexp(math.Exp2(x-whole), int(whole))
}

// trim is the buckets without the empty ones at both ends, and the zero
// Buckets where all are empty.
func (b Buckets) trim() Buckets {
	first := slices.IndexFunc(b.Counts, func(n uint64) bool { return n != 0 })
	if first < 0 {
		return Buckets{}
	}
	last := len(b.Counts)
	for b.Counts[last-1] == 0 {
		last--
	}
	return Buckets{b.Offset + int32(first), b.Counts[first:last]}
}

// span is the indices of the first bucket and after the last one.
func (b Buckets) span() (from, to int64) {
	return int64(b.Offset), int64(b.Offset) + int64(len(b.Counts))
}

// coarser is the buckets at a scale that is lower by a number.
func (b Buckets) coarser(by int32) Buckets {
	b = b.trim()
	if len(b.Counts) == 0 || by == 0 {
		return b
	}
	from, to := b.span()
	c := Buckets{int32(from >> by), make([]uint64, (to-1)>>by-from>>by+1)}
	for i, n := range b.Counts {
		c.Counts[(from+int64(i))>>by-from>>by] += n
	}
	return c
}

// AtScale is the histogram at a scale that is not higher than its own, which
// loses resolution but makes no error: each bucket goes into a wider one as a
// whole (perfect subsetting, in the section Exponential Scale of the metrics
// data model). Empty buckets at the ends are left out. It is an error to ask
// for a higher scale, and for buckets that are not valid.
func (h *ExponentialHistogram) AtScale(scale int32) (*ExponentialHistogram, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	if scale > h.Scale || scale < minScale {
		return nil, fmt.Errorf("got a scale of %d, want one from %d to the histogram's %d", scale, minScale, h.Scale)
	}
	return h.coarser(scale), nil
}

func (h *ExponentialHistogram) coarser(scale int32) *ExponentialHistogram {
	c := *h
	by := min(h.Scale-scale, 62)
	c.Scale, c.Positive, c.Negative = scale, h.Positive.coarser(by), h.Negative.coarser(by)
	return &c
}

// check says what keeps the buckets from being used.
func (h *ExponentialHistogram) check() error {
	if h == nil {
		return fmt.Errorf("got no exponential histogram, want one")
	}
	if h.Scale < minScale || h.Scale > maxScale {
		return fmt.Errorf("got a scale of %d, want one from %d to %d", h.Scale, minScale, maxScale)
	}
	if !(h.ZeroThreshold >= 0) || math.IsInf(float64(h.ZeroThreshold), 1) {
		return fmt.Errorf("got a zero threshold of %v, want a number that is not negative", h.ZeroThreshold)
	}
	if err := holds(h.Count, slices.Concat([]uint64{h.ZeroCount}, h.Positive.Counts, h.Negative.Counts)); err != nil {
		return err
	}
	return firstErr(h.Positive.check(h.Scale), h.Negative.check(h.Scale))
}

// firstErr is the first error.
func firstErr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// check says which bucket is where no double is, or no index.
func (b Buckets) check(scale int32) error {
	if _, to := b.span(); to > math.MaxInt32+1 {
		return fmt.Errorf("got a bucket with index %d, want none above %d", to-1, math.MaxInt32)
	}
	if b = b.trim(); len(b.Counts) == 0 {
		return nil
	}
	if from, to := b.span(); boundary(scale, from+1) == 0 || math.IsInf(boundary(scale, to-1), 1) {
		return fmt.Errorf("got buckets %d to %d at scale %d, want those that have numbers in them", from, to-1, scale)
	}
	return nil
}

// align brings two histograms to a common scale and zero threshold.
func align(a, b *ExponentialHistogram) (*ExponentialHistogram, *ExponentialHistogram) {
	scale := commonScale(a, b)
	a, b = a.coarser(scale), b.coarser(scale)
	for {
		zero := max(a.ZeroThreshold, b.ZeroThreshold)
		a.widenZero(zero)
		b.widenZero(max(zero, a.ZeroThreshold))
		if a.ZeroThreshold == b.ZeroThreshold {
			return a, b
		}
	}
}

// mostBuckets is how many a side of a merged histogram has at most, unless one
// of those merged has more: histograms of few values have high scales, at
// which little would fill the memory.
const mostBuckets = 1024

// commonScale is the highest scale that is not above that of either, and at
// which what both have fits.
func commonScale(a, b *ExponentialHistogram) int32 {
	scale := min(a.Scale, b.Scale)
	for scale > minScale && !(fits(scale, a, b, positive) && fits(scale, a, b, negative)) {
		scale--
	}
	return scale
}

func positive(h *ExponentialHistogram) Buckets { return h.Positive.trim() }
func negative(h *ExponentialHistogram) Buckets { return h.Negative.trim() }

func fits(scale int32, a, b *ExponentialHistogram, side func(*ExponentialHistogram) Buckets) bool {
	x, y := side(a), side(b)
	if len(x.Counts) == 0 || len(y.Counts) == 0 {
		return true
	}
	xFrom, xTo := x.span()
	yFrom, yTo := y.span()
	xBy, yBy := min(a.Scale-scale, 62), min(b.Scale-scale, 62)
	from, last := min(xFrom>>xBy, yFrom>>yBy), max((xTo-1)>>xBy, (yTo-1)>>yBy)
	return last-from < int64(max(mostBuckets, len(x.Counts), len(y.Counts)))
}

// widenZero makes the zero bucket at least as wide as a threshold, and to the
// end of the last bucket that it reaches into (section Zero Count and Zero
// Threshold of the metrics data model).
func (h *ExponentialHistogram) widenZero(threshold Float) {
	h.ZeroThreshold = max(h.ZeroThreshold, threshold)
	for moved := true; moved; {
		moved = h.swallow(&h.Positive) || h.swallow(&h.Negative)
	}
}

// swallow moves the lowest bucket of a side into the zero bucket, if any of it
// is there already.
func (h *ExponentialHistogram) swallow(b *Buckets) bool {
	side := b.trim()
	if len(side.Counts) == 0 || boundary(h.Scale, int64(side.Offset)) >= float64(h.ZeroThreshold) {
		return false
	}
	h.ZeroCount += side.Counts[0]
	h.ZeroThreshold = max(h.ZeroThreshold, Float(min(boundary(h.Scale, int64(side.Offset)+1), math.MaxFloat64)))
	*b = Buckets{side.Offset + 1, side.Counts[1:]}.trim()
	return true
}

// join combines two sides at the same scale, bucket by bucket.
func (b Buckets) join(c Buckets, combine func(b, c uint64) (uint64, error)) (Buckets, error) {
	b, c = b.trim(), c.trim()
	if len(b.Counts)+len(c.Counts) == 0 {
		return Buckets{}, nil
	}
	if len(b.Counts) == 0 {
		b.Offset = c.Offset
	}
	if len(c.Counts) == 0 {
		c.Offset = b.Offset
	}
	from := min(b.Offset, c.Offset)
	bFrom, bTo := b.span()
	cFrom, cTo := c.span()
	left, right := make([]uint64, max(bTo, cTo)-int64(from)), make([]uint64, max(bTo, cTo)-int64(from))
	copy(left[bFrom-int64(from):], b.Counts)
	copy(right[cFrom-int64(from):], c.Counts)
	counts, err := joinCounts(left, right, combine)
	return Buckets{from, counts}.trim(), err
}
