package otlptest_test

import (
	"testing"
	"time"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// mistakesInFilters is data that came and is not what the filters ask for.
var mistakesInFilters = []mistake{
	{name: "wrong_service", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("GET /pay", 1, 0), made("charge", 2, 1)))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Service("checkout")))
	}},
	{name: "service_not_set", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, of(traces(made("charge", 2, 0)), "service.name", "unknown_service:shop.test"))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Service("shop")))
	}},
	{name: "service_missing", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, of(traces(made("charge", 2, 0)), "host.name", "pay-1"))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Service("shop")))
	}},
	{name: "attribute_on_the_resource", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, of(traces(made("charge", 2, 0)), "service.name", "shop", "tenant", "b"))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Attr("tenant", "b")))
	}},
	{name: "attribute_on_the_span", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0, "deployment.environment.name", "staging")))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.ResourceAttr("deployment.environment.name", "staging")))
	}},
	{name: "string_for_an_int", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0, "http.response.status_code", "500")))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Attr("http.response.status_code", 500)))
	}},
	{name: "int_for_a_string", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0, "order.id", 17)))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Attr("order.id", "17")))
	}},
	{name: "key_of_old_conventions", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("GET /pay", 2, 0, "http.request.method", "GET", "http.response.status_code", 500, "url.full", "https://shop/pay")))
		otlptest.One(t, srv.Spans(where.Name("GET /pay"), where.Attr("http.status_code", 500), where.Attr("http.url", "https://shop/pay")))
	}},
	{name: "key_misspelt", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 2, 0, "order.currency", "EUR", "order.id", 17)))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Attr("order.curency", "EUR"), where.HasAttr("orderId")))
	}},
	{name: "name_in_another_case", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("Charge", 2, 0), made("refund", 3, 0)))
		otlptest.One(t, srv.Spans(where.Name("charge")))
	}},
	{name: "kind_not_set", test: func(t testing.TB, srv *otlptest.Server) {
		s := made("charge", 2, 0)
		s.Kind = tracepb.Span_SPAN_KIND_INTERNAL
		deliver(t, srv, traces(s))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Kind(query.SpanKindClient)))
	}},
	{name: "status_not_set", test: func(t testing.TB, srv *otlptest.Server) {
		s := made("charge", 2, 0)
		s.Events = []*tracepb.Span_Event{{TimeUnixNano: at, Name: "exception"}}
		deliver(t, srv, traces(s))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Status(query.StatusError)))
	}},
	{name: "status_ok", test: func(t testing.TB, srv *otlptest.Server) {
		s := made("charge", 2, 0)
		s.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_OK}
		deliver(t, srv, traces(s))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Status(query.StatusError)))
	}},
	{name: "duration_just_under", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(took(made("charge", 2, 0), 999*time.Millisecond), took(made("charge", 3, 0), 2*time.Millisecond)))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.MinDuration(time.Second)))
	}},
	{name: "child_of_another", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("GET /pay", 1, 0), made("checkout", 2, 1), made("charge", 3, 2), made("audit", 4, 3)))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Child(where.Name("GET /pay"))))
	}},
	{name: "child_of_nobody", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("charge", 3, 2), made("audit", 4, 3)))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Child(where.Name("checkout"))))
	}},
	{name: "context_not_passed", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("GET /pay", 1, 0), made("charge", 3, 0)))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Descendant(where.Name("GET /pay"))))
	}},
	{name: "another_trace", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, traces(made("GET /pay", 1, 0), made("charge", 3, 1)))
		otlptest.One(t, srv.Spans(where.Name("charge"), where.TraceID(query.TraceID{15: 1})))
	}},
	{name: "severity_too_low", test: func(t testing.TB, srv *otlptest.Server) {
		r := goodRecord()
		r.SeverityNumber, r.Body = logspb.SeverityNumber_SEVERITY_NUMBER_WARN, stringValue("card refused")
		deliver(t, srv, logs(goodRecord(), r))
		otlptest.One(t, srv.Logs(where.Body(where.Contains("refused")), where.Severity(query.SeverityError)))
	}},
	{name: "metric_of_another_kind", test: func(t testing.TB, srv *otlptest.Server) {
		m := sum("jobs.duration", 2, intPoint(1)) // cumulative
		m.Unit = "ms"
		deliver(t, srv, metrics(m))
		otlptest.One(t, srv.Points(where.Name("jobs.duration"), where.Unit("s"), where.Type(query.HistogramType), where.Temporality(query.Delta)))
	}},
	{name: "metric_without_unit", test: func(t testing.TB, srv *otlptest.Server) {
		deliver(t, srv, metrics(gauge("jobs", intPoint(1)), gauge("Jobs.open", intPoint(1))))
		otlptest.One(t, srv.Points(where.Name("jobs.open"), where.Unit("{job}")))
	}},
	{name: "one_of_many_terms", test: func(t testing.TB, srv *otlptest.Server) {
		for i := range byte(12) {
			deliver(t, srv, traces(made("charge", 2+i, 0, "order.currency", "EUR", "order.item", int(i))))
		}
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Service("shop"), where.Kind(query.SpanKindServer),
			where.Attr("order.currency", "EUR"), where.Attr("order.item", 12), where.ScopeName("shop/pay")))
	}},
}
