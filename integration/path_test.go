package integration_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// path is a way for telemetry to a server: a signal over a protocol.
type path struct {
	signal   query.Signal
	protocol query.Protocol
}

// paths are all of them that the official exporters take.
var paths = []path{
	{query.Traces, query.GRPC},
	{query.Metrics, query.GRPC},
	{query.Logs, query.GRPC},
	{query.Traces, query.HTTPProtobuf},
	{query.Metrics, query.HTTPProtobuf},
	{query.Logs, query.HTTPProtobuf},
}

// protocols are those of the paths.
var protocols = []query.Protocol{query.GRPC, query.HTTPProtobuf}

func (p path) String() string {
	return string(p.signal) + " " + strings.TrimSuffix(string(p.protocol), "/protobuf")
}

func (p path) grpc() bool { return p.protocol == query.GRPC }

// eachPath runs f for every path over TCP.
func eachPath(t *testing.T, f func(t *testing.T, p path)) {
	t.Helper()
	for _, p := range paths {
		t.Run(p.String(), func(t *testing.T) { f(t, p) })
	}
}

// eachHTTPPath is eachPath without gRPC, for what only URLs have.
func eachHTTPPath(t *testing.T, f func(t *testing.T, p path)) {
	t.Helper()
	for _, p := range paths {
		if !p.grpc() {
			t.Run(p.String(), func(t *testing.T) { f(t, p) })
		}
	}
}

// eachPathInBubble runs f for every path in a bubble, where servers need
// [otlptest.WithInMemory] and time is virtual.
func eachPathInBubble(t *testing.T, f func(t *testing.T, p path)) {
	t.Helper()
	eachPath(t, func(t *testing.T, p path) {
		synctest.Test(t, func(t *testing.T) { f(t, p) })
	})
}

// startInMemory starts a server for a bubble.
func startInMemory(t *testing.T, opts ...otlptest.Option) *otlptest.Server {
	t.Helper()
	return otlptest.Start(t, append([]otlptest.Option{otlptest.WithInMemory()}, opts...)...)
}

// onlyBatch is the one batch that the server's report must consist of.
func onlyBatch(t *testing.T, srv *otlptest.Server) query.Batch {
	t.Helper()
	report := srv.Report()
	if len(report.Batches) != 1 {
		t.Fatalf("got %d batches, want 1:\n%s", len(report.Batches), report)
	}
	return report.Batches[0]
}

// stored is how many items of a signal the server has kept.
func stored(srv *otlptest.Server, signal query.Signal) int {
	switch signal {
	case query.Traces:
		return srv.Spans().Len()
	case query.Metrics:
		return srv.Points().Len()
	}
	return srv.Logs().Len()
}

// inBackground runs f and returns a function that waits for its error.
func inBackground(f func() error) (wait func() error) {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return func() error { return <-done }
}

// within is a context that ends after d.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// wantMention checks that there is an error with that text in it.
func wantMention(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("got error %v, want one that mentions %q", err, text)
	}
}

// runs is how often a test does what must not fail once: a tenth with -short.
func runs(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
