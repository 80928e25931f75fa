package query_test

import (
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
)

func TestBreaks(t *testing.T) {
	gauge := func(end float64, v any) query.Point {
		p := delta(0, end, v)
		p.Type, p.Temporality = query.Gauge, 0
		return p
	}
	upDown := func(start, end float64, v any) query.Point {
		p := cumulative(start, end, v)
		p.Monotonic = false
		return p
	}
	counted := func(temporality query.Temporality, start, end float64, n uint64) query.Point {
		p := histogram([]uint64{n})
		p.Temporality, p.Start, p.Time = temporality, at(start), at(end)
		return p
	}
	for name, c := range map[string]struct {
		points []query.Point
		want   string // the lines of the error
	}{
		"one delta":                {[]query.Point{delta(1, 2, 5)}, ""},
		"contiguous deltas":        {[]query.Point{delta(1, 2, 5), delta(2, 3, 5)}, ""},
		"deltas without starts":    {[]query.Point{delta(0, 2, 5), delta(0, 3, 5)}, ""},
		"a delta without duration": {[]query.Point{delta(1, 2, 5), delta(2, 2, 5)}, ""},
		"a gap": {[]query.Point{delta(1, 2, 5), delta(3, 4, 5)},
			"gap at 2000-01-01T00:00:04Z: got a start of 2000-01-01T00:00:03Z, 1s too late, want the end of the point before, 2000-01-01T00:00:02Z"},
		"a missing value leaves a gap": {[]query.Point{delta(1, 2, 5), missing(delta(2, 3, 0)), delta(3, 4, 5)},
			"gap at 2000-01-01T00:00:04Z: got a start of 2000-01-01T00:00:03Z, 1s too late, want the end of the point before, 2000-01-01T00:00:02Z"},
		"an overlap": {[]query.Point{delta(1, 3, 5), delta(2, 4, 5)},
			"overlap at 2000-01-01T00:00:04Z: got a start of 2000-01-01T00:00:02Z, 1s too early, want the end of the point before, 2000-01-01T00:00:03Z"},
		"two values": {[]query.Point{delta(1, 2, 5), delta(1, 2, 6)},
			"conflict at 2000-01-01T00:00:02Z: got 5 and 6 for the same time, want one value"},

		"a cumulative series":         {[]query.Point{cumulative(1, 2, 5), cumulative(1, 3, 5), cumulative(1, 4, 8)}, ""},
		"a series without starts":     {[]query.Point{cumulative(0, 2, 5), cumulative(0, 3, 6)}, ""},
		"a start that is known later": {[]query.Point{cumulative(0, 2, 5), cumulative(1, 3, 6), cumulative(0, 4, 7)}, ""},
		"a start that is known later, after a fall": {[]query.Point{cumulative(0, 2, 5), cumulative(1, 3, 4)},
			"overlap at 2000-01-01T00:00:03Z: got a new start of 2000-01-01T00:00:01Z, 1s before the time reported, want the same start, or one that is not before 2000-01-01T00:00:02Z"},
		"a reset": {[]query.Point{cumulative(1, 2, 5), cumulative(2, 4, 8)},
			"reset at 2000-01-01T00:00:04Z: got a new start of 2000-01-01T00:00:02Z, want that of the point before, 2000-01-01T00:00:01Z"},
		"a reset without starts": {[]query.Point{cumulative(0, 2, 5), cumulative(0, 4, 4)},
			"reset at 2000-01-01T00:00:04Z: got 4 after 5, want no less"},
		"a fall": {[]query.Point{cumulative(1, 2, 5), cumulative(1, 4, 4.5)},
			"fall at 2000-01-01T00:00:04Z: got 4.5 after 5, want no less, or a new start"},
		"a start that is too early": {[]query.Point{cumulative(1, 3, 5), cumulative(2, 4, 8)},
			"overlap at 2000-01-01T00:00:04Z: got a new start of 2000-01-01T00:00:02Z, 1s before the time reported, want the same start, or one that is not before 2000-01-01T00:00:03Z"},
		"a sum that may fall": {[]query.Point{upDown(1, 2, 5), upDown(1, 3, -5)}, ""},
		"large integers are compared exactly": {[]query.Point{cumulative(1, 2, 1<<60+1), cumulative(1, 3, 1<<60)},
			"fall at 2000-01-01T00:00:03Z: got 1152921504606846976 after 1152921504606846977, want no less, or a new start"},

		"histograms": {[]query.Point{counted(query.Cumulative, 1, 2, 5), counted(query.Cumulative, 1, 3, 5)}, ""},
		"a histogram that falls": {[]query.Point{counted(query.Cumulative, 1, 2, 5), counted(query.Cumulative, 1, 3, 4)},
			"fall at 2000-01-01T00:00:03Z: got a count of 4 after a count of 5, want no less, or a new start"},

		"a gauge": {[]query.Point{gauge(1, 5), gauge(2, 4)}, ""},
		"a gauge that conflicts": {[]query.Point{gauge(1, 5), gauge(1, 4)},
			"conflict at 2000-01-01T00:00:01Z: got 5 and 4 for the same time, want one value"},
		"no time": {[]query.Point{delta(0, 0, 5)},
			"invalid at none: got a point without a time, want one"},
		"a start after the time": {[]query.Point{delta(2, 1, 5)},
			"invalid at 2000-01-01T00:00:01Z: got a start of 2000-01-01T00:00:02Z, want one that is not after the time"},
		"no value": {[]query.Point{delta(1, 2, nil)},
			"invalid at 2000-01-01T00:00:02Z: got a point without a value, want that of a sum"},
	} {
		s := single(t, c.points...)
		var got []string
		for _, b := range s.Breaks() {
			got = append(got, b.String())
		}
		if text := strings.Join(got, "\n"); text != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, text, c.want)
		}
		if err := s.Unbroken(); (err == nil) != (c.want == "") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestABrokenSeriesSaysWhere(t *testing.T) {
	s := single(t, delta(1, 2, 5), delta(3, 4, 5), delta(3.5, 5, 1))
	fails(t, s.Unbroken(), `series "jobs": got 2 breaks, want an unbroken series:
  gap at 2000-01-01T00:00:04Z: got a start of 2000-01-01T00:00:03Z, 1s too late, want the end of the point before, 2000-01-01T00:00:02Z
  overlap at 2000-01-01T00:00:05Z: got a start of 2000-01-01T00:00:03.5Z, 500ms too early, want the end of the point before, 2000-01-01T00:00:04Z`)
}

// A counter is collected, 5 is added, the export fails and is not retried, 3
// is added and exported. OTLP leaves open whether the 5 is kept.
func TestAValueThatCouldNotBeDelivered(t *testing.T) {
	for name, c := range map[string]struct {
		points []query.Point
		total  int64
		breaks []query.BreakKind
	}{
		"delta, kept":      {[]query.Point{delta(1, 2, 1), delta(2, 4, 8)}, 9, nil},
		"delta, lost":      {[]query.Point{delta(1, 2, 1), delta(3, 4, 3)}, 4, []query.BreakKind{query.BreakGap}},
		"cumulative, kept": {[]query.Point{cumulative(1, 2, 1), cumulative(1, 4, 9)}, 9, nil},
		"cumulative, lost": {[]query.Point{cumulative(1, 2, 1), cumulative(3, 4, 3)}, 4, []query.BreakKind{query.BreakReset}},
	} {
		s := single(t, c.points...)
		if total, err := s.Total(); err != nil || total.Int() != c.total {
			t.Errorf("%s: got a total of %s, %v, want %d", name, total, err, c.total)
		}
		breaks := s.Breaks()
		if len(breaks) != len(c.breaks) || len(breaks) > 0 && breaks[0].Kind != c.breaks[0] {
			t.Errorf("%s: got %v, want %v", name, breaks, c.breaks)
		}
	}
	// With nothing delivered before, the start says it.
	if kept, lost := single(t, delta(1, 4, 8)), single(t, delta(3, 4, 3)); !kept.Points[0].Start.Equal(at(1)) || lost.Points[0].Start.Equal(at(1)) {
		t.Error("the starts do not tell them apart")
	}
	// What kept its start and lost its value contradicts itself.
	_, err := single(t, cumulative(1, 2, 5), cumulative(1, 4, 3)).Total()
	fails(t, err, `series "jobs": fall at 2000-01-01T00:00:04Z: got 3 after 5, want no less, or a new start`)
}
