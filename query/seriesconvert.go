package query

// Delta is the series with delta temporality (sums, histograms and exponential
// histograms; anything else is an error). Each point holds what was added since
// the point before, which its start is then; the first point after a reset
// holds all that was counted since the series began anew, so that no delta of
// a monotonic series is negative. A delta series is returned as it is, and an
// error if it contradicts itself, as [Series.Breaks] tells.
//
// Integers stay exact; those that an int64 cannot hold are an error. An
// exponential histogram takes the scale and the zero threshold of the coarser
// of its two points. Min and max are known only in the first point of a run and
// dropped from others. Points without a recorded value stay what they are, and
// exemplars stay with their points. [Point.Proto] still decodes what was
// received.
//
// A first point whose start is unknown keeps its value and has no start
// either. One whose start is its time keeps its value too, although the data
// model counts it as 0 for a rate, which [Series.Rate] respects.
func (s Series) Delta() (Series, error) {
	return s.convert(Delta, func(before *Point, broken bool, p Point) (Point, error) {
		if before == nil {
			return p, nil
		}
		out, err := p, error(nil)
		if !broken {
			out, err = taking.points(p, *before)
			out.Start = before.Time
		} else if out.Start.IsZero() {
			out.Start = before.Time
		}
		return out, err
	})
}

// Cumulative is the series with cumulative temporality (sums, histograms and
// exponential histograms; anything else is an error). Each point holds all
// that was added since the series began, which its start is then. After a gap
// the series begins anew at that point's start, as the section Sums:
// Delta-to-Cumulative of the metrics data model says; overlaps are an error. A
// delta without a start continues the one before. A cumulative series is
// returned as it is, and an error if it contradicts itself.
//
// It is the inverse of [Series.Delta], but for what that drops, and for a reset
// without time between: its deltas join, and only the totals are the same.
// Integers stay exact, or are an error. An exponential histogram takes the
// coarser scale and the wider zero threshold of those added up, and a scale
// at which a side has no more than 1024 buckets, unless one point has more.
func (s Series) Cumulative() (Series, error) {
	var total Point
	return s.convert(Cumulative, func(before *Point, broken bool, p Point) (Point, error) {
		out, err := p, error(nil)
		if before != nil && !broken {
			out, err = adding.points(p, total)
			out.Start = total.Start
		}
		total = out
		return out, err
	})
}

// convert makes a series of another temporality, point by point: next has the
// point before, nil for the first, and whether a new run begins.
func (s Series) convert(to Temporality, next func(before *Point, broken bool, p Point) (Point, error)) (Series, error) {
	if err := s.addable(); err != nil {
		return Series{}, err
	}
	if s.Temporality == to {
		return s, nil
	}
	out := s
	out.Temporality, out.Points = to, make([]Point, len(s.Points))
	var before *Point
	for i, p := range s.Points {
		if !p.NoRecordedValue() {
			broken := before != nil && s.breaks(*before, p)
			converted, err := next(before, broken, p)
			if err != nil {
				return Series{}, s.errorf("point at %s: %w", clock(p.Time), err)
			}
			before, p = &s.Points[i], converted
		}
		p.Temporality = to
		out.Points[i] = p
	}
	return out, nil
}

func (s Series) breaks(a, b Point) bool {
	_, broken := s.between(a, b)
	return broken
}

// addable says why the series cannot be added up.
func (s Series) addable() error {
	switch {
	case s.Type != Sum && s.Type != HistogramType && s.Type != ExponentialType:
		return s.errorf("got a %s, want a sum or a histogram", s.kind())
	case s.Temporality != Delta && s.Temporality != Cumulative:
		return s.errorf("got a temporality that is %s, want delta or cumulative", s.Temporality)
	case len(s.recorded()) == 0:
		return s.none()
	}
	return s.contradiction()
}
