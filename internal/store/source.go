package store

import (
	"iter"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Source is what the sources of all views of a store have in common. It has no
// more of the store, since the linker keeps every method of a source.
type Source struct{ store *Store }

// SourceOf makes it.
func SourceOf(s *Store) Source { return Source{s} }

// Changed implements query.Source.
func (s Source) Changed() <-chan struct{} { return s.store.Changed() }

// WaitTimeout is how long waits last where nothing else ends them.
func (s Source) WaitTimeout() time.Duration { return s.store.waitTimeout }

// Reached is [Store.Reached].
func (s Source) Reached() bool { return s.store.Reached() }

// Quiet is [Store.Quiet].
func (s Source) Quiet() (open int, last time.Time) { return s.store.Quiet() }

// Spans is the source of a view of spans.
type Spans struct{ Source }

// Scan implements query.Source.
func (s Spans) Scan(where []query.Filter) iter.Seq[query.Span] {
	return scan(s.store, query.Traces, where, (*wire.Item).Span)
}

// Identify implements query.IdentitySource.
func (s Spans) Identify(where []query.Filter) iter.Seq2[query.Span, query.Identity] {
	return identify(s.store, query.Traces, where, (*wire.Item).Span)
}

// Explain implements query.Source.
func (s Spans) Explain(where []query.Filter) string { return s.store.explainItems(query.Traces, where) }

// Points is the source of a view of metric data points.
type Points struct{ Source }

// Scan implements query.Source.
func (s Points) Scan(where []query.Filter) iter.Seq[query.Point] {
	return scan(s.store, query.Metrics, where, (*wire.Item).Point)
}

// Identify implements query.IdentitySource.
func (s Points) Identify(where []query.Filter) iter.Seq2[query.Point, query.Identity] {
	return identify(s.store, query.Metrics, where, (*wire.Item).Point)
}

// Explain implements query.Source.
func (s Points) Explain(where []query.Filter) string {
	return s.store.explainItems(query.Metrics, where)
}

// Logs is the source of a view of log records.
type Logs struct{ Source }

// Scan implements query.Source.
func (s Logs) Scan(where []query.Filter) iter.Seq[query.Log] {
	return scan(s.store, query.Logs, where, (*wire.Item).Log)
}

// Identify implements query.IdentitySource.
func (s Logs) Identify(where []query.Filter) iter.Seq2[query.Log, query.Identity] {
	return identify(s.store, query.Logs, where, (*wire.Item).Log)
}

// Explain implements query.Source.
func (s Logs) Explain(where []query.Filter) string { return s.store.explainItems(query.Logs, where) }

// scan ranges over the stored items of one signal that match, decoded.
func scan[T any](s *Store, sig query.Signal, where []query.Filter, decode func(*wire.Item) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for it := range s.matching(sig, where) {
			if !yield(decode(it)) {
				return
			}
		}
	}
}

// identify is scan with the identity of each item.
func identify[T any](s *Store, sig query.Signal, where []query.Filter, decode func(*wire.Item) T) iter.Seq2[T, query.Identity] {
	return func(yield func(T, query.Identity) bool) {
		for it := range s.matching(sig, where) {
			if !yield(decode(it), query.Identity{ID: it.ID(), Bytes: it.Bytes()}) {
				return
			}
		}
	}
}

// matching ranges over the stored items of one signal that match.
func (s *Store) matching(sig query.Signal, where []query.Filter) iter.Seq[*wire.Item] {
	return func(yield func(*wire.Item) bool) {
		log := s.snapshot()
		m := wire.Compile(query.Exprs(where), stored(log, query.Traces))
		for it := range stored(behind(log, where), sig) {
			if it.Match(m) && !yield(it) {
				return
			}
		}
	}
}

// stored ranges over those items of one signal in a log that are stored.
func stored(log []entry, sig query.Signal) iter.Seq[*wire.Item] {
	return func(yield func(*wire.Item) bool) {
		var it wire.Item // one for all exports
		for _, e := range log {
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
