// Package base is a test that exports with otlptracegrpc: what its binary has
// and how large it is, before a backend is added.
package base

import (
	"testing"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/trace"
)

func TestSpanIsMade(t *testing.T) {
	exporter, err := otlptracegrpc.New(t.Context(), otlptracegrpc.WithEndpoint("127.0.0.1:1"), otlptracegrpc.WithInsecure())
	if err != nil {
		t.Fatal(err)
	}
	tp := trace.NewTracerProvider(trace.WithBatcher(exporter))
	_, span := tp.Tracer("size").Start(t.Context(), "charge")
	span.End()
}
