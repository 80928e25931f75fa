package otlptest_test

import (
	"testing"
	"testing/synctest"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// The failure texts are golden files, as those of TestFailureTexts.
func TestFailureTextsOfTraces(t *testing.T) {
	mixed := func(srv *otlptest.Server) {
		send(t, srv, checkout(1)[1:3]...)
		send(t, srv, checkout(2)...)
		send(t, srv, checkout(2)[1], inTrace(2, 9, 8, "audit", 0, 1))
		send(t, srv, inTrace(3, 1, 0, "GET /health", 0, 1), inTrace(0, 1, 0, "no trace", 0, 1))
	}
	for name, test := range map[string]func(testing.TB, *otlptest.Server){
		"traces_incomplete": func(t testing.TB, srv *otlptest.Server) {
			mixed(srv)
			otlptest.Await(t, srv.Traces(where.Complete(), where.MinSpans(3)), 1)
		},
		"traces_filters": func(t testing.TB, srv *otlptest.Server) {
			mixed(srv)
			otlptest.Await(t, srv.Traces(where.Name("charge"), where.Attr("currency", "USD"), where.Complete()), 1)
		},
		"traces_too_many": func(t testing.TB, srv *otlptest.Server) {
			mixed(srv)
			otlptest.One(t, srv.Traces(where.Name("charge")))
		},
		"traces_nothing_came": func(t testing.TB, srv *otlptest.Server) {
			otlptest.Await(t, srv.Traces(where.Complete()), 1)
		},
		"traces_find": func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, checkout(2)...)
			tr := otlptest.One(t, srv.Traces(where.Complete()))
			otlptest.One(t, tr.Find(where.Attr("currency", "USD"), where.Service("shop")))
		},
		"traces_find_impossible": func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, checkout(2)...)
			otlptest.One(t, otlptest.One(t, srv.Traces()).Find(where.Child(where.Root())))
		},
		"shape": func(t testing.TB, srv *otlptest.Server) {
			mixed(srv)
			send(t, srv, inTrace(4, 1, 0, "checkout", 0, 100), inTrace(4, 2, 1, "charge", 10, 60, "currency", "USD"), inTrace(4, 3, 1, "ship", 60, 90))
			otlptest.HasShape(t, srv.Traces(where.Name("checkout")), checkoutShape)
		},
		"shape_impossible": func(t testing.TB, srv *otlptest.Server) {
			otlptest.HasShape(t, srv.Traces(), query.Shape("a", where.Complete()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := run(t, func(tb testing.TB) { test(tb, otlptest.Start(tb, otlptest.WithInMemory())) })
				if !f.failed {
					t.Error("the test passed, want it to fail")
				}
				golden(t, name, redacted(f.log.String()))
			})
		})
	}
}
