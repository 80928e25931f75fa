package store

import (
	"fmt"
	"iter"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// How much of a trace one line shows.
const (
	maxAncestors = 4
	maxChildren  = 3
)

// standing says in a line where a span stands in its trace: from the root down
// to it, and what its children are.
func standing(log []entry, ids spanIDs) string {
	if ids.trace.IsZero() {
		return ""
	}
	for _, t := range query.Assemble(spansOf(log, ids.trace)) {
		for _, top := range [][]*query.Node{t.Roots, t.Orphans} {
			for _, n := range top {
				if path := pathTo(n, ids.span); path != nil {
					text := fmt.Sprintf("%.8s…: %s", t.ID, drawn(path))
					return flow("trace", []string{text}, "", 0)
				}
			}
		}
	}
	return ""
}

// spansOf is the spans of one trace.
func spansOf(log []entry, id query.TraceID) iter.Seq[query.Span] {
	return func(yield func(query.Span) bool) {
		for it := range stored(log, query.Traces) {
			if it.TraceID() == id && !yield(it.Span()) {
				return
			}
		}
	}
}

// pathTo is the spans from one down to another, and nil where that is not
// below.
func pathTo(from *query.Node, id query.SpanID) []*query.Node {
	if from.SpanID == id {
		return []*query.Node{from}
	}
	for _, c := range from.Children {
		if path := pathTo(c, id); path != nil {
			return append([]*query.Node{from}, path...)
		}
	}
	return nil
}

// drawn is a path as text: GET /pay > charge (this) > ship, audit.
func drawn(path []*query.Node) string {
	var steps []string
	if top := path[0]; !top.IsRoot() {
		steps = append(steps, fmt.Sprintf("(%s, not received)", top.ParentSpanID))
	}
	for i, n := range path[:len(path)-1] {
		switch {
		case i == 0 || i >= len(path)-maxAncestors:
			steps = append(steps, spanTitle(n))
		case i == 1:
			steps = append(steps, "…")
		}
	}
	this := path[len(path)-1]
	steps = append(steps, spanTitle(this)+" (this)")
	if len(this.Children) > 0 {
		steps = append(steps, children(this.Children))
	}
	return strings.Join(steps, " > ")
}

func children(list []*query.Node) string {
	var titles []string
	for i, c := range list {
		if i == maxChildren {
			titles = append(titles, fmt.Sprintf("… and %d more", len(list)-maxChildren))
			break
		}
		titles = append(titles, spanTitle(c))
	}
	return strings.Join(titles, ", ")
}

func spanTitle(n *query.Node) string { return bare(query.StringValue(n.Name)) }
