package integration_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"

	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip" // what UseCompressor("gzip") needs
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// method is the gRPC method of a signal (S-16).
func method(signal query.Signal) string {
	return map[query.Signal]string{
		query.Traces:  "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
		query.Metrics: "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
		query.Logs:    "/opentelemetry.proto.collector.logs.v1.LogsService/Export",
	}[signal]
}

// newResponse is an empty response message of a signal.
func newResponse(signal query.Signal) proto.Message {
	switch signal {
	case query.Traces:
		return new(coltracepb.ExportTraceServiceResponse)
	case query.Metrics:
		return new(colmetricspb.ExportMetricsServiceResponse)
	}
	return new(collogspb.ExportLogsServiceResponse)
}

// client sends bytes that it does not look at, over both transports.
type client struct {
	conn *grpc.ClientConn
	http *http.Client
	base string
}

// newClient makes a plain client of a server. The test's end closes it.
func newClient(t testing.TB, srv *otlptest.Server) client {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(),
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(srv.DialGRPC))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return client{conn, srv.HTTPClient(), srv.HTTPEndpoint()}
}

// reply is what the server answered.
type reply struct {
	status *spb.Status // code 0 for success
	http   int         // the HTTP status; 0 on gRPC
	header http.Header // of HTTP
	body   []byte      // the response message of a success
}

// err is nil for a success.
func (r reply) err() error {
	if r.status.GetCode() == 0 && (r.http == 0 || r.http == http.StatusOK) {
		return nil
	}
	return fmt.Errorf("HTTP %d: %w", r.http, status.FromProto(r.status).Err())
}

// send sends one export, compressed by gzip if so told. An error is one of the
// transport: there is no answer. On gRPC a status that the client made itself
// cannot be told from one that the server sent.
func (c client) send(ctx context.Context, p path, body []byte, zipped bool) (reply, error) {
	if p.grpc() {
		return c.sendGRPC(ctx, p.signal, body, zipped), nil
	}
	return c.sendHTTP(ctx, p.signal, body, zipped)
}

func (c client) sendGRPC(ctx context.Context, signal query.Signal, body []byte, zipped bool) reply {
	opts := []grpc.CallOption{grpc.ForceCodecV2(bytesCodec{})}
	if zipped {
		opts = append(opts, grpc.UseCompressor("gzip"))
	}
	var r reply
	err := c.conn.Invoke(ctx, method(signal), body, &r.body, opts...)
	r.status = status.Convert(err).Proto()
	return r
}

func (c client) sendHTTP(ctx context.Context, signal query.Signal, body []byte, zipped bool) (reply, error) {
	if zipped {
		body = gzipped(body)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/v1/"+string(signal), bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	if zipped {
		req.Header.Set("Content-Encoding", "gzip")
	}
	return c.do(req)
}

// do sends a request and reads the answer.
func (c client) do(req *http.Request) (reply, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	r := reply{http: resp.StatusCode, header: resp.Header}
	if r.body, err = io.ReadAll(resp.Body); err != nil || resp.StatusCode < 400 {
		return r, err
	}
	r.status = new(spb.Status)
	if err := proto.Unmarshal(r.body, r.status); err != nil {
		return r, fmt.Errorf("body of HTTP %d is no google.rpc.Status: %w", resp.StatusCode, err)
	}
	r.body = nil
	return r, nil
}

// mustSend sends an export that must be accepted.
func (c client) mustSend(t *testing.T, p path, body []byte) {
	t.Helper()
	r, err := c.send(context.Background(), p, body, false)
	if err == nil {
		err = r.err()
	}
	if err != nil {
		t.Fatalf("send %s: %v", p, err)
	}
}

func gzipped(b []byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	w.Write(b)
	w.Close()
	return buf.Bytes()
}

func mustMarshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// code is the code of a status.
func code(s *spb.Status) codes.Code { return codes.Code(s.GetCode()) }

// bytesCodec is a codec for []byte, so that a client can send what is no
// protobuf.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "proto" }

func (bytesCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}

func (bytesCodec) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}
