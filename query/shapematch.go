package query

import (
	"cmp"
	"slices"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
)

// What a difference weighs, where one of several ways to pair spans has to be
// shown.
const (
	costOfSpan   = 4 // that is missing, or not wanted
	costOfName   = 5 // less than a span that is missing and one that is not wanted
	costOfTop    = 2
	costOfFilter = 1
	costOfOrder  = 1
)

// shapeMatch holds shapes against the spans of a trace.
type shapeMatch struct {
	trace  Trace
	orphan map[*Node]bool
	known  map[pairKey]*shapePair
}

type pairKey struct {
	want *SpanShape
	got  *Node
}

// shapePair is a shape and the span that is taken for it, and how they differ.
type shapePair struct {
	want     *SpanShape
	got      *Node
	name     bool        // the name differs
	top      bool        // the span is an orphan and should be a root, or the other way round
	failed   []expr.Expr // the filters that do not hold
	children shapePairs
	cost     int // 0: no difference, here and below
}

// shapePairs is the children of a shape and those of a span, paired.
type shapePairs struct {
	pairs []*shapePair // by what is wanted; nil for what is missing
	extra []*Node      // what has no pair, in order of start
	after []*Node      // of each pair: the span that it starts before and should not; nil for none
	cost  int
}

// whole says whether there is no difference, here and below.
func (p shapePairs) whole() bool { return p.cost == 0 }

func newShapeMatch(t Trace) *shapeMatch {
	m := &shapeMatch{trace: t, orphan: map[*Node]bool{}, known: map[pairKey]*shapePair{}}
	for _, n := range t.Orphans {
		m.orphan[n] = true
	}
	return m
}

// tops pairs a shape with the one top that a trace should have.
func (m *shapeMatch) tops(want *SpanShape) shapePairs {
	return m.pairUp([]*SpanShape{want}, m.trace.tops(), 0)
}

// pair holds one shape against one span.
func (m *shapeMatch) pair(want *SpanShape, got *Node) *shapePair {
	key := pairKey{want, got}
	if p := m.known[key]; p != nil {
		return p
	}
	p := &shapePair{want: want, got: got}
	p.name = want.name != "" && want.name != got.Name
	p.top = m.orphan[got] != (want.rules&RemoteParent != 0)
	for _, f := range want.filters {
		if !got.satisfies(f.e) {
			p.failed = append(p.failed, f.e)
		}
	}
	children := make([]*SpanShape, len(want.children))
	for i := range children {
		children[i] = &want.children[i]
	}
	p.children = m.pairUp(children, got.Children, want.rules)
	p.cost = p.own() + p.children.cost
	m.known[key] = p
	return p
}

// own is the cost of what differs in the span itself.
func (p *shapePair) own() int {
	cost := costOfFilter * len(p.failed)
	if p.name {
		cost += costOfName
	}
	if p.top {
		cost += costOfTop
	}
	return cost
}

// pairUp pairs shapes with spans: as many as can be without a difference, and
// of the others those that differ least.
func (m *shapeMatch) pairUp(want []*SpanShape, got []*Node, rules ShapeRule) shapePairs {
	a := assignment{m: m, want: want, got: got, of: make([]int, len(want)), by: make([]int, len(got))}
	a.clear()
	if rules&InOrder == 0 || !a.inOrder() {
		a.exact()
	}
	a.closest(rules)
	return a.result(rules)
}

// assignment is which span is taken for which shape.
type assignment struct {
	m    *shapeMatch
	want []*SpanShape
	got  []*Node
	of   []int // by shape, the span; -1 for none
	by   []int // by span, the shape; -1 for none
}

func (a *assignment) fits(i, j int) bool { return a.m.pair(a.want[i], a.got[j]).cost == 0 }

func (a *assignment) take(i, j int) { a.of[i], a.by[j] = j, i }

// inOrder gives each shape the first span that fits and does not start before
// the one of the shape before it. It reports whether each has got one, and
// takes nothing otherwise.
func (a *assignment) inOrder() bool {
	var from time.Time
	for i := range a.want {
		j := a.next(i, from)
		if j < 0 {
			a.clear()
			return false
		}
		a.take(i, j)
		from = a.got[j].Start
	}
	return true
}

// next is the first span that fits a shape and does not start before a time,
// and -1 if there is none.
func (a *assignment) next(i int, from time.Time) int {
	for j, n := range a.got {
		if a.by[j] < 0 && !n.Start.Before(from) && a.fits(i, j) {
			return j
		}
	}
	return -1
}

func (a *assignment) clear() {
	for i := range a.of {
		a.of[i] = -1
	}
	for j := range a.by {
		a.by[j] = -1
	}
}

// exact gives as many shapes as possible a span that fits.
func (a *assignment) exact() {
	for i := range a.want {
		a.augment(i, make([]bool, len(a.got)))
	}
}

// augment finds a span for a shape, where others may have to take another.
func (a *assignment) augment(i int, tried []bool) bool {
	for j := range a.got {
		if tried[j] || !a.fits(i, j) {
			continue
		}
		tried[j] = true
		if a.by[j] < 0 || a.augment(a.by[j], tried) {
			a.take(i, j)
			return true
		}
	}
	return false
}

// closest pairs what is left, those first that differ least, as long as a pair
// differs less than a span that is missing and one that is not wanted do.
func (a *assignment) closest(rules ShapeRule) {
	type choice struct{ i, j, gain int }
	var choices []choice
	for i, w := range a.want {
		for j, g := range a.got {
			if a.of[i] < 0 && a.by[j] < 0 {
				gain := w.missing() + g.notWanted(rules) - a.m.pair(w, g).cost
				choices = append(choices, choice{i, j, gain})
			}
		}
	}
	slices.SortStableFunc(choices, func(x, y choice) int { return cmp.Compare(y.gain, x.gain) })
	for _, c := range choices {
		if c.gain > 0 && a.of[c.i] < 0 && a.by[c.j] < 0 {
			a.take(c.i, c.j)
		}
	}
}

// missing is the cost of no span for a shape.
func (s *SpanShape) missing() int { return costOfSpan * s.size() }

// notWanted is the cost of no shape for a span.
func (n *Node) notWanted(rules ShapeRule) int {
	if rules&AndOthers != 0 {
		return 0
	}
	count := 0
	n.walk(0, func(int, *Node) bool {
		count++
		return true
	})
	return costOfSpan * count
}

// result is what was assigned.
func (a *assignment) result(rules ShapeRule) shapePairs {
	p := shapePairs{pairs: make([]*shapePair, len(a.want)), after: make([]*Node, len(a.want))}
	var latest *Node
	for i, j := range a.of {
		if j < 0 {
			p.cost += a.want[i].missing()
			continue
		}
		p.pairs[i] = a.m.pair(a.want[i], a.got[j])
		p.cost += p.pairs[i].cost
		switch n := a.got[j]; {
		case latest == nil || !n.Start.Before(latest.Start):
			latest = n
		case rules&InOrder != 0:
			p.after[i] = latest
			p.cost += costOfOrder
		}
	}
	for j, n := range a.got {
		if a.by[j] < 0 {
			p.extra = append(p.extra, n)
			p.cost += n.notWanted(rules)
		}
	}
	return p
}
