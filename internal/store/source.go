package store

import (
	"iter"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Spans is the source of a view of spans.
type Spans struct{ *Store }

// Scan implements query.Source.
func (s Spans) Scan(where []query.Filter) iter.Seq[query.Span] {
	return scan(s.Store, query.Traces, where, (*wire.Item).Span)
}

// Identify implements query.IdentitySource.
func (s Spans) Identify(where []query.Filter) iter.Seq2[query.Span, query.Identity] {
	return identify(s.Store, query.Traces, where, (*wire.Item).Span)
}

// Explain implements query.Source.
func (s Spans) Explain(where []query.Filter) string { return s.explainItems(query.Traces, where) }

// Points is the source of a view of metric data points.
type Points struct{ *Store }

// Scan implements query.Source.
func (s Points) Scan(where []query.Filter) iter.Seq[query.Point] {
	return scan(s.Store, query.Metrics, where, (*wire.Item).Point)
}

// Identify implements query.IdentitySource.
func (s Points) Identify(where []query.Filter) iter.Seq2[query.Point, query.Identity] {
	return identify(s.Store, query.Metrics, where, (*wire.Item).Point)
}

// Explain implements query.Source.
func (s Points) Explain(where []query.Filter) string { return s.explainItems(query.Metrics, where) }

// Logs is the source of a view of log records.
type Logs struct{ *Store }

// Scan implements query.Source.
func (s Logs) Scan(where []query.Filter) iter.Seq[query.Log] {
	return scan(s.Store, query.Logs, where, (*wire.Item).Log)
}

// Identify implements query.IdentitySource.
func (s Logs) Identify(where []query.Filter) iter.Seq2[query.Log, query.Identity] {
	return identify(s.Store, query.Logs, where, (*wire.Item).Log)
}

// Explain implements query.Source.
func (s Logs) Explain(where []query.Filter) string { return s.explainItems(query.Logs, where) }

// scan ranges over the stored items of one signal that match, decoded.
func scan[T any](s *Store, sig query.Signal, where []query.Filter, decode func(*wire.Item) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		m := wire.Compile(query.Exprs(where))
		for it := range s.stored(sig) {
			if it.Match(m) && !yield(decode(it)) {
				return
			}
		}
	}
}

// identify is scan with the identity of each item.
func identify[T any](s *Store, sig query.Signal, where []query.Filter, decode func(*wire.Item) T) iter.Seq2[T, query.Identity] {
	return func(yield func(T, query.Identity) bool) {
		m := wire.Compile(query.Exprs(where))
		for it := range s.stored(sig) {
			if it.Match(m) && !yield(decode(it), query.Identity{ID: it.ID(), Bytes: it.Bytes()}) {
				return
			}
		}
	}
}

// stored ranges over the stored items of one signal.
func (s *Store) stored(sig query.Signal) iter.Seq[*wire.Item] {
	return func(yield func(*wire.Item) bool) {
		var it wire.Item // one for all exports
		for _, e := range s.snapshot() {
			r := e.rec
			if !r.keep || r.export.Signal != sig {
				continue
			}
			kept := func(it *wire.Item) bool {
				if r.refused.Has(it.Index()) {
					it.Skip()
					return true
				}
				return yield(it)
			}
			if !it.Scan(sig, r.body, r, e.first, kept) {
				return
			}
		}
	}
}

// Exports is the source of a view of exports. A filter for items holds for an
// export in which one item matches all filters for items.
type Exports struct{ *Store }

// Scan implements query.Source.
func (s Exports) Scan(where []query.Filter) iter.Seq[query.Export] {
	return func(yield func(query.Export) bool) {
		f := split(where)
		for _, e := range s.snapshot() {
			if f.match(e.rec) && !yield(e.rec.Export()) {
				return
			}
		}
	}
}

// Explain implements query.Source.
func (s Exports) Explain(where []query.Filter) string {
	f := split(where)
	return s.explainExports(func(r *Record) string {
		if len(where) > 0 && f.match(r) {
			return " (match)"
		}
		return ""
	})
}

// Match says whether the export that a record stands for matches filters, for
// fault selectors. It may be asked before Append.
func (r *Record) Match(where []query.Filter) bool { return split(where).match(r) }

// exportFilter is filters by what they look at: the export itself, or the
// items in it.
type exportFilter struct {
	export []expr.Expr
	items  []expr.Expr
}

func split(where []query.Filter) (f exportFilter) {
	for _, e := range query.Exprs(where) {
		if e.Applies() == expr.Export {
			f.export = append(f.export, e)
		} else {
			f.items = append(f.items, e)
		}
	}
	return f
}

func (f exportFilter) match(r *Record) bool {
	for _, e := range f.export {
		if !holds(e, func(e expr.Expr) bool { return calls(e, r.Export) }) {
			return false
		}
	}
	if len(f.items) == 0 {
		return true
	}
	m := wire.Compile(f.items)
	for it := range wire.Items(r.export.Signal, r.body, r, 1) {
		if it.Match(m) {
			return true
		}
	}
	return false
}

// holds evaluates a filter whose single terms term knows.
func holds(e expr.Expr, term func(expr.Expr) bool) bool {
	switch e.Op {
	case expr.Not:
		return !holds(e.Sub[0], term)
	case expr.Any:
		for _, sub := range e.Sub {
			if holds(sub, term) {
				return true
			}
		}
		return false
	}
	return term(e)
}

// calls evaluates a function of one type.
func calls[T any](e expr.Expr, item func() T) bool {
	match, ok := e.Func.(func(T) bool)
	return ok && match(item())
}
