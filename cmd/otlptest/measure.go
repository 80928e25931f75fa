package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// seen is a view of whatever kind.
type seen interface {
	Len() int
	Explain(got int, waited time.Duration, want string) string
}

// viewKind is what an expectation can be about.
type viewKind struct {
	check func([]query.Filter) error // whether the filters apply
	open  func(*otlptest.Server, []query.Filter) seen
}

func viewOf[T any](of func(*otlptest.Server, ...query.Filter) query.View[T]) viewKind {
	return viewKind{
		check: func(fs []query.Filter) error { return query.NewView[T](nil, fs...).Err() },
		open:  func(srv *otlptest.Server, fs []query.Filter) seen { return of(srv, fs...) },
	}
}

var views = map[string]viewKind{
	"spans":       viewOf((*otlptest.Server).Spans),
	"points":      viewOf((*otlptest.Server).Points),
	"logs":        viewOf((*otlptest.Server).Logs),
	"traces":      viewOf((*otlptest.Server).Traces),
	"exports":     viewOf((*otlptest.Server).Exports),
	"violations":  viewOf((*otlptest.Server).Violations),
	"connections": viewOf((*otlptest.Server).Connections),
}

var viewNames = []string{"spans", "points", "logs", "traces", "exports", "violations", "connections"}

// measure is which number of a view is meant.
type measure struct {
	whole bool // a number of items
	of    func(query.Series) (query.Value, error)
	name  string
}

// measures is those that only points have.
var measures = map[string]func(query.Series) (query.Value, error){
	"total":        query.Series.Total,
	"latest":       latest,
	"observations": observations,
	"sum":          func(s query.Series) (query.Value, error) { f, err := s.Sum(); return query.FloatValue(f), err },
}

// parseMeasure reads one if there is one.
func parseMeasure(p *phrase, view string) (measure, error) {
	name := p.peek()
	if strings.ContainsAny(name[:min(1, len(name))], "=!<>") {
		return measure{whole: true}, nil
	}
	p.word()
	switch of, ok := measures[name]; {
	case name == "count":
		return measure{whole: true}, nil
	case ok && view == "points":
		return measure{of: of, name: name}, nil
	case view == "points":
		return measure{}, p.errorf(name, "want count, %s, or an operator such as >=", strings.Join(slices.Sorted(maps.Keys(measures)), ", "))
	}
	return measure{}, p.errorf(name, "want count, or an operator such as >=")
}

// judge says why the number is not what it has to be.
func (m measure) judge(kind viewKind, filters []query.Filter, c condition, t *trial) error {
	if m.whole {
		view := kind.open(t.srv, filters)
		if n := view.Len(); !c.holds(query.IntValue(int64(n))) {
			return errors.New(view.Explain(n, 0, c.String()))
		}
		return nil
	}
	points := t.srv.Points(filters...)
	got, err := m.value(points)
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	if c.holds(got) {
		return nil
	}
	text := fmt.Sprintf("got %s %s, want %s", m.name, got, strings.Replace(c.String(), "none", "0", 1))
	if len(filters) > 0 {
		text += " where " + points.String()
	}
	for _, s := range query.SeriesOf(points) {
		if v, err := m.of(s); err == nil {
			text += fmt.Sprintf("\n  %-8s %s", v, s)
		}
	}
	return errors.New(text)
}

// value is that of the only series, or added up over those of one metric.
func (m measure) value(points query.View[query.Point]) (query.Value, error) {
	if m.name != "latest" {
		return added(points, m.of)
	}
	s, err := query.OneSeries(points)
	if err != nil {
		return query.Value{}, err
	}
	return m.of(s)
}

// added adds up a number of every series, which have to be of one metric.
func added(points query.View[query.Point], of func(query.Series) (query.Value, error)) (sum query.Value, err error) {
	list := query.SeriesOf(points)
	if len(list) == 0 {
		_, err := query.OneSeries(points) // which says what there is instead
		return sum, err
	}
	for i, s := range list {
		if s.Name != list[0].Name || s.Unit != list[0].Unit || s.Type != list[0].Type {
			return sum, fmt.Errorf("got points of several metrics, %s and %s, want those of one", list[0], s)
		}
		v, err := of(s)
		if err != nil {
			return sum, err
		}
		if i == 0 {
			sum = v
		} else if sum, err = plus(sum, v); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

func plus(a, b query.Value) (query.Value, error) {
	if a.Kind() != query.KindInt || b.Kind() != query.KindInt {
		return query.FloatValue(a.Float() + b.Float()), nil
	}
	x, y := a.Int(), b.Int()
	if y > 0 && x > math.MaxInt64-y || y < 0 && x < math.MinInt64-y {
		return a, fmt.Errorf("%d and %d are together more than 64 bits hold", x, y)
	}
	return query.IntValue(x + y), nil
}

// latest is the last value of a series.
func latest(s query.Series) (query.Value, error) {
	p, ok := s.Latest()
	if !ok || p.Value.IsEmpty() {
		return query.Value{}, fmt.Errorf("got %s, want a series with a number, that is a gauge or a sum", s)
	}
	return p.Value, nil
}

func observations(s query.Series) (query.Value, error) {
	n, err := s.Count()
	if err == nil && n > math.MaxInt64 {
		err = fmt.Errorf("%d observations are more than 63 bits hold", n)
	}
	return query.IntValue(int64(n)), err
}
