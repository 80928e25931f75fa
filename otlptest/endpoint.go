package otlptest

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
)

// Protocol is a value of OTEL_EXPORTER_OTLP_PROTOCOL.
type Protocol = query.Protocol

// The protocols.
const (
	GRPC         = query.GRPC
	HTTPProtobuf = query.HTTPProtobuf
	HTTPJSON     = query.HTTPJSON
)

// GRPCEndpoint is the address of OTLP over gRPC, as host:port. In memory the
// host is an IP literal at which no collector is. For a Unix socket it is
// unix:PATH, as gRPC names it.
func (s *Server) GRPCEndpoint() string { return reachable(s.grpcListener.Addr()) }

// HTTPEndpoint is the base URL of OTLP over HTTP. An exporter that is
// configured by OTEL_EXPORTER_OTLP_ENDPOINT appends /v1/traces, /v1/metrics or
// /v1/logs by itself; one that takes a signal's URL, as the Go exporters'
// WithEndpointURL does, wants it appended:
//
//	otlptracehttp.WithEndpointURL(srv.HTTPEndpoint() + "/v1/traces")
//
// For a Unix socket it is a URL that only [Server.HTTPClient] can reach.
//
// The first call opens the port, unless an option did, and panics if there is
// none to be had. A first call after Close returns one at which nobody can be.
func (s *Server) HTTPEndpoint() string {
	s.serveHTTP()
	if endpoint := s.httpAddress(); endpoint != "" {
		return endpoint
	}
	return s.scheme() + "127.0.0.1:0" + s.prefix // the server is closed: nobody can be there
}

// httpAddress is HTTPEndpoint if anybody can know it by now, and empty otherwise.
func (s *Server) httpAddress() string {
	l := s.httpListener()
	switch {
	case l == nil:
		return ""
	case l.Addr().Network() == "unix":
		return s.scheme() + "localhost" + s.prefix
	}
	return s.scheme() + reachable(l.Addr()) + s.prefix
}

func (s *Server) scheme() string {
	if s.certify != nil {
		return "https://"
	}
	return "http://"
}

// reachable is an address to connect to for one that is listened on: loopback
// where that is every address of the machine.
func reachable(addr net.Addr) string {
	if addr.Network() == "unix" {
		return "unix:" + addr.String()
	}
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return addr.String()
}

// endpoint is the value of OTEL_EXPORTER_OTLP_ENDPOINT for a protocol.
func (s *Server) endpoint(p Protocol) string {
	if p == GRPC {
		return s.scheme() + s.GRPCEndpoint()
	}
	return s.HTTPEndpoint()
}

// Env is the environment, as KEY=value pairs, that makes an OpenTelemetry SDK
// in another process export to the server over a protocol. It sets what names
// the backend, with the first header of [WithAuth], and blanks every OTEL_*
// variable that could send the data elsewhere; an empty variable counts as
// unset. Put it last:
//
//	cmd.Env = append(os.Environ(), srv.Env(otlptest.GRPC)...)
//
// An unknown protocol is handed on as it is. No other process can reach a
// server in memory.
func (s *Server) Env(p Protocol) []string {
	env := make([]string, 0, len(diverting))
	for _, kv := range s.environment(p) {
		env = append(env, kv[0]+"="+kv[1])
	}
	return env
}

// Setenv sets [Server.Env] for the rest of the test by t.Setenv, so it cannot
// be used in or below a parallel test. For a server in memory it is fatal: an
// exporter that is configured by its environment could not reach it.
func (s *Server) Setenv(t testing.TB, p Protocol) {
	t.Helper()
	if s.memory != nil {
		t.Fatal("otlptest: Setenv: an exporter configured by its environment cannot reach a server in memory; give it DialGRPC or HTTPClient")
	}
	if p != GRPC && p != HTTPProtobuf && p != HTTPJSON {
		t.Fatalf("otlptest: Setenv: got protocol %q, want grpc, http/protobuf or http/json", p)
	}
	for _, kv := range s.environment(p) {
		t.Setenv(kv[0], kv[1])
	}
}

func (s *Server) environment(p Protocol) [][2]string {
	env := [][2]string{
		{"OTEL_EXPORTER_OTLP_ENDPOINT", s.endpoint(p)},
		{"OTEL_EXPORTER_OTLP_PROTOCOL", string(p)},
	}
	set := s.fileVariables()
	if len(s.auth) > 0 {
		set["OTEL_EXPORTER_OTLP_HEADERS"] = "authorization=" + url.PathEscape(s.auth[0])
	}
	for _, name := range diverting {
		env = append(env, [2]string{name, set[name]})
	}
	return env
}

// diverting is the variables that could send data to another backend, to none,
// or in a way that this one does not understand, or drop it before.
var diverting = func() []string {
	names := []string{
		"OTEL_SDK_DISABLED",
		"OTEL_CONFIG_FILE", "OTEL_EXPERIMENTAL_CONFIG_FILE",
		"OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG",
	}
	perSignal := []string{"ENDPOINT", "PROTOCOL", "HEADERS", "INSECURE", "CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY", "COMPRESSION", "TIMEOUT"}
	for _, v := range perSignal[2:] {
		names = append(names, "OTEL_EXPORTER_OTLP_"+v)
	}
	for _, signal := range []string{"TRACES", "METRICS", "LOGS", "PROFILES"} {
		names = append(names, "OTEL_"+signal+"_EXPORTER")
		for _, v := range perSignal {
			names = append(names, "OTEL_EXPORTER_OTLP_"+signal+"_"+v)
		}
	}
	return names
}()

// HTTPClient is a client that reaches the server over TCP and in memory alike,
// without any proxy, for exporters that take one and for tests that talk HTTP
// themselves. In memory it also reaches every other server in memory. It is
// the same one at every call; closing the server closes its idle connections.
func (s *Server) HTTPClient() *http.Client {
	s.makeClient.Do(func() { s.client.Store(s.newClient()) })
	return s.client.Load()
}

func (s *Server) newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext:         s.dialHTTP,
		TLSClientConfig:     s.ClientTLS(),
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 100,
	}}
}

// DialGRPC opens a connection to an address such as GRPCEndpoint, over TCP or
// in memory, as the server is. It is what grpc.WithContextDialer takes:
//
//	otlptracegrpc.WithDialOption(grpc.WithContextDialer(srv.DialGRPC))
func (s *Server) DialGRPC(ctx context.Context, addr string) (net.Conn, error) {
	if s.memory != nil {
		return s.memory.dial(ctx, addr)
	}
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
	return new(net.Dialer).DialContext(ctx, "tcp", addr)
}

// dialHTTP is DialGRPC for HTTPClient.
func (s *Server) dialHTTP(ctx context.Context, _, addr string) (net.Conn, error) {
	if l := s.httpListener(); l != nil && l.Addr().Network() == "unix" {
		return s.DialGRPC(ctx, reachable(l.Addr()))
	}
	return s.DialGRPC(ctx, addr)
}
