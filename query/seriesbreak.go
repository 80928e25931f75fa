package query

import (
	"errors"
	"fmt"
	"strings"
)

// BreakKind says in what way two points of a series do not continue each
// other.
type BreakKind string

// The kinds of break, by the sections Resets and Gaps, and Overlap, of the
// metrics data model. The first two are what a restart or a lost export looks
// like, and calculations respect them. The others contradict the model, and
// calculations return them as errors.
const (
	BreakReset    BreakKind = "reset"    // a cumulative series that begins anew
	BreakGap      BreakKind = "gap"      // time that no point of a delta series covers
	BreakOverlap  BreakKind = "overlap"  // a start before the end of the point before
	BreakConflict BreakKind = "conflict" // two values for the same time
	BreakFall     BreakKind = "fall"     // a total that falls although the start is the same
	BreakInvalid  BreakKind = "invalid"  // a point without time, without value, or that ends before it starts
)

// Break is a place where a series is not an unbroken sequence.
type Break struct {
	Kind   BreakKind `json:"kind"`
	Before Point     `json:"before,omitzero"` // zero for BreakInvalid
	After  Point     `json:"after"`           // for BreakInvalid the point
	Got    string    `json:"got"`
	Want   string    `json:"want"`
}

// String is the break in one line.
func (b Break) String() string {
	return fmt.Sprintf("%s at %s: got %s, want %s", b.Kind, clock(b.After.Time), b.Got, b.Want)
}

// contradicts says whether nothing can be calculated across the break.
func (b Break) contradicts() bool { return b.Kind != BreakReset && b.Kind != BreakGap }

// Breaks is where the series is not one unbroken sequence, in order of time.
// Points without a recorded value are left out. In an unbroken delta series
// each start is the time of the point before, in a cumulative one it is always
// the same. A start that is unknown continues what came before, unless a
// monotonic total fell, which is a reset then. Gauges, summaries and series of
// an unknown temporality can only conflict.
//
// What a sender did with a value that it could not deliver shows in the
// starts: a delta whose start is the end of the last point that arrived holds
// the value still; after a gap it is lost.
func (s Series) Breaks() []Break {
	var list []Break
	points := s.recorded()
	for i, p := range points {
		if b, odd := s.invalid(p); odd {
			list = append(list, b)
		} else if i > 0 {
			if b, broken := s.between(points[i-1], p); broken {
				list = append(list, b)
			}
		}
	}
	return list
}

// Unbroken is nil if the series has a point with a recorded value and no
// breaks, and otherwise an error that lists the first few.
func (s Series) Unbroken() error {
	if len(s.recorded()) == 0 {
		return s.none()
	}
	list := s.Breaks()
	if len(list) == 0 {
		return nil
	}
	lines := make([]string, len(list))
	for i, b := range list {
		lines[i] = b.String()
	}
	return s.errorf("got %s, want an unbroken series:%s", plural(len(list), "break"), firstLines(lines))
}

func (s Series) none() error {
	return s.errorf("got %s of which none has a value, want at least 1: %w", plural(len(s.Points), "point"), ErrNothingToCheck)
}

// invalid says what is odd about a point by itself.
func (s Series) invalid(p Point) (b Break, odd bool) {
	b = Break{Kind: BreakInvalid, After: p}
	switch {
	case p.Time.IsZero():
		b.Got, b.Want = "a point without a time", "one"
	case p.Start.After(p.Time):
		b.Got, b.Want = "a start of "+clock(p.Start), "one that is not after the time"
	case s.empty(p):
		b.Got, b.Want = "a point without a value", "that of a "+strings.ReplaceAll(string(s.Type), "_", " ")
	default:
		return b, false
	}
	return b, true
}

// empty says whether a point lacks the value that the series' type has.
func (s Series) empty(p Point) bool {
	switch s.Type {
	case HistogramType:
		return p.Histogram == nil
	case ExponentialType:
		return p.Exponential == nil
	case SummaryType:
		return p.Summary == nil
	}
	return p.Value.kind != KindInt && p.Value.kind != KindFloat
}

// between says how a point does not continue the one before.
func (s Series) between(a, p Point) (Break, bool) {
	b := Break{Before: a, After: p}
	switch {
	case sameTimes(a, p), !s.adds() && a.Time.Equal(p.Time) && !sameValue(a, p):
		b.Kind, b.Got, b.Want = BreakConflict, a.amount()+" and "+p.amount()+" for the same time", "one value"
	case !s.adds():
	case s.Temporality == Delta:
		b.delta()
	default:
		b.cumulative(s.Type != Sum || s.Monotonic)
	}
	return b, b.Kind != ""
}

// adds says whether the series is of a type and a temporality that add up.
func (s Series) adds() bool {
	return s.Type != Gauge && s.Type != SummaryType && (s.Temporality == Delta || s.Temporality == Cumulative)
}

func (b *Break) delta() {
	start, end := b.After.Start, b.Before.Time
	if start.IsZero() || start.Equal(end) {
		return
	}
	b.Want = "the end of the point before, " + clock(end)
	if start.Before(end) {
		b.Kind, b.Got = BreakOverlap, fmt.Sprintf("a start of %s, %s too early", clock(start), end.Sub(start))
	} else {
		b.Kind, b.Got = BreakGap, fmt.Sprintf("a start of %s, %s too late", clock(start), start.Sub(end))
	}
}

func (b *Break) cumulative(monotonic bool) {
	start, end := b.After.Start, b.Before.Time
	fell := monotonic && falls(b.Before, b.After)
	same := start.Equal(b.Before.Start)
	known := !start.IsZero() && !b.Before.Start.IsZero()
	switch {
	case same && !fell, !known && !fell && start.Before(end):
	case same && known:
		b.Kind, b.Got, b.Want = BreakFall, b.After.amount()+" after "+b.Before.amount(), "no less, or a new start"
	case !start.IsZero() && start.Before(end):
		b.Kind, b.Got = BreakOverlap, fmt.Sprintf("a new start of %s, %s before the time reported", clock(start), end.Sub(start))
		b.Want = "the same start, or one that is not before " + clock(end)
	default:
		b.Kind, b.Got, b.Want = BreakReset, "a new start of "+clock(start), "that of the point before, "+clock(b.Before.Start)
		if start.IsZero() {
			b.Got, b.Want = b.After.amount()+" after "+b.Before.amount(), "no less"
		}
	}
}

// amount is the value in words: of a histogram its count.
func (p Point) amount() string {
	switch {
	case p.Histogram != nil:
		return fmt.Sprintf("a count of %d", p.Histogram.Count)
	case p.Exponential != nil:
		return fmt.Sprintf("a count of %d", p.Exponential.Count)
	case p.Summary != nil:
		return fmt.Sprintf("a count of %d", p.Summary.Count)
	}
	return p.Value.String()
}

// falls says whether what b counted is less than what a did.
func falls(a, b Point) bool {
	switch {
	case a.Histogram != nil && b.Histogram != nil:
		return b.Histogram.Count < a.Histogram.Count
	case a.Exponential != nil && b.Exponential != nil:
		return b.Exponential.Count < a.Exponential.Count
	}
	return less(b.Value, a.Value)
}

// less compares two numbers, integers exactly.
func less(a, b Value) bool {
	if a.kind == KindInt && b.kind == KindInt {
		return a.Int() < b.Int()
	}
	return a.Float() < b.Float()
}

// contradiction is the first breaks that nothing can be calculated across.
func (s Series) contradiction() error {
	var errs []error
	for _, b := range s.Breaks() {
		if b.contradicts() {
			errs = append(errs, s.errorf("%s", b))
		}
		if len(errs) == 3 {
			break
		}
	}
	return errors.Join(errs...)
}
