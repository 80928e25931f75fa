package otlptest_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
)

func dial(t *testing.T, srv *otlptest.Server) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(),
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(srv.DialGRPC))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestHealthOverGRPC(t *testing.T) {
	srv := otlptest.Start(t)
	res, err := healthpb.NewHealthClient(dial(t, srv)).Check(t.Context(), &healthpb.HealthCheckRequest{})
	if err != nil || res.Status != healthpb.HealthCheckResponse_SERVING {
		t.Errorf("got %v and %v, want SERVING", res, err)
	}
	otlptest.Exactly(t, srv.Exports(), 0)
}

func TestAuthorizationIsAskedForOnBothTransports(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithAuth(otlptest.Bearer("secret"), otlptest.Basic("user", "pass")),
		otlptest.WithFaults(faults.Always(faults.Accept())))
	tests := []struct {
		header string
		code   codes.Code
		http   int
	}{
		{"", codes.Unauthenticated, 401},
		{"Bearer wrong", codes.Unauthenticated, 401},
		{"Basic secret", codes.Unauthenticated, 401},
		{"Bearer secret", codes.OK, 200},
		{"bearer secret", codes.OK, 200},
		{"Basic dXNlcjpwYXNz", codes.OK, 200},
	}
	for _, test := range tests {
		req := spanRequest(t, srv)
		req.Header.Set("Authorization", test.header)
		res, err := srv.HTTPClient().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if challenge := res.Header.Get("WWW-Authenticate"); res.StatusCode != test.http || (challenge == `Bearer realm="otlptest", Basic realm="otlptest"`) != (test.http == 401) {
			t.Errorf("got status %d and challenge %q for %q, want %d", res.StatusCode, challenge, test.header, test.http)
		}
		if err := callWith(t, srv, test.header); status.Code(err) != test.code {
			t.Errorf("got %v for %q, want %s", err, test.header, test.code)
		}
	}
	otlptest.Exactly(t, srv.Exports(), 2*len(tests))
	otlptest.Exactly(t, srv.Spans(), 3)
}

func callWith(t *testing.T, srv *otlptest.Server, authorization string) error {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithPerRPCCredentials(header(authorization)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.Invoke(t.Context(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export", empty{}, empty{}, grpc.ForceCodec(noCodec{}))
}

// header is an Authorization header for gRPC.
type header string

func (h header) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	if h == "" {
		return nil, nil
	}
	return map[string]string{"Authorization": string(h)}, nil
}
func (header) RequireTransportSecurity() bool { return false }

// S-19.
func TestPathPrefixStandsBeforeThePaths(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithPathPrefix("/mycollector/"))
	if !strings.HasSuffix(srv.HTTPEndpoint(), "/mycollector") {
		t.Errorf("got endpoint %s, want the prefix at its end", srv.HTTPEndpoint())
	}
	if status := send(t, srv, span("charge")); status != 200 {
		t.Errorf("got status %d below the prefix, want 200", status)
	}
	res, err := http.Post(strings.TrimSuffix(srv.HTTPEndpoint(), "/mycollector")+"/v1/traces", "application/x-protobuf", nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(res.Body)
	res.Body.Close()
	if res.StatusCode != 404 || !strings.Contains(string(body), `the server's path prefix is "/mycollector", not ""`) {
		t.Errorf("got status %d and %q without the prefix, want 404 and why", res.StatusCode, body)
	}
}

func TestUnixSocketsWork(t *testing.T) {
	dir := t.TempDir()
	var ls [2]net.Listener
	for i, name := range []string{"grpc.sock", "http.sock"} {
		l, err := net.Listen("unix", filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		ls[i] = l
	}
	srv := otlptest.Start(t, otlptest.WithListeners(ls[0], ls[1]))
	if want := "unix:" + filepath.Join(dir, "grpc.sock"); srv.GRPCEndpoint() != want {
		t.Errorf("got endpoint %s, want %s", srv.GRPCEndpoint(), want)
	}
	conn, err := grpc.NewClient(srv.GRPCEndpoint(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Invoke(t.Context(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export", empty{}, empty{}, grpc.ForceCodec(noCodec{})); err != nil {
		t.Error(err)
	}
	if status := send(t, srv, span("charge")); status != 200 {
		t.Errorf("got status %d over HTTP, want 200", status)
	}
	c, err := srv.DialGRPC(t.Context(), srv.GRPCEndpoint())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// What browsers ask before they export, and what they want to see then.
func TestPagesOfAnyOriginMayExport(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Throttle(0))))
	ask, err := http.NewRequest(http.MethodOptions, srv.HTTPEndpoint()+"/v1/traces", nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Origin", "http://page.example")
	ask.Header.Set("Access-Control-Request-Method", "POST")
	ask.Header.Set("Access-Control-Request-Headers", "content-type,x-real")
	post := spanRequest(t, srv)
	post.Header.Set("Origin", "http://page.example")
	for _, test := range []struct {
		req    *http.Request
		status int
		want   map[string]string
	}{
		{ask, 204, map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "content-type,x-real"}},
		{post, 503, map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After", "Retry-After": "0"}},
		{spanRequest(t, srv), 200, map[string]string{"Access-Control-Allow-Origin": ""}},
	} {
		res, err := srv.HTTPClient().Do(test.req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != test.status {
			t.Errorf("got status %d for %s, want %d", res.StatusCode, test.req.Method, test.status)
		}
		for name, want := range test.want {
			if got := res.Header.Get(name); got != want {
				t.Errorf("got %s %q in the answer to %s, want %q", name, got, test.req.Method, want)
			}
		}
	}
	otlptest.Exactly(t, srv.Exports(), 2) // the question is none
}
