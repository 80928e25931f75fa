package httpapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/otlptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a server in memory, with its API.
func start(t *testing.T) (*otlptest.Server, http.Handler) {
	t.Helper()
	srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithUnusedFaultsAllowed())
	return srv, httpapi.New(srv)
}

// request is what a test asks the API.
type request struct {
	method, target string
	contentType    string
	body           string
}

func get(target string) request { return request{method: http.MethodGet, target: target} }

// ask asks, and holds the answer against the description.
func ask(t *testing.T, api http.Handler, r request) (status int, body string) {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), r.method, r.target, strings.NewReader(r.body))
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	req.Host = "127.0.0.1:4319"
	rec := httptest.NewRecorder()
	api.ServeHTTP(rec, req)
	path := req.URL.Path
	if at := strings.Index(path, "/api/"); at >= 0 {
		path = path[at:] // behind what it is mounted under
	}
	if err := described(r.method, path, rec.Code, rec.Header(), rec.Body.Bytes()); err != nil {
		t.Errorf("%s %s: got %d %.300s, which is not what is described: %v", r.method, r.target, rec.Code, rec.Body, err)
	}
	if got := rec.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("%s %s: got Cache-Control %q, want no-store", r.method, r.target, got)
	}
	return rec.Code, rec.Body.String()
}

// detail asks for what must fail, and returns what the problem says.
func detail(t *testing.T, api http.Handler, r request, status int) string {
	t.Helper()
	got, body := ask(t, api, r)
	var p struct {
		Type, Title, Detail string
		Status              int
	}
	if err := json.Unmarshal([]byte(body), &p); err != nil {
		t.Fatalf("%s %s: got %d %s: %v", r.method, r.target, got, body, err)
	}
	if got != status || p.Status != status || p.Title != http.StatusText(status) || p.Type != "about:blank" {
		t.Errorf("%s %s: got %d %s, want %d %s", r.method, r.target, got, body, status, http.StatusText(status))
	}
	return p.Detail
}

// send delivers a message to the server over HTTP.
func send(t testing.TB, srv *otlptest.Server, path string, m proto.Message) {
	t.Helper()
	body, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+path, "application/x-protobuf", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}

// call delivers spans over gRPC: what a request and a response are on the
// wire, TracesData is too.
func call(t *testing.T, srv *otlptest.Server, m *tracepb.TracesData) {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(),
		grpc.WithContextDialer(srv.DialGRPC), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const method = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
	if err := conn.Invoke(t.Context(), method, m, &tracepb.TracesData{}); err != nil {
		t.Fatal(err)
	}
}

func text(key, value string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
}

var shop = &resourcepb.Resource{Attributes: []*commonpb.KeyValue{text("service.name", "shop")}}

// spans makes a request with spans of those names.
func spans(names ...string) *tracepb.TracesData {
	ss := &tracepb.ScopeSpans{}
	for i, name := range names {
		ss.Spans = append(ss.Spans, &tracepb.Span{
			TraceId: bytes.Repeat([]byte{0xab}, 16), SpanId: bytes.Repeat([]byte{byte(i + 1)}, 8),
			Name: name, Kind: tracepb.Span_SPAN_KIND_SERVER, StartTimeUnixNano: 1e9, EndTimeUnixNano: 2e9,
			Attributes: []*commonpb.KeyValue{text("http.route", "/<id>")},
		})
	}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{Resource: shop, ScopeSpans: []*tracepb.ScopeSpans{ss}}}}
}

func points() *metricspb.MetricsData {
	gauge := &metricspb.Gauge{DataPoints: []*metricspb.NumberDataPoint{{TimeUnixNano: 1e9, Value: &metricspb.NumberDataPoint_AsInt{AsInt: 41}}}}
	m := &metricspb.Metric{Name: "stock", Unit: "{item}", Data: &metricspb.Metric_Gauge{Gauge: gauge}}
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{Resource: shop, ScopeMetrics: []*metricspb.ScopeMetrics{{Metrics: []*metricspb.Metric{m}}}}}}
}

func logs() *logspb.LogsData {
	r := &logspb.LogRecord{TimeUnixNano: 1e9, SeverityNumber: 9, Body: text("", "paid").Value}
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{Resource: shop, ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{r}}}}}}
}
