package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// served is a serve command that runs in this process.
type served struct {
	addresses
	cancel context.CancelFunc
	ended  chan int
	stderr bytes.Buffer // once it has ended
}

func serving(t *testing.T, args ...string) *served {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	s := &served{cancel: cancel, ended: make(chan int, 1)}
	ready, stdout := io.Pipe()
	args = append([]string{"serve", "--json", "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--api", "127.0.0.1:0"}, args...)
	go func() {
		s.ended <- run(ctx, args, stdout, &s.stderr)
		stdout.Close()
	}()
	if err := json.NewDecoder(ready).Decode(&s.addresses); err != nil {
		t.Fatalf("got no line of JSON: %v\n%s", err, &s.stderr)
	}
	return s
}

// endsWell checks that the command exits with status 0.
func (s *served) endsWell(t *testing.T) {
	t.Helper()
	if status := <-s.ended; status != 0 {
		t.Errorf("got status %d, want 0", status)
	}
}

// fetch asks without keeping the connection, which would be a goroutine.
func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(url)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, string(b)
}

// untilRunning waits until a goroutine is in that function.
func untilRunning(t *testing.T, function string) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for start := time.Now(); time.Since(start) < 10*time.Second; time.Sleep(time.Millisecond) {
		if bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte(function)) {
			return
		}
	}
	t.Fatalf("no goroutine is in %s", function)
}

func TestServeTakesFaultsAndAnswers(t *testing.T) {
	s := serving(t, "--faults", "traces: throttle 30s x2; metrics: always http 502")
	status, body := fetch(t, s.API+"/api/v1/faults")
	if status != http.StatusOK || !strings.Contains(body, `"text":"traces: throttle 30s x2"`) {
		t.Errorf("got %d %s", status, body)
	}
	s.cancel()
	s.endsWell(t)
}

func TestServeEndsWaitsWhenItStops(t *testing.T) {
	s := serving(t)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		status, body := fetch(t, s.API+"/api/v1/spans?wait=1&timeout=5m")
		if status != http.StatusServiceUnavailable || !strings.Contains(body, "the backend is closed: nothing more can arrive") {
			t.Errorf("got %d %s, want 503 and the reason", status, body)
		}
	}()
	untilRunning(t, "otlptest/httpapi.")
	s.cancel()
	s.endsWell(t)
	<-answered
}

// post sends OTLP JSON without keeping the connection.
func post(t *testing.T, url, body string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}

func TestServeLogsEachExportAndViolationOnce(t *testing.T) {
	s := serving(t, "--log-level", "debug")
	for range 2 {
		post(t, s.HTTP+"/v1/traces", `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"charge","spanId":"0000000000000000","traceId":"0af7651916cd43dd8448eb211c80319c"}]}]}]}`)
	}
	s.cancel()
	s.endsWell(t)
	log := s.stderr.String()
	for _, line := range []string{
		`level=DEBUG msg=export number=1 signal=traces protocol=http/json items=1 stored=1 `,
		`level=DEBUG msg=export number=2 `,
		`level=WARN msg=violation rule=S-40 level=error export=1 service="" item=charge path=resourceSpans[0].scopeSpans[0].spans[0].spanId `,
		`level=WARN msg=violation rule=S-40 level=error export=2 `,
	} {
		if n := strings.Count(log, line); n != 1 {
			t.Errorf("got %d lines with %q, want 1, in\n%s", n, line, log)
		}
	}
}

func TestServeOverTLSIsForTheHostsThatAreGiven(t *testing.T) {
	s := serving(t, "--tls", "--tls-host", "backend,192.0.2.1")
	ca, err := os.ReadFile(s.TLS.CA)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(ca)
	for _, host := range []string{"backend", "192.0.2.1", "127.0.0.1"} {
		c, err := tls.Dial("tcp", s.GRPC, &tls.Config{RootCAs: trusted, ServerName: host})
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		c.Close()
	}
	s.cancel()
	s.endsWell(t)
}

func TestServeEndsOnSIGTERM(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("windows has no SIGTERM to send")
	}
	s := serving(t)
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.endsWell(t)
}

func TestReachableAddressesAreForClients(t *testing.T) {
	for addr, want := range map[string]string{
		"[::]:4317":      "127.0.0.1:4317",
		"0.0.0.0:4317":   "127.0.0.1:4317",
		"127.0.0.1:4317": "127.0.0.1:4317",
		"[::1]:4317":     "[::1]:4317",
	} {
		if got := reachable(addr); got != want {
			t.Errorf("reachable(%q): got %q, want %q", addr, got, want)
		}
	}
}
