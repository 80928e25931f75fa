package query_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

func TestTotals(t *testing.T) {
	const big = int64(1) << 62
	for name, c := range map[string]struct {
		points []query.Point
		want   any
	}{
		"deltas":                      {[]query.Point{delta(1, 2, 5), delta(2, 3, 3)}, 8},
		"deltas that came twice":      {[]query.Point{delta(1, 2, 5), delta(2, 3, 3), delta(1, 2, 5)}, 8},
		"deltas with a gap":           {[]query.Point{delta(1, 2, 5), delta(3, 4, 3)}, 8},
		"deltas without starts":       {[]query.Point{delta(0, 2, 5), delta(0, 3, 3)}, 8},
		"doubles":                     {[]query.Point{delta(1, 2, 0.5), delta(2, 3, 0.25)}, 0.75},
		"integers and doubles":        {[]query.Point{delta(1, 2, 5), delta(2, 3, 0.25)}, 5.25},
		"cumulative":                  {[]query.Point{cumulative(1, 2, 5), cumulative(1, 3, 8)}, 8},
		"cumulative, reset":           {[]query.Point{cumulative(1, 2, 5), cumulative(1, 3, 8), cumulative(4, 5, 2)}, 10},
		"cumulative without starts":   {[]query.Point{cumulative(0, 2, 5), cumulative(0, 3, 8), cumulative(0, 5, 2)}, 10},
		"cumulative with a stale end": {[]query.Point{cumulative(1, 2, 5), missing(cumulative(1, 3, 0))}, 5},
		"cumulative after a pause":    {[]query.Point{cumulative(1, 2, 5), missing(cumulative(1, 3, 0)), cumulative(1, 4, 7)}, 7},
		"large integers":              {[]query.Point{delta(1, 2, big), delta(2, 3, 1)}, big + 1},
		"the greatest":                {[]query.Point{delta(1, 2, big), delta(2, 3, big-1)}, int64(math.MaxInt64)},
		"NaN":                         {[]query.Point{delta(1, 2, math.NaN()), delta(2, 3, 1.0)}, math.NaN()},
	} {
		want, err := query.ValueOf(c.want)
		if err != nil {
			t.Fatal(err)
		}
		s := single(t, c.points...)
		if got, err := s.Total(); err != nil || !got.Equal(want) {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
		d, err := s.Delta()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := d.Total(); err != nil || !got.Equal(want) {
			t.Errorf("%s: got %s, %v from its deltas, want %s", name, got, err, want)
		}
	}
}

func TestTotalsThatThereAreNot(t *testing.T) {
	gauge := delta(1, 2, 5)
	gauge.Type, gauge.Temporality = query.Gauge, 0
	_, err := single(t, gauge).Total()
	fails(t, err, `series "jobs": got a gauge, want a sum: the value of a gauge is that of Latest, of a histogram Count and Sum`)

	_, err = single(t, sum(query.TemporalityUnspecified, 1, 2, 5)).Total()
	fails(t, err, `series "jobs": got a temporality that is unspecified, want delta or cumulative`)

	p, q := delta(1, 2, int64(math.MaxInt64)), delta(2, 3, 1)
	for _, x := range []*query.Point{&p, &q} {
		x.Attrs = query.Attrs{query.Attr("state", "done")}
		x.Resource.Attrs = query.Attrs{query.Attr("service.name", "shop")}
	}
	_, err = single(t, p, q).Total()
	fails(t, err, `series "jobs" of shop {state="done"}: point at 2000-01-01T00:00:03Z: got 1 and 9223372036854775807, want a total that an int64 holds`)

	_, err = single(t, delta(1, 3, 5), delta(2, 4, 5)).Total()
	fails(t, err, `series "jobs": overlap at 2000-01-01T00:00:04Z: got a start of 2000-01-01T00:00:02Z, 1s too early, want the end of the point before, 2000-01-01T00:00:03Z`)

	_, err = single(t, delta(1, 2, 5)).Count()
	fails(t, err, `series "jobs": got a delta monotonic sum, want a histogram`)
}

func TestRates(t *testing.T) {
	for name, c := range map[string]struct {
		points []query.Point
		want   float64
	}{
		"deltas":                       {[]query.Point{delta(1, 2, 5), delta(2, 5, 3)}, 2},
		"a gap":                        {[]query.Point{delta(1, 2, 5), delta(10, 13, 3)}, 2},
		"deltas without starts":        {[]query.Point{delta(0, 2, 100), delta(0, 5, 6)}, 2},
		"cumulative":                   {[]query.Point{cumulative(1, 2, 5), cumulative(1, 5, 8)}, 2},
		"cumulative, reset":            {[]query.Point{cumulative(1, 2, 5), cumulative(10, 13, 3)}, 2},
		"cumulative without starts":    {[]query.Point{cumulative(0, 2, 100), cumulative(0, 5, 106)}, 2},
		"reset without starts":         {[]query.Point{cumulative(0, 2, 100), cumulative(0, 5, 6)}, 2},
		"a start that is not known":    {[]query.Point{cumulative(2, 2, 100), cumulative(2, 5, 106)}, 2},
		"a restart that is not known":  {[]query.Point{cumulative(1, 2, 2), cumulative(4, 4, 100), cumulative(4, 5, 102)}, 2},
		"a value that is not recorded": {[]query.Point{cumulative(1, 2, 5), missing(cumulative(1, 4, 0)), cumulative(1, 5, 8)}, 2},
	} {
		if got, err := single(t, c.points...).Rate(); err != nil || got != c.want {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c.want)
		}
	}
	_, err := single(t, cumulative(2, 2, 100)).Rate()
	fails(t, err, `series "jobs": rate: got no time covered by 1 point, want some`)
}

func TestLatest(t *testing.T) {
	s := single(t, delta(2, 3, 3), delta(1, 2, 5))
	if p, ok := s.Latest(); !ok || p.Value.Int() != 3 || s.Stale() {
		t.Errorf("got %v, %t, stale %t, want 3", p.Value, ok, s.Stale())
	}
	s = single(t, delta(1, 2, 5), missing(delta(2, 3, 3)))
	if p, ok := s.Latest(); !ok || p.Value.Int() != 5 || !s.Stale() {
		t.Errorf("got %v, %t, stale %t, want 5 of a stale series", p.Value, ok, s.Stale())
	}
	if p, ok := single(t, missing(delta(1, 2, 5))).Latest(); ok {
		t.Errorf("got %v, want none", p)
	}
}

func TestHistogramsAddUp(t *testing.T) {
	point := func(temporality query.Temporality, start, end float64, total float64, counts ...uint64) query.Point {
		p := histogram(counts, 1, 2)
		p.Temporality, p.Start, p.Time, p.Histogram.Sum = temporality, at(start), at(end), query.FloatValue(total)
		return p
	}
	for name, s := range map[string]query.Series{
		"delta":      single(t, point(query.Delta, 1, 2, 3, 1, 1, 0), point(query.Delta, 3, 4, 9, 0, 2, 1)),
		"cumulative": single(t, point(query.Cumulative, 1, 2, 3, 1, 1, 0), point(query.Cumulative, 3, 3.5, 2, 0, 0, 1), point(query.Cumulative, 3, 4, 9, 0, 2, 1)),
	} {
		count, err := s.Count()
		if err != nil || count != 5 {
			t.Errorf("%s: got a count of %d, %v, want 5", name, count, err)
		}
		if total, err := s.Sum(); err != nil || total != 12 {
			t.Errorf("%s: got a sum of %v, %v, want 12", name, total, err)
		}
		if rate, err := s.Rate(); err != nil || rate != 2.5 {
			t.Errorf("%s: got a rate of %v, %v, want 2.5", name, rate, err)
		}
		want := point(s.Temporality, 1, 4, 12, 1, 3, 1)
		got, err := s.Merged()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}

	without := point(query.Delta, 2, 3, 0, 1, 1, 1)
	without.Histogram.Sum = query.Value{}
	_, err := single(t, point(query.Delta, 1, 2, 3, 1, 1, 0), without).Sum()
	fails(t, err, `series "latency": sum: got a point at 2000-01-01T00:00:03Z without one, want it in each`)
}

func TestHistogramsThatDoNotAddUp(t *testing.T) {
	point := func(start, end float64, counts []uint64, bounds ...query.Float) query.Point {
		p := histogram(counts, bounds...)
		p.Start, p.Time = at(start), at(end)
		return p
	}
	first := point(1, 2, []uint64{1, 1, 1}, 1, 2)
	other, short, wrong, falling := point(2, 3, []uint64{1, 1, 1}, 1, 3), point(2, 3, []uint64{1, 1}, 1, 2), point(2, 3, []uint64{1, 1, 1}, 1, 2), point(2, 3, []uint64{1, 1, 1}, 2, 1)
	wrong.Histogram.Count++
	for want, p := range map[string]query.Point{
		"got bounds of [1 3] after [1 2], want the same at all times":                          other,
		"got 2 bucket counts for 2 bounds, want one count more than bounds, or none of either": short,
		"got a count of 4 and 3 in buckets, want the same":                                     wrong,
		"got bounds of [2 1], want them to rise":                                               falling,
	} {
		_, err := single(t, first, p).Merged()
		fails(t, err, `series "latency": point at 2000-01-01T00:00:03Z: `+want)
	}
	first.Histogram.Count = math.MaxUint64
	_, err := single(t, first, other).Count()
	fails(t, err, `series "latency": count: got counts of 18446744073709551615 and 3, want a total that 64 bits hold`)
	first.Histogram.Count = 3
	if n, err := single(t, first, other, point(3, 4, []uint64{1, 1}, 1, 2)).Count(); err != nil || n != 8 {
		t.Errorf("got a count of %d, %v, want 8, whatever the buckets", n, err)
	}
}
