package otlptest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// mistakesInCounts is more or less that came than was asked for, by each of the
// assertions.
var mistakesInCounts = []mistake{
	{name: "still_batching", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0)))
		otlptest.Await(t, srv.Spans(where.Name("charge")), 2)
	}},
	{name: "one_of_two", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0, "order.id", 17), made("charge", 3, 2, "order.id", 18)))
		charged(t, srv)
	}},
	{name: "one_of_two_that_are_alike", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0), made("charge", 3, 0)))
		charged(t, srv)
	}},
	{name: "one_that_came_twice", test: func(t testing.TB, srv *otlptest.Server) {
		must(t, srv.Inject(faults.Sequence(faults.Unavailable().Stored())))
		deliver(t, srv, traces(made("charge", 2, 0)))
		time.Sleep(time.Second)
		deliver(t, srv, traces(made("charge", 2, 0)))
		charged(t, srv)
	}},
	{name: "one_log_of_two", test: func(t testing.TB, srv *otlptest.Server) {
		r := goodRecord()
		r.Body = stringValue("refused")
		deliver(t, srv, logs(goodRecord(), r))
		otlptest.One(t, srv.Logs(where.Severity(query.SeverityInfo)))
	}},
	{name: "exactly_too_early", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0)))
		otlptest.Exactly(t, srv.Spans(where.Name("charge")), 2)
	}},
	{name: "exactly_too_many", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, metrics(gauge("jobs", intPoint(1)), gauge("tasks", intPoint(2)), gauge("queues", intPoint(3))))
		otlptest.Exactly(t, srv.Points(), 2)
	}},
	{name: "never_and_yet_it_came", test: func(t testing.TB, srv *otlptest.Server) {
		time.AfterFunc(time.Second, func() { deliverWithout(t, srv) })
		otlptest.Never(t, srv.Spans(where.Name("charge")), 5*time.Second)
	}},
	{name: "never_with_a_request_open", test: func(t testing.TB, srv *otlptest.Server) {
		held := srv.Hold()
		defer held.ReleaseAll()
		go deliverWithout(t, srv)
		otlptest.Never(t, srv.Spans(where.Name("refund")), time.Second)
	}},
	{name: "held_too_few", test: func(t testing.TB, srv *otlptest.Server) {
		held := srv.Hold(where.Name("charge"))
		defer held.ReleaseAll()
		deliver(t, srv, traces(made("refund", 3, 0)))
		go deliverWithout(t, srv)
		_, err := held.Wait(2)
		t.Fatal(err)
	}},
	{name: "golden_of_nothing", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("refund", 3, 0)))
		otlptest.Golden(t, srv.Spans(where.Service("Shop")), "testdata/none.golden")
	}},
	{name: "shape_of_a_tree_that_is_flat", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("GET /pay", 1, 0), made("checkout", 2, 1), made("charge", 3, 1)))
		otlptest.HasShape(t, srv.Traces(), query.Shape("GET /pay", query.Shape("checkout", query.Shape("charge"))))
	}},
	{name: "shape_of_nothing", test: func(t testing.TB, srv *otlptest.Server) {
		otlptest.HasShape(t, srv.Traces(where.Service("shop")), query.Shape("GET /pay"))
	}},
	{name: "wait_with_a_context", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("refund", 3, 0)))
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		_, err := srv.Spans(where.Name("charge")).Wait(ctx, 1)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error("the context's error is not in the chain")
		}
		t.Fatal(err)
	}},
	{name: "fault_that_nothing_met", test: func(t testing.TB, srv *otlptest.Server) {
		must(t, srv.Inject(faults.Sequence(faults.Unavailable())))
	}},
	{name: "exports_of_nothing", opts: []otlptest.Option{otlptest.WithWaitTimeout(250 * time.Millisecond)}, test: func(t testing.TB, srv *otlptest.Server) {
		otlptest.Await(t, srv.Exports(where.Outcome(query.Accepted)), 1)
	}},
}
