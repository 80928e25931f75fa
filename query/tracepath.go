package query

import (
	"cmp"
	"slices"
	"time"
)

// Segment is a stretch of time on a [Trace.CriticalPath]: the trace could not
// end earlier because the span was at work then, and waited for none of its
// children.
type Segment struct {
	Span  Span      `json:"span"`
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// Duration is the length of the stretch, always above 0.
func (s Segment) Duration() time.Duration { return s.End.Sub(s.Start) }

// CriticalPath is the chain of spans that determines when the trace ended, as
// the stretches of time in which each was at work, in order of time. They
// follow one another without a gap, from the start to the end of the root.
//
// It is found from the end. At the end of a span, that span is at work. Going
// back in time, it was at work until the last moment at which one of its
// children ended; that child was what it waited for, from its end back to its
// start, where the same holds in turn; and from the start of the child on the
// span was at work again, until the moment at which the last of the children
// that had ended by then ended. Of children that ended at the same moment the
// one that started first counts, and then the one with the lower id. A child
// that is not within its parent ([Skew]), or of no length or unknown times, is
// on no path.
//
// The root is the one that ends last. The path is empty where there is no root,
// or none of which the length is known and above 0. Orphans are not on it.
func (t Trace) CriticalPath() []Segment {
	var root *Node
	for _, r := range t.Roots {
		if r.Duration() > 0 && (root == nil || r.End.After(root.End)) {
			root = r
		}
	}
	if root == nil {
		return nil
	}
	path := root.path(nil)
	slices.Reverse(path)
	return path
}

// path appends the stretches of the span and what is below it, the last first.
func (n *Node) path(list []Segment) []Segment {
	until := n.End
	for _, c := range n.byEnd() {
		if c.End.After(until) {
			continue // it ran beside the one that was waited for
		}
		list = appendSegment(list, n.Span, c.End, until)
		list = c.path(list)
		until = c.Start
	}
	return appendSegment(list, n.Span, n.Start, until)
}

// byEnd is the children that can be on a path, that which ends last first.
func (n *Node) byEnd() []*Node {
	var list []*Node
	for _, c := range n.Children {
		if c.Duration() > 0 && !c.Start.Before(n.Start) && !c.End.After(n.End) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b *Node) int {
		return cmp.Or(b.End.Compare(a.End), byStart(a, b))
	})
	return list
}

func appendSegment(list []Segment, s Span, from, to time.Time) []Segment {
	if !to.After(from) {
		return list
	}
	return append(list, Segment{s, from, to})
}
