package httpapi_test

import (
	"net/url"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// sentBy is spans of a service.
func sentBy(service string, spans ...*tracepb.Span) *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   &resourcepb.Resource{Attributes: []*commonpb.KeyValue{text("service.name", service)}},
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}},
	}}}
}

// step is a span of the one trace that there is, which lasts so many
// milliseconds.
func step(id, parent byte, kind tracepb.Span_SpanKind, ms uint64, attrs ...*commonpb.KeyValue) *tracepb.Span {
	s := &tracepb.Span{
		TraceId: []byte("0123456789abcdef"), SpanId: []byte{id, 0, 0, 0, 0, 0, 0, 1}, Name: "step", Kind: kind,
		StartTimeUnixNano: 1e9, EndTimeUnixNano: 1e9 + ms*1e6, Attributes: attrs,
	}
	if parent != 0 {
		s.ParentSpanId = []byte{parent, 0, 0, 0, 0, 0, 0, 1}
	}
	return s
}

const (
	inside   = tracepb.Span_SPAN_KIND_INTERNAL
	server   = tracepb.Span_SPAN_KIND_SERVER
	client   = tracepb.Span_SPAN_KIND_CLIENT
	producer = tracepb.Span_SPAN_KIND_PRODUCER
	consumer = tracepb.Span_SPAN_KIND_CONSUMER
)

func TestWhoCallsWhom(t *testing.T) {
	srv, api := start(t)
	failed := step(6, 5, server, 30)
	failed.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
	send(t, srv, "/v1/traces", sentBy("web", step(1, 0, server, 100), step(2, 1, client, 20, text("peer.service", "checkout")),
		step(5, 1, client, 40, text("server.address", "checkout:80")), step(7, 1, client, 5, text("server.address", "mail.example"))))
	send(t, srv, "/v1/traces", sentBy("checkout", step(3, 2, server, 10), failed, step(4, 3, inside, 1),
		step(8, 3, client, 2, text("db.system", "old"), text("db.system.name", "postgresql")), step(9, 6, client, 4, text("db.system.name", "postgresql")),
		step(10, 3, producer, 1, text("messaging.system", "kafka")), step(11, 3, client, 3, text("peer.service", "web"))))
	later := step(12, 0, consumer, 7)
	later.TraceId = []byte("fedcba9876543210")
	later.Links = []*tracepb.Span_Link{{TraceId: failed.TraceId, SpanId: step(10, 0, 0, 0).SpanId}, {TraceId: []byte("another trace id"), SpanId: failed.SpanId}}
	send(t, srv, "/v1/traces", sentBy("mailer", later))
	const services = `{"services":[{"name":"checkout","spans":7,"errors":1},{"name":"kafka","remote":true,"spans":1,"errors":0},` +
		`{"name":"mail.example","remote":true,"spans":1,"errors":0},{"name":"mailer","spans":1,"errors":0},` +
		`{"name":"postgresql","remote":true,"spans":2,"errors":0},{"name":"web","spans":4,"errors":0}],`
	const calls = `"calls":[{"from":"checkout","to":"kafka","kind":"call","count":1,"errors":0,"median":"1ms","max":"1ms"},` +
		`{"from":"checkout","to":"mailer","kind":"link","count":1,"errors":0,"median":"7ms","max":"7ms"},` +
		`{"from":"checkout","to":"postgresql","kind":"call","count":2,"errors":0,"median":"2ms","max":"4ms"},` +
		`{"from":"checkout","to":"web","kind":"call","count":1,"errors":0,"median":"3ms","max":"3ms"},` +
		`{"from":"web","to":"checkout","kind":"call","count":2,"errors":1,"median":"10ms","max":"30ms"},` +
		`{"from":"web","to":"mail.example","kind":"call","count":1,"errors":0,"median":"5ms","max":"5ms"}]}` + "\n"
	if _, body := ask(t, api, get("/api/v1/services")); body != services+calls {
		t.Errorf("got\n%swant\n%s", body, services+calls)
	}
	const mailer = `{"services":[{"name":"mailer","spans":1,"errors":0}],"calls":[]}` + "\n"
	if _, body := ask(t, api, get("/api/v1/services?q="+url.QueryEscape(`service="mailer"`))); body != mailer {
		t.Errorf("got\n%swant\n%s", body, mailer)
	}
	if _, body := ask(t, api, get("/api/v1/services?q=spans>99")); body != `{"services":[],"calls":[]}`+"\n" {
		t.Errorf("got %s, want nothing", body)
	}
}
