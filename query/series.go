package query

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// Points is what [SeriesOf] takes: a view, the points that a wait or an
// assertion returned, or a range over points.
type Points interface {
	View[Point] | []Point | iter.Seq[Point]
}

// Series is the points of one metric that have the same attributes, resource
// and scope: a stream of the metrics data model. Its name, unit, type,
// temporality, monotonicity, point attributes, resource attributes, and the
// scope's name, version and attributes tell it from others; the order of
// attributes, the description and schema URLs do not.
//
// [SeriesOf] makes them; one made by hand has to have its points in order. The
// zero Series has no points, and every method that calculates says so in its
// error. Methods change nothing, so that a Series is safe to share. They never
// panic, whatever a sender put into the points: what does not add up is an
// error that names the series, what was got and what was wanted.
type Series struct {
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"` // the longest, if the points differ in it
	Unit        string      `json:"unit,omitempty"`        // UCUM, such as ms or By
	Type        MetricType  `json:"type"`
	Temporality Temporality `json:"temporality,omitempty"` // of sums and histograms
	Monotonic   bool        `json:"monotonic,omitempty"`   // of sums
	Attrs       Attrs       `json:"attributes,omitempty"`  // in the order of the first point that came
	Resource    Resource    `json:"resource"`              // of the first point that came
	Scope       Scope       `json:"scope"`                 // likewise

	// Points is in order of time, then of start, then as received. A point
	// that came several times, with the same start, time and value, is
	// there once, as it came first. Those without a recorded value are
	// there too; what is calculated leaves them out.
	Points []Point `json:"points"`
}

// SeriesOf groups points into series, ordered by name and then by what else
// tells them apart, so that the same points make the same list in whatever
// order they came. A view with an error ([View.Err]) has no points and makes no
// series; [OneSeries] returns that error.
//
//	for _, s := range query.SeriesOf(srv.Points(where.Name("jobs"))) { ... }
//
// In virtual time, a clock that stands still between two collections makes
// their points look like one that came twice, or like two values at the same
// time ([BreakConflict]): let it move on before each.
func SeriesOf[P Points](points P) []Series {
	found := map[string]*Series{}
	for p := range rangeOver(points) {
		key := seriesKey(p)
		s := found[key]
		if s == nil {
			s = newSeries(p)
			found[key] = s
		}
		s.take(p)
	}
	list := make([]Series, 0, len(found))
	for _, key := range sortedKeys(found) {
		s := found[key]
		s.Points = inTime(s.Points)
		list = append(list, *s)
	}
	return list
}

// OneSeries is the only series that the points make. Without any, the error
// says what a view saw instead ([View.Explain]); with several, it lists them
// with what distinguishes them, in the words of package where for as far as it
// has them. It does not wait: flush the provider first.
func OneSeries[P Points](points P) (Series, error) {
	view, isView := any(points).(View[Point])
	if isView {
		if err := view.Err(); err != nil {
			return Series{}, err
		}
	}
	list := SeriesOf(points)
	switch {
	case len(list) == 1:
		return list[0], nil
	case len(list) > 1:
		return Series{}, fmt.Errorf("got %d series, want exactly 1:\n%s", len(list), distinguish(list))
	case isView:
		return Series{}, fmt.Errorf("%s", view.Explain(0, 0, "those of exactly 1 series"))
	}
	return Series{}, fmt.Errorf("got no points, want those of exactly 1 series")
}

func rangeOver(points any) iter.Seq[Point] {
	switch x := points.(type) {
	case View[Point]:
		return x.All()
	case []Point:
		return slices.Values(x)
	case iter.Seq[Point]:
		if x != nil {
			return x
		}
	}
	return func(func(Point) bool) {}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// newSeries is the series of a point, without any.
func newSeries(p Point) *Series {
	return &Series{
		Name: p.Name, Unit: p.Unit, Type: p.Type, Temporality: p.Temporality, Monotonic: p.Monotonic,
		Attrs: p.Attrs, Resource: p.Resource, Scope: p.Scope,
	}
}

func (s *Series) take(p Point) {
	if len(p.Description) > len(s.Description) {
		s.Description = p.Description
	}
	s.Points = append(s.Points, p)
}

// inTime sorts points and drops those that came before.
func inTime(points []Point) []Point {
	slices.SortStableFunc(points, func(a, b Point) int {
		return cmp.Or(a.Time.Compare(b.Time), a.Start.Compare(b.Start))
	})
	kept := points[:0]
	first := 0 // of those kept with the same times
	for _, p := range points {
		if first < len(kept) && !sameTimes(kept[first], p) {
			first = len(kept)
		}
		if !slices.ContainsFunc(kept[first:], func(k Point) bool { return sameValue(k, p) }) {
			kept = append(kept, p)
		}
	}
	return kept
}

func sameTimes(a, b Point) bool { return a.Time.Equal(b.Time) && a.Start.Equal(b.Start) }

// recorded is the points that have a value.
func (s Series) recorded() []Point {
	return slices.DeleteFunc(slices.Clone(s.Points), Point.NoRecordedValue)
}

// String is a line about the series: its name, service, attributes, kind and
// how many points it has.
func (s Series) String() string {
	text := fmt.Sprintf("%q  service=%s", s.Name, s.Resource.Service())
	if len(s.Attrs) > 0 {
		text += "  " + s.Attrs.String()
	}
	return text + "  " + s.kind() + "  " + plural(len(s.Points), "point")
}

// kind is the type in words.
func (s Series) kind() string {
	kind := strings.ReplaceAll(string(s.Type), "_", " ")
	if s.Type == Gauge || s.Type == SummaryType {
		return kind
	}
	if s.Type == Sum && s.Monotonic {
		kind = "monotonic " + kind
	}
	return s.Temporality.String() + " " + kind
}

// errorf is an error about the series.
func (s Series) errorf(format string, args ...any) error {
	label := fmt.Sprintf("series %q", s.Name)
	if service := s.Resource.Service(); service != "" {
		label += " of " + service
	}
	if len(s.Attrs) > 0 {
		label += " {" + s.Attrs.String() + "}"
	}
	return fmt.Errorf("%s: %w", label, fmt.Errorf(format, args...))
}

// clock writes a point's time in full, and that there is none.
func clock(t time.Time) string {
	if t.IsZero() {
		return "none"
	}
	return t.UTC().Format(time.RFC3339Nano)
}
