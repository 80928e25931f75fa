package otlptest

import (
	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// Violations is every departure from OTLP that the server has seen: in what
// was sent, in how it was sent, and in what clients did with the answers. None
// of them keeps data from being stored. They are looked for when they are
// asked for, and not before, by export; [query.Violation.Doc] says what a rule
// demands.
//
//	for v := range srv.Violations().All() {
//		t.Error(v)
//	}
//
// The filters that apply to them are where.Rule and where.Func of a
// query.Violation, and Not and Any of these. A view grows as exports arrive
// and are answered: a retry, for instance, is a violation or none only once it
// has come.
func (s *Server) Violations(where ...query.Filter) query.View[query.Violation] {
	return query.NewView(store.Violations{Source: s.source}, where...)
}
