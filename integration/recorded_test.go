package integration_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/encodings"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// recorded is a request that a real client sent, byte for byte: of its head
// what the connection did not decide, and its body, which over gRPC is the
// message with its frame.
type recorded struct {
	Client  string            `json:"client"` // who, over what, which signal, in which encoding
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    []byte            `json:"body"`
	Chunked bool              `json:"chunked"`
}

func readRecorded(t *testing.T) (all []recorded) {
	t.Helper()
	files, err := filepath.Glob("testdata/recorded/*.json")
	if err != nil || len(files) < 50 {
		t.Fatalf("got %d recorded requests and the error %v, want all", len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var r recorded
		if err := json.Unmarshal(b, &r); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		all = append(all, r)
	}
	return all
}

// send sends the request over HTTP/1, or HTTP/2 where it is gRPC, and returns
// the status of the one or the other.
func (r recorded) send(t *testing.T, srv *otlptest.Server, h2 http.RoundTripper) string {
	t.Helper()
	grpc := strings.HasPrefix(r.Headers["content-type"], "application/grpc")
	url := srv.HTTPEndpoint() + r.Path
	if grpc {
		url = "http://" + srv.GRPCEndpoint() + r.Path
	}
	var body io.Reader = bytes.NewReader(r.Body)
	if r.Chunked {
		body = io.MultiReader(body) // of no known length
	}
	req, err := http.NewRequest(r.Method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range r.Headers {
		req.Header.Set(name, value)
	}
	transport := srv.HTTPClient().Transport
	if grpc {
		transport = h2
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		t.Fatal(err)
	}
	if grpc {
		return "grpc " + res.Trailer.Get("Grpc-Status") + res.Header.Get("Grpc-Status")
	}
	return res.Status
}

// What real clients sent is received as it was meant: the Go SDK, NodeSDK with
// NaN and the like, the Collector in each of its encodings, otel-cli, grpcurl.
func TestRequestsOfRealClientsAreReceived(t *testing.T) {
	p := new(http.Protocols)
	p.SetUnencryptedHTTP2(true)
	h2 := &http.Transport{Protocols: p, DisableCompression: true}
	defer h2.CloseIdleConnections()
	options := encodings.Register()
	for _, r := range readRecorded(t) {
		t.Run(r.Client, func(t *testing.T) {
			srv := otlptest.Start(t, options...)
			if status := r.send(t, srv, h2); status != "200 OK" && status != "grpc 0" {
				t.Fatalf("got %s, want success", status)
			}
			e := otlptest.One(t, srv.Exports())
			if e.Outcome != query.Accepted || e.Stored != e.Items || e.BodySize == 0 || e.Header.Get("user-agent") != r.Headers["user-agent"] {
				t.Errorf("got %+v, want it accepted as it was sent", e)
			}
			checkRecorded(t, srv, r)
		})
	}
}

// checkRecorded knows how much each client was given to send.
func checkRecorded(t *testing.T, srv *otlptest.Server, r recorded) {
	t.Helper()
	spans, metrics, logs := 100, 5, 10
	switch {
	case strings.HasPrefix(r.Client, "otel-cli"):
		spans = 1
	case strings.HasPrefix(r.Client, "grpcurl"):
		spans, metrics, logs = 1, 1, 2
	case strings.HasPrefix(r.Client, "node"):
		r.checkOdd(t, srv)
	}
	switch {
	case strings.Contains(r.Client, "-traces-"):
		if n := srv.Spans().Len(); n != spans {
			t.Errorf("got %d spans, want %d", n, spans)
		}
	case strings.Contains(r.Client, "-metrics-"):
		names := map[string]bool{}
		for p := range srv.Points().All() {
			names[p.Name] = true
		}
		if len(names) != metrics {
			t.Errorf("got the metrics %v, want %d", names, metrics)
		}
	default:
		if n := srv.Logs().Len(); n != logs {
			t.Errorf("got %d log records, want %d", n, logs)
		}
	}
	for s := range srv.Spans().All() {
		if s.TraceID.IsZero() || s.SpanID.IsZero() || s.Name == "" || s.Resource.Service() == "" {
			t.Errorf("got %+v, want a span with ids, a name and a service", s)
		}
	}
}

// checkOdd looks at the values that JavaScript cannot put into JSON.
func (r recorded) checkOdd(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	if !strings.Contains(r.Client, "-traces-") {
		return
	}
	nan := 0
	for s := range srv.Spans().All() {
		for _, v := range s.Attrs.All() {
			if f := v.Float(); v.Kind() == query.KindFloat && f != f {
				nan++
			}
		}
	}
	if nan == 0 {
		t.Errorf("got no NaN among the attributes, which this client sent")
	}
}
