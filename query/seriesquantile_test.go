package query_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

// histogram is a point of a delta histogram called latency.
func histogram(counts []uint64, bounds ...query.Float) query.Point {
	h := &query.Histogram{Bounds: bounds, Counts: counts}
	for _, n := range counts {
		h.Count += n
	}
	return query.Point{
		Name: "latency", Unit: "s", Type: query.HistogramType, Temporality: query.Delta,
		Start: at(1), Time: at(2), Histogram: h,
	}
}

// exponential is a point of a delta exponential histogram called latency.
func exponential(h query.ExponentialHistogram) query.Point {
	h.Count = h.ZeroCount
	for _, n := range slices.Concat(h.Positive.Counts, h.Negative.Counts) {
		h.Count += n
	}
	return query.Point{
		Name: "latency", Unit: "s", Type: query.ExponentialType, Temporality: query.Delta,
		Start: at(1), Time: at(2), Exponential: &h,
	}
}

var inf = math.Inf(1)

func TestQuantilesOfExplicitBuckets(t *testing.T) {
	limited := func(least, most float64) query.Point {
		p := histogram([]uint64{2, 4, 4}, 10, 20)
		p.Histogram.Min, p.Histogram.Max = query.FloatValue(least), query.FloatValue(most)
		return p
	}
	plain := histogram([]uint64{2, 4, 4}, 10, 20)
	single := histogram([]uint64{10})
	single.Histogram.Counts = nil
	both := single
	both.Histogram = &query.Histogram{Count: 10, Min: query.FloatValue(0), Max: query.FloatValue(100)}
	for _, c := range []struct {
		point query.Point
		q     float64
		want  query.Estimate
	}{
		{plain, 0, query.Estimate{0, -inf, 10}},
		{plain, 0.1, query.Estimate{5, -inf, 10}},
		{plain, 0.2, query.Estimate{10, -inf, 10}},
		{plain, 0.3, query.Estimate{12.5, 10, 20}},
		{plain, 0.6, query.Estimate{20, 10, 20}},
		{plain, 0.61, query.Estimate{20, 20, inf}},
		{plain, 1, query.Estimate{20, 20, inf}},
		{limited(2, 100), 0, query.Estimate{2, 2, 2}},
		{limited(2, 100), 0.2, query.Estimate{10, 2, 10}},
		{limited(2, 100), 0.8, query.Estimate{60, 20, 100}},
		{limited(2, 100), 1, query.Estimate{100, 100, 100}},
		{limited(math.NaN(), math.NaN()), 1, query.Estimate{20, 20, inf}},
		{histogram([]uint64{3, 1}, -5), 0.5, query.Estimate{-5, -inf, -5}},
		{histogram([]uint64{0, 1, 0}, -5, 5), 0.5, query.Estimate{0, -5, 5}},
		{both, 0.5, query.Estimate{50, 0, 100}},
	} {
		if got, err := c.point.Quantile(c.q); err != nil || got != c.want {
			t.Errorf("%v %g: got %v, %v, want %v", c.point.Histogram, c.q, got, err, c.want)
		}
	}
	_, err := single.Quantile(0.5)
	fails(t, err, "quantile: got a histogram with neither bounds nor min or max, want either")
	_, err = limited(15, 30).Quantile(0.1)
	fails(t, err, "quantile: got 2 from -Inf to 10, want them from min 15 to max 30")
}

func TestQuantilesOfExponentialBuckets(t *testing.T) {
	h := query.ExponentialHistogram{
		Scale: 0, ZeroCount: 2, ZeroThreshold: 0.25,
		Positive: query.Buckets{Offset: 1, Counts: []uint64{1, 0, 2}}, // (2, 4] and (8, 16]
		Negative: query.Buckets{Offset: -1, Counts: []uint64{3, 2}},   // [-1, -0.5) and [-2, -1)
	}
	limited := h
	limited.Min, limited.Max = query.FloatValue(-1.5), query.FloatValue(9)
	root := math.Sqrt2
	for _, c := range []struct {
		h    query.ExponentialHistogram
		q    float64
		want query.Estimate
	}{
		{h, 0, query.Estimate{-root, -2, -1}},
		{h, 0.2, query.Estimate{-root, -2, -1}},
		{h, 0.5, query.Estimate{-root / 2, -1, -0.5}},
		{h, 0.6, query.Estimate{0, -0.25, 0.25}},
		{h, 0.8, query.Estimate{2 * root, 2, 4}},
		{h, 1, query.Estimate{8 * root, 8, 16}},
		{limited, 0, query.Estimate{-1.5, -1.5, -1.5}},
		{limited, 0.2, query.Estimate{-root, -1.5, -1}},
		{limited, 0.9, query.Estimate{9, 8, 9}},
		{limited, 1, query.Estimate{9, 9, 9}},
		{query.ExponentialHistogram{Scale: -10, Positive: query.Buckets{Offset: -1, Counts: []uint64{1}}}, 1, query.Estimate{math.Ldexp(1, -512), math.Ldexp(1, -1024), 1}},
		{query.ExponentialHistogram{Scale: -10, Positive: query.Buckets{Counts: []uint64{1}}}, 1, query.Estimate{math.Ldexp(1, 512), 1, math.MaxFloat64}},
		{query.ExponentialHistogram{Scale: 0, Positive: query.Buckets{Offset: -1074, Counts: []uint64{1}}}, 1, query.Estimate{5e-324, 5e-324, 1e-323}},
	} {
		got, err := exponential(c.h).Quantile(c.q)
		near := func(a, b float64) bool {
			return query.Tolerance{Fraction: 1e-15}.Float64s(a, b)
		}
		if err != nil || !near(got.Value, c.want.Value) || got.Lower != c.want.Lower || got.Upper != c.want.Upper {
			t.Errorf("%v %g: got %v, %v, want %v", c.h, c.q, got, err, c.want)
		}
	}
}

func TestEstimatesAreWritten(t *testing.T) {
	for want, e := range map[string]query.Estimate{
		"0": {}, "1.5 (1 to 2)": {1.5, 1, 2}, "10 (-Inf to 10)": {10, -inf, 10},
	} {
		if e.String() != want {
			t.Errorf("got %s, want %s", e, want)
		}
	}
}

func TestQuantilesThatThereAreNot(t *testing.T) {
	for want, got := range map[string]func() (query.Estimate, error){
		"quantile: got NaN, want a number from 0 to 1": func() (query.Estimate, error) {
			return histogram([]uint64{1}).Quantile(math.NaN())
		},
		"quantile: got no observations, want some: nothing to check": func() (query.Estimate, error) {
			return histogram([]uint64{0, 0}, 1).Quantile(0)
		},
		"quantile: got a point without a histogram, want one": func() (query.Estimate, error) {
			return delta(1, 2, 3).Quantile(0)
		},
		"quantile: got 3 bucket counts for 3 bounds, want one count more than bounds, or none of either": func() (query.Estimate, error) {
			return histogram([]uint64{1, 1, 1}, 1, 2, 3).Quantile(0)
		},
		"quantile: got buckets 5000 to 5000 at scale 0, want those that have numbers in them": func() (query.Estimate, error) {
			return exponential(query.ExponentialHistogram{Positive: query.Buckets{Offset: 5000, Counts: []uint64{1}}}).Quantile(0)
		},
		"quantile: got a scale of 1000, want one from -64 to 64": func() (query.Estimate, error) {
			return exponential(query.ExponentialHistogram{Scale: 1000, ZeroCount: 1}).Quantile(0)
		},
		"quantile: got a zero threshold of -1, want a number that is not negative": func() (query.Estimate, error) {
			return exponential(query.ExponentialHistogram{ZeroThreshold: -1, ZeroCount: 1}).Quantile(0)
		},
		`series "jobs": quantile: got a delta monotonic sum, want a histogram`: func() (query.Estimate, error) {
			return single(t, delta(1, 2, 3)).Quantile(0)
		},
		`series "latency": quantile: got 2, want a number from 0 to 1`: func() (query.Estimate, error) {
			return single(t, histogram([]uint64{1})).Quantile(2)
		},
	} {
		_, err := got()
		fails(t, err, want)
	}
}

// sampled is random numbers of many magnitudes, some of them 0 or negative.
func sampled(r *rand.Rand, n int, spread float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = math.Exp(r.NormFloat64() * spread)
		switch r.IntN(8) {
		case 0:
			list[i] = 0
		case 1, 2:
			list[i] = -list[i]
		}
	}
	return list
}

// quantileOf is the true one: the sample at q·n, rounded up.
func quantileOf(samples []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(samples))
	i := int(math.Ceil(q*float64(len(sorted)))) - 1
	return sorted[max(i, 0)]
}

func explicitOf(samples []float64, bounds []query.Float, limits bool) query.Point {
	counts := make([]uint64, len(bounds)+1)
	for _, x := range samples {
		counts[sort.Search(len(bounds), func(i int) bool { return x <= float64(bounds[i]) })]++
	}
	p := histogram(counts, bounds...)
	if limits {
		p.Histogram.Min, p.Histogram.Max = query.FloatValue(slices.Min(samples)), query.FloatValue(slices.Max(samples))
	}
	return p
}

func TestTheQuantileIsWithinItsBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		samples := sampled(r, 1+r.IntN(100), r.Float64()*20)
		bounds := []query.Float{-100, -1, 0, 0.1, 1, 5, 1000}[:r.IntN(8)]
		p := explicitOf(samples, bounds, len(bounds) == 0 || r.IntN(2) == 0)
		for range 10 {
			within(t, p.Quantile, samples, r.Float64(), 0)
		}
	}
}

// within checks an estimate of a quantile, up to rounding.
func within(t *testing.T, quantile func(float64) (query.Estimate, error), samples []float64, q, rounding float64) {
	t.Helper()
	e, err := quantile(q)
	want := quantileOf(samples, q)
	slack := math.Abs(want) * rounding
	if err != nil || !(e.Lower-slack <= want && want <= e.Upper+slack && e.Lower <= e.Value && e.Value <= e.Upper) {
		t.Errorf("quantile %g of %d samples: got %v, %v, want %g", q, len(samples), e, err, want)
	}
}

// exponentialOf makes a histogram as a sender does, by the logarithm.
func exponentialOf(samples []float64, scale int32, zero float64) query.Point {
	h := query.ExponentialHistogram{Scale: scale, ZeroThreshold: query.Float(zero)}
	for _, x := range samples {
		index := int32(math.Ceil(math.Ldexp(math.Log2(math.Abs(x)), int(scale)))) - 1
		switch {
		case math.Abs(x) <= zero:
			h.ZeroCount++
		case x < 0:
			h.Negative = counted(h.Negative, index)
		default:
			h.Positive = counted(h.Positive, index)
		}
	}
	return exponential(h)
}

func counted(b query.Buckets, index int32) query.Buckets {
	if len(b.Counts) == 0 {
		b.Offset = index
	}
	for ; index < b.Offset; b.Offset-- {
		b.Counts = slices.Insert(b.Counts, 0, 0)
	}
	for int(index-b.Offset) >= len(b.Counts) {
		b.Counts = append(b.Counts, 0)
	}
	b.Counts[index-b.Offset]++
	return b
}

func TestTheQuantileOfMergedHistogramsIsWithinItsBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var all []float64
		var points []query.Point
		for i := range 1 + r.IntN(5) {
			samples := sampled(r, 1+r.IntN(20), r.Float64()*20)
			p := exponentialOf(samples, int32(r.IntN(10)-4), []float64{0, 0, 1e-3, 0.3}[r.IntN(4)])
			p.Start, p.Time = at(float64(i+1)), at(float64(i+2))
			all, points = append(all, samples...), append(points, p)
		}
		s := single(t, points...)
		for range 10 {
			within(t, s.Quantile, all, r.Float64(), 1e-12)
		}
	}
}

func TestHistogramsOfFewSamplesMergeAtACoarserScale(t *testing.T) {
	first, second := exponentialOf([]float64{1.5}, 20, 0), exponentialOf([]float64{1e9}, 20, 0)
	second.Start, second.Time = at(2), at(3)
	s := single(t, first, second)
	p, err := s.Merged()
	if err != nil || len(p.Exponential.Positive.Counts) > 1024 || p.Exponential.Scale < 4 {
		t.Fatalf("got %v, %v, want at most 1024 buckets", p.Exponential, err)
	}
	for q, want := range map[float64]float64{0.5: 1.5, 1: 1e9} {
		if e, err := s.Quantile(q); err != nil || !(e.Lower <= want && want <= e.Upper && e.Upper-e.Lower < 0.05*want) {
			t.Errorf("got %v, %v, want about %g", e, err, want)
		}
	}
}

func TestScalesAreLowered(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		samples := sampled(r, 50, 4)
		fine := exponentialOf(samples, 5, 0).Exponential
		for scale := int32(5); scale >= -10; scale-- {
			got, err := fine.AtScale(scale)
			if err != nil {
				t.Fatal(err)
			}
			a, b := exponential(*got), exponentialOf(samples, scale, 0)
			if diff := cmp.Diff(b.Exponential, a.Exponential); diff != "" {
				t.Fatalf("scale %d: %s", scale, diff)
			}
		}
	}
	h := &query.ExponentialHistogram{Scale: 3}
	_, err := h.AtScale(4)
	fails(t, err, "got a scale of 4, want one from -64 to the histogram's 3")
	_, err = (*query.ExponentialHistogram)(nil).AtScale(0)
	fails(t, err, "got no exponential histogram, want one")
}

func TestZeroBucketsAreWidened(t *testing.T) {
	// (0.5, 1] and (1, 2] beside a zero bucket that reaches to 0.75 in the
	// other, and with it to 1.
	a := exponential(query.ExponentialHistogram{ZeroCount: 1, Positive: query.Buckets{Offset: -1, Counts: []uint64{2, 3}}, Negative: query.Buckets{Offset: -2, Counts: []uint64{1}}})
	b := exponential(query.ExponentialHistogram{ZeroCount: 10, ZeroThreshold: 0.75, Positive: query.Buckets{Offset: 1, Counts: []uint64{1}}})
	b.Start, b.Time = at(2), at(3)
	got, err := single(t, a, b).Merged()
	want := exponential(query.ExponentialHistogram{ZeroCount: 14, ZeroThreshold: 1, Positive: query.Buckets{Offset: 0, Counts: []uint64{3, 1}}})
	if diff := cmp.Diff(want.Exponential, got.Exponential); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
