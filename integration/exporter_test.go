package integration_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// retries is the exporters' retry configuration, which each of them has as a
// type of its own.
type retries struct {
	Enabled         bool
	InitialInterval time.Duration
	MaxInterval     time.Duration
	MaxElapsedTime  time.Duration
}

// patient retries for hours, and so often that only what the server promises
// decides when.
var patient = retries{true, time.Millisecond, time.Millisecond, 24 * time.Hour}

// exporterTimeout is longer than everything that the patient wait for.
const exporterTimeout = 24 * time.Hour

// exporter is an official exporter. Only the member of its signal is set.
type exporter struct {
	traces  sdktrace.SpanExporter
	metrics sdkmetric.Exporter
	logs    sdklog.Exporter
}

// newExporter makes the official exporter for a path to a server, over TCP or
// in memory. The test's end shuts it down.
func newExporter(t *testing.T, srv *otlptest.Server, p path, r retries) exporter {
	t.Helper()
	e, err := p.newExporter(srv, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.shutdown(context.Background()); err != nil {
			t.Errorf("shutdown of the exporter: %v", err)
		}
	})
	return e
}

// export sends the sample batch of the exporter's signal.
func (e exporter) export(ctx context.Context) error {
	switch {
	case e.traces != nil:
		return e.traces.ExportSpans(ctx, sampleSpans())
	case e.metrics != nil:
		return e.metrics.Export(ctx, sampleMetrics())
	}
	return e.logs.Export(ctx, sampleRecords())
}

func (e exporter) shutdown(ctx context.Context) error {
	switch {
	case e.traces != nil:
		return e.traces.Shutdown(ctx)
	case e.metrics != nil:
		return e.metrics.Shutdown(ctx)
	}
	return e.logs.Shutdown(ctx)
}

func (p path) newExporter(srv *otlptest.Server, r retries) (e exporter, err error) {
	ctx := context.Background()
	dial := grpc.WithContextDialer(srv.DialGRPC)
	endpoint := srv.GRPCEndpoint()
	if !p.grpc() {
		endpoint = strings.TrimPrefix(srv.HTTPEndpoint(), "http://")
	}
	switch p {
	case path{query.Traces, query.GRPC}:
		e.traces, err = otlptracegrpc.New(ctx, otlptracegrpc.WithEndpoint(endpoint), otlptracegrpc.WithInsecure(),
			otlptracegrpc.WithDialOption(dial), otlptracegrpc.WithTimeout(exporterTimeout), otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig(r)))
	case path{query.Metrics, query.GRPC}:
		e.metrics, err = otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithEndpoint(endpoint), otlpmetricgrpc.WithInsecure(),
			otlpmetricgrpc.WithDialOption(dial), otlpmetricgrpc.WithTimeout(exporterTimeout), otlpmetricgrpc.WithRetry(otlpmetricgrpc.RetryConfig(r)),
			otlpmetricgrpc.WithTemporalitySelector(sdkmetric.DeltaTemporalitySelector))
	case path{query.Logs, query.GRPC}:
		e.logs, err = otlploggrpc.New(ctx, otlploggrpc.WithEndpoint(endpoint), otlploggrpc.WithInsecure(),
			otlploggrpc.WithDialOption(dial), otlploggrpc.WithTimeout(exporterTimeout), otlploggrpc.WithRetry(otlploggrpc.RetryConfig(r)))
	case path{query.Traces, query.HTTPProtobuf}:
		e.traces, err = otlptracehttp.New(ctx, otlptracehttp.WithEndpoint(endpoint), otlptracehttp.WithInsecure(),
			otlptracehttp.WithHTTPClient(srv.HTTPClient()), otlptracehttp.WithTimeout(exporterTimeout), otlptracehttp.WithRetry(otlptracehttp.RetryConfig(r)))
	case path{query.Metrics, query.HTTPProtobuf}:
		e.metrics, err = otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpoint(endpoint), otlpmetrichttp.WithInsecure(),
			otlpmetrichttp.WithHTTPClient(srv.HTTPClient()), otlpmetrichttp.WithTimeout(exporterTimeout), otlpmetrichttp.WithRetry(otlpmetrichttp.RetryConfig(r)),
			otlpmetrichttp.WithTemporalitySelector(sdkmetric.DeltaTemporalitySelector))
	case path{query.Logs, query.HTTPProtobuf}:
		e.logs, err = otlploghttp.New(ctx, otlploghttp.WithEndpoint(endpoint), otlploghttp.WithInsecure(),
			otlploghttp.WithHTTPClient(srv.HTTPClient()), otlploghttp.WithTimeout(exporterTimeout), otlploghttp.WithRetry(otlploghttp.RetryConfig(r)))
	default:
		err = fmt.Errorf("no exporter for %s", p)
	}
	return e, err
}
