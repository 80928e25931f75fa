// Package fanout exports the same spans to several backends, and shows how to
// test that none of them holds up another.
//
// Each backend has an exporter and a batching processor of its own, and with
// them its own queue, its own acknowledgements and its own retries. What waits
// in the queues is shared: a span that has ended does not change any more.
//
// The test starts a backend for each, lets one of them hang, and compares what
// arrived: which spans both have, and which only one.
//
// Run it with
//
//	go test ./fanout
package fanout

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/trace"
)

// Backend is how one backend is reached.
type Backend []otlptracegrpc.Option

// New makes a tracer provider that exports all spans to every one of the
// backends. The caller shuts it down.
func New(ctx context.Context, backends ...Backend) (*trace.TracerProvider, error) {
	tp := trace.NewTracerProvider()
	for _, b := range backends {
		exporter, err := otlptracegrpc.New(ctx, b...)
		if err != nil {
			return nil, errors.Join(err, tp.Shutdown(ctx))
		}
		tp.RegisterSpanProcessor(trace.NewBatchSpanProcessor(exporter))
	}
	return tp, nil
}
