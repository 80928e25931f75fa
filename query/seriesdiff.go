package query

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Tolerance says how far numbers may be from each other and still be equal.
// Two of them are if they are no further apart than the larger of Margin and
// Fraction times the smaller magnitude, as with cmpopts.EquateApprox of
// go-cmp. NaN equals NaN, an infinity itself only, and an integer never a
// double, as with [Value.Equal]. The zero Tolerance takes only equal numbers.
// Counts are never approximate.
//
// With go-cmp, its methods are options:
//
//	t := query.Tolerance{Fraction: 1e-9}
//	cmp.Diff(want, got, cmp.Comparer(t.Values), cmp.Comparer(t.Floats))
//
// With testify, assert.NoError(t, got.Diff(want, tolerance)) does.
type Tolerance struct {
	Fraction float64       // of the smaller magnitude
	Margin   float64       // in the unit of the numbers
	Time     time.Duration // how far starts and times may be apart, for [Series.Diff]; an unknown one equals only another
}

// Float64s says whether two numbers are equal but for the tolerance.
func (t Tolerance) Float64s(a, b float64) bool {
	switch {
	case Float(a).Equal(Float(b)):
		return true
	case a != a || b != b || math.IsInf(a, 0) || math.IsInf(b, 0):
		return false
	}
	return math.Abs(a-b) <= t.allowed(math.Abs(a), math.Abs(b))
}

// allowed is the greatest distance between two magnitudes.
func (t Tolerance) allowed(a, b float64) float64 {
	return max(t.Margin, t.Fraction*min(a, b))
}

// Floats is [Tolerance.Float64s] for the doubles of the protocol.
func (t Tolerance) Floats(a, b Float) bool { return t.Float64s(float64(a), float64(b)) }

// Values says whether two values are equal but for the tolerance, which only
// numbers have. The difference between two integers is exact.
func (t Tolerance) Values(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindFloat:
		return t.Float64s(a.Float(), b.Float())
	case KindInt:
		lo, hi := min(a.Int(), b.Int()), max(a.Int(), b.Int())
		return lo == hi || float64(uint64(hi)-uint64(lo)) <= t.allowed(math.Abs(float64(lo)), math.Abs(float64(hi)))
	}
	return a.Equal(b)
}

// times says whether two times are equal but for the tolerance.
func (t Tolerance) times(a, b time.Time) bool {
	return a.Equal(b) || !a.IsZero() && !b.IsZero() && a.Sub(b).Abs() <= t.Time
}

// Diff is nil if two series are equal but for a tolerance, and otherwise an
// error that names the first few differences, s being what was got. It compares
// what identifies a series, without regard to the order of attributes, and
// start, time and value of each point. It does not look at descriptions,
// metadata, exemplars, schema URLs, dropped attributes and where points came
// from; go-cmp compares series in every field but the last.
func (s Series) Diff(want Series, t Tolerance) error {
	d := differ{t: t}
	d.series(s, want)
	for i := range min(len(s.Points), len(want.Points)) {
		d.where = fmt.Sprintf("point %d at %s: ", i+1, clock(want.Points[i].Time))
		d.point(s.Points[i], want.Points[i])
	}
	if len(d.found) == 0 {
		return nil
	}
	return s.errorf("got %s:%s", plural(len(d.found), "difference"), firstLines(d.found))
}

// firstLines is the first few lines, each indented after an end of line.
func firstLines(lines []string) string {
	const most = 5
	text := ""
	for i, line := range lines {
		if i == most {
			return text + fmt.Sprintf("\n  … and %d more", len(lines)-most)
		}
		text += "\n  " + line
	}
	return text
}

// sameValue says whether two points have the same value, or both none.
func sameValue(a, b Point) bool {
	var d differ
	d.value(a, b)
	return len(d.found) == 0
}

// differ collects differences.
type differ struct {
	t     Tolerance
	where string
	found []string
}

func (d *differ) note(equal bool, field string, got, want any) {
	if !equal {
		d.found = append(d.found, fmt.Sprintf("%s%s: got %v, want %v", d.where, field, got, want))
	}
}

func (d *differ) series(a, b Series) {
	d.note(a.Name == b.Name, "name", a.Name, b.Name)
	d.note(a.Unit == b.Unit, "unit", a.Unit, b.Unit)
	d.note(a.kind() == b.kind(), "type", a.kind(), b.kind())
	d.note(sameAttrs(a.Attrs, b.Attrs), "attributes", a.Attrs, b.Attrs)
	d.note(sameAttrs(a.Resource.Attrs, b.Resource.Attrs), "resource", a.Resource.Attrs, b.Resource.Attrs)
	d.note(a.Scope.Name == b.Scope.Name, "scope", a.Scope.Name, b.Scope.Name)
	d.note(a.Scope.Version == b.Scope.Version, "scope version", a.Scope.Version, b.Scope.Version)
	d.note(sameAttrs(a.Scope.Attrs, b.Scope.Attrs), "scope attributes", a.Scope.Attrs, b.Scope.Attrs)
	d.note(len(a.Points) == len(b.Points), "points", len(a.Points), len(b.Points))
}

func (d *differ) point(a, b Point) {
	d.note(d.t.times(a.Start, b.Start), "start", clock(a.Start), clock(b.Start))
	d.note(d.t.times(a.Time, b.Time), "time", clock(a.Time), clock(b.Time))
	d.value(a, b)
}

func (d *differ) value(a, b Point) {
	d.note(a.NoRecordedValue() == b.NoRecordedValue(), "no recorded value", a.NoRecordedValue(), b.NoRecordedValue())
	d.number("value", a.Value, b.Value)
	if both(d, "histogram", a.Histogram, b.Histogram) {
		d.histogram(a.Histogram, b.Histogram)
	}
	if both(d, "exponential histogram", a.Exponential, b.Exponential) {
		d.exponential(a.Exponential, b.Exponential)
	}
	if both(d, "summary", a.Summary, b.Summary) {
		d.summary(a.Summary, b.Summary)
	}
}

// both says whether there are two values to compare.
func both[V any](d *differ, what string, a, b *V) bool {
	d.note((a == nil) == (b == nil), what, orNone(a), orNone(b))
	return a != nil && b != nil
}

func orNone[V any](v *V) string {
	if v == nil {
		return "none"
	}
	return "one"
}

func (d *differ) number(field string, a, b Value) { d.note(d.t.Values(a, b), field, a, b) }

func (d *differ) count(field string, a, b uint64) { d.note(a == b, field, a, b) }

func (d *differ) histogram(a, b *Histogram) {
	d.count("count", a.Count, b.Count)
	d.number("sum", a.Sum, b.Sum)
	d.number("min", a.Min, b.Min)
	d.number("max", a.Max, b.Max)
	firstDiffering(d, "bounds", a.Bounds, b.Bounds, d.t.Floats)
	firstDiffering(d, "bucket counts", a.Counts, b.Counts, func(a, b uint64) bool { return a == b })
}

func (d *differ) exponential(a, b *ExponentialHistogram) {
	d.count("count", a.Count, b.Count)
	d.number("sum", a.Sum, b.Sum)
	d.number("min", a.Min, b.Min)
	d.number("max", a.Max, b.Max)
	d.note(a.Scale == b.Scale, "scale", a.Scale, b.Scale)
	d.count("zero count", a.ZeroCount, b.ZeroCount)
	d.note(d.t.Floats(a.ZeroThreshold, b.ZeroThreshold), "zero threshold", a.ZeroThreshold, b.ZeroThreshold)
	if a.Scale == b.Scale {
		d.buckets("positive bucket", a.Positive, b.Positive)
		d.buckets("negative bucket", a.Negative, b.Negative)
	}
}

// firstDiffering compares two lists and notes the first difference.
func firstDiffering[V any](d *differ, field string, a, b []V, same func(a, b V) bool) {
	if len(a) != len(b) {
		d.note(false, field, len(a), len(b))
		return
	}
	for i := range a {
		if !same(a[i], b[i]) {
			d.note(false, fmt.Sprintf("%s[%d]", field, i), a[i], b[i])
			return
		}
	}
}

// buckets notes the first bucket of which the counts differ, by its index. An
// empty bucket is as good as none.
func (d *differ) buckets(field string, a, b Buckets) {
	a, b = a.trim(), b.trim()
	if a.Offset == b.Offset && slices.Equal(a.Counts, b.Counts) {
		return
	}
	for _, side := range []Buckets{a, b} {
		for i := range side.Counts {
			index := int64(side.Offset) + int64(i)
			if x, y := a.at(index), b.at(index); x != y {
				d.note(false, fmt.Sprintf("%s %d", field, index), x, y)
				return
			}
		}
	}
}

// at is the count at an index.
func (b Buckets) at(index int64) uint64 {
	if i := index - int64(b.Offset); i >= 0 && i < int64(len(b.Counts)) {
		return b.Counts[i]
	}
	return 0
}

func (d *differ) summary(a, b *Summary) {
	d.count("count", a.Count, b.Count)
	d.note(d.t.Floats(a.Sum, b.Sum), "sum", a.Sum, b.Sum)
	same := func(a, b Quantile) bool {
		return a.Quantile.Equal(b.Quantile) && d.t.Floats(a.Value, b.Value)
	}
	firstDiffering(d, "quantiles", a.Quantiles, b.Quantiles, same)
}
