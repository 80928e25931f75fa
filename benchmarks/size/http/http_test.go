// Package http is the test of package otlptest that asks for the address of
// HTTP, too, and so links a server for it.
package http

import (
	"testing"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

func TestSpanArrives(t *testing.T) {
	srv := otlptest.Start(t)
	t.Log(srv.HTTPEndpoint())
	exporter, err := otlptracegrpc.New(t.Context(), otlptracegrpc.WithEndpoint(srv.GRPCEndpoint()), otlptracegrpc.WithInsecure())
	if err != nil {
		t.Fatal(err)
	}
	tp := trace.NewTracerProvider(trace.WithBatcher(exporter))
	_, span := tp.Tracer("size").Start(t.Context(), "charge")
	span.End()
	if err := tp.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	otlptest.One(t, srv.Spans(where.Name("charge")))
}
