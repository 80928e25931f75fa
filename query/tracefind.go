package query

import (
	"fmt"
	"iter"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
)

// Find is a view of the trace's spans that match every filter, in the order of
// [Trace.Walk], for everything that takes a view:
//
//	otlptest.One(t, trace.Find(where.Name("charge")))
//
// It is as much a snapshot as the trace: a wait on it ends at once, with
// [ErrClosed] where there is too little.
func (t Trace) Find(where ...Filter) View[Span] { return NewView(found{t}, where...) }

// found is the source of the spans of one trace.
type found struct{ trace Trace }

func (found) fixed() {}

func (found) Check(where []Filter) error {
	for _, e := range Exprs(where) {
		if err := askable(e); err != nil {
			return err
		}
	}
	return nil
}

func (f found) Scan(where []Filter) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		es := Exprs(where)
		for _, n := range f.trace.Walk() {
			if n.satisfiesAll(es) && !yield(n.Span) {
				return
			}
		}
	}
}

func (f found) Changed() <-chan struct{} { return nil }

// Explain shows the trace, and in each span what was asked of it.
func (f found) Explain(where []Filter) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  in       %s\n", f.trace.title())
	for i, line := range f.lines(Exprs(where)) {
		if i == maxTraceSpans {
			fmt.Fprintf(&b, "             … and %d more\n", f.trace.Len()-i)
			break
		}
		fmt.Fprintf(&b, "           %s\n", line)
	}
	return b.String()
}

func (f found) lines(es []expr.Expr) (list []string) {
	for depth, n := range f.trace.Walk() {
		parts := []string{strings.Repeat("  ", min(depth+1, maxNameColumns/2)) + label(n.Name)}
		for _, e := range es {
			if text, _, ok := n.field(e); ok && e.Key != expr.Name {
				parts = append(parts, text)
			}
		}
		if n.satisfiesAll(es) {
			parts = append(parts, "(match)")
		}
		list = append(list, strings.Join(parts, "  "))
	}
	return list
}
