package query

import (
	"fmt"
	"iter"
	"strings"
	"time"
)

// Trace is the spans of one trace id that have been received, put together as
// trees. It is a snapshot: spans that come later are in the next one. The zero
// Trace has no spans.
//
// Nothing is corrected: times are those that were received, and what does not
// fit is reported beside the trees.
type Trace struct {
	ID TraceID `json:"traceId"`

	// Roots is the spans without a parent ([Span.IsRoot]), in order of start.
	Roots []*Node `json:"roots"`

	// Orphans is the spans whose parent has not come, with what is below them,
	// in order of start. Of spans that are each other's ancestors, which none
	// can be, the first is here.
	Orphans []*Node `json:"orphans,omitempty"`

	// Duplicates is the spans with an id that an earlier one had, in the order
	// in which they were received. The earliest is in the tree. A duplicate
	// after an attempt that was not acknowledged is legal (C-43).
	Duplicates []Span `json:"duplicates,omitempty"`

	// Skew is the spans whose time is not within that of their parent, in the
	// order of the trees.
	Skew []Skew `json:"skew,omitempty"`
}

// Node is a span in a tree.
type Node struct {
	Span

	// Children is the spans whose parent it is, in order of start; those that
	// start together in order of end, and then of their id.
	Children []*Node `json:"children,omitempty"`
}

// Skew is a span that starts before its parent, or ends after it. Only clocks
// that differ explain the first; the second is also what work looks like that
// nobody waited for. Times that are unknown are not compared.
type Skew struct {
	Span   Span          `json:"span"`
	Parent Span          `json:"parent"`
	Early  time.Duration `json:"early,omitempty"` // how long before its parent it starts; 0: it does not
	Late   time.Duration `json:"late,omitempty"`  // how long after its parent it ends; 0: it does not
}

// String says in words how the span stands to its parent.
func (s Skew) String() string {
	var parts []string
	if s.Early > 0 {
		parts = append(parts, fmt.Sprintf("starts %s before", Round(s.Early)))
	}
	if s.Late > 0 {
		parts = append(parts, fmt.Sprintf("ends %s after", Round(s.Late)))
	}
	return fmt.Sprintf("%s %s its parent %s", label(s.Span.Name), strings.Join(parts, " and "), label(s.Parent.Name))
}

// Walk ranges over the spans of the trees, each with how deep it stands: 0 for
// roots and orphans. A span comes before its children, and the roots before
// the orphans. Duplicates are not among them.
func (t Trace) Walk() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		for _, top := range t.tops() {
			if !top.walk(0, yield) {
				return
			}
		}
	}
}

func (n *Node) walk(depth int, yield func(int, *Node) bool) bool {
	if !yield(depth, n) {
		return false
	}
	for _, c := range n.Children {
		if !c.walk(depth+1, yield) {
			return false
		}
	}
	return true
}

// tops is the spans that stand below no other.
func (t Trace) tops() []*Node {
	return append(t.Roots[:len(t.Roots):len(t.Roots)], t.Orphans...)
}

// Spans is the spans in the order of [Trace.Walk].
func (t Trace) Spans() []Span {
	var list []Span
	for _, n := range t.Walk() {
		list = append(list, n.Span)
	}
	return list
}

// Len is how many spans there are, each id counted once.
func (t Trace) Len() int {
	count := 0
	for range t.Walk() {
		count++
	}
	return count
}

// Node is the span with that id and what is below it, and nil where there is
// none.
func (t Trace) Node(id SpanID) *Node {
	for _, n := range t.Walk() {
		if n.SpanID == id && !id.IsZero() {
			return n
		}
	}
	return nil
}

// Complete says whether there is one root and no orphan. A span that nothing
// refers to can still be missing: no trace says how many spans it has.
func (t Trace) Complete() bool { return len(t.Roots) == 1 && len(t.Orphans) == 0 }

// Start is the earliest start of a span, and the zero time where none is
// known.
func (t Trace) Start() (start time.Time) {
	for _, n := range t.Walk() {
		if !n.Start.IsZero() && (start.IsZero() || n.Start.Before(start)) {
			start = n.Start
		}
	}
	return start
}

// End is the latest end of a span, and the zero time where none is known.
func (t Trace) End() (end time.Time) {
	for _, n := range t.Walk() {
		if n.End.After(end) {
			end = n.End
		}
	}
	return end
}

// Duration is the time between Start and End, and 0 where either is unknown.
func (t Trace) Duration() time.Duration { return Span{Start: t.Start(), End: t.End()}.Duration() }

// Services is the services that have a span in the trace, in the order of
// [Trace.Walk]; "" stands for spans without a service.name.
func (t Trace) Services() []string {
	var names []string
	seen := map[string]bool{}
	for _, n := range t.Walk() {
		if name := n.Resource.Service(); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
