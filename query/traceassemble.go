package query

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"time"
)

// Assemble puts spans together as traces, such as those of a view's All, in the
// order in which the first span of each comes. Spans may come in any order.
// Those without a valid trace id (S-40) belong to no trace and are left out;
// one without a valid span id has no children and no duplicates.
func Assemble(spans iter.Seq[Span]) []Trace {
	var traces []Trace
	var lists [][]*Node
	at := map[TraceID]int{}
	for s := range spans {
		if s.TraceID.IsZero() {
			continue
		}
		i, ok := at[s.TraceID]
		if !ok {
			i = len(lists)
			at[s.TraceID] = i
			lists, traces = append(lists, nil), append(traces, Trace{ID: s.TraceID})
		}
		lists[i] = append(lists[i], &Node{Span: s})
	}
	for i := range traces {
		traces[i].assemble(lists[i])
	}
	return traces
}

// assemble makes the trees of spans that stand in the order received.
func (t *Trace) assemble(nodes []*Node) {
	byID := make(map[SpanID]*Node, len(nodes))
	nodes = slices.DeleteFunc(nodes, func(n *Node) bool {
		if byID[n.SpanID] != nil {
			t.Duplicates = append(t.Duplicates, n.Span)
			return true
		}
		if !n.SpanID.IsZero() {
			byID[n.SpanID] = n
		}
		return false
	})
	slices.SortStableFunc(nodes, byStart)
	for _, n := range nodes {
		parent := byID[n.ParentSpanID]
		switch {
		case n.IsRoot():
			t.Roots = append(t.Roots, n)
		case parent == nil:
			t.Orphans = append(t.Orphans, n)
		default:
			parent.Children = append(parent.Children, n)
		}
	}
	if t.Len() < len(nodes) {
		t.cutCycles(nodes, byID)
	}
	for _, n := range t.Walk() {
		t.addSkew(n)
	}
}

// byStart is the order of the children of a span.
func byStart(a, b *Node) int {
	return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), bytes.Compare(a.SpanID[:], b.SpanID[:]))
}

// cutCycles makes an orphan of one span in each ring of spans that are each
// other's ancestors: the first one in the order of nodes.
func (t *Trace) cutCycles(nodes []*Node, byID map[SpanID]*Node) {
	reached := map[*Node]bool{}
	reach := func(_ int, n *Node) bool {
		reached[n] = true
		return true
	}
	for _, n := range t.Walk() {
		reached[n] = true
	}
	for _, n := range nodes {
		if reached[n] {
			continue
		}
		first := firstOf(n, byID)
		parent := byID[first.ParentSpanID]
		parent.Children = slices.DeleteFunc(parent.Children, func(c *Node) bool { return c == first })
		t.Orphans = append(t.Orphans, first)
		first.walk(0, reach)
	}
	slices.SortStableFunc(t.Orphans, byStart)
}

// firstOf is the first span of the ring that a span's ancestors make.
func firstOf(n *Node, byID map[SpanID]*Node) *Node {
	seen := map[*Node]bool{}
	for ; !seen[n]; n = byID[n.ParentSpanID] {
		seen[n] = true
	}
	first := n
	for m := byID[n.ParentSpanID]; m != n; m = byID[m.ParentSpanID] {
		if byStart(m, first) < 0 {
			first = m
		}
	}
	return first
}

// addSkew notes which children of a span are not within it.
func (t *Trace) addSkew(parent *Node) {
	for _, c := range parent.Children {
		s := Skew{Early: between(c.Start, parent.Start), Late: between(parent.End, c.End)}
		if s.Early > 0 || s.Late > 0 {
			s.Span, s.Parent = c.Span, parent.Span
			t.Skew = append(t.Skew, s)
		}
	}
}

// between is how long after one time another is, and 0 where it is not after
// it or either is unknown.
func between(from, to time.Time) time.Duration {
	return max(0, Span{Start: from, End: to}.Duration())
}
