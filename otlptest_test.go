package otlptest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	grpcgzip "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// The clients here are bare: grpc-go with a codec that passes bytes through,
// and net/http. What they get back is compared to the byte.

var signals = []query.Signal{query.Traces, query.Metrics, query.Logs}

var methods = map[query.Signal]string{
	query.Traces:  "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
	query.Metrics: "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
	query.Logs:    "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
}

// request makes an export of n items of a signal, all with a name (or body).
func request(sig query.Signal, name string, n int) []byte {
	res := &resourcepb.Resource{Attributes: []*commonpb.KeyValue{text("service.name", "shop")}}
	var m proto.Message
	switch sig {
	case query.Traces:
		spans := make([]*tracepb.Span, n)
		for i := range spans {
			spans[i] = &tracepb.Span{
				TraceId: bytes.Repeat([]byte{7}, 16), SpanId: []byte{1, 2, 3, 4, 5, 6, 7, byte(i + 1)}, Name: name,
				Attributes: []*commonpb.KeyValue{{Key: "n", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: int64(i)}}}},
			}
		}
		m = &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{Resource: res, ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}}}}}
	case query.Metrics:
		points := make([]*metricspb.NumberDataPoint, n)
		for i := range points {
			points[i] = &metricspb.NumberDataPoint{TimeUnixNano: 1, Value: &metricspb.NumberDataPoint_AsInt{AsInt: int64(i)}}
		}
		metric := &metricspb.Metric{Name: name, Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: points}}}
		m = &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{Resource: res, ScopeMetrics: []*metricspb.ScopeMetrics{{Metrics: []*metricspb.Metric{metric}}}}}}
	case query.Logs:
		records := make([]*logspb.LogRecord, n)
		for i := range records {
			records[i] = &logspb.LogRecord{Body: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: name}}}
		}
		m = &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{Resource: res, ScopeLogs: []*logspb.ScopeLogs{{LogRecords: records}}}}}
	}
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

func text(key, value string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}}}
}

// raw passes bytes through grpc-go.
type raw struct{}

func (raw) Name() string { return "proto" }
func (raw) Marshal(v any) ([]byte, error) {
	return *v.(*[]byte), nil
}
func (raw) Unmarshal(b []byte, v any) error {
	*v.(*[]byte) = bytes.Clone(b)
	return nil
}

// client sends over either transport and says what came back.
type client struct {
	t    *testing.T
	srv  *otlptest.Server
	conn *grpc.ClientConn
}

func newClient(t *testing.T, srv *otlptest.Server) *client {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(srv.DialGRPC),
		grpc.WithUserAgent("bare"),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{}), grpc.MaxCallSendMsgSize(1<<30)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &client{t, srv, conn}
}

// got is what came back, from either transport.
type got struct {
	Code       codes.Code
	HTTP       int
	Message    string
	RetryInfo  []time.Duration
	RetryAfter string
	Body       string // of a success
}

func (c *client) grpc(sig query.Signal, body []byte, opts ...grpc.CallOption) got {
	c.t.Helper()
	var answer []byte
	err := c.conn.Invoke(context.Background(), methods[sig], &body, &answer, opts...)
	g := statusOf(status.Convert(err).Proto())
	g.Body = string(answer)
	return g
}

func statusOf(s *spb.Status) got {
	g := got{Code: codes.Code(s.GetCode()), Message: s.GetMessage()}
	for _, d := range s.GetDetails() {
		info := new(errdetails.RetryInfo)
		if d.UnmarshalTo(info) == nil {
			g.RetryInfo = append(g.RetryInfo, info.RetryDelay.AsDuration())
		}
	}
	return g
}

func (c *client) post(path, contentType, encoding string, body []byte) (*http.Response, []byte) {
	c.t.Helper()
	req, err := http.NewRequest("POST", c.srv.HTTPEndpoint()+path, bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("User-Agent", "bare")
	if encoding != "" {
		req.Header.Set("Content-Encoding", encoding)
	}
	return c.do(req)
}

func (c *client) do(req *http.Request) (*http.Response, []byte) {
	c.t.Helper()
	res, err := c.srv.HTTPClient().Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return res, answer
}

func (c *client) http(sig query.Signal, body []byte) got {
	c.t.Helper()
	return c.read(c.post("/v1/"+string(sig), "application/x-protobuf", "", body))
}

// read checks what holds for every answer (S-20, S-23) and decodes it.
func (c *client) read(res *http.Response, answer []byte) got {
	c.t.Helper()
	if ct := res.Header.Get("Content-Type"); ct != "application/x-protobuf" {
		c.t.Errorf("got Content-Type %q in the answer, want application/x-protobuf (S-20)", ct)
	}
	if res.StatusCode == http.StatusOK {
		return got{HTTP: 200, Body: string(answer)}
	}
	s := new(spb.Status)
	if err := proto.Unmarshal(answer, s); err != nil {
		c.t.Fatalf("the body of a %d is no google.rpc.Status (S-23): %v", res.StatusCode, err)
	}
	g := statusOf(s)
	g.HTTP, g.RetryAfter = res.StatusCode, res.Header.Get("Retry-After")
	return g
}

func zip(b []byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	w.Write(b)
	w.Close()
	return buf.Bytes()
}

// networks runs a test over TCP and in memory.
func networks(t *testing.T, run func(t *testing.T, opts ...otlptest.Option)) {
	t.Run("tcp", func(t *testing.T) { run(t) })
	t.Run("memory", func(t *testing.T) { run(t, otlptest.WithInMemory()) })
}

func stored(srv *otlptest.Server, sig query.Signal) int {
	switch sig {
	case query.Traces:
		return srv.Spans().Len()
	case query.Metrics:
		return srv.Points().Len()
	}
	return srv.Logs().Len()
}

// S-01, S-06, S-07, S-16, S-17, S-18, S-22.
func TestEverySignalIsReceivedOverEveryTransport(t *testing.T) {
	networks(t, func(t *testing.T, opts ...otlptest.Option) {
		for _, sig := range signals {
			t.Run(string(sig), func(t *testing.T) {
				srv := otlptest.Start(t, opts...)
				c := newClient(t, srv)
				body := request(sig, "charge", 3)
				answers := []got{
					c.grpc(sig, body),
					c.grpc(sig, body, grpc.UseCompressor(grpcgzip.Name)),
					c.http(sig, body),
					c.read(c.post("/v1/"+string(sig), "application/x-protobuf", "gzip", zip(body))),
					c.grpc(sig, nil),
					c.http(sig, nil),
				}
				want := []got{{}, {}, {HTTP: 200}, {HTTP: 200}, {}, {HTTP: 200}}
				if diff := cmp.Diff(want, answers); diff != "" {
					t.Errorf("answers (-want +got):\n%s", diff)
				}
				if n := stored(srv, sig); n != 12 {
					t.Errorf("got %d items stored, want 12", n)
				}
				checkExports(t, srv, sig, body)
			})
		}
	})
}

func checkExports(t *testing.T, srv *otlptest.Server, sig query.Signal, body []byte) {
	t.Helper()
	exports := otlptest.Exactly(t, srv.Exports(), 6)
	zipped := exports[1].WireSize
	want := []query.Export{
		{Number: 1, Protocol: query.GRPC, Path: methods[sig], Conn: 1, WireSize: len(body), BodySize: len(body), Items: 3, Stored: 3},
		{Number: 2, Protocol: query.GRPC, Path: methods[sig], Conn: 1, WireSize: zipped, BodySize: len(body), Items: 3, Stored: 3, Encoding: "gzip"},
		{Number: 3, Protocol: query.HTTPProtobuf, Method: "POST", Path: "/v1/" + string(sig), Conn: 2, WireSize: len(body), BodySize: len(body), Items: 3, Stored: 3},
		{Number: 4, Protocol: query.HTTPProtobuf, Method: "POST", Path: "/v1/" + string(sig), Conn: 2, WireSize: len(zip(body)), BodySize: len(body), Items: 3, Stored: 3, Encoding: "gzip"},
		{Number: 5, Protocol: query.GRPC, Path: methods[sig], Conn: 1},
		{Number: 6, Protocol: query.HTTPProtobuf, Method: "POST", Path: "/v1/" + string(sig), Conn: 2},
	}
	for i, e := range exports {
		w := &want[i]
		w.Signal, w.Outcome, w.Reused = sig, query.Accepted, i != 0 && i != 2
		if e.Protocol != query.GRPC {
			w.Status.HTTP = 200
		}
		if e.Arrived.IsZero() || e.Received.Before(e.Arrived) || e.Answered.Before(e.Received) || e.Peer == "" {
			t.Errorf("export %d: got arrived %v, received %v, answered %v from %q, want three times in that order and a peer", e.Number, e.Arrived, e.Received, e.Answered, e.Peer)
		}
		if ua := e.Header.Get("User-Agent"); !strings.HasPrefix(ua, "bare") {
			t.Errorf("export %d: got User-Agent %q, want bare", e.Number, ua)
		}
		e.Arrived, e.Received, e.Answered, e.Peer, e.Header = time.Time{}, time.Time{}, time.Time{}, "", nil
		if diff := cmp.Diff(*w, e); diff != "" {
			t.Errorf("export %d (-want +got):\n%s", i+1, diff)
		}
	}
	if zipped == 0 || zipped == len(body) {
		t.Errorf("got wire size %d of a compressed call, want that of the compressed message", zipped)
	}
}

// The same fault is right on both transports.
func TestFaultsAnswerOnBothTransports(t *testing.T) {
	const partial2 = "\x0a\x05\x08\x02\x12\x01m"
	tests := []struct {
		fault  faults.Fault
		grpc   got
		http   got
		stored int // of 5, by each transport
	}{
		{faults.Accept(), got{}, got{HTTP: 200}, 5},
		{faults.Unavailable(), // S-11
			got{Code: codes.Unavailable, Message: "unavailable, as scripted"},
			got{Code: codes.Unavailable, HTTP: 503, Message: "unavailable, as scripted"}, 0},
		{faults.Throttle(350 * time.Millisecond), // S-13, S-27: whole seconds, rounded up
			got{Code: codes.Unavailable, Message: "overloaded, as scripted: retry after 350ms", RetryInfo: []time.Duration{350 * time.Millisecond}},
			got{Code: codes.Unavailable, HTTP: 503, Message: "overloaded, as scripted: retry after 350ms", RetryInfo: []time.Duration{350 * time.Millisecond}, RetryAfter: "1"}, 0},
		{faults.Throttle(0),
			got{Code: codes.Unavailable, Message: "overloaded, as scripted: retry after 0s", RetryInfo: []time.Duration{0}},
			got{Code: codes.Unavailable, HTTP: 503, Message: "overloaded, as scripted: retry after 0s", RetryInfo: []time.Duration{0}, RetryAfter: "0"}, 0},
		{faults.Reject("bad data"), // S-12, S-26
			got{Code: codes.InvalidArgument, Message: "bad data"},
			got{Code: codes.InvalidArgument, HTTP: 400, Message: "bad data"}, 0},
		{faults.Unavailable().Stored(), // a lost acknowledgement
			got{Code: codes.Unavailable, Message: "unavailable, as scripted"},
			got{Code: codes.Unavailable, HTTP: 503, Message: "unavailable, as scripted"}, 5},
		{faults.PartialSuccess(2, "m"), got{Body: partial2}, got{HTTP: 200, Body: partial2}, 3},                       // S-08, S-09
		{faults.PartialSuccess(0, "m"), got{Body: "\x0a\x03\x12\x01m"}, got{HTTP: 200, Body: "\x0a\x03\x12\x01m"}, 5}, // S-10
		{faults.PartialSuccess(0, ""), got{Body: "\x0a\x00"}, got{HTTP: 200, Body: "\x0a\x00"}, 5},                    // S-51
		{faults.PartialSuccess(9, ""), got{Body: "\x0a\x02\x08\x09"}, got{HTTP: 200, Body: "\x0a\x02\x08\x09"}, 0},
		{faults.Code(codes.OK), got{}, got{HTTP: 200}, 5},
	}
	for code, httpStatus := range map[codes.Code]int{
		codes.Canceled: 503, codes.Unknown: 500, codes.InvalidArgument: 400, codes.DeadlineExceeded: 504,
		codes.NotFound: 404, codes.AlreadyExists: 409, codes.PermissionDenied: 403, codes.ResourceExhausted: 413,
		codes.FailedPrecondition: 400, codes.Aborted: 503, codes.OutOfRange: 503, codes.Unimplemented: 501,
		codes.Internal: 500, codes.Unavailable: 503, codes.DataLoss: 503, codes.Unauthenticated: 401,
	} {
		f := faults.Code(code)
		msg := "refused, as scripted: " + f.String()
		tests = append(tests, struct {
			fault      faults.Fault
			grpc, http got
			stored     int
		}{f, got{Code: code, Message: msg}, got{Code: code, HTTP: httpStatus, Message: msg}, 0})
	}
	for httpStatus, code := range map[int]codes.Code{
		400: codes.Internal, 401: codes.Unauthenticated, 403: codes.PermissionDenied, 404: codes.Unimplemented,
		408: codes.Unknown, 429: codes.Unavailable, 500: codes.Unknown, 502: codes.Unavailable,
		503: codes.Unavailable, 504: codes.Unavailable,
	} {
		f := faults.HTTPStatus(httpStatus)
		msg := "refused, as scripted: " + f.String()
		bare := fmt.Sprintf("unexpected HTTP status code received from server: %d (%s); transport: received unexpected content-type "+
			`"text/html; charset=utf-8"`, httpStatus, http.StatusText(httpStatus))
		tests = append(tests, struct {
			fault      faults.Fault
			grpc, http got
			stored     int
		}{f, got{Code: code, Message: bare}, got{Code: code, HTTP: httpStatus, Message: msg}, 0})
	}
	for _, test := range tests {
		t.Run(test.fault.String(), func(t *testing.T) {
			srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Always(test.fault)))
			c := newClient(t, srv)
			for i, sig := range signals {
				g := c.grpc(sig, request(sig, "charge", 5))
				g.Message, _, _ = strings.Cut(g.Message, "\ndata: ") // newer versions of grpc-go tell the body, too
				if diff := cmp.Diff(test.grpc, g); diff != "" {
					t.Errorf("%s over gRPC (-want +got):\n%s", sig, diff)
				}
				if diff := cmp.Diff(test.http, c.http(sig, request(sig, "charge", 5))); diff != "" {
					t.Errorf("%s over HTTP (-want +got):\n%s", sig, diff)
				}
				if n := stored(srv, sig); n != 2*test.stored {
					t.Errorf("got %d %s items stored, want %d", n, sig, 2*test.stored)
				}
				e := srv.Exports().Slice()[2*i+1]
				if e.Status.HTTP != test.http.HTTP || e.Status.Code != query.Code(test.http.Code) || e.Answered.IsZero() {
					t.Errorf("got %+v recorded, want what was answered", e.Status)
				}
			}
		})
	}
}

// What is no OTLP is refused, recorded, and stores nothing.
func TestWhatIsNotOTLPIsRefusedAndRecorded(t *testing.T) {
	invalid := map[string]string{
		"garbage":       "\xff\xff\xff",
		"truncated":     string(request(query.Traces, "charge", 1)[:20]),
		"invalid UTF-8": string(bytes.Replace(request(query.Traces, "charge", 1), []byte("charge"), []byte("ch\xffrge"), 1)),
	}
	for name, body := range invalid {
		t.Run(name, func(t *testing.T) {
			srv := otlptest.Start(t)
			c := newClient(t, srv)
			rpc, web := c.grpc(query.Traces, []byte(body)), c.http(query.Traces, []byte(body))
			if rpc.Code != codes.InvalidArgument || web.Code != codes.InvalidArgument || web.HTTP != 400 || rpc.Message == "" || web.Message != rpc.Message {
				t.Errorf("got %+v and %+v, want INVALID_ARGUMENT and 400 with the same message (S-12, S-26)", rpc, web)
			}
			otlptest.Exactly(t, srv.Spans(), 0)
			for _, e := range otlptest.Exactly(t, srv.Exports(), 2) {
				if e.Outcome != query.Malformed || e.BodySize != len(body) || e.Status.Message != rpc.Message || e.Stored != 0 {
					t.Errorf("got export %+v, want a malformed one of %d bytes with the answer's message", e, len(body))
				}
			}
			if n := len(srv.Report().Batches); n != 0 {
				t.Errorf("got %d batches in the report, want none", n)
			}
		})
	}
}

// S-30: OTLP over HTTP names none of these codes, HTTP does.
func TestRequestsThatAreNoExportsAreRefusedAndRecorded(t *testing.T) {
	srv := otlptest.Start(t)
	c := newClient(t, srv)
	body := request(query.Traces, "charge", 1)
	tests := []struct {
		name, method, path, media, encoding string
		http                                int
		code                                codes.Code
		message                             string
	}{
		{"path", "POST", "/v1/trace", "application/x-protobuf", "", 404, codes.Unimplemented, `got path "/v1/trace", want /v1/traces, /v1/metrics or /v1/logs`},
		{"method", "PUT", "/v1/traces", "application/x-protobuf", "", 405, codes.Unimplemented, "got method PUT, want POST"},
		{"type", "POST", "/v1/traces", "text/plain", "", 415, codes.InvalidArgument, `got Content-Type "text/plain", want application/x-protobuf or application/json`},
		{"no type", "POST", "/v1/traces", "", "", 415, codes.InvalidArgument, `got Content-Type "", want application/x-protobuf or application/json`},
		{"encoding", "POST", "/v1/traces", "application/x-protobuf", "br", 415, codes.InvalidArgument, `got Content-Encoding "br", want one of gzip, identity, x-gzip`},
		{"no gzip", "POST", "/v1/traces", "application/x-protobuf", "gzip", 400, codes.InvalidArgument, "request cannot be decompressed: gzip: invalid header"},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			req, err := http.NewRequest(test.method, srv.HTTPEndpoint()+test.path, bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header["Content-Type"] = []string{test.media}
			if test.encoding != "" {
				req.Header.Set("Content-Encoding", test.encoding)
			}
			res, answer := c.do(req)
			want := got{Code: test.code, HTTP: test.http, Message: test.message}
			if diff := cmp.Diff(want, c.read(res, answer)); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
			if allow := res.Header.Get("Allow"); (allow == "POST") != (test.http == 405) {
				t.Errorf("got Allow %q with a %d", allow, test.http)
			}
			exports := otlptest.Exactly(t, srv.Exports(), i+1)
			if e := exports[i]; e.Path != test.path || e.Status.HTTP != test.http || e.Acknowledged() {
				t.Errorf("got export %+v, want the refused one", e)
			}
		})
	}
	otlptest.Exactly(t, srv.Spans(), 0)
}

// The media type is compared in any case and without its parameters (S-31).
func TestMediaTypeIsComparedAsHTTPDoes(t *testing.T) {
	srv := otlptest.Start(t)
	c := newClient(t, srv)
	for _, media := range []string{"Application/X-Protobuf", "application/x-protobuf; charset=utf-8"} {
		if g := c.read(c.post("/v1/traces", media, "", request(query.Traces, "charge", 1))); g.HTTP != 200 {
			t.Errorf("got %+v for Content-Type %q, want 200", g, media)
		}
	}
}

// S-02, S-03, S-21.
func TestRequestsOverTheCapAreRefusedBeforeAndAfterDecompression(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMaxRequestSize(1<<20))
	c := newClient(t, srv)
	big := request(query.Traces, strings.Repeat("x", 5<<20), 1)
	fits := request(query.Traces, strings.Repeat("x", 1<<20-100), 1)
	const message = "request is larger than the limit of 1048576 bytes"
	over := got{Code: codes.ResourceExhausted, Message: message}
	if g := c.grpc(query.Traces, big, grpc.UseCompressor(grpcgzip.Name)); cmp.Diff(over, g) != "" {
		t.Errorf("got %+v for a compressed call, want %+v", g, over)
	}
	if g := c.grpc(query.Traces, big); g.Code != codes.ResourceExhausted || g.RetryInfo != nil {
		t.Errorf("got %+v for a plain call, want RESOURCE_EXHAUSTED without RetryInfo (S-03)", g)
	}
	over.HTTP = 413
	for _, g := range []got{
		c.http(query.Traces, big),
		c.read(c.post("/v1/traces", "application/x-protobuf", "gzip", zip(big))),
	} {
		if diff := cmp.Diff(over, g); diff != "" {
			t.Errorf("answer (-want +got):\n%s", diff)
		}
	}
	for _, e := range otlptest.Await(t, srv.Exports(), 4) {
		if e.Outcome != query.Refused || e.Status.Code != query.Code(codes.ResourceExhausted) {
			t.Errorf("got export %v, want RESOURCE_EXHAUSTED", e)
		}
	}
	if g := c.grpc(query.Traces, fits); g.Code != codes.OK {
		t.Errorf("got %+v for a call within the cap, want success", g)
	}
	if g := c.http(query.Traces, fits); g.HTTP != 200 {
		t.Errorf("got %+v for a request within the cap, want success", g)
	}
	otlptest.Exactly(t, srv.Spans(), 2)
}

// The cap holds for what is kept, too: numbers in a list are longer as protobuf
// than as JSON.
func TestJSONWhoseProtobufIsOverTheCapIsRefused(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMaxRequestSize(1<<20))
	c := newClient(t, srv)
	body := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","histogram":{"dataPoints":[{"bucketCounts":[` +
		strings.Repeat("1,", 1<<18) + `1]}]}}]}]}]}`
	res, answer := c.post("/v1/metrics", "application/json", "", []byte(body))
	if res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(answer), "as protobuf") {
		t.Errorf("got status %d and %s for %d bytes of JSON, want 413 and why", res.StatusCode, answer, len(body))
	}
	otlptest.Exactly(t, srv.Points(), 0)
}

// A request of more than grpc-go's own 4 MiB is accepted by default.
func TestFiveMiBAreAcceptedByDefault(t *testing.T) {
	srv := otlptest.Start(t)
	c := newClient(t, srv)
	body := request(query.Traces, strings.Repeat("x", 5<<20), 1)
	if g := c.grpc(query.Traces, body); g.Code != codes.OK {
		t.Errorf("got %+v over gRPC, want success", g)
	}
	if g := c.http(query.Traces, body); g.HTTP != 200 {
		t.Errorf("got %+v over HTTP, want success", g)
	}
}

func TestRulesDecideInOrder(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory())
	err := srv.Inject(
		faults.Sequence(faults.Reject("first"), faults.Accept()).On(query.Traces).Times(2),
		faults.Always(faults.Reject("charge")).Where(where.Name("charge")).Times(1),
		faults.Always(faults.Reject("web")).Via(query.HTTPProtobuf),
	)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, srv)
	var messages []string
	for _, sig := range []query.Signal{query.Traces, query.Metrics, query.Traces, query.Traces, query.Traces, query.Traces, query.Logs} {
		messages = append(messages, c.grpc(sig, request(sig, "refund", 1)).Message)
	}
	messages = append(messages, c.grpc(query.Metrics, request(query.Metrics, "charge", 1)).Message, c.http(query.Metrics, request(query.Metrics, "charge", 1)).Message)
	want := []string{"first", "", "", "first", "", "", "", "charge", "web"}
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if pending := srv.PendingFaults(); len(pending) != 0 {
		t.Errorf("got pending faults %v, want none: each was met", pending)
	}
	first := srv.Exports().Slice()[3]
	want1 := query.FaultRef{Rule: 1, Fault: 3, Of: 4, Text: `reject "first"`}
	if diff := cmp.Diff(want1, first.Fault); diff != "" {
		t.Errorf("the fault recorded with an export (-want +got):\n%s", diff)
	}
}

func TestRulesThatCannotWorkAreNamed(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory())
	tests := []struct {
		rule faults.Rule
		want string
	}{
		{faults.Sequence(), "the rule has no fault"},
		{faults.Always(faults.HTTPStatus(200)), "http: got status 200, want 400 to 599"},
		{faults.Always(faults.Throttle(-time.Second)), "throttle: got a retry delay of -1s, want 0 or more"},
		{faults.Always(faults.Code(99)), "code: got CODE(99), want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)"},
		{faults.Always(faults.Hang().After(time.Hour)), "a delay of 1h0m0s is longer than the hang limit of 10m0s (WithHangLimit)"},
		{faults.Always(faults.Hang()).On("spans"), `got signal "spans", want traces, metrics or logs`},
		{faults.Always(faults.Hang()).Via("http"), `got protocol "http", want grpc, http/protobuf or http/json`},
		{faults.Always(faults.Hang()).On(query.Logs).Where(where.Kind(query.SpanKindClient)), "filter kind=client applies to spans: the rule is for logs"},
		{faults.Always(faults.Hang()).Where(where.Name("a"), where.Func("error", func(l query.Log) bool { return true })), `filter func("error") applies to logs: the rule is for spans and points`},
		{faults.Sequence(faults.Hang()).Times(-1), "got -1 times, want 1 to 2147483647, or 0 for no number"},
	}
	for _, test := range tests {
		err := srv.Inject(faults.Always(faults.Accept()), test.rule)
		if err == nil || !strings.HasPrefix(err.Error(), "rule 2 (") || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("got %v, want rule 2 and %q", err, test.want)
		}
	}
	if live := srv.Faults(); len(live) != 0 {
		t.Errorf("got rules %v, want none: one that cannot work takes all with it", live)
	}
}

func TestReportFollowsABatchThroughItsAttempts(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(
		faults.Sequence(faults.Throttle(time.Second), faults.Unavailable().Stored())))
	c := newClient(t, srv)
	a, b := request(query.Traces, "a", 2), request(query.Traces, "b", 2)
	c.grpc(query.Traces, a)
	c.http(query.Traces, b) // stored, but not acknowledged
	c.http(query.Traces, a) // the same batch over another transport
	c.grpc(query.Traces, b, grpc.UseCompressor(grpcgzip.Name))
	c.grpc(query.Traces, a) // after its acknowledgement: a new batch
	batches := srv.Report().Batches
	type row struct {
		Attempts   []int
		Deliveries int
		Acked      bool
		RepeatOf   int
		Promised   []time.Duration
	}
	var rows []row
	for _, b := range batches {
		r := row{Deliveries: b.Deliveries(), Acked: b.Acknowledged(), Promised: b.Promised()}
		for _, e := range b.Attempts() {
			r.Attempts = append(r.Attempts, e.Number)
		}
		if b.RepeatOf() != nil {
			r.RepeatOf = b.RepeatOf().Number
		}
		if len(b.Gaps()) != len(r.Attempts)-1 {
			t.Errorf("got %d gaps between %d attempts", len(b.Gaps()), len(r.Attempts))
		}
		rows = append(rows, r)
	}
	want := []row{
		{[]int{1, 3}, 1, true, 0, []time.Duration{time.Second, 0}},
		{[]int{2, 4}, 2, true, 0, []time.Duration{0, 0}},
		{[]int{5}, 1, true, 1, []time.Duration{0}},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("batches (-want +got):\n%s", diff)
	}
}

func TestResetDropsDataAndRules(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Accept(), faults.Reject("never"))))
	c := newClient(t, srv)
	c.grpc(query.Traces, request(query.Traces, "before", 1))
	before := srv.Spans().Slice()
	srv.Reset()
	otlptest.Exactly(t, srv.Exports(), 0)
	if g := c.grpc(query.Traces, request(query.Traces, "after", 1)); g.Code != codes.OK {
		t.Errorf("got %+v after Reset, want success: the rule is gone", g)
	}
	span := otlptest.One(t, srv.Spans())
	if span.Name != "after" || span.Ref.Number() != 1 || span.Ref.Export().Number != 1 {
		t.Errorf("got span %d %q of export %d, want 1 \"after\" of 1", span.Ref.Number(), span.Name, span.Ref.Export().Number)
	}
	if before[0].Name != "before" || before[0].Proto().GetName() != "before" {
		t.Error("what was handed out before Reset has changed")
	}
}

func TestClosedServerKeepsItsData(t *testing.T) {
	networks(t, func(t *testing.T, opts ...otlptest.Option) {
		srv, err := otlptest.New(opts...)
		if err != nil {
			t.Fatal(err)
		}
		c := newClient(t, srv)
		c.grpc(query.Traces, request(query.Traces, "charge", 1))
		if err := errors.Join(srv.Close(), srv.Close()); err != nil {
			t.Fatal(err)
		}
		otlptest.One(t, srv.Spans(where.Name("charge"), where.Service("shop")))
		_, err = srv.Spans(where.Name("refund")).Wait(context.Background(), 1)
		if !errors.Is(err, query.ErrClosed) {
			t.Errorf("got %v from a wait on a closed server, want query.ErrClosed", err)
		}
		if _, err := srv.DialGRPC(context.Background(), srv.GRPCEndpoint()); err == nil {
			t.Error("got a connection to a closed server")
		}
	})
}

func ExampleServer_Report() {
	srv, err := otlptest.New(otlptest.WithFaults(faults.Sequence(faults.Reject("no"))))
	if err != nil {
		panic(err)
	}
	defer srv.Close()
	body := bytes.NewReader(request(query.Traces, "charge", 2))
	res, err := http.Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", body)
	if err != nil {
		panic(err)
	}
	res.Body.Close()
	fmt.Print(srv.Report())
	// Output:
	// 1 batch in 1 export: 0 delivered, 1 not delivered
	// 2 spans sent: 0 delivered, 2 lost
	// 1 connection, at most 1 request in flight
	// batch 1  traces  2 spans  not delivered
	//   export 1   +0s     conn 1  http/protobuf  400 INVALID_ARGUMENT (fault 1 of 1)
}
