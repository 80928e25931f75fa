package query_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

func TestTolerance(t *testing.T) {
	const most, least = int64(math.MaxInt64), int64(math.MinInt64)
	for _, c := range []struct {
		t    query.Tolerance
		a, b any
		want bool
	}{
		{query.Tolerance{}, 1.0, 1.0, true},
		{query.Tolerance{}, 1.0, math.Nextafter(1, 2), false},
		{query.Tolerance{}, math.NaN(), -math.NaN(), true},
		{query.Tolerance{Margin: math.Inf(1)}, math.NaN(), 1.0, false},
		{query.Tolerance{Margin: math.Inf(1)}, math.Inf(1), math.MaxFloat64, false},
		{query.Tolerance{}, math.Inf(1), math.Inf(1), true},
		{query.Tolerance{Fraction: 0.1}, 100.0, 110.0, true},
		{query.Tolerance{Fraction: 0.1}, 100.0, 111.0, false},
		{query.Tolerance{Fraction: 0.1}, -100.0, 100.0, false},
		{query.Tolerance{Fraction: 0.1}, 0.0, 1e-300, false},
		{query.Tolerance{Margin: 0.5}, 0.0, -0.5, true},
		{query.Tolerance{Margin: 0.5}, 1, 1.0, false},
		{query.Tolerance{}, most, most - 1, false},
		{query.Tolerance{Margin: 1}, most, most - 1, true},
		{query.Tolerance{Margin: 1}, most, most - 2, false},
		{query.Tolerance{Margin: 1e18}, most, least, false},
		{query.Tolerance{Margin: 1}, "a", "a", true},
		{query.Tolerance{Margin: 1}, "a", "b", false},
	} {
		a, b := query.Attr("", c.a).Value, query.Attr("", c.b).Value
		if got := c.t.Values(a, b); got != c.want {
			t.Errorf("%v: %s and %s: got %t, want %t", c.t, a, b, got, c.want)
		}
		if a.Kind() == query.KindFloat && b.Kind() == query.KindFloat && c.t.Floats(query.Float(a.Float()), query.Float(b.Float())) != c.want {
			t.Errorf("%v: %s and %s: got %t, want %t", c.t, a, b, !c.want, c.want)
		}
	}
}

func TestToleranceIsAnOptionOfGoCmp(t *testing.T) {
	point := func(off float64) query.Point {
		p := histogram([]uint64{1, 1}, query.Float(10+off))
		p.Histogram.Sum = query.FloatValue(5 + off)
		return p
	}
	tol := query.Tolerance{Fraction: 0.01}
	options := cmp.Options{cmp.Comparer(tol.Values), cmp.Comparer(tol.Floats)}
	if diff := cmp.Diff(single(t, point(0)), single(t, point(0.01)), options); diff != "" {
		t.Error(diff)
	}
	if cmp.Equal(single(t, point(0)), single(t, point(0.1)), options) || cmp.Equal(single(t, point(0)), single(t, point(0.01))) {
		t.Error("series that differ are equal")
	}
}

func TestDifferencesAreNamed(t *testing.T) {
	a := single(t, delta(1, 2, 5), delta(2, 3, 0.5))
	b := single(t, delta(1, 2, 6), delta(2, 3.5, 0.5), delta(3.5, 4, 1))
	if err := a.Diff(a, query.Tolerance{}); err != nil {
		t.Error(err)
	}
	fails(t, a.Diff(b, query.Tolerance{}), `series "jobs": got 3 differences:
  points: got 2, want 3
  point 1 at 2000-01-01T00:00:02Z: value: got 5, want 6
  point 2 at 2000-01-01T00:00:03.5Z: time: got 2000-01-01T00:00:03Z, want 2000-01-01T00:00:03.5Z`)
	b.Points = b.Points[:2]
	if err := a.Diff(b, query.Tolerance{Margin: 1, Time: time.Second}); err != nil {
		t.Error(err)
	}

	other := b
	other.Name, other.Unit, other.Type, other.Scope.Name, other.Scope.Version = "x", "s", query.Gauge, "lib", "1"
	other.Attrs = query.Attrs{query.Attr("a", 1)}
	fails(t, other.Diff(b, query.Tolerance{}), `series "x" {a=1}: got 6 differences:
  name: got x, want jobs
  unit: got s, want 
  type: got gauge, want delta monotonic sum
  attributes: got a=1, want 
  scope: got lib, want 
  … and 1 more`)
}

func TestDifferencesOfHistograms(t *testing.T) {
	base := query.ExponentialHistogram{Scale: 1, ZeroCount: 1, Positive: query.Buckets{Offset: 2, Counts: []uint64{1, 2}}}
	same := base
	same.Positive = query.Buckets{Offset: 1, Counts: []uint64{0, 1, 2, 0}}
	if err := single(t, exponential(same)).Diff(single(t, exponential(base)), query.Tolerance{}); err != nil {
		t.Error(err)
	}
	for field, change := range map[string]func(*query.ExponentialHistogram){
		"count: got 5, want 4":             func(h *query.ExponentialHistogram) { h.Count++ },
		"sum: got 1, want empty":           func(h *query.ExponentialHistogram) { h.Sum = query.IntValue(1) },
		"min: got 1, want empty":           func(h *query.ExponentialHistogram) { h.Min = query.IntValue(1) },
		"max: got 1, want empty":           func(h *query.ExponentialHistogram) { h.Max = query.IntValue(1) },
		"scale: got 2, want 1":             func(h *query.ExponentialHistogram) { h.Scale++ },
		"zero count: got 2, want 1":        func(h *query.ExponentialHistogram) { h.ZeroCount++ },
		"zero threshold: got 0.5, want 0":  func(h *query.ExponentialHistogram) { h.ZeroThreshold = 0.5 },
		"positive bucket 3: got 1, want 2": func(h *query.ExponentialHistogram) { h.Positive.Offset++ },
		"negative bucket 0: got 1, want 0": func(h *query.ExponentialHistogram) { h.Negative.Counts = []uint64{1} },
	} {
		p := exponential(base)
		change(p.Exponential)
		fails(t, single(t, p).Diff(single(t, exponential(base)), query.Tolerance{}),
			"series \"latency\": got 1 difference:\n  point 1 at 2000-01-01T00:00:02Z: "+field)
	}
	explicit, other := histogram([]uint64{1, 2}, 5), histogram([]uint64{1, 3}, 6)
	fails(t, single(t, explicit).Diff(single(t, other), query.Tolerance{}), `series "latency": got 3 differences:
  point 1 at 2000-01-01T00:00:02Z: count: got 3, want 4
  point 1 at 2000-01-01T00:00:02Z: bounds[0]: got 5, want 6
  point 1 at 2000-01-01T00:00:02Z: bucket counts[1]: got 2, want 3`)
	none := exponential(base)
	none.Exponential = nil
	fails(t, single(t, none).Diff(single(t, exponential(base)), query.Tolerance{}),
		"series \"latency\": got 1 difference:\n  point 1 at 2000-01-01T00:00:02Z: exponential histogram: got none, want one")
	summary := query.Point{Name: "s", Type: query.SummaryType, Time: at(2), Summary: &query.Summary{Count: 1, Quantiles: []query.Quantile{{1, 5}}}}
	other = summary
	other.Summary = &query.Summary{Count: 1, Quantiles: []query.Quantile{{1, 6}}}
	fails(t, single(t, summary).Diff(single(t, other), query.Tolerance{}),
		"series \"s\": got 1 difference:\n  point 1 at 2000-01-01T00:00:02Z: quantiles[0]: got {1 5}, want {1 6}")
}
