package store

import (
	"iter"
	"slices"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/violations"
	"github.com/otlptest/otlptest/query"
)

// Departures says, before Append, in which ways the body was not quite OTLP
// JSON.
func (r *Record) Departures(list []otlpjson.Departure) { r.departures = list }

// Malformed says, before Append, why the body is not OTLP, of a record that is
// made without one. It keeps only the first bytes of what was received, and
// nothing where that could not be read at all.
func (r *Record) Malformed(received []byte, why error) {
	const kept = 8
	r.broken = &violations.Broken{Head: slices.Clone(received[:min(kept, len(received))]), Err: why}
}

// violations is all of them as of now. What a body shows by itself is found
// out once; what depends on other exports and on answers is found out anew.
func (s *Store) violations() []query.Violation {
	log := s.snapshot()
	exports := exportsOf(log)
	opened := s.opened()
	seen := make([]violations.Evidence, len(log))
	for i, e := range log {
		seen[i] = violations.Evidence{
			Export: exports[i], Found: e.rec.found(), Broken: e.rec.broken, Opened: opened(exports[i].Conn),
		}
	}
	return violations.All(seen, s.reportOf(log, exports))
}

// Violations is the source of a view of violations.
type Violations struct{ Source }

// Scan implements query.Source.
func (s Violations) Scan(where []query.Filter) iter.Seq[query.Violation] {
	return func(yield func(query.Violation) bool) {
		es := query.Exprs(where)
		for _, v := range s.store.violations() {
			if broken(v, es) && !yield(v) {
				return
			}
		}
	}
}

// broken says whether a violation matches all filters.
func broken(v query.Violation, es []expr.Expr) bool {
	for _, e := range es {
		ok := holds(e, func(e expr.Expr) bool {
			if e.Key == expr.Rule && e.Op == expr.Equal {
				return e.Arg == v.Rule
			}
			return calls(e, func() query.Violation { return v })
		})
		if !ok {
			return false
		}
	}
	return true
}

// Explain implements query.Source.
func (s Violations) Explain(where []query.Filter) string {
	const most = 20
	es := query.Exprs(where)
	var texts []string
	for _, v := range s.store.violations() {
		text := v.String()
		if len(where) > 0 && broken(v, es) {
			text += " (match)"
		}
		texts = append(texts, text)
	}
	return listed("seen", texts, most) + s.store.explainExports(func(*Record) string { return "" })
}
