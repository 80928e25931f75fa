package integration_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/encodings"
	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// What the official exporters send breaks no rule, over every path, in real
// and in virtual time, one export after the other.
func TestOfficialExportersViolateNothing(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		t.Run("tcp", func(t *testing.T) { violateNothing(t, otlptest.Start(t), p) })
		t.Run("in memory", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { violateNothing(t, startInMemory(t), p) })
		})
	})
}

func violateNothing(t *testing.T, srv *otlptest.Server, p path) {
	e := newExporter(t, srv, p, retries{})
	for range 4 {
		if err := e.export(t.Context()); err != nil {
			t.Fatalf("export: %v", err)
		}
	}
	otlptest.Exactly(t, srv.Exports(), 4)
	noViolations(t, srv.Violations(where.Not(where.Rule("C-43")))) // the test sends the same spans again
	if n := srv.Violations(where.Rule("C-43")).Len(); n > 0 != (p.signal == query.Traces) {
		t.Errorf("got %d repetitions, want some of spans only", n)
	}
}

func noViolations(t *testing.T, v query.View[query.Violation]) {
	t.Helper()
	if err := v.Err(); err != nil {
		t.Fatal(err)
	}
	for v := range v.All() {
		t.Error(v)
	}
}

// The official exporters retry what they may, as late as they were told.
func TestOfficialExportersRetryAsTheyShould(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(
			faults.Throttle(30*time.Second), faults.Unavailable(), faults.Throttle(350*time.Millisecond), faults.Accept(),
			faults.Code(codes.Unimplemented),
		)))
		e := newExporter(t, srv, p, patient)
		if err := e.export(t.Context()); err != nil {
			t.Fatalf("export: %v", err)
		}
		time.Sleep(time.Second)
		if err := e.export(t.Context()); err == nil {
			t.Error("an export that was refused for good succeeded")
		}
		otlptest.Exactly(t, srv.Exports(), 5)
		noViolations(t, srv.Violations(where.Not(where.Rule("C-43"))))
	})
}

// What real clients sent is all right, but for what is known of some.
func TestRequestsOfRealClientsViolateLittle(t *testing.T) {
	known := map[string]string{
		"grpcurl-grpc-logs-plain":        "R-03", // written by hand
		"grpcurl-grpc-metrics-plain":     "S-43",
		"otel-cli-grpc-traces-plain":     "C-35", // it does not say who it is
		"otel-cli-protobuf-traces-plain": "C-35",
	}
	h2 := &http.Transport{Protocols: new(http.Protocols), DisableCompression: true}
	h2.Protocols.SetUnencryptedHTTP2(true)
	defer h2.CloseIdleConnections()
	options := encodings.Register()
	for _, r := range readRecorded(t) {
		srv := otlptest.Start(t, options...)
		r.send(t, srv, h2)
		odd := where.Any(where.Rule("S-36"), where.Rule("S-37")) // NaN and 1e300, which JavaScript cannot put into JSON
		found := false
		for v := range srv.Violations(where.Not(odd)).All() {
			if found = true; v.Rule != known[r.Client] {
				t.Errorf("%s: %s", r.Client, v)
			}
		}
		if !found && known[r.Client] != "" {
			t.Errorf("%s: got no violation of %s", r.Client, known[r.Client])
		}
	}
}
