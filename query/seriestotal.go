package query

import (
	"slices"
	"time"
)

// Latest is the last point that has a recorded value, and false if none has.
func (s Series) Latest() (Point, bool) {
	for _, p := range slices.Backward(s.Points) {
		if !p.NoRecordedValue() {
			return p, true
		}
	}
	return Point{}, false
}

// Stale says whether the last point stands for a missing value
// ([Point.NoRecordedValue]): the series ended.
func (s Series) Stale() bool {
	return len(s.Points) > 0 && s.Points[len(s.Points)-1].NoRecordedValue()
}

// Total is what a sum adds up to: all points of a delta series, and of a
// cumulative one the last of each run between resets. It is an integer if all
// points are, and exact; one that an int64 cannot hold is an error. A gauge has
// no total, which is an error ([Series.Latest] has its value), and a histogram
// has a [Series.Count] and a [Series.Sum]. A series without a recorded value,
// and one that contradicts itself ([Series.Breaks]), is an error as well. Gaps
// are not: what was lost is not counted.
func (s Series) Total() (Value, error) {
	if s.Type != Sum {
		return Value{}, s.errorf("got a %s, want a sum: the value of a gauge is that of Latest, of a histogram Count and Sum", s.kind())
	}
	p, err := s.Merged()
	return p.Value, err
}

// Count is how many observations a histogram or an exponential histogram has
// seen, over all points of a delta series, and over the last ones of each run
// of a cumulative one. Anything else is an error, as in [Series.Total].
func (s Series) Count() (uint64, error) {
	ends, err := s.histograms()
	count := uint64(0)
	for _, p := range ends {
		if count, err = addCounts(count, p.count()); err != nil {
			return 0, s.errorf("count: %w", err)
		}
	}
	return count, err
}

// Sum is what the observations of a histogram or an exponential histogram add
// up to, of those that [Series.Count] counts, in the series' unit. It is an
// error if a point has none, since it is optional.
func (s Series) Sum() (float64, error) {
	ends, err := s.histograms()
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, p := range ends {
		v := p.sum()
		if v.IsEmpty() {
			return 0, s.errorf("sum: got a point at %s without one, want it in each", clock(p.Time))
		}
		sum += v.Float()
	}
	return sum, nil
}

// Merged is one point that holds all that the series counted, from the first
// start to the last time: the sum of a delta series, and of a cumulative one
// the sum of the last points of each run between resets. Its min and max are
// those of all, if all have them; it has no exemplars. Histograms have to have
// the same bounds; exponential ones are brought to a common scale and zero
// threshold, as in [Series.Cumulative]. It fails as [Series.Total] does.
func (s Series) Merged() (Point, error) {
	ends, err := s.ends()
	if err != nil {
		return Point{}, err
	}
	merged := ends[0]
	for _, p := range ends[1:] {
		if merged, err = adding.points(p, merged); err != nil {
			return Point{}, s.errorf("point at %s: %w", clock(p.Time), err)
		}
	}
	merged.Start = s.recorded()[0].Start
	merged.Exemplars, merged.Ref = nil, Ref{}
	return merged, nil
}

// Rate is how much a sum grew in a second, or how many observations a histogram
// saw, on average over the time that the points cover. That is from a point's
// start, or from the point before where the start is unknown, to its time;
// gaps and the time between a run's end and the next reset do not count. A
// first point that does not cover any time, because its start is unknown or is
// its time, adds nothing (section Cumulative streams: handling unknown start
// time of the metrics data model). It is an error if no time is covered, and
// otherwise as in [Series.Total].
func (s Series) Rate() (float64, error) {
	deltas, err := s.Delta()
	if err != nil {
		return 0, err
	}
	var total float64
	var covered time.Duration
	var before time.Time
	for _, p := range deltas.recorded() {
		start := p.Start
		if start.IsZero() {
			start = before
		}
		if before = p.Time; !start.IsZero() && start.Before(p.Time) {
			total += p.grown()
			covered += p.Time.Sub(start)
		}
	}
	if covered == 0 {
		return 0, s.errorf("rate: got no time covered by %s, want some", plural(len(deltas.Points), "point"))
	}
	return total / covered.Seconds(), nil
}

// grown is what a delta adds, of a histogram its count.
func (p Point) grown() float64 {
	if p.Histogram != nil || p.Exponential != nil {
		return float64(p.count())
	}
	return p.Value.Float()
}

// ends is the points that add up to what the series counted.
func (s Series) ends() ([]Point, error) {
	if err := s.addable(); err != nil {
		return nil, err
	}
	points := s.recorded()
	if s.Temporality == Delta {
		return points, nil
	}
	var ends []Point
	for i, p := range points {
		if i+1 == len(points) || s.breaks(p, points[i+1]) {
			ends = append(ends, p)
		}
	}
	return ends, nil
}

// histograms is ends of a histogram.
func (s Series) histograms() ([]Point, error) {
	if s.Type != HistogramType && s.Type != ExponentialType {
		return nil, s.errorf("got a %s, want a histogram", s.kind())
	}
	return s.ends()
}

// count is that of a histogram, and 0 for every other point.
func (p Point) count() uint64 {
	switch {
	case p.Histogram != nil:
		return p.Histogram.Count
	case p.Exponential != nil:
		return p.Exponential.Count
	}
	return 0
}

// sum is that of a histogram, and empty for every other point.
func (p Point) sum() Value {
	switch {
	case p.Histogram != nil:
		return p.Histogram.Sum
	case p.Exponential != nil:
		return p.Exponential.Sum
	}
	return Value{}
}
