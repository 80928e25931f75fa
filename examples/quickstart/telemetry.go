package quickstart

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
)

// Telemetry is the providers of the three signals.
type Telemetry struct {
	Traces  *trace.TracerProvider
	Metrics *metric.MeterProvider
	Logs    *log.LoggerProvider
}

// NewTelemetry exports over gRPC to where OTEL_EXPORTER_OTLP_ENDPOINT says.
func NewTelemetry(ctx context.Context) (*Telemetry, error) {
	spans, err := otlptracegrpc.New(ctx)
	if err != nil {
		return nil, err
	}
	points, err := otlpmetricgrpc.New(ctx)
	if err != nil {
		return nil, err
	}
	records, err := otlploggrpc.New(ctx)
	if err != nil {
		return nil, err
	}
	return &Telemetry{
		Traces:  trace.NewTracerProvider(trace.WithBatcher(spans)),
		Metrics: metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(points))),
		Logs:    log.NewLoggerProvider(log.WithProcessor(log.NewBatchProcessor(records))),
	}, nil
}

// Flush exports what has been recorded so far.
func (t *Telemetry) Flush(ctx context.Context) error {
	return errors.Join(t.Traces.ForceFlush(ctx), t.Metrics.ForceFlush(ctx), t.Logs.ForceFlush(ctx))
}

// Shutdown flushes and closes the connections to the backend.
func (t *Telemetry) Shutdown(ctx context.Context) error {
	return errors.Join(t.Traces.Shutdown(ctx), t.Metrics.Shutdown(ctx), t.Logs.Shutdown(ctx))
}
