package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/otlptest"
)

// service is a service of the shop with the official SDK, as anyone would set
// it up, except that it exports only when it is shut down.
type service struct {
	name    string
	traces  *sdktrace.TracerProvider
	metrics *sdkmetric.MeterProvider
	logs    *sdklog.LoggerProvider
}

// exporters is what sends a service's telemetry.
type exporters struct {
	traces  sdktrace.SpanExporter
	metrics sdkmetric.Exporter
	logs    sdklog.Exporter
}

// The first pause before a retry where the backend names none, and the most
// that it grows to. The SDK's own values are 5s and 30s.
const (
	firstBackoff = 100 * time.Millisecond
	mostBackoff  = time.Second
	mostRetrying = 20 * time.Second
)

// never is how often readers and processors export before they are shut down.
const never = 24 * time.Hour

// newService sets a service up that exports to srv over protocol p.
func newService(ctx context.Context, name string, srv *otlptest.Server, p otlptest.Protocol, ids sdktrace.IDGenerator) (*service, error) {
	connect := overGRPC
	if p == otlptest.HTTPProtobuf {
		connect = overHTTP
	}
	to, err := connect(ctx, srv)
	if err != nil {
		return nil, err
	}
	res := resource.NewSchemaless(attribute.String("service.name", name))
	return &service{
		name: name,
		traces: sdktrace.NewTracerProvider(sdktrace.WithResource(res), sdktrace.WithIDGenerator(ids),
			sdktrace.WithBatcher(to.traces, sdktrace.WithBatchTimeout(never))),
		metrics: sdkmetric.NewMeterProvider(sdkmetric.WithResource(res),
			sdkmetric.WithReader(sdkmetric.NewPeriodicReader(to.metrics, sdkmetric.WithInterval(never)))),
		logs: sdklog.NewLoggerProvider(sdklog.WithResource(res),
			sdklog.WithProcessor(sdklog.NewBatchProcessor(to.logs, sdklog.WithExportInterval(never)))),
	}, nil
}

func overGRPC(ctx context.Context, srv *otlptest.Server) (to exporters, err error) {
	at := srv.GRPCEndpoint()
	retry := otlptracegrpc.RetryConfig{Enabled: true, InitialInterval: firstBackoff, MaxInterval: mostBackoff, MaxElapsedTime: mostRetrying}
	var errs [3]error
	to.traces, errs[0] = otlptracegrpc.New(ctx, otlptracegrpc.WithEndpoint(at), otlptracegrpc.WithInsecure(), otlptracegrpc.WithRetry(retry))
	to.metrics, errs[1] = otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithEndpoint(at), otlpmetricgrpc.WithInsecure(), otlpmetricgrpc.WithRetry(otlpmetricgrpc.RetryConfig(retry)))
	to.logs, errs[2] = otlploggrpc.New(ctx, otlploggrpc.WithEndpoint(at), otlploggrpc.WithInsecure(), otlploggrpc.WithRetry(otlploggrpc.RetryConfig(retry)))
	return to, errors.Join(errs[:]...)
}

func overHTTP(ctx context.Context, srv *otlptest.Server) (to exporters, err error) {
	at := srv.HTTPEndpoint()
	retry := otlptracehttp.RetryConfig{Enabled: true, InitialInterval: firstBackoff, MaxInterval: mostBackoff, MaxElapsedTime: mostRetrying}
	var errs [3]error
	to.traces, errs[0] = otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(at+"/v1/traces"), otlptracehttp.WithRetry(retry))
	to.metrics, errs[1] = otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(at+"/v1/metrics"), otlpmetrichttp.WithRetry(otlpmetrichttp.RetryConfig(retry)))
	to.logs, errs[2] = otlploghttp.New(ctx, otlploghttp.WithEndpointURL(at+"/v1/logs"), otlploghttp.WithRetry(otlploghttp.RetryConfig(retry)))
	return to, errors.Join(errs[:]...)
}

// idGenerator makes the same ids in every run.
type idGenerator struct {
	mu  sync.Mutex
	rnd *rand.Rand
}

func newIDs() *idGenerator { return &idGenerator{rnd: rand.New(rand.NewPCG(4317, 4318))} }

// NewIDs implements sdktrace.IDGenerator.
func (g *idGenerator) NewIDs(ctx context.Context) (id trace.TraceID, span trace.SpanID) {
	g.fill(id[:])
	return id, g.NewSpanID(ctx, id)
}

// NewSpanID implements sdktrace.IDGenerator.
func (g *idGenerator) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	g.fill(id[:])
	return id
}

func (g *idGenerator) fill(id []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range id {
		id[i] = byte(g.rnd.Uint32())
	}
}
