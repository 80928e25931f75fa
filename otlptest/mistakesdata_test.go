package otlptest_test

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
)

// made is a span of a request, its id's last byte i and its parent's parent.
func made(name string, i, parent byte, attrs ...any) *tracepb.Span {
	s := goodSpan()
	s.Name, s.SpanId = name, bytes.Repeat([]byte{i}, 8)
	if parent != 0 {
		s.ParentSpanId = bytes.Repeat([]byte{parent}, 8)
	}
	for i := 0; i < len(attrs); i += 2 {
		s.Attributes = append(s.Attributes, attr(attrs[i].(string), attrs[i+1]))
	}
	return s
}

// took is a span that took so long.
func took(s *tracepb.Span, d time.Duration) *tracepb.Span {
	s.EndTimeUnixNano = s.StartTimeUnixNano + uint64(d)
	return s
}

// of is spans whose resource has these attributes.
func of(m *tracepb.TracesData, attrs ...any) *tracepb.TracesData {
	var kvs []*commonpb.KeyValue
	for i := 0; i < len(attrs); i += 2 {
		kvs = append(kvs, attr(attrs[i].(string), attrs[i+1]))
	}
	m.ResourceSpans[0].Resource.Attributes = kvs
	return m
}

// deliver posts the data of a signal and returns the answer's status.
func deliver(t testing.TB, srv *otlptest.Server, m proto.Message) int {
	t.Helper()
	return deliverTo(t, srv, "/v1/"+string(signalOf(m)), m)
}

// deliverTo is deliver to another path.
func deliverTo(t testing.TB, srv *otlptest.Server, path string, m proto.Message) int {
	t.Helper()
	body, err := proto.Marshal(m)
	must(t, err)
	return post(t, srv, path, body)
}

// ask sends a request of spans as it is changed by a function, whatever comes
// of it.
func ask(t testing.TB, srv *otlptest.Server, m proto.Message, change func(*http.Request)) {
	t.Helper()
	body, err := proto.Marshal(m)
	must(t, err)
	req, err := http.NewRequest(http.MethodPost, srv.HTTPEndpoint()+"/v1/traces", bytes.NewReader(body))
	must(t, err)
	req.Header.Set("Content-Type", "application/x-protobuf")
	change(req)
	if res, err := srv.HTTPClient().Do(req); err == nil {
		res.Body.Close()
	}
}

// calling exports spans by gRPC to an address, whatever comes of it.
func calling(t testing.TB, srv *otlptest.Server, addr string, creds credentials.TransportCredentials, opts ...grpc.CallOption) {
	t.Helper()
	if creds == nil {
		creds = insecure.NewCredentials()
	}
	conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(creds), grpc.WithContextDialer(srv.DialGRPC))
	must(t, err)
	defer conn.Close()
	body, err := proto.Marshal(traces(made("charge", 2, 0)))
	must(t, err)
	var answer []byte
	opts = append(opts, grpc.ForceCodec(rawCodec{}))
	conn.Invoke(t.Context(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export", &body, &answer, opts...)
}

// nothingChanges is for ask.
func nothingChanges(*http.Request) {}
