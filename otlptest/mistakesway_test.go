package otlptest_test

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/credentials"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// charged is what tests of mistakes wait for.
func charged(t testing.TB, srv *otlptest.Server) {
	t.Helper()
	otlptest.One(t, srv.Spans(where.Name("charge")))
}

// mistakesOnTheWay is data that did not come, or not where it should.
var mistakesOnTheWay = []mistake{
	{name: "never_connected", test: charged},
	{name: "never_flushed", test: func(t testing.TB, srv *otlptest.Server) {
		conn, err := srv.DialGRPC(t.Context(), srv.GRPCEndpoint())
		must(t, err)
		defer conn.Close()
		charged(t, srv)
	}},
	{name: "path_twice", test: func(t testing.TB, srv *otlptest.Server) {
		deliverTo(t, srv, "/v1/traces/v1/traces", traces(made("charge", 2, 0)))
		charged(t, srv)
	}},
	{name: "path_left_out", test: func(t testing.TB, srv *otlptest.Server) {
		deliverTo(t, srv, "/", traces(made("charge", 2, 0)))
		charged(t, srv)
	}},
	{name: "path_misspelt", test: func(t testing.TB, srv *otlptest.Server) {
		deliverTo(t, srv, "/v1/trace", traces(made("charge", 2, 0)))
		charged(t, srv)
	}},
	{name: "sampled_away_while_others_came", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("GET /health", 1, 0), made("GET /pay", 2, 0)))
		charged(t, srv)
	}},
	{name: "sampler_in_the_environment", test: func(t testing.TB, srv *otlptest.Server) {
		t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
		charged(t, srv)
	}},
	{name: "endpoint_in_the_environment", test: func(t testing.TB, srv *otlptest.Server) {
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318")
		charged(t, srv)
	}},
	{name: "endpoint_of_the_signal_in_the_environment", test: func(t testing.TB, srv *otlptest.Server) {
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", srv.HTTPEndpoint())
		t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://collector:4318/v1/traces")
		charged(t, srv)
	}},
	{name: "endpoint_in_the_environment_is_right", test: func(t testing.TB, srv *otlptest.Server) {
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", srv.HTTPEndpoint())
		charged(t, srv)
	}},
	{name: "sdk_disabled", test: func(t testing.TB, srv *otlptest.Server) {
		t.Setenv("OTEL_SDK_DISABLED", "true")
		t.Setenv("OTEL_TRACES_EXPORTER", "none")
		charged(t, srv)
	}},
	{name: "another_tests_server", test: func(t testing.TB, srv *otlptest.Server) {
		other := otlptest.Start(named{t, "TestRefund"}, otlptest.WithInMemory())
		deliver(t, other, traces(made("charge", 2, 0)))
		deliver(t, other, traces(made("audit", 3, 0)))
		charged(t, srv)
	}},
	{name: "another_server_of_the_test", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0)))
		backup := otlptest.Start(t, otlptest.WithInMemory()) // what came before does not count
		deliver(t, srv, traces(made("audit", 2, 0)))
		charged(t, backup)
	}},
	{name: "tls_to_plaintext", test: func(t testing.TB, srv *otlptest.Server) {
		calling(t, srv, srv.GRPCEndpoint(), credentials.NewTLS(&tls.Config{InsecureSkipVerify: true}))
		charged(t, srv)
	}},
	{name: "plaintext_to_tls", opts: []otlptest.Option{otlptest.WithTLS()}, test: func(t testing.TB, srv *otlptest.Server) {
		calling(t, srv, srv.GRPCEndpoint(), nil)
		charged(t, srv)
	}},
	{name: "authority_not_trusted", opts: []otlptest.Option{otlptest.WithTLS()}, test: func(t testing.TB, srv *otlptest.Server) {
		calling(t, srv, srv.GRPCEndpoint(), credentials.NewTLS(&tls.Config{ServerName: "127.0.0.1"}))
		charged(t, srv)
	}},
	{name: "http_to_the_grpc_port", test: func(t testing.TB, srv *otlptest.Server) {
		// Go's own client may give up over the server's SETTINGS before it has sent anything.
		dialBare(t, srv, srv.GRPCEndpoint()).post1(mediaType[otlptest.HTTPProtobuf], nil)
		charged(t, srv)
	}},
	{name: "grpc_to_the_http_port", test: func(t testing.TB, srv *otlptest.Server) {
		calling(t, srv, srv.HTTPEndpoint()[len("http://"):], nil)
		charged(t, srv)
	}},
	{name: "wrong_signal", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, logs(goodRecord(), goodRecord()))
		deliver(t, srv, metrics(gauge("jobs", intPoint(1))))
		charged(t, srv)
	}},
	{name: "given_up", test: func(t testing.TB, srv *otlptest.Server) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		body, w := io.Pipe()
		context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
		ask(t, srv, traces(made("charge", 2, 0)), func(req *http.Request) { *req = *req.WithContext(ctx); req.Body = body })
		charged(t, srv)
	}},
	{name: "request_still_open", test: func(t testing.TB, srv *otlptest.Server) {
		body, w := io.Pipe()
		defer w.Close()
		go ask(t, srv, traces(made("charge", 2, 0)), func(req *http.Request) { req.Body = body })
		synctest.Wait()
		charged(t, srv)
	}},
	{name: "reset_meanwhile", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0)))
		time.AfterFunc(3*time.Second, srv.Reset)
		otlptest.Await(t, srv.Spans(where.Name("charge")), 2)
	}},
	{name: "reset_too_late", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0)))
		srv.Reset()
		deliver(t, srv, traces(made("refund", 2, 0)))
		charged(t, srv)
	}},
	{name: "closed_meanwhile", test: func(t testing.TB, srv *otlptest.Server) {
		time.AfterFunc(3*time.Second, func() { srv.Close() })
		charged(t, srv)
	}},
}

// named is a test of another name.
type named struct {
	testing.TB
	name string
}

func (n named) Name() string { return n.name }
