package query_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

func TestDeltasOfACumulativeSeries(t *testing.T) {
	s := single(t, cumulative(1, 2, 5), cumulative(1, 3, 8), missing(cumulative(1, 4, 0)), cumulative(1, 5, 8), cumulative(6, 7, 2), cumulative(6, 8, 3))
	want := single(t, delta(1, 2, 5), delta(2, 3, 3), missing(delta(1, 4, 0)), delta(3, 5, 0), delta(6, 7, 2), delta(7, 8, 1))
	got, err := s.Delta()
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if same, err := got.Delta(); err != nil || !cmp.Equal(same, got) {
		t.Errorf("got %v, %v, want the same again", same, err)
	}
	back, err := got.Cumulative()
	if diff := cmp.Diff(s, back); err != nil || diff != "" {
		t.Errorf("and back: %v\n%s", err, diff)
	}
	if p := s.Points[1]; p.Temporality != query.Cumulative || p.Value.Int() != 8 {
		t.Errorf("the series changed: %v", p)
	}
}

func TestConversionsOfOddStarts(t *testing.T) {
	for name, c := range map[string]struct{ cumulative, deltas []query.Point }{
		"a first start that is not known": {
			[]query.Point{cumulative(0, 2, 5), cumulative(0, 3, 8)},
			[]query.Point{delta(0, 2, 5), delta(2, 3, 3)},
		},
		"a reset without starts": {
			[]query.Point{cumulative(0, 2, 5), cumulative(0, 3, 2)},
			[]query.Point{delta(0, 2, 5), delta(2, 3, 2)},
		},
		"a first point without duration": {
			[]query.Point{cumulative(2, 2, 5), cumulative(2, 3, 8)},
			[]query.Point{delta(2, 2, 5), delta(2, 3, 3)},
		},
	} {
		got, err := single(t, c.cumulative...).Delta()
		if diff := cmp.Diff(c.deltas, got.Points); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	got, err := single(t, delta(0, 2, 5), delta(0, 3, 8)).Cumulative()
	want := []query.Point{cumulative(0, 2, 5), cumulative(0, 3, 13)}
	if diff := cmp.Diff(want, got.Points); err != nil || diff != "" {
		t.Errorf("deltas without starts: %v\n%s", err, diff)
	}
}

func TestConversionsThatThereAreNot(t *testing.T) {
	_, err := single(t, delta(1, 3, 5), delta(2, 4, 5)).Cumulative()
	fails(t, err, `series "jobs": overlap at 2000-01-01T00:00:04Z: got a start of 2000-01-01T00:00:02Z, 1s too early, want the end of the point before, 2000-01-01T00:00:03Z`)
	_, err = single(t, delta(1, 2, int64(math.MaxInt64)), delta(2, 4, 1)).Cumulative()
	fails(t, err, `series "jobs": point at 2000-01-01T00:00:04Z: got 1 and 9223372036854775807, want a total that an int64 holds`)

	point := func(end float64, counts ...uint64) query.Point {
		p := histogram(counts, 1)
		p.Temporality, p.Time = query.Cumulative, at(end)
		return p
	}
	_, err = single(t, point(2, 3, 1), point(3, 2, 3)).Delta()
	fails(t, err, `series "latency": point at 2000-01-01T00:00:03Z: bucket 0: got a count of 2 after 3, want no less`)

	gauge := delta(1, 2, 5)
	gauge.Type = query.Gauge
	_, err = single(t, gauge).Delta()
	fails(t, err, `series "jobs": got a gauge, want a sum or a histogram`)
}

// runs makes a cumulative series with resets: begin starts a run and next is
// the following point of it, to which start and time are added.
func runs(r *rand.Rand, begin func(), next func() query.Point) (points []query.Point) {
	clock := 1.0
	for range 1 + r.IntN(4) {
		begin()
		start := clock
		for range 1 + r.IntN(6) {
			clock += float64(1 + r.IntN(9))
			p := next()
			p.Temporality, p.Start, p.Time = query.Cumulative, at(start), at(clock)
			points = append(points, p)
			if r.IntN(6) == 0 {
				clock++
				p.Time = at(clock)
				points = append(points, missing(p))
			}
		}
		clock += float64(1 + r.IntN(9))
	}
	return points
}

func TestConversionsAreInverse(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 9))
		for name, points := range map[string][]query.Point{
			"integers": randomSums(r, func() any { return int64(r.Uint64() >> 8) }, true),
			"negative": randomSums(r, func() any { return r.Int64N(1000) - 500 }, false),
			"doubles":  randomSums(r, func() any { return math.Ldexp(float64(r.IntN(1000)), -4) }, true), // exact
			"explicit": randomHistograms(r), "exponential": randomExponentials(r),
		} {
			s := single(t, points...)
			inverse(t, name, s)
		}
	}
}

func inverse(t *testing.T, name string, s query.Series) {
	t.Helper()
	deltas, err := s.Delta()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, b := range deltas.Breaks() {
		if b.Kind != query.BreakGap {
			t.Fatalf("%s: %s", name, b)
		}
	}
	for _, p := range deltas.Points {
		if s.Monotonic && p.Value.Float() < 0 {
			t.Fatalf("%s: got %s, want no negative values", name, p.Value)
		}
	}
	back, err := deltas.Cumulative()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := back.Diff(s, query.Tolerance{}); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	mine, err1 := s.Merged()
	theirs, err2 := deltas.Merged()
	theirs.Temporality = mine.Temporality
	if diff := cmp.Diff(mine, theirs); err1 != nil || err2 != nil || diff != "" {
		t.Fatalf("%s: merged: %v, %v\n%s", name, err1, err2, diff)
	}
}

func randomSums(r *rand.Rand, value func() any, monotonic bool) []query.Point {
	total := query.Value{}
	return runs(r, func() { total = query.Value{} }, func() query.Point {
		v, _ := query.ValueOf(value())
		switch {
		case total.IsEmpty():
			total = v
		case v.Kind() == query.KindInt:
			total = query.IntValue(total.Int() + v.Int())
		default:
			total = query.FloatValue(total.Float() + v.Float())
		}
		p := cumulative(0, 1, total)
		p.Monotonic = monotonic
		return p
	})
}

func randomHistograms(r *rand.Rand) []query.Point {
	var samples []float64
	return runs(r, func() { samples = nil }, func() query.Point {
		for range r.IntN(20) {
			samples = append(samples, math.Ldexp(float64(r.IntN(1000)), -4))
		}
		p := explicitOf(samples, []query.Float{0, 1, 5, 20}, false)
		p.Histogram.Sum = query.FloatValue(total(samples))
		return p
	})
}

func randomExponentials(r *rand.Rand) []query.Point {
	var samples []float64
	var scale int32
	return runs(r, func() { samples, scale = nil, 6 }, func() query.Point {
		samples = append(samples, sampled(r, 1+r.IntN(10), 1)...)
		scale -= int32(r.IntN(3))
		p := exponentialOf(samples, scale, 0)
		p.Exponential.Sum = query.IntValue(int64(len(samples)))
		return p
	})
}

func total(samples []float64) (sum float64) {
	for _, x := range samples {
		sum += x
	}
	return sum
}

func TestMinAndMaxAreKnownOfTheFirstDeltaOnly(t *testing.T) {
	point := func(temporality query.Temporality, start, end float64, least, most any, counts ...uint64) query.Point {
		p := histogram(counts, 1)
		p.Temporality, p.Start, p.Time = temporality, at(start), at(end)
		p.Histogram.Min, _ = query.ValueOf(least)
		p.Histogram.Max, _ = query.ValueOf(most)
		return p
	}
	got, err := single(t, point(query.Cumulative, 1, 2, 0.5, 1.5, 1, 1), point(query.Cumulative, 1, 3, 0.5, 7, 1, 2)).Delta()
	want := single(t, point(query.Delta, 1, 2, 0.5, 1.5, 1, 1), point(query.Delta, 2, 3, nil, nil, 0, 1))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	got, err = single(t, point(query.Delta, 1, 2, 0.5, 1.5, 1, 1), point(query.Delta, 2, 3, 7.0, 8.0, 0, 1)).Cumulative()
	want = single(t, point(query.Cumulative, 1, 2, 0.5, 1.5, 1, 1), point(query.Cumulative, 1, 3, 0.5, 8.0, 1, 2))
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}
