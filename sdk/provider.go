package sdk

import (
	"context"
	"errors"
	"testing"

	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/otlptest"
)

// TracerProvider makes a provider whose spans reach a server by the official
// exporter for a protocol, and registers [ShutdownAtEnd]. An error is fatal.
// The options are the SDK's; what they say holds beside the exporter.
//
// A span is exported as soon as it has ended, together with those that end
// while an export is under way: nothing is dropped, [otlptest.Await] need not
// wait for a batch timeout, and [Flush] makes sure that all have arrived. This
// is a processor of its own, which works in a bubble of testing/synctest,
// unlike the SDK's two. To test the SDK's batch processor give it a
// [SpanExporter].
//
// An export that failed is told to the SDK's error handler ([CaptureErrors]),
// and it is an error of the next ForceFlush or of Shutdown.
func TracerProvider(t testing.TB, srv *otlptest.Server, p otlptest.Protocol, opts ...trace.TracerProviderOption) *trace.TracerProvider {
	t.Helper()
	exporter, err := SpanExporter(context.Background(), srv, p)
	if err != nil {
		t.Fatalf("otlptest/sdk: TracerProvider: %v", err)
	}
	provider := trace.NewTracerProvider(append(opts[:len(opts):len(opts)], trace.WithSpanProcessor(newSpanProcessor(exporter)))...)
	ShutdownAtEnd(t, provider)
	return provider
}

// MeterProvider is [TracerProvider] for metrics. They are exported by the SDK's
// periodic reader, which does so once a minute, when they are flushed, and at
// the end: call [Flush] before looking at them. Where the official exporter
// does not speak the protocol, which is so for http/json, it is fatal.
func MeterProvider(t testing.TB, srv *otlptest.Server, p otlptest.Protocol, opts ...metric.Option) *metric.MeterProvider {
	t.Helper()
	exporter, err := MetricExporter(context.Background(), srv, p)
	if err != nil {
		t.Fatalf("otlptest/sdk: MeterProvider: %v", err)
	}
	provider := metric.NewMeterProvider(append(opts[:len(opts):len(opts)], metric.WithReader(metric.NewPeriodicReader(exporter)))...)
	ShutdownAtEnd(t, provider)
	return provider
}

// LoggerProvider is [TracerProvider] for log records, which are exported as
// soon as they are emitted. Where the official exporter does not speak the
// protocol, which is so for http/json, it is fatal.
func LoggerProvider(t testing.TB, srv *otlptest.Server, p otlptest.Protocol, opts ...log.LoggerProviderOption) *log.LoggerProvider {
	t.Helper()
	exporter, err := LogExporter(context.Background(), srv, p)
	if err != nil {
		t.Fatalf("otlptest/sdk: LoggerProvider: %v", err)
	}
	provider := log.NewLoggerProvider(append(opts[:len(opts):len(opts)], log.WithProcessor(newLogProcessor(exporter)))...)
	ShutdownAtEnd(t, provider)
	return provider
}

// Flusher is a provider, or anything else of the SDK that can be flushed.
type Flusher interface {
	ForceFlush(ctx context.Context) error
}

// Flush flushes providers. When it returns, all that was recorded is in the
// server, and [otlptest.Exactly] can be sure. An error is fatal: an export
// failed.
func Flush(t testing.TB, providers ...Flusher) {
	t.Helper()
	for _, p := range providers {
		if err := p.ForceFlush(context.Background()); err != nil {
			t.Fatalf("otlptest/sdk: Flush: %T: %v", p, err)
		}
	}
}

// Shutdowner is a provider, or anything else of the SDK that can be shut down.
type Shutdowner interface {
	Shutdown(ctx context.Context) error
}

// ShutdownAtEnd shuts a provider down at the test's end: before the server is
// closed, if that was started before, and with a context that is not over yet,
// as t.Context() is by then. An error fails the test, since data was lost; a
// test in which that is to happen calls Shutdown itself, after which there is
// nothing left to do.
func ShutdownAtEnd(t testing.TB, provider Shutdowner) {
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		err := provider.Shutdown(context.Background())
		if err != nil && !errors.Is(err, metric.ErrReaderShutdown) { // a MeterProvider that was shut down already
			t.Errorf("otlptest/sdk: shutdown of a %T: %v", provider, err)
		}
	})
}
