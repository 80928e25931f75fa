// Package readme is the first test that the README shows.
package readme

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

func TestChargeIsTraced(t *testing.T) {
	srv := otlptest.Start(t)
	exporter, err := otlptracegrpc.New(t.Context(),
		otlptracegrpc.WithEndpoint(srv.GRPCEndpoint()), otlptracegrpc.WithInsecure())
	if err != nil {
		t.Fatal(err)
	}
	tp := trace.NewTracerProvider(trace.WithBatcher(exporter))
	defer tp.Shutdown(context.Background())
	_, span := tp.Tracer("shop").Start(t.Context(), "charge") // what the code under test does
	span.SetAttributes(attribute.Int("http.response.status_code", 500))
	span.End()
	tp.ForceFlush(t.Context()) // when it returns, the span is there
	otlptest.One(t, srv.Spans(where.Name("charge"), where.Attr("http.response.status_code", 500)))
}
