package query_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// at is an instant some seconds after another. 0 is the unknown time.
func at(seconds float64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
}

// sum is a point of a monotonic sum called jobs.
func sum(temporality query.Temporality, start, end float64, value any) query.Point {
	v, err := query.ValueOf(value)
	if err != nil {
		panic(err)
	}
	return query.Point{
		Name: "jobs", Type: query.Sum, Monotonic: true, Temporality: temporality,
		Start: at(start), Time: at(end), Value: v,
	}
}

func delta(start, end float64, value any) query.Point { return sum(query.Delta, start, end, value) }

func cumulative(start, end float64, value any) query.Point {
	return sum(query.Cumulative, start, end, value)
}

// missing is a point without a recorded value.
func missing(p query.Point) query.Point {
	p.Flags, p.Value = 1, query.Value{}
	return p
}

// single is the series that points make.
func single(t testing.TB, points ...query.Point) query.Series {
	t.Helper()
	s, err := query.OneSeries(points)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fails says that an error is not what was wanted, by its text.
func fails(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

func TestPointsOfASeriesAreGrouped(t *testing.T) {
	base := delta(1, 2, 5)
	base.Attrs = query.Attrs{query.Attr("a", 1), query.Attr("b", "x")}
	base.Resource.Attrs = query.Attrs{query.Attr("service.name", "shop"), query.Attr("host", "h")}
	base.Scope = query.Scope{Name: "lib", Version: "1", Attrs: query.Attrs{query.Attr("s", true)}}
	same := base
	same.Start, same.Time, same.Value = at(2), at(3), query.FloatValue(2)
	same.Attrs = query.Attrs{query.Attr("b", "x"), query.Attr("a", 1)}
	same.Resource = query.Resource{Attrs: query.Attrs{query.Attr("host", "h"), query.Attr("service.name", "shop")}, SchemaURL: "u"}
	same.Scope.SchemaURL, same.Description = "u", "how many"
	points := []query.Point{base, same}
	for _, change := range []func(*query.Point){
		func(p *query.Point) { p.Name = "jobs2" },
		func(p *query.Point) { p.Unit = "s" },
		func(p *query.Point) { p.Type = query.Gauge },
		func(p *query.Point) { p.Temporality = query.Cumulative },
		func(p *query.Point) { p.Monotonic = false },
		func(p *query.Point) { p.Attrs = query.Attrs{query.Attr("a", 1.0), query.Attr("b", "x")} },
		func(p *query.Point) { p.Attrs = query.Attrs{query.Attr("a", 1), query.Attr("b", []byte("x"))} },
		func(p *query.Point) { p.Attrs = query.Attrs{query.Attr("a", []any{1, 2})} },
		func(p *query.Point) { p.Attrs = query.Attrs{query.Attr("a", []any{"1 2"})} },
		func(p *query.Point) {
			p.Attrs = query.Attrs{query.Attr("m", query.Attrs{query.Attr("x=1 y", 2)})}
		},
		func(p *query.Point) {
			p.Attrs = query.Attrs{query.Attr("m", query.Attrs{query.Attr("x", 1), query.Attr("y", 2)})}
		},
		func(p *query.Point) { p.Attrs = nil },
		func(p *query.Point) { p.Resource.Attrs = p.Resource.Attrs[:1] },
		func(p *query.Point) { p.Scope.Name = "" },
		func(p *query.Point) { p.Scope.Version = "2" },
		func(p *query.Point) { p.Scope.Attrs = nil },
	} {
		p := base
		change(&p)
		points = append(points, p)
	}
	list := query.SeriesOf(points)
	if len(list) != len(points)-1 {
		t.Fatalf("got %d series, want %d", len(list), len(points)-1)
	}
	i := slices.IndexFunc(list, func(s query.Series) bool { return len(s.Points) == 2 })
	if i < 0 || list[i].Description != "how many" || list[i].Name != "jobs" || !list[i].Monotonic {
		t.Fatalf("got %v, want one of two points with its description", list)
	}
	if got, want := list[i].String(), `"jobs"  service=shop  a=1 b="x"  delta monotonic sum  2 points`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for range 20 {
		rand.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		for j, s := range query.SeriesOf(slices.Values(points)) {
			if err := s.Diff(list[j], query.Tolerance{}); err != nil {
				t.Fatalf("in another order: %v", err)
			}
		}
	}
}

func TestPointsAreInOrderAndOnce(t *testing.T) {
	again := delta(2, 3, math.NaN())
	again.Ref = query.NewRef(nil, 7, nil, 0)
	s := single(t, delta(3, 4, 2), delta(2, 3, math.NaN()), delta(1, 2, 1), again, delta(1, 2, 1), missing(delta(4, 5, 0)), missing(delta(4, 5, 0)))
	want := []query.Point{delta(1, 2, 1), delta(2, 3, math.NaN()), delta(3, 4, 2), missing(delta(4, 5, 0))}
	if diff := cmp.Diff(want, s.Points); diff != "" {
		t.Error(diff)
	}
	for _, differs := range []query.Point{delta(1, 2, 2), delta(1.5, 2, 1), missing(delta(1, 2, 1)), delta(1, 2, 1.0)} {
		if s := single(t, delta(1, 2, 1), differs); len(s.Points) != 2 {
			t.Errorf("got %v, want both points", s.Points)
		}
	}
}

func TestHistogramsThatCameTwiceCountOnce(t *testing.T) {
	point := func(counts ...uint64) query.Point {
		p := histogram(counts, 1, 2)
		p.Histogram.Sum = query.FloatValue(math.NaN())
		return p
	}
	if s := single(t, point(1, 2, 3), point(1, 2, 3), point(1, 3, 2)); len(s.Points) != 2 {
		t.Errorf("got %d points, want 2", len(s.Points))
	}
}

// pointSource is a source of points.
type pointSource []query.Point

func (s pointSource) Scan([]query.Filter) iter.Seq[query.Point] { return slices.Values(s) }
func (s pointSource) Changed() <-chan struct{}                  { return nil }
func (s pointSource) Explain([]query.Filter) string             { return "  closest  another\n" }

func TestOneSeriesOfAView(t *testing.T) {
	view := query.NewView[query.Point](pointSource{delta(1, 2, 3)}, where.Name("jobs"))
	if s, err := query.OneSeries(view); err != nil || len(s.Points) != 1 {
		t.Errorf("got %v, %v, want a series", s, err)
	}
	_, err := query.OneSeries(query.NewView[query.Point](pointSource{}, where.Name("jobs")))
	fails(t, err, "got 0 points, want those of exactly 1 series where name=\"jobs\"\n  closest  another")
	wrong := view.Where(where.Root())
	if _, err = query.OneSeries(wrong); err == nil || err.Error() != wrong.Err().Error() {
		t.Errorf("got %v, want %v", err, wrong.Err())
	}
	_, err = query.OneSeries(iter.Seq[query.Point](nil))
	fails(t, err, "got no points, want those of exactly 1 series")
}

func TestSeveralSeriesAreDistinguished(t *testing.T) {
	var points []query.Point
	for i, state := range []string{"done", "failed"} {
		p := delta(1, 2, i)
		p.Attrs = query.Attrs{query.Attr("queue", "q"), query.Attr("state", state)}
		p.Resource.Attrs = query.Attrs{query.Attr("service.name", "shop")}
		points = append(points, p)
	}
	points[1].Temporality, points[1].Scope.Name = query.Cumulative, "lib"
	_, err := query.OneSeries(points)
	fails(t, err, `got 2 series, want exactly 1:
  "jobs"  attr.state="done"  scope=""  temporality=delta  1 point
  "jobs"  attr.state="failed"  scope="lib"  temporality=cumulative  1 point`)

	points = points[:0]
	for i := range 10 {
		p := delta(1, 2, 1)
		p.Attrs = query.Attrs{query.Attr("i", i)}
		points = append(points, p)
	}
	_, err = query.OneSeries(points)
	if err == nil || !strings.HasSuffix(err.Error(), "\n  \"jobs\"  attr.i=7  1 point\n  … and 2 more") {
		t.Errorf("got %v, want the first 8", err)
	}
}

func TestNothingPanicsOnOddSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	types := []query.MetricType{query.Gauge, query.Sum, query.HistogramType, query.ExponentialType, query.SummaryType, ""}
	calculated := 0
	for range 5000 {
		s := query.Series{Name: "odd", Type: types[r.IntN(len(types))], Temporality: query.Temporality(r.IntN(4)), Monotonic: r.IntN(2) == 0}
		for range r.IntN(4) {
			s.Points = append(s.Points, oddPoint(r))
		}
		if r.IntN(2) == 0 {
			slices.SortFunc(s.Points, func(a, b query.Point) int { return a.Time.Compare(b.Time) })
		}
		if useSeries(s) {
			calculated++
		}
	}
	if calculated < 50 {
		t.Errorf("got %d series that could be calculated, want more", calculated)
	}
}

// useSeries calls every method, and says whether one that calculates worked.
func useSeries(s query.Series) bool {
	var errs []error
	note := func(err error) { errs = append(errs, err) }
	_, err := s.Total()
	note(err)
	_, err = s.Count()
	note(err)
	_, err = s.Sum()
	note(err)
	_, err = s.Rate()
	note(err)
	_, err = s.Quantile(0.5)
	note(err)
	d, err := s.Delta()
	note(err)
	c, err := s.Cumulative()
	note(err)
	_ = fmt.Sprint(s, s.Breaks(), s.Unbroken(), s.Diff(d, query.Tolerance{}), d.Diff(c, query.Tolerance{Time: 1}))
	_, _ = s.Latest()
	_ = s.Stale()
	_ = query.SeriesOf(s.Points)
	return slices.ContainsFunc(errs, func(err error) bool { return err == nil })
}

func oddPoint(r *rand.Rand) query.Point {
	odd := func() query.Value {
		return []query.Value{{}, query.IntValue(int64(r.Uint64())), query.FloatValue(math.NaN()), query.FloatValue(math.Inf(-1)), query.FloatValue(r.NormFloat64()), query.StringValue("x")}[r.IntN(6)]
	}
	counts := func() (list []uint64) {
		for range r.IntN(4) {
			list = append(list, []uint64{0, 1, 2, math.MaxUint64}[r.IntN(4)])
		}
		return list
	}
	offset := func() int32 { return []int32{0, -1, 5, math.MaxInt32, math.MinInt32}[r.IntN(5)] }
	p := query.Point{Name: "odd", Start: at(float64(r.IntN(4))), Time: at(float64(r.IntN(5))), Flags: query.PointFlags(r.IntN(8) / 7), Value: odd()}
	if r.IntN(3) > 0 {
		p.Histogram = &query.Histogram{Count: uint64(r.IntN(4)), Sum: odd(), Min: odd(), Max: odd(), Counts: counts()}
		for range r.IntN(4) {
			p.Histogram.Bounds = append(p.Histogram.Bounds, query.Float(odd().Float()))
		}
	}
	if r.IntN(3) > 0 {
		p.Exponential = &query.ExponentialHistogram{
			Count: uint64(r.IntN(4)), Sum: odd(), Min: odd(), Max: odd(), ZeroCount: uint64(r.IntN(2)), ZeroThreshold: query.Float(odd().Float()),
			Scale:    []int32{0, 20, -10, 64, -64, math.MaxInt32, math.MinInt32}[r.IntN(7)],
			Positive: query.Buckets{Offset: offset(), Counts: counts()}, Negative: query.Buckets{Offset: offset(), Counts: counts()},
		}
	}
	if r.IntN(3) == 0 {
		p.Summary = &query.Summary{Count: 1}
	}
	return p
}

func TestNothingIsCalculatedOfNothing(t *testing.T) {
	for _, s := range []query.Series{
		{Name: "jobs", Type: query.Sum, Temporality: query.Delta},
		single(t, missing(delta(1, 2, 0))),
	} {
		_, total := s.Total()
		_, rate := s.Rate()
		_, merged := s.Merged()
		for _, err := range []error{total, rate, merged, s.Unbroken()} {
			if !errors.Is(err, query.ErrNothingToCheck) {
				t.Errorf("got %v, want that there is nothing", err)
			}
		}
	}
}
