package otlptest_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// postJSON posts spans as OTLP JSON of one's own.
func postJSON(t testing.TB, srv *otlptest.Server, span string) {
	t.Helper()
	res, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/json", strings.NewReader(
		`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeSpans":[{"spans":[`+span+`]}]}]}`))
	must(t, err)
	res.Body.Close()
}

// jsonSpan is a span as JSON has it.
func jsonSpan(traceID, kind string) string {
	return fmt.Sprintf(`{"traceId":%q,"spanId":"0202020202020202","name":"charge","kind":%s,"startTimeUnixNano":"%d","endTimeUnixNano":"%d"}`, traceID, kind, int64(at), int64(at+1000))
}

// base64ID is a trace id as protobuf's own JSON mapping has it.
var base64ID = base64.StdEncoding.EncodeToString(traceID[:])

// mistakesAtTheServer is data that came and was not taken.
var mistakesAtTheServer = []mistake{
	{name: "refused_and_not_retried", test: func(t testing.TB, srv *otlptest.Server) {
		must(t, srv.Inject(faults.Sequence(faults.Throttle(30*time.Second))))
		deliver(t, srv, traces(made("charge", 2, 0), made("audit", 3, 0)))
		charged(t, srv)
	}},
	{name: "refused_for_good", test: func(t testing.TB, srv *otlptest.Server) {
		must(t, srv.Inject(faults.Sequence(faults.Reject("no"))))
		deliver(t, srv, traces(made("charge", 2, 0)))
		charged(t, srv)
	}},
	{name: "rejected_in_part", test: func(t testing.TB, srv *otlptest.Server) {
		must(t, srv.Inject(faults.Sequence(faults.RejectItems("no charges", where.Name("charge")))))
		deliver(t, srv, traces(made("charge", 2, 0), made("audit", 3, 0)))
		charged(t, srv)
	}},
	{name: "acknowledged_and_lost", test: func(t testing.TB, srv *otlptest.Server) {
		must(t, srv.Inject(faults.Sequence(faults.Accept().Lost())))
		deliver(t, srv, traces(made("charge", 2, 0)))
		charged(t, srv)
	}},
	{name: "fault_hangs", test: func(t testing.TB, srv *otlptest.Server) {
		must(t, srv.Inject(faults.Always(faults.Hang())))
		go deliverWithout(t, srv)
		charged(t, srv)
	}},
	{name: "strict_refuses_the_item", opts: []otlptest.Option{otlptest.WithStrict()}, test: func(t testing.TB, srv *otlptest.Server) {
		s := made("charge", 2, 0)
		s.SpanId = s.SpanId[:4]
		deliver(t, srv, traces(s, made("audit", 3, 0)))
		charged(t, srv)
	}},
	{name: "strict_refuses_the_request", opts: []otlptest.Option{otlptest.WithStrict()}, test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0, "order.id", 1, "order.id", 2)))
		charged(t, srv)
	}},
	{name: "json_with_enum_names", opts: []otlptest.Option{otlptest.WithStrict()}, test: func(t testing.TB, srv *otlptest.Server) {
		postJSON(t, srv, jsonSpan(traceID.String(), `"SPAN_KIND_SERVER"`))
		charged(t, srv)
	}},
	{name: "json_with_base64_ids", test: func(t testing.TB, srv *otlptest.Server) {
		postJSON(t, srv, jsonSpan(base64ID, "2"))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.TraceID(traceID)))
	}},
	{name: "json_that_is_none", test: func(t testing.TB, srv *otlptest.Server) {
		postJSON(t, srv, jsonSpan("not an id", "2"))
		charged(t, srv)
	}},
	{name: "malformed", test: func(t testing.TB, srv *otlptest.Server) {
		post(t, srv, "/v1/traces", []byte("\n\xff"))
		charged(t, srv)
	}},
	{name: "invalid_parent_id", test: func(t testing.TB, srv *otlptest.Server) {
		s := made("charge", 2, 1)
		s.ParentSpanId = make([]byte, 8)
		deliver(t, srv, traces(made("GET /pay", 1, 0), s))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Child(where.Name("GET /pay"))))
	}},
	{name: "too_large", opts: []otlptest.Option{otlptest.WithMaxRequestSize(100)}, test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0, "order.note", strings.Repeat("x", 100))))
		charged(t, srv)
	}},
	{name: "unknown_compression", test: func(t testing.TB, srv *otlptest.Server) {
		ask(t, srv, traces(made("charge", 2, 0)), func(req *http.Request) { req.Header.Set("Content-Encoding", "zstd") })
		charged(t, srv)
	}},
	{name: "no_authorization", opts: []otlptest.Option{otlptest.WithAuth(otlptest.Bearer("secret"))}, test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0)))
		charged(t, srv)
	}},
	{name: "content_type", test: func(t testing.TB, srv *otlptest.Server) {
		ask(t, srv, traces(made("charge", 2, 0)), func(req *http.Request) { req.Header.Set("Content-Type", "application/octet-stream") })
		charged(t, srv)
	}},
}

// deliverWithout is deliver whatever comes of it.
func deliverWithout(t testing.TB, srv *otlptest.Server) {
	ask(t, srv, traces(made("charge", 2, 0)), nothingChanges)
}
