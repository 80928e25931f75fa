package otlptest_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip" // what UseCompressor("gzip") needs
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

var (
	signals   = []query.Signal{query.Traces, query.Metrics, query.Logs}
	protocols = []query.Protocol{query.GRPC, query.HTTPProtobuf, query.HTTPJSON}
	overHTTP  = protocols[1:]
)

var exportMethod = map[query.Signal]string{
	query.Traces:  "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
	query.Metrics: "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
	query.Logs:    "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
}

var mediaType = map[query.Protocol]string{
	query.HTTPProtobuf: "application/x-protobuf",
	query.HTTPJSON:     "application/json",
}

// wire is a bare client, grpc-go with a codec that passes bytes through and
// net/http, which knows what holds for every answer.
type wire struct {
	t    *testing.T
	srv  *otlptest.Server
	conn *grpc.ClientConn
}

func newWire(t *testing.T, srv *otlptest.Server) *wire {
	t.Helper()
	return &wire{t, srv, dial(t, srv)}
}

// reply is what came back.
type reply struct {
	Code    codes.Code
	HTTP    int // 0 on gRPC
	Message string
	Details []proto.Message
	Body    string      // of a success, as sent
	Header  http.Header // of HTTP
}

// String is everything but the header, such as
//
//	503 UNAVAILABLE "come back later" RetryInfo(350ms)
//	200 OK {"partialSuccess":{"rejectedSpans":"2"}}
func (r reply) String() string {
	parts := []string{query.Status{Code: query.Code(r.Code), HTTP: r.HTTP}.String()}
	if r.Message != "" {
		parts = append(parts, fmt.Sprintf("%q", r.Message))
	}
	for _, d := range r.Details {
		parts = append(parts, detail(d))
	}
	switch {
	case strings.HasPrefix(r.Body, "{"):
		parts = append(parts, sorted(r.Body))
	case r.Body != "":
		parts = append(parts, fmt.Sprintf("%x", r.Body))
	}
	return strings.Join(parts, " ")
}

func detail(m proto.Message) string {
	switch m := m.(type) {
	case *errdetails.RetryInfo:
		return fmt.Sprintf("RetryInfo(%s)", m.GetRetryDelay().AsDuration())
	case *errdetails.BadRequest:
		var fields []string
		for _, f := range m.FieldViolations {
			fields = append(fields, f.Field)
		}
		return fmt.Sprintf("BadRequest(%s)", strings.Join(fields, ", "))
	}
	return fmt.Sprintf("%T", m)
}

// sorted is JSON with its keys in order, and otherwise as it was.
func sorted(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return fmt.Sprintf("%q: %v", text, err)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// success is a reply of full success (S-07, S-22).
func success(via query.Protocol) string {
	return map[query.Protocol]string{query.GRPC: "OK", query.HTTPProtobuf: "200 OK", query.HTTPJSON: "200 OK {}"}[via]
}

// refusal is a reply of an error, without a message and details.
func refusal(via query.Protocol, code codes.Code, httpStatus int) string {
	if via == query.GRPC {
		httpStatus = 0
	}
	return query.Status{Code: query.Code(code), HTTP: httpStatus}.String()
}

// send sends the bytes of one export.
func (w *wire) send(via query.Protocol, sig query.Signal, body []byte, zipped bool) reply {
	w.t.Helper()
	if via == query.GRPC {
		var opts []grpc.CallOption
		if zipped {
			opts = append(opts, grpc.UseCompressor("gzip"))
		}
		return w.call(exportMethod[sig], body, opts...)
	}
	h := http.Header{"Content-Type": {mediaType[via]}}
	if zipped {
		h.Set("Content-Encoding", "gzip")
		body = zip(body)
	}
	return w.post("/v1/"+string(sig), h, body)
}

// export sends a TracesData, MetricsData or LogsData.
func (w *wire) export(via query.Protocol, m proto.Message) reply {
	w.t.Helper()
	return w.send(via, signalOf(m), encode(w.t, via, m), false)
}

func (w *wire) call(method string, body []byte, opts ...grpc.CallOption) reply {
	w.t.Helper()
	var answer []byte
	opts = append(opts, grpc.ForceCodec(rawCodec{}), grpc.MaxCallSendMsgSize(1<<30))
	err := w.conn.Invoke(w.t.Context(), method, &body, &answer, opts...)
	r := w.status(status.Convert(err).Proto())
	r.Body = string(answer)
	return r
}

func (w *wire) post(path string, h http.Header, body []byte) reply {
	w.t.Helper()
	req, err := http.NewRequest(http.MethodPost, w.srv.HTTPEndpoint()+path, bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header = h
	return w.do(req)
}

// do sends a request and reads the answer, which has to be as every answer is
// (S-20, S-23). It does not ask for compression.
func (w *wire) do(req *http.Request) reply {
	w.t.Helper()
	if req.Header.Get("Accept-Encoding") == "" {
		req.Header.Set("Accept-Encoding", "identity")
	}
	res, err := w.srv.HTTPClient().Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.read(res, body)
}

func (w *wire) read(res *http.Response, body []byte) reply {
	w.t.Helper()
	media := res.Header.Get("Content-Type")
	if media != "application/x-protobuf" && media != "application/json" {
		w.t.Errorf("got Content-Type %q in the answer, want one of OTLP (S-20)", media)
	}
	r := reply{Body: string(body)}
	if res.StatusCode >= 400 {
		var s spb.Status
		unmarshal := proto.Unmarshal
		if media == "application/json" {
			unmarshal = protojson.Unmarshal
		}
		if err := unmarshal(body, &s); err != nil {
			w.t.Errorf("the body of a %d is no google.rpc.Status in %s (S-23): %v: %q", res.StatusCode, media, err, body)
		}
		r = w.status(&s)
	}
	r.HTTP, r.Header = res.StatusCode, res.Header
	return r
}

func (w *wire) status(s *spb.Status) reply {
	r := reply{Code: codes.Code(s.GetCode()), Message: s.GetMessage()}
	for _, d := range s.GetDetails() {
		m, err := d.UnmarshalNew()
		if err != nil {
			w.t.Errorf("detail of a status: %v", err)
			continue
		}
		r.Details = append(r.Details, m)
	}
	return r
}

// rawCodec passes bytes through grpc-go.
type rawCodec struct{}

func (rawCodec) Name() string                  { return "proto" }
func (rawCodec) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (rawCodec) Unmarshal(b []byte, v any) error {
	*v.(*[]byte) = bytes.Clone(b)
	return nil
}

func zip(b []byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	w.Write(b)
	w.Close()
	return buf.Bytes()
}

func signalOf(m proto.Message) query.Signal {
	switch m.(type) {
	case *tracepb.TracesData:
		return query.Traces
	case *metricspb.MetricsData:
		return query.Metrics
	case *logspb.LogsData:
		return query.Logs
	}
	panic(fmt.Sprintf("got a %T, want the data of a signal", m))
}

// encode encodes a message as a protocol has it.
func encode(t testing.TB, via query.Protocol, m proto.Message) []byte {
	t.Helper()
	if via == query.HTTPJSON {
		return otlpJSON(t, m)
	}
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// otlpJSON is what the official JSON mapping makes of a message, with its ids
// in hexadecimal digits.
func otlpJSON(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if b, err = json.Marshal(hexIDs(v)); err != nil {
		t.Fatal(err)
	}
	return b
}

func hexIDs(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = hexIDs(v[i])
		}
	case map[string]any:
		for key, member := range v {
			text, _ := member.(string)
			switch id, err := base64.StdEncoding.DecodeString(text); {
			case err == nil && (key == "traceId" || key == "spanId" || key == "parentSpanId"):
				v[key] = hex.EncodeToString(id)
			default:
				v[key] = hexIDs(member)
			}
		}
	}
	return v
}
