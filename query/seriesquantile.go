package query

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Estimate is what is known of a number: it is not below Lower and not above
// Upper, which may be infinite, and Value is a guess between them. The zero
// Estimate is an exact 0.
type Estimate struct {
	Value, Lower, Upper float64
}

// String writes the value and, unless it is exact, what it is between.
func (e Estimate) String() string {
	text := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	if e.Lower == e.Upper {
		return text(e.Value)
	}
	return fmt.Sprintf("%s (%s to %s)", text(e.Value), text(e.Lower), text(e.Upper))
}

// Quantile estimates a quantile, from 0 (the least) to 1 (the greatest), of
// all that a histogram or an exponential histogram saw, which is what
// [Series.Merged] holds; see [Point.Quantile] for the estimate. To look at a
// single point, use that, as of [Series.Latest].
func (s Series) Quantile(q float64) (Estimate, error) {
	if s.Type != HistogramType && s.Type != ExponentialType {
		return Estimate{}, s.errorf("quantile: got a %s, want a histogram", s.kind())
	}
	p, err := s.Merged()
	if err != nil {
		return Estimate{}, err
	}
	e, err := p.Quantile(q)
	if err != nil {
		return e, s.errorf("%w", err)
	}
	return e, nil
}

// Quantile estimates a quantile, from 0 to 1, of the observations of a
// histogram's or an exponential histogram's point. Of n observations in order
// it is the one at q·n, rounded up, counted from 1. The estimate's bounds are
// those of the bucket that holds it, narrowed by the point's min and max; they
// are certain, but for the rounding of the sender's logarithm. If min or max is
// the quantile, it is exact.
//
// The value is found by linear interpolation between explicit bounds, as in
// Prometheus: a first bucket without a lower bound begins at 0 if its upper
// bound is positive, and counts as its upper bound otherwise; a last one counts
// as its lower bound. It is the middle of an exponential bucket on a
// logarithmic scale, base**(index+0.5), and 0 in the zero bucket, whose bounds
// are the zero threshold and its negative.
//
// It is an error if the point is of another type or has no observations, if q
// is not from 0 to 1, if buckets contradict count, bounds, min or max, and if
// nothing is known because there are neither buckets nor min or max.
func (p Point) Quantile(q float64) (Estimate, error) {
	if !(q >= 0 && q <= 1) {
		return Estimate{}, fmt.Errorf("quantile: got %v, want a number from 0 to 1", q)
	}
	list, err := p.buckets()
	switch {
	case err != nil:
		return Estimate{}, fmt.Errorf("quantile: %w", err)
	case p.NoRecordedValue() || p.count() == 0:
		return Estimate{}, fmt.Errorf("quantile: got no observations, want some: %w", ErrNothingToCheck)
	}
	e, err := estimate(list, p.count(), q, p.limits())
	if err != nil {
		return Estimate{}, fmt.Errorf("quantile: %w", err)
	}
	return e, nil
}

// bucket is some observations and what they are between.
type bucket struct {
	lower, upper float64
	middle       float64 // NaN for linear interpolation
	count        uint64
}

// buckets is those of a point that are not empty, from the least to the
// greatest.
func (p Point) buckets() ([]bucket, error) {
	switch {
	case p.Histogram != nil:
		return p.Histogram.buckets(), p.Histogram.check()
	case p.Exponential == nil:
		return nil, fmt.Errorf("got a point without a histogram, want one")
	}
	if err := p.Exponential.check(); err != nil {
		return nil, err
	}
	return p.Exponential.buckets(), nil
}

func (h *Histogram) buckets() (list []bucket) {
	if len(h.Counts) == 0 {
		return []bucket{{math.Inf(-1), math.Inf(1), math.NaN(), h.Count}}
	}
	lower := math.Inf(-1)
	for i, n := range h.Counts {
		upper := math.Inf(1)
		if i < len(h.Bounds) {
			upper = float64(h.Bounds[i])
		}
		if n > 0 {
			list = append(list, bucket{lower, upper, math.NaN(), n})
		}
		lower = upper
	}
	return list
}

func (h *ExponentialHistogram) buckets() []bucket {
	list := h.Negative.side(h.Scale)
	slices.Reverse(list)
	for i, b := range list {
		list[i].lower, list[i].upper, list[i].middle = -b.upper, -b.lower, -b.middle
	}
	if h.ZeroCount > 0 {
		list = append(list, bucket{-float64(h.ZeroThreshold), float64(h.ZeroThreshold), 0, h.ZeroCount})
	}
	return append(list, h.Positive.side(h.Scale)...)
}

// side is the buckets that are not empty, by magnitude.
func (b Buckets) side(scale int32) (list []bucket) {
	for i, n := range b.Counts {
		if n > 0 {
			index := int64(b.Offset) + int64(i)
			list = append(list, bucket{
				boundary(scale, index), min(boundary(scale, index+1), math.MaxFloat64), boundary(scale+1, 2*index+1), n,
			})
		}
	}
	return list
}

// limits is the least and the greatest observation, infinite where they are
// not known.
func (p Point) limits() (l [2]float64) {
	var least, most Value
	switch {
	case p.Histogram != nil:
		least, most = p.Histogram.Min, p.Histogram.Max
	case p.Exponential != nil:
		least, most = p.Exponential.Min, p.Exponential.Max
	}
	l = [2]float64{math.Inf(-1), math.Inf(1)}
	for i, v := range []Value{least, most} {
		if f := v.Float(); !v.IsEmpty() && f == f {
			l[i] = f
		}
	}
	return l
}

// estimate finds the quantile of n observations.
func estimate(list []bucket, n uint64, q float64, limits [2]float64) (Estimate, error) {
	at := q * float64(n)
	rank := rankOf(at, n)
	exact := func(f float64) bool { return !math.IsInf(f, 0) }
	before := uint64(0)
	for _, b := range list {
		if before+b.count < rank {
			before += b.count
			continue
		}
		b, err := b.within(limits)
		switch {
		case err != nil:
			return Estimate{}, err
		case rank == 1 && exact(limits[0]):
			return Estimate{limits[0], limits[0], limits[0]}, nil
		case rank == n && exact(limits[1]):
			return Estimate{limits[1], limits[1], limits[1]}, nil
		}
		return b.estimate((at - float64(before)) / float64(b.count))
	}
	return Estimate{}, fmt.Errorf("got %d in buckets, want %d", before, n)
}

// rankOf is a place among n rounded up, where a little above a whole number is
// that number: 0.07·100 is 7, although doubles make it more.
func rankOf(at float64, n uint64) uint64 {
	rank := math.Ceil(at * (1 - 1e-15))
	if rank >= float64(n) {
		return n
	}
	return max(uint64(rank), 1)
}

// within narrows a bucket by the least and the greatest observation. Where a
// sender's logarithm put an observation into the bucket beside its own, the
// bound is what gives.
func (b bucket) within(limits [2]float64) (bucket, error) {
	lower, upper := max(b.lower, limits[0]), min(b.upper, limits[1])
	if lower > upper {
		if !(Tolerance{Fraction: 1e-9}).Float64s(lower, upper) || limits[0] > limits[1] {
			return b, fmt.Errorf("got %d from %v to %v, want them from min %v to max %v", b.count, b.lower, b.upper, limits[0], limits[1])
		}
		lower, upper = upper, lower
	}
	b.lower, b.upper = lower, upper
	return b, nil
}

// estimate guesses how far into the bucket a number is.
func (b bucket) estimate(fraction float64) (Estimate, error) {
	e := Estimate{b.middle, b.lower, b.upper}
	lowest := b.lower
	if math.IsInf(lowest, -1) && b.upper > 0 && !math.IsInf(b.upper, 1) {
		lowest = 0
	}
	fraction = min(max(fraction, 0), 1)
	switch {
	case b.middle == b.middle:
	case math.IsInf(lowest, 0) && math.IsInf(b.upper, 0):
		return Estimate{}, fmt.Errorf("got a histogram with neither bounds nor min or max, want either")
	case math.IsInf(b.upper, 0):
		e.Value = lowest
	case math.IsInf(lowest, 0):
		e.Value = b.upper
	default:
		e.Value = lowest*(1-fraction) + b.upper*fraction
	}
	e.Value = min(max(e.Value, e.Lower), e.Upper)
	return e, nil
}
