package store

import (
	"slices"
	"sort"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Numbered is Scan in two steps, so that of many spans only a few have to be
// decoded: the numbers of those that match, which rise, and a function for the
// spans with some of these numbers, in the same order.
func (s Spans) Numbered(where []query.Filter) (numbers []int, items func(of []int) []query.Span) {
	return numbered(s.store, query.Traces, where, (*wire.Item).Span)
}

// Numbered is [Spans.Numbered] for points.
func (s Points) Numbered(where []query.Filter) (numbers []int, items func(of []int) []query.Point) {
	return numbered(s.store, query.Metrics, where, (*wire.Item).Point)
}

// Numbered is [Spans.Numbered] for log records.
func (s Logs) Numbered(where []query.Filter) (numbers []int, items func(of []int) []query.Log) {
	return numbered(s.store, query.Logs, where, (*wire.Item).Log)
}

func numbered[T any](s *Store, sig query.Signal, where []query.Filter, decode func(*wire.Item) T) (numbers []int, items func(of []int) []T) {
	log := s.snapshot()
	m := wire.Compile(query.Exprs(where), stored(log, query.Traces))
	for it := range stored(log, sig) {
		if it.Match(m) {
			numbers = append(numbers, it.Number())
		}
	}
	return numbers, func(of []int) []T {
		list := make([]T, 0, len(of))
		for it := range stored(from(log, sig, of), sig) {
			if len(list) == len(of) {
				break
			}
			if it.Number() == of[len(list)] {
				list = append(list, decode(it))
			}
		}
		return list
	}
}

// from is the exports of a signal in a log, without those before the first of
// some numbers.
func from(log []entry, sig query.Signal, of []int) []entry {
	log = slices.DeleteFunc(slices.Clone(log), func(e entry) bool { return e.rec.export.Signal != sig })
	if len(of) == 0 {
		return nil
	}
	behind := sort.Search(len(log), func(i int) bool { return log[i].first > of[0] })
	return log[max(0, behind-1):]
}

// Numbered is [Spans.Numbered] for traces, by the number of the span that came
// first.
func (s Traces) Numbered(where []query.Filter) (numbers []int, items func(of []int) []query.Trace) {
	log, f := s.store.snapshot(), splitTrace(where)
	in, ids := f.wholeIn(log), map[int]query.TraceID{}
	seen := map[query.TraceID]bool{{}: true} // spans without an id belong to no trace
	for it := range stored(log, query.Traces) {
		id := it.TraceID()
		if seen[id] || in != nil && !in[id] {
			continue
		}
		seen[id] = true
		ids[it.Number()] = id
		numbers = append(numbers, it.Number())
	}
	return numbers, func(of []int) []query.Trace {
		wanted := make(map[query.TraceID]bool, len(of))
		for _, n := range of {
			wanted[ids[n]] = true
		}
		return query.Assemble(within(from(log, query.Traces, of), wanted))
	}
}

// wholeIn is the traces for which all filters hold, and nil where there are no
// filters.
func (f traceFilter) wholeIn(log []entry) map[query.TraceID]bool {
	if len(f.trace) == 0 {
		return f.tracesIn(log)
	}
	in := map[query.TraceID]bool{}
	for _, t := range query.Assemble(f.spansIn(log)) {
		if f.match(t) {
			in[t.ID] = true
		}
	}
	return in
}
