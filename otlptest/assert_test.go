package otlptest_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// The failure texts are a product: each stands in a file of testdata. They are
// made in virtual time, so that every duration in them is exact.
func TestFailureTexts(t *testing.T) {
	tests := []struct {
		name string
		test func(testing.TB, *otlptest.Server)
	}{
		{"await_too_few", func(t testing.TB, srv *otlptest.Server) {
			srv.Inject(faults.Sequence(faults.Accept(), faults.Throttle(time.Second)))
			send(t, srv, span("pay"), span("charge", "status", 500), span("charge", "status", 200), span("refund"))
			send(t, srv, span("charge", "status", 503))
			time.Sleep(1020 * time.Millisecond)
			send(t, srv, span("charge", "status", 503))
			otlptest.Await(t, srv.Spans(where.Name("charge"), where.Attr("status", 500)), 2)
		}},
		{"await_refused", func(t testing.TB, srv *otlptest.Server) {
			srv.Inject(faults.Always(faults.Unavailable()).On(query.Logs), faults.Sequence(faults.Reject("no"), faults.PartialSuccess(1, "")))
			send(t, srv, span("charge"), span("refund"))
			send(t, srv, span("charge"), span("refund"))
			post(t, srv, "/v1/logs", nil)
			otlptest.Await(t, srv.Spans(where.Name("charge")), 1)
		}},
		{"await_overlap", func(t testing.TB, srv *otlptest.Server) {
			srv.Inject(faults.Sequence(faults.Accept().After(time.Minute)))
			first, second := spanRequest(t, srv), spanRequest(t, srv)
			go srv.HTTPClient().Do(first)
			time.Sleep(time.Second)
			srv.HTTPClient().Do(second)
			otlptest.Await(t, srv.Spans(), 3)
		}},
		{"await_nothing_came", func(t testing.TB, srv *otlptest.Server) {
			otlptest.Await(t, srv.Spans(where.Name("charge")), 1)
		}},
		{"await_wrong_service", func(t testing.TB, srv *otlptest.Server) {
			for range 20 {
				send(t, srv, span("charge"), span("refund"))
			}
			otlptest.Await(t, srv.Spans(where.Name("charge"), where.Service("shopp")), 1)
		}},
		{"await_attribute_on_the_resource", func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, span("charge"))
			otlptest.Await(t, srv.Spans(where.Attr("tenant", "b")), 1)
		}},
		{"await_string_for_a_number", func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, span("charge", "status", "500"))
			otlptest.Await(t, srv.Spans(where.Attr("status", 500), where.HasAttr("retry"), where.Not(where.Name("charge"))), 1)
		}},
		{"await_comparisons", func(t testing.TB, srv *otlptest.Server) {
			slow := span("pay", "status", 200, "x", "1", "route", "/refund")
			slow.StartTimeUnixNano, slow.EndTimeUnixNano = 1e9, 1e9+20e6
			slow.Events = []*tracepb.Span_Event{{Name: "retry"}, {Name: "again"}}
			send(t, srv, slow)
			otlptest.Await(t, srv.Spans(where.Name(where.Matches("^charge")), where.MinDuration(time.Second), where.Attr("status", where.AtLeast(500)),
				where.Attr("x", 1), where.Attr("route", where.Contains("pay")), where.Attr("y", where.OneOf(1, "a")), where.HasEvent("exception"),
				where.During(time.Unix(5, 0), time.Unix(6, 0)), where.Kind(query.SpanKindClient, query.SpanKindServer)), 1)
		}},
		{"await_comparisons_that_hold", func(t testing.TB, srv *otlptest.Server) {
			mark := srv.Mark()
			quick := span("charge", "status", 503, "route", "/pay")
			quick.StartTimeUnixNano, quick.EndTimeUnixNano = 1e9, 1e9+20e6
			send(t, srv, quick)
			otlptest.Await(t, srv.Spans(where.Name(where.Matches("^charge")), where.Duration(where.LessThan(time.Second)), where.Attr("status", where.AtLeast(500)),
				where.Attr("route", where.Matches("^/pay")), where.ViaProtocol(query.HTTPProtobuf), where.Header("content-type", where.Contains("proto")),
				where.InExport(1), where.Since(mark)), 2)
		}},
		{"await_child", func(t testing.TB, srv *otlptest.Server) {
			child := span("charge")
			child.SpanId, child.ParentSpanId = bytes.Repeat([]byte{3}, 8), bytes.Repeat([]byte{2}, 8)
			send(t, srv, child)
			send(t, srv, span("checkout"))
			otlptest.Await(t, srv.Spans(where.Child(where.Name("pay"))), 1)
		}},
		{"await_severity", func(t testing.TB, srv *otlptest.Server) {
			body, err := proto.Marshal(logs(&logspb.LogRecord{SeverityNumber: 9, Body: stringValue("paid"), EventName: "checkout"}))
			if err != nil {
				t.Fatal(err)
			}
			post(t, srv, "/v1/logs", body)
			otlptest.Await(t, srv.Logs(where.Severity(query.SeverityError), where.Body(where.Contains("refused")), where.EventName("refund"), where.Body(5)), 1)
		}},
		{"await_points", func(t testing.TB, srv *otlptest.Server) {
			body, err := proto.Marshal(metrics(gauge("jobs", intPoint(1))))
			if err != nil {
				t.Fatal(err)
			}
			post(t, srv, "/v1/metrics", body)
			otlptest.Await(t, srv.Points(where.Unit("ms"), where.Type(query.Sum), where.Temporality(query.Delta), where.Monotonic()), 1)
		}},
		{"await_exports", func(t testing.TB, srv *otlptest.Server) {
			srv.Inject(faults.Sequence(faults.Unavailable()))
			send(t, srv, span("charge"))
			send(t, srv, span("charge"))
			otlptest.Await(t, srv.Exports(where.Outcome(query.Accepted), where.Attempt(1), where.HasHeader("x-tenant"), where.InExport(where.AtLeast(2))), 1)
		}},
		{"await_since", func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, span("charge"))
			otlptest.Await(t, srv.Spans(where.Since(srv.Mark())), 1)
		}},
		{"await_closed", func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, span("charge"))
			srv.Close()
			otlptest.Await(t, srv.Spans(), 2)
		}},
		{"await_nothing_asked", func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Spans(), 0) }},
		{"await_filter_cannot_apply", func(t testing.TB, srv *otlptest.Server) {
			otlptest.Await(t, srv.Logs(where.Kind(query.SpanKindClient)), 1)
		}},
		{"one_of_two", func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, span("charge", "status", 200), span("charge", "status", 500))
			otlptest.One(t, srv.Spans(where.Name("charge")))
		}},
		{"one_func", func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, span("charge"), span("a name that is so long that it takes more than a line and has to be cut somewhere"))
			otlptest.One(t, srv.Spans(where.Func("long", func(s query.Span) bool { return false }), where.Kind(query.SpanKindServer)))
		}},
		{"exactly", func(t testing.TB, srv *otlptest.Server) {
			srv.Inject(faults.Sequence(faults.Reject("no")))
			send(t, srv, span("charge"))
			post(t, srv, "/v1/traces", []byte("\xff"))
			post(t, srv, "/v1/trace", nil)
			otlptest.Exactly(t, srv.Spans(where.Any(where.Name("charge"), where.Name("refund"))), 1)
		}},
		{"exactly_exports", func(t testing.TB, srv *otlptest.Server) {
			send(t, srv, span("charge"))
			send(t, srv, span("refund"))
			otlptest.Exactly(t, srv.Exports(where.Name("charge")), 2)
		}},
		{"never", func(t testing.TB, srv *otlptest.Server) {
			req := spanRequest(t, srv)
			go func() { time.Sleep(time.Second); srv.HTTPClient().Do(req) }()
			otlptest.Never(t, srv.Spans(where.Name("")), 5*time.Second)
		}},
		{"never_still_open", func(t testing.TB, srv *otlptest.Server) {
			srv.Inject(faults.Always(faults.Hang()))
			go srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", nil)
			otlptest.Never(t, srv.Spans(), time.Second)
		}},
		{"unused_faults", func(t testing.TB, srv *otlptest.Server) {
			srv.Inject(
				faults.Sequence(faults.Accept(), faults.Throttle(time.Second), faults.Unavailable()).On(query.Traces),
				faults.Always(faults.Hang()).Where(where.Name("charge")))
			send(t, srv, span("refund"))
			send(t, srv, span("refund"))
		}},
	}
	unsetenv(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := run(t, func(tb testing.TB) {
					test.test(tb, otlptest.Start(tb, otlptest.WithInMemory()))
				})
				if !f.failed {
					t.Error("the test passed, want it to fail")
				}
				golden(t, test.name, redacted(f.log.String()))
			})
		})
	}
}

func TestAwaitReturnsWhenTheItemsCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithWaitTimeout(time.Hour))
		start := time.Now()
		var reqs []*http.Request
		for range 3 {
			reqs = append(reqs, spanRequest(t, srv))
		}
		go func() {
			for _, req := range reqs {
				time.Sleep(time.Minute)
				srv.HTTPClient().Do(req)
			}
		}()
		if got := otlptest.Await(t, srv.Spans(where.Not(where.Name("charge"))), 3); len(got) != 3 || time.Since(start) != 3*time.Minute {
			t.Errorf("got %d spans after %s, want 3 after 3m", len(got), time.Since(start))
		}
	})
}

func TestNeverWaitsUntilAllIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Accept().After(5*time.Second))))
		start := time.Now()
		go srv.HTTPClient().Do(spanRequest(t, srv))
		other, err := srv.DialGRPC(t.Context(), srv.GRPCEndpoint())
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(3*time.Second, func() { other.Close() }) // which says nothing about the request
		synctest.Wait()
		otlptest.Never(t, srv.Spans(where.Name("charge")), time.Second)
		if d := time.Since(start); d != 5*time.Second {
			t.Errorf("Never took %s, want 5s: until the request that was open was answered", d)
		}
		otlptest.Never(t, srv.Spans(where.Name("charge")), time.Second)
		if d := time.Since(start); d != 6*time.Second {
			t.Errorf("Never took %s more, want 1s", d-5*time.Second)
		}
	})
}

func TestNothingIsSaidToBeBecauseNothingCame(t *testing.T) {
	const want = "otlptest: %s: no request has reached the server: is the exporter pointed at it, and the provider flushed?\n"
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		for call, assert := range map[string]func(testing.TB){
			"Exactly": func(tb testing.TB) { otlptest.Exactly(tb, srv.Spans(), 0) },
			"Never":   func(tb testing.TB) { otlptest.Never(tb, srv.Spans(), time.Second) },
		} {
			if f := run(t, assert); f.failed || f.log.String() != fmt.Sprintf(want, call) {
				t.Errorf("%s on a server that nothing has reached: failed %t, log %q", call, f.failed, f.log.String())
			}
			post(t, srv, "/v1/logs", nil)
			if f := run(t, assert); f.failed || f.log.Len() > 0 {
				t.Errorf("%s on one that was reached: failed %t, log %q", call, f.failed, f.log.String())
			}
			srv.Reset()
		}
	})
}
