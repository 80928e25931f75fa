// Package retry shows what the official exporters do when the backend is
// overloaded. The test runs in virtual time: minutes of waiting pass in
// milliseconds, to the nanosecond the same in every run.
//
// Three things make it work. The test's body is a bubble of testing/synctest.
// The backend is in memory, since a bubble's clock stands still while anything
// waits for a real network, and the exporter reaches it through the server's
// DialGRPC or HTTPClient. And the exporter is called directly: a batching
// provider holds a mutex while it exports, which also stops the clock.
//
// Run it with
//
//	go test ./retry
package retry

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"google.golang.org/grpc"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
)

// patience is how long the exporter goes on trying.
const patience = 10 * time.Minute

func TestThrottledExportOverGRPCWaitsAsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(overload))
		exporter := overGRPC(t, srv, otlptracegrpc.WithTimeout(patience), otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig{
			Enabled: true, InitialInterval: time.Second, MaxInterval: 10 * time.Second, MaxElapsedTime: patience,
		}))
		exportAndCheckWaits(t, srv, exporter)
	})
}

func TestThrottledExportOverHTTPWaitsAsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(overload))
		exporter := overHTTP(t, srv, otlptracehttp.WithTimeout(patience), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: time.Second, MaxInterval: 10 * time.Second, MaxElapsedTime: patience,
		}))
		exportAndCheckWaits(t, srv, exporter)
	})
}

// overload is a backend that twice asks for time: RetryInfo on gRPC,
// Retry-After on HTTP.
var overload = faults.Sequence(faults.Throttle(30*time.Second), faults.Throttle(2*time.Minute))

func exportAndCheckWaits(t *testing.T, srv *otlptest.Server, exporter *otlptrace.Exporter) {
	t.Helper()
	start := time.Now()
	if err := exporter.ExportSpans(t.Context(), spans); err != nil {
		t.Fatal(err)
	}
	if got, want := time.Since(start), 150*time.Second; got != want {
		t.Errorf("exporting took %s, want %s", got, want)
	}

	report := srv.Report() // what the backend promised against what the exporter did
	if len(report.Batches) != 1 || len(report.Batches[0].Attempts()) != 3 {
		t.Fatalf("got\n%s\nwant 1 batch, delivered at the third attempt", report)
	}
	batch := report.Batches[0]
	for i, gap := range batch.Gaps() {
		if promised := batch.Promised()[i]; gap < promised {
			t.Errorf("attempt %d came after %s, was told to wait %s", i+2, gap, promised)
		}
	}
	otlptest.Exactly(t, srv.Spans(), len(spans)) // delivered, and only once
}

// The timeout of OTEL_EXPORTER_OTLP_TIMEOUT is for all attempts together, and
// 10 seconds where nobody sets it: less than many a backend asks for.
func TestThrottleBeyondTheTimeoutLosesTheSpans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(),
			otlptest.WithFaults(faults.Sequence(faults.Throttle(30*time.Second))))
		exporter := overGRPC(t, srv, otlptracegrpc.WithTimeout(10*time.Second))

		start := time.Now()
		if err := exporter.ExportSpans(t.Context(), spans); err == nil {
			t.Error("exporting succeeded, want an error: the timeout is over before the backend takes more")
		}
		if got, want := time.Since(start), 10*time.Second; got != want {
			t.Errorf("exporting took %s, want %s", got, want)
		}
		otlptest.Never(t, srv.Spans(), time.Minute)
		otlptest.Exactly(t, srv.Exports(), 1)
	})
}

var spans = tracetest.SpanStubs{{Name: "charge"}, {Name: "ship"}}.Snapshots()

func overGRPC(t *testing.T, srv *otlptest.Server, opts ...otlptracegrpc.Option) *otlptrace.Exporter {
	t.Helper()
	exporter, err := otlptracegrpc.New(t.Context(), append(opts,
		otlptracegrpc.WithEndpoint(srv.GRPCEndpoint()),
		otlptracegrpc.WithInsecure(),
		otlptracegrpc.WithDialOption(grpc.WithContextDialer(srv.DialGRPC)))...)
	return started(t, exporter, err)
}

func overHTTP(t *testing.T, srv *otlptest.Server, opts ...otlptracehttp.Option) *otlptrace.Exporter {
	t.Helper()
	exporter, err := otlptracehttp.New(t.Context(), append(opts,
		otlptracehttp.WithEndpointURL(srv.HTTPEndpoint()+"/v1/traces"),
		otlptracehttp.WithHTTPClient(srv.HTTPClient()))...)
	return started(t, exporter, err)
}

// started shuts the exporter down at the end of the test: what it leaves
// running would keep the bubble from ending.
func started(t *testing.T, exporter *otlptrace.Exporter, err error) *otlptrace.Exporter {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { exporter.Shutdown(context.Background()) })
	return exporter
}
