package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Explain implements query.Source.
func (s Traces) Explain(where []query.Filter) string {
	f, log := splitTrace(where), s.store.snapshot()
	x := newExplainer(query.Traces, f.spans, stored(log, query.Traces))
	closest := x.closestSpans(log)
	var matches, misses []explainedTrace
	for _, t := range query.Assemble((traceFilter{}).spansIn(log)) {
		c := closest[t.ID]
		e := explainedTrace{t, c.failed + f.failed(t), c.parts}
		if e.failed == 0 {
			matches = append(matches, e)
		} else {
			misses = append(misses, e)
		}
	}
	slices.SortStableFunc(misses, func(a, b explainedTrace) int { return a.failed - b.failed })
	text := f.listed("match", matches, maxMatches) + f.listed("closest", misses, maxClosest)
	if _, ok := closest[query.TraceID{}]; ok {
		text += "  without  a valid trace id: there are spans that are in no trace\n"
	}
	text += s.store.explainExports(func(r *Record) string { return r.missed(query.Traces, x.all) })
	if len(matches) == 0 {
		text += s.store.reasons(log, x, false)
	}
	return text
}

// failed is how many of the filters for the trace do not hold.
func (f traceFilter) failed(t query.Trace) (n int) {
	for _, e := range f.trace {
		if !(traceFilter{trace: []expr.Expr{e}}).match(t) {
			n++
		}
	}
	return n
}

// closestSpan is the span of a trace for which the fewest filters fail.
type closestSpan struct {
	failed int
	parts  []string // none where there is no filter for spans
}

// closestSpans is the closest span of each trace.
func (x explainer) closestSpans(log []entry) map[query.TraceID]closestSpan {
	all := map[query.TraceID]closestSpan{}
	for it := range stored(log, query.Traces) {
		c := closestSpan{failed: x.failed(it)}
		if old, seen := all[it.TraceID()]; seen && old.failed <= c.failed {
			continue
		}
		if len(x.terms) > 0 {
			c.parts = x.describe(it, c.failed == 0)
		}
		all[it.TraceID()] = c
	}
	return all
}

// explainedTrace is a trace, how many filters fail, and its closest span.
type explainedTrace struct {
	query.Trace
	failed int
	span   []string
}

// listed writes the first few traces.
func (f traceFilter) listed(label string, traces []explainedTrace, most int) string {
	var b strings.Builder
	for i, t := range traces {
		if i == most {
			fmt.Fprintf(&b, "  %-8s … and %d more\n", "", len(traces)-most)
			break
		}
		for _, parts := range f.describe(t) {
			b.WriteString(flow(label, parts, "  ", 4))
			label = ""
		}
	}
	return b.String()
}

// describe is lines about a trace, each in parts: what it has so far, its closest span, how
// the filters for the trace stand to it, what it lacks to be complete, and
// what came twice.
func (f traceFilter) describe(t explainedTrace) [][]string {
	list := [][]string{{"trace " + t.ID.String(), query.Traces.Count(t.Len()) + ": " + names(t.Trace)}}
	say := func(label, text string) {
		if text != "" {
			list = append(list, []string{"  " + label + text})
		}
	}
	if len(t.span) > 0 {
		list = append(list, append([]string{"  " + t.span[0]}, t.span[1:]...))
	}
	for _, e := range f.trace {
		if e.Key != expr.Complete && !(traceFilter{trace: []expr.Expr{e}}).match(t.Trace) {
			say("does not hold: ", e.String())
		}
	}
	say("incomplete: ", t.Incomplete())
	if n := len(t.Duplicates); n > 0 {
		say("came again: ", query.Traces.Count(n))
	}
	return list
}

// names is the first few names of a trace's spans.
func names(t query.Trace) string {
	const most = 5
	var list []string
	for _, n := range t.Walk() {
		if len(list) == most {
			list = append(list, "…")
			break
		}
		list = append(list, bare(query.StringValue(n.Name)))
	}
	return strings.Join(list, ", ")
}
