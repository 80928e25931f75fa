package store

import (
	"cmp"
	"iter"
	"slices"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Traces is the source of a view of traces. A filter for spans holds for a
// trace in which one span matches all filters for spans.
type Traces struct{ Source }

// Scan implements query.Source.
func (s Traces) Scan(where []query.Filter) iter.Seq[query.Trace] {
	return func(yield func(query.Trace) bool) {
		f := splitTrace(where)
		for _, t := range query.Assemble(f.spansIn(s.store.snapshot())) {
			if f.match(t) && !yield(t) {
				return
			}
		}
	}
}

// traceFilter is filters by what they look at: the trace, or a span in it.
type traceFilter struct{ trace, spans []expr.Expr }

func splitTrace(where []query.Filter) (f traceFilter) {
	for _, e := range query.Exprs(where) {
		if e.Applies()&expr.Span != 0 {
			f.spans = append(f.spans, e)
		} else {
			f.trace = append(f.trace, e)
		}
	}
	return f
}

// spansIn is all spans of the traces in which a span matches.
func (f traceFilter) spansIn(log []entry) iter.Seq[query.Span] {
	return within(log, f.tracesIn(log))
}

// within is all spans of some traces; nil stands for all.
func within(log []entry, in map[query.TraceID]bool) iter.Seq[query.Span] {
	return func(yield func(query.Span) bool) {
		for it := range stored(log, query.Traces) {
			if (in == nil || in[it.TraceID()]) && !yield(it.Span()) {
				return
			}
		}
	}
}

// tracesIn is the traces in which a span matches, where there are filters for
// spans.
func (f traceFilter) tracesIn(log []entry) map[query.TraceID]bool {
	if len(f.spans) == 0 {
		return nil
	}
	in := map[query.TraceID]bool{}
	spans := stored(log, query.Traces)
	m := wire.Compile(f.spans, spans)
	for it := range spans {
		if it.Match(m) {
			in[it.TraceID()] = true
		}
	}
	return in
}

// match says whether the filters for the trace hold.
func (f traceFilter) match(t query.Trace) bool {
	for _, e := range f.trace {
		if !holds(e, func(e expr.Expr) bool { return traceHolds(t, e) }) {
			return false
		}
	}
	return true
}

// traceHolds says whether a single term holds for a trace.
func traceHolds(t query.Trace, e expr.Expr) bool {
	switch e.Key {
	case expr.Complete:
		return t.Complete()
	case expr.Spans:
		return compared(t.Len(), e)
	}
	return calls(e, func() query.Trace { return t })
}

// compared says whether a number is what a term wants.
func compared(n int, e expr.Expr) bool {
	if list, ok := e.Arg.([]any); ok {
		return slices.Contains(list, any(int64(n)))
	}
	want, _ := e.Arg.(int64)
	order := cmp.Compare(int64(n), want)
	switch e.Op {
	case expr.Equal:
		return order == 0
	case expr.Less:
		return order < 0
	case expr.AtMost:
		return order <= 0
	case expr.AtLeast:
		return order >= 0
	}
	return e.Op == expr.More && order > 0
}
