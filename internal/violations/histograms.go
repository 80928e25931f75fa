package violations

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"github.com/otlptest/otlptest/internal/wire"
	"google.golang.org/protobuf/encoding/protowire"
)

// total is the count and the sum that a point claims, and what its buckets
// hold.
type total struct {
	count, buckets uint64
	sum            float64
}

// fits says whether the sum may be what it is: nothing adds up to 0.
func (t total) fits() bool { return t.count != 0 || t.sum == 0 }

// none says whether nothing is recorded.
func (t total) none() bool { return t.count == 0 && t.sum == 0 && t.buckets == 0 }

// unrecorded checks a point that says that it has no value, and says whether
// it does.
func (w *walker) unrecorded(h head, t total) bool {
	if h.unrecorded() && !t.none() {
		w.report(recorded, "", words("a value"), "none, as the flags say")
	}
	return h.unrecorded()
}

// histogram goes over a point of a histogram.
func (w *walker) histogram(b []byte) {
	var h head
	var t total
	var list explicit
	exemplars := 0
	k := w.openPoint()
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case pointStart:
			h.start = r.Num()
		case pointTime:
			h.time = r.Num()
		case histogramCount:
			t.count = r.Num()
		case histogramSum:
			t.sum = double(r.Num())
		case histogramCounts, histogramCount1:
			for n := range fixed(&r) {
				t.buckets += n
				list.counts++
			}
		case histogramBounds, histogramBound1:
			for n := range fixed(&r) {
				list.bound(double(n))
			}
		case histogramExemplars:
			w.exemplar(r.Raw(), exemplars)
			exemplars++
		case histogramAttrs:
			w.pointAttr(&k, r.Raw())
		case histogramFlags:
			h.flags = r.Num()
		}
	}
	w.close(&k)
	w.pointTimes(h.start, h.time)
	w.explicit(list)
	if !w.unrecorded(h, t) {
		if list.counts > 0 && t.buckets != t.count {
			w.report(bucketSum, "count", inBuckets(t), "the sum of bucket_counts")
		}
		if !t.fits() {
			w.report(emptySum, "sum", float(t.sum), "0 or none, since the count is 0")
		}
	}
	w.observe(h, float64(t.count))
}

// explicit is the buckets of a histogram's point.
type explicit struct {
	counts, bounds int
	last           float64
	wrong          int // the first bound that does not rise, from 1; 0 for none
	odd            fmt.Stringer
}

func (e *explicit) bound(x float64) {
	e.bounds++
	switch {
	case e.wrong > 0:
	case x != x:
		e.wrong, e.odd = e.bounds, float(x)
	case e.bounds > 1 && !(x > e.last):
		e.wrong, e.odd = e.bounds, follows{x, e.last}
	}
	e.last = x
}

func (w *walker) explicit(e explicit) {
	if e.counts != e.bounds+1 && e.counts+e.bounds != 0 {
		w.report(buckets, "bucket_counts", lengths{e.counts, e.bounds}, "one bucket count more than bounds, or none of either")
	}
	if e.wrong > 0 {
		w.report(bounds, fmt.Sprintf("explicit_bounds[%d]", e.wrong-1), e.odd, "bounds that rise strictly")
	}
}

// exponential goes over a point of an exponential histogram.
func (w *walker) exponential(b []byte) {
	var h head
	var t total
	exemplars := 0
	k := w.openPoint()
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case pointStart:
			h.start = r.Num()
		case pointTime:
			h.time = r.Num()
		case exponentialCount:
			t.count = r.Num()
		case exponentialSum:
			t.sum = double(r.Num())
		case exponentialPositive, exponentialNegative:
			t.buckets += inSide(r.Raw())
		case exponentialExemplars:
			w.exemplar(r.Raw(), exemplars)
			exemplars++
		case exponentialAttrs:
			w.pointAttr(&k, r.Raw())
		case exponentialFlags:
			h.flags = r.Num()
		}
	}
	t.buckets += wire.LastNum(b, exponentialZeros)
	w.close(&k)
	w.pointTimes(h.start, h.time)
	if !w.unrecorded(h, t) {
		if t.buckets != t.count {
			w.report(exponential, "count", inBuckets(t), "the sum of zero_count and of both bucket_counts")
		}
		if !t.fits() {
			w.report(emptyExpSum, "sum", float(t.sum), "0 or none, since the count is 0")
		}
	}
	w.observe(h, float64(t.count))
}

// inSide adds up the buckets of one side of an exponential histogram.
func inSide(side []byte) (sum uint64) {
	for r := wire.Read(side); r.Next(); {
		switch r.Tag() {
		case bucketsCounts, bucketsCount1:
			for n := range varints(&r) {
				sum += n
			}
		}
	}
	return sum
}

// summary goes over a point of a summary.
func (w *walker) summary(b []byte) {
	var h head
	var t total
	n, last, rising := 0, -1.0, true
	k := w.openPoint()
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case pointStart:
			h.start = r.Num()
		case pointTime:
			h.time = r.Num()
		case summaryCount:
			t.count = r.Num()
		case summarySum:
			t.sum = double(r.Num())
		case summaryQuantiles:
			q := double(wire.LastNum(r.Raw(), quantileQuantile))
			if rising {
				rising = w.quantile(n, last, q)
			}
			last = q
			n++
		case summaryAttrs:
			w.pointAttr(&k, r.Raw())
		case summaryFlags:
			h.flags = r.Num()
		}
	}
	w.close(&k)
	w.pointTimes(h.start, h.time)
	if !w.unrecorded(h, t) && !t.fits() {
		w.report(emptySummary, "sum", float(t.sum), "0, since the count is 0")
	}
}

// quantile checks the i-th quantile of a point, which follows another one or
// -1, and says whether it is all right.
func (w *walker) quantile(i int, last, q float64) bool {
	field := func() string { return fmt.Sprintf("quantile_values[%d].quantile", i) }
	switch {
	case !(q >= 0 && q <= 1):
		w.report(quantiles, field(), float(q), "a quantile from 0 to 1")
		return false
	case q <= last:
		w.report(quantiles, field(), follows{q, last}, "quantiles that rise strictly")
		return false
	}
	return true
}

func double(bits uint64) float64 { return math.Float64frombits(bits) }

// fixed is the fixed64 numbers of a list that have just been read, packed or
// not.
func fixed(r *wire.Fields) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if r.Tag()&7 != bytesType {
			yield(r.Num())
			return
		}
		for b := r.Raw(); len(b) >= 8 && yield(binary.LittleEndian.Uint64(b)); {
			b = b[8:]
		}
	}
}

// varints is fixed for varints.
func varints(r *wire.Fields) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if r.Tag()&7 != bytesType {
			yield(r.Num())
			return
		}
		for b := r.Raw(); len(b) > 0; {
			v, n := protowire.ConsumeVarint(b)
			if n < 0 || !yield(v) {
				return
			}
			b = b[n:]
		}
	}
}
