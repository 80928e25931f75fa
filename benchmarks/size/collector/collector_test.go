// Package collector is the test of package base with the Collector's receiver
// as its backend.
package collector

import (
	"testing"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/benchmarks/internal/collector"
)

func TestSpanArrives(t *testing.T) {
	r, err := collector.Start()
	if err != nil {
		t.Fatal(err)
	}
	exporter, err := otlptracegrpc.New(t.Context(), otlptracegrpc.WithEndpoint(r.GRPC), otlptracegrpc.WithInsecure())
	if err != nil {
		t.Fatal(err)
	}
	tp := trace.NewTracerProvider(trace.WithBatcher(exporter))
	_, span := tp.Tracer("size").Start(t.Context(), "charge")
	span.End()
	if err := tp.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := r.Traces.SpanCount(); n != 1 {
		t.Fatalf("got %d spans, want 1", n)
	}
	if err := r.Shutdown(); err != nil {
		t.Fatal(err)
	}
}
