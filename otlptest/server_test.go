package otlptest_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestOptionsThatCannotBeAreNamed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tests := []struct {
		want string
		opts []otlptest.Option
	}{
		{"WithWaitTimeout: got 0s, want more than 0", []otlptest.Option{otlptest.WithWaitTimeout(0)}},
		{"WithHangLimit: got -1s, want more than 0", []otlptest.Option{otlptest.WithHangLimit(-time.Second)}},
		{"WithMaxRequestSize: got 0 bytes, want 1 to 2147483647", []otlptest.Option{otlptest.WithMaxRequestSize(0)}},
		{`WithEncoding: got name "ROT", want one in lower case and a function`, []otlptest.Option{otlptest.WithEncoding("ROT", nil)}},
		{`WithPathPrefix: got "/", want a path such as /otlp`, []otlptest.Option{otlptest.WithPathPrefix("/")}},
		{"WithAuth: got no value, want one that otlptest.Bearer or otlptest.Basic makes", []otlptest.Option{otlptest.WithAuth()}},
		{"WithOnePort takes the first listener of WithListeners: the second has to be nil", []otlptest.Option{otlptest.WithOnePort(), otlptest.WithListeners(nil, l)}},
		{`WithTLS: got host "backend:4317", want a name or an address without a port`, []otlptest.Option{otlptest.WithMutualTLS("::1", "backend:4317")}},
		{"WithInMemory and WithListeners exclude each other", []otlptest.Option{otlptest.WithInMemory(), otlptest.WithListeners(l, nil)}},
		{"WithFaults: rule 1 (always http 200): http: got status 200, want 400 to 599", []otlptest.Option{otlptest.WithFaults(faults.Always(faults.HTTPStatus(200)))}},
	}
	for _, test := range tests {
		if srv, err := otlptest.New(test.opts...); err == nil || err.Error() != test.want {
			t.Errorf("got %v and %v, want the error %q", srv, err, test.want)
		}
		f := run(t, func(tb testing.TB) { otlptest.Start(tb, test.opts...) })
		if want := "otlptest: Start: " + test.want + "\n"; f.log.String() != want {
			t.Errorf("got %q from Start, want %q", &f.log, want)
		}
	}
}

func TestStartInABubbleWantsMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := run(t, func(tb testing.TB) { otlptest.Start(bubbled{tb, t}) })
		if !f.failed || !strings.Contains(f.log.String(), "WithInMemory") {
			t.Errorf("got %q, want it to fail and name WithInMemory", &f.log)
		}
	})
}

// bubbled gives a fakeTB the Deadline of the real test.
type bubbled struct {
	testing.TB
	real *testing.T
}

func (b bubbled) Deadline() (time.Time, bool) { return b.real.Deadline() }

func TestUnusedFaultsFailTheTestUnlessAllowedOrFailed(t *testing.T) {
	unused := otlptest.WithFaults(faults.Sequence(faults.Unavailable()))
	if f := run(t, func(tb testing.TB) { otlptest.Start(tb, unused) }); !f.failed {
		t.Error("a scripted fault that no export met did not fail the test")
	}
	if f := run(t, func(tb testing.TB) { otlptest.Start(tb, unused, otlptest.WithUnusedFaultsAllowed()) }); f.failed {
		t.Errorf("the test failed although unused faults are allowed: %s", &f.log)
	}
	f := run(t, func(tb testing.TB) { otlptest.Start(tb, unused); tb.Error("failed already") })
	if f.log.String() != "failed already\n" {
		t.Errorf("got %q, want nothing about faults after another failure", &f.log)
	}
}

func TestConnectionsLeftOpenAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var conn *grpc.ClientConn
		f := run(t, func(tb testing.TB) {
			srv := otlptest.Start(tb, otlptest.WithInMemory())
			send(tb, srv, span("charge")) // keeps an idle HTTP connection, by design
			var err error
			conn, err = grpc.NewClient("passthrough:///"+srv.GRPCEndpoint(), grpc.WithUserAgent("forgotten"),
				grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithContextDialer(srv.DialGRPC))
			if err != nil {
				t.Fatal(err)
			}
			conn.Invoke(context.Background(), "/opentelemetry.proto.collector.trace.v1.TraceService/Export", nil, nil)
		})
		conn.Close()
		if want := "otlptest: connection 2 (forgotten grpc-go/"; f.failed || !strings.HasPrefix(f.log.String(), want) {
			t.Errorf("got %q, want the log to begin with %q and no failure", &f.log, want)
		}
	})
}

func TestCloseNamesWhatItCannotStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		stuck := faults.Always(faults.Accept()).Where(query.Func("stuck", func(query.Span) bool { <-release; return true }))
		srv, err := otlptest.New(otlptest.WithInMemory(), otlptest.WithFaults(stuck))
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			res, err := srv.HTTPClient().Do(spanRequest(t, srv))
			if err == nil {
				res.Body.Close()
			}
		}()
		synctest.Wait()
		start := time.Now()
		err = srv.Close()
		if err == nil || !strings.Contains(err.Error(), "1 requests") {
			t.Errorf("got %v, want an error that names the request", err)
		}
		if d := time.Since(start); d != 5*time.Second {
			t.Errorf("Close took %s, want it to give up after 5s", d)
		}
		close(release)
	})
}

func spanRequest(t testing.TB, srv *otlptest.Server) *http.Request {
	t.Helper()
	req, err := http.NewRequest("POST", srv.HTTPEndpoint()+"/v1/traces", strings.NewReader("\x0a\x04\x12\x02\x12\x00"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	return req
}

func TestEnvNamesTheBackendAndBlanksTheRest(t *testing.T) {
	srv := otlptest.Start(t)
	for p, endpoint := range map[otlptest.Protocol]string{
		otlptest.GRPC:         "http://" + srv.GRPCEndpoint(),
		otlptest.HTTPProtobuf: srv.HTTPEndpoint(),
	} {
		env := srv.Env(p)
		for _, want := range []string{
			"OTEL_EXPORTER_OTLP_ENDPOINT=" + endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL=" + string(p),
			"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=", "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL=", "OTEL_EXPORTER_OTLP_HEADERS=",
			"OTEL_EXPORTER_OTLP_METRICS_CERTIFICATE=", "OTEL_TRACES_EXPORTER=", "OTEL_SDK_DISABLED=", "OTEL_CONFIG_FILE=", "OTEL_TRACES_SAMPLER=",
		} {
			if !slices.Contains(env, want) {
				t.Errorf("%s: %q is missing from %q", p, want, env)
			}
		}
		names := map[string]bool{}
		for _, kv := range env {
			name, _, _ := strings.Cut(kv, "=")
			if names[name] {
				t.Errorf("%s is there twice", name)
			}
			names[name] = true
		}
	}
}

func TestEnvHasTheFirstHeaderThatAuthenticates(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithAuth(otlptest.Bearer("a b=,%"), otlptest.Basic("user", "pass")))
	if env := srv.Env(otlptest.GRPC); !slices.Contains(env, "OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20a%20b=%2C%25") {
		t.Errorf("got %q", env)
	}
}

func TestSetenvLastsForTheTest(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://elsewhere:4318/v1/traces")
	t.Run("inner", func(t *testing.T) {
		srv := otlptest.Start(t)
		srv.Setenv(t, otlptest.GRPC)
		if got := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") + os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); got != "http://"+srv.GRPCEndpoint() {
			t.Errorf("got endpoints %q, want only http://%s", got, srv.GRPCEndpoint())
		}
	})
	if got := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"); got != "http://elsewhere:4318/v1/traces" {
		t.Errorf("got %q after the test, want what was there before", got)
	}
}

func TestSetenvWantsTCPAndAProtocol(t *testing.T) {
	f := run(t, func(tb testing.TB) { otlptest.Start(tb, otlptest.WithInMemory()).Setenv(tb, otlptest.GRPC) })
	if !f.failed || !strings.Contains(f.log.String(), "in memory") {
		t.Errorf("got %q, want a failure that says why", &f.log)
	}
	f = run(t, func(tb testing.TB) { otlptest.Start(tb).Setenv(tb, "http") })
	if want := "otlptest: Setenv: got protocol \"http\", want grpc, http/protobuf or http/json\n"; f.log.String() != want {
		t.Errorf("got %q, want %q", &f.log, want)
	}
}

func TestEndpointsOfEveryAddressAreLoopback(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	srv := otlptest.Start(t, otlptest.WithListeners(l, nil))
	if host, _, _ := net.SplitHostPort(srv.GRPCEndpoint()); host != "127.0.0.1" {
		t.Errorf("got endpoint %s for a listener on every address, want one on 127.0.0.1", srv.GRPCEndpoint())
	}
}

func TestListenersAreTakenOver(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv, err := otlptest.New(otlptest.WithListeners(nil, l))
	if err != nil {
		t.Fatal(err)
	}
	if srv.HTTPEndpoint() != "http://"+l.Addr().String() || send(t, srv, span("charge")) != 200 {
		t.Errorf("got endpoint %s, want the listener's", srv.HTTPEndpoint())
	}
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(); err == nil {
		t.Error("Close left the listener open")
	}
}

func TestEncodingsOfTheUsersOwnAreUndone(t *testing.T) {
	rot := func(r io.Reader, limit int) (io.ReadCloser, error) { // every byte one up
		b, err := io.ReadAll(r)
		for i := range b {
			b[i]--
		}
		if len(b) > limit/2 {
			return nil, otlptest.ErrTooLarge
		}
		return io.NopCloser(bytes.NewReader(b)), err
	}
	srv := otlptest.Start(t, otlptest.WithEncoding("rot1", rot), otlptest.WithMaxRequestSize(100))
	for body, want := range map[string]int{"\x0b\x05\x13\x03\x13\x01": 200, "\x0b\x05\x13": 400, strings.Repeat("x", 60): 413} {
		req, err := http.NewRequest("POST", srv.HTTPEndpoint()+"/v1/traces", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-protobuf")
		req.Header.Set("Content-Encoding", "Rot1")
		res, err := srv.HTTPClient().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if res.Body.Close(); res.StatusCode != want {
			t.Errorf("got status %d for %q, want %d", res.StatusCode, body, want)
		}
	}
	otlptest.Exactly(t, srv.Spans(), 1)
}
