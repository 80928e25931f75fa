package otlptest

import "github.com/otlptest/otlptest/query"

// Mark is the point in what the server received that has been reached, so that
// subtests which share a server can tell what is theirs:
//
//	since := where.Since(srv.Mark())
//	otlptest.One(t, srv.Spans(since, where.Name("charge")))
//
// An export is after the mark if the server decided it later, even if its
// request had begun before. Marks stay good over a [Server.Reset].
func (s *Server) Mark() query.Mark { return s.store.Mark() }
