package store

import (
	"iter"
	"slices"
	"sync"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Exports is the source of a view of exports. A filter for items holds for an
// export in which one item matches all filters for items.
type Exports struct{ Source }

// Scan implements query.Source.
func (s Exports) Scan(where []query.Filter) iter.Seq[query.Export] {
	return func(yield func(query.Export) bool) {
		log := s.store.snapshot()
		f := newExportFilter(where, s.store.attemptsIn(log), stored(log, query.Traces))
		for _, e := range behind(log, where) {
			if f.match(e.rec) && !yield(e.rec.Export()) {
				return
			}
		}
	}
}

// Explain implements query.Source.
func (s Exports) Explain(where []query.Filter) string {
	log := s.store.snapshot()
	f := newExportFilter(where, s.store.attemptsIn(log), stored(log, query.Traces))
	text := s.matching(log, f, where) + s.store.explainExports(func(r *Record) string {
		if len(where) > 0 && f.match(r) {
			return " (match)"
		}
		return f.missed(r)
	})
	if len(log) == 0 {
		text += s.store.nothing("")
	}
	return text
}

// matching is the exports that match, where there are too many to see all of
// them among the others.
func (s Exports) matching(log []entry, f exportFilter, where []query.Filter) string {
	if len(where) == 0 || len(log) <= maxExports {
		return ""
	}
	found := slices.DeleteFunc(slices.Clone(log), func(e entry) bool { return !f.match(e.rec) })
	if len(found) == 0 {
		return ""
	}
	texts := s.store.fates(found, func(*Record) string { return "" })
	return flow("match", newest(texts, maxMatches), " | ", 0)
}

// Match says whether the export that a record stands for matches filters, for
// fault selectors. It may be asked before Append.
func (r *Record) Match(where []query.Filter) bool {
	return len(where) == 0 || r.store.selector(where).match(r)
}

// selectors is the filters of fault selectors made ready, by where they stand:
// they never change.
type selectors struct{ ready sync.Map }

type selectorKey struct {
	first *query.Filter
	n     int
}

func (s *Store) selector(where []query.Filter) exportFilter {
	key := selectorKey{&where[0], len(where)}
	if f, ok := s.selectors.ready.Load(key); ok {
		return f.(exportFilter)
	}
	f := newExportFilter(where, s.Attempt, nil)
	s.selectors.ready.Store(key, f)
	return f
}

// attemptsIn says which attempt of its batch each export of a log is.
func (s *Store) attemptsIn(log []entry) func(*Record) int {
	count := sync.OnceValue(func() map[*Record]int {
		exports := exportsOf(log)
		for i := range exports {
			exports[i].Number = i + 1 // which Reset may have changed meanwhile
		}
		attempts := map[*Record]int{}
		for _, b := range s.reportOf(log, exports).Batches {
			for i, e := range b.Attempts() {
				attempts[log[e.Number-1].rec] = i + 1
			}
		}
		return attempts
	})
	return func(r *Record) int { return count()[r] }
}

// exportFilter is filters by what they look at: the export itself, or the
// items in it.
type exportFilter struct {
	export  []expr.Expr
	about   wire.Matcher // export, made ready
	items   wire.Matcher
	settled []settler // what holds for some exports whatever is in them; nil where an item is needed
	attempt func(*Record) int
}

func newExportFilter(where []query.Filter, attempt func(*Record) int, spans iter.Seq[*wire.Item]) exportFilter {
	f := exportFilter{attempt: attempt}
	var items []expr.Expr
	alone := true
	for _, e := range query.Exprs(where) {
		if e.AboutExport() {
			f.export = append(f.export, e)
			continue
		}
		items = append(items, e)
		s := newSettler(e)
		alone = alone && s.export
		f.settled = append(f.settled, s)
	}
	f.about, f.items = wire.Compile(f.export), wire.Compile(items, spans)
	if !alone {
		f.settled = nil
	}
	return f
}

// origin is the record as terms see it.
func (f exportFilter) origin(r *Record) query.Origin { return counted{r, f.attempt} }

// counted is a record that knows its attempt.
type counted struct {
	*Record
	attempt func(*Record) int
}

// Attempt implements wire.Carrier.
func (c counted) Attempt() int { return c.attempt(c.Record) }

func (f exportFilter) match(r *Record) bool {
	origin := f.origin(r)
	if len(f.export) > 0 && !wire.Exported(origin).Match(f.about) {
		return false
	}
	if f.items.Empty() || f.settledBy(origin) {
		return true
	}
	for it := range wire.Items(r.export.Signal, r.body, origin, 1) {
		if it.Match(f.items) {
			return true
		}
	}
	return false
}

// settledBy says whether the filters for items hold whatever the items are.
func (f exportFilter) settledBy(origin query.Origin) bool {
	for _, s := range f.settled {
		if v, known := s.judge(origin); !known || !v {
			return false
		}
	}
	return len(f.settled) > 0
}

// settler evaluates what is about exports in a filter that is about items, too.
type settler struct {
	op     expr.Op
	export bool // there is something about exports in it
	about  wire.Matcher
	whole  bool // all of it is, and about is all of it
	sub    []settler
}

func newSettler(e expr.Expr) settler {
	s := settler{op: e.Op, export: e.AboutExport(), whole: e.AboutExport()}
	if s.whole {
		s.about = wire.Compile([]expr.Expr{e})
		return s
	}
	if e.Op == expr.Not || e.Op == expr.Any {
		for _, sub := range e.Sub {
			s.sub = append(s.sub, newSettler(sub))
			s.export = s.export || s.sub[len(s.sub)-1].export
		}
	}
	return s
}

// judge says whether the filter holds for every item that such an export can
// have, or for none, where that is known.
func (s settler) judge(origin query.Origin) (holds, known bool) {
	if s.whole {
		return wire.Exported(origin).Match(s.about), true
	}
	if s.op == expr.Not && len(s.sub) == 1 {
		holds, known = s.sub[0].judge(origin)
		return !holds, known
	}
	for _, sub := range s.sub {
		if holds, known := sub.judge(origin); known && holds {
			return true, true
		}
	}
	return false, false
}
