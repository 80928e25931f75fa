package sdk

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/otlptest"
)

// SpanExporter makes the official exporter of spans for a protocol, pointed at
// a server as [TraceGRPCOptions] says. Whoever made it shuts it down, which the
// provider or processor that has it does.
func SpanExporter(ctx context.Context, srv *otlptest.Server, p otlptest.Protocol) (trace.SpanExporter, error) {
	switch p {
	case otlptest.GRPC:
		return otlptracegrpc.New(ctx, TraceGRPCOptions(srv)...)
	case otlptest.HTTPProtobuf:
		return otlptracehttp.New(ctx, append(TraceHTTPOptions(srv), otlptracehttp.WithEncoding(otlptracehttp.EncodingProtobuf))...)
	case otlptest.HTTPJSON:
		return otlptracehttp.New(ctx, append(TraceHTTPOptions(srv), otlptracehttp.WithEncoding(otlptracehttp.EncodingJSON))...)
	}
	return nil, fmt.Errorf("span exporter: got protocol %q, want grpc, http/protobuf or http/json", p)
}

// MetricExporter is [SpanExporter] for metrics. The official exporters of
// metrics do not speak http/json, which is an error.
func MetricExporter(ctx context.Context, srv *otlptest.Server, p otlptest.Protocol) (metric.Exporter, error) {
	switch p {
	case otlptest.GRPC:
		return otlpmetricgrpc.New(ctx, MetricGRPCOptions(srv)...)
	case otlptest.HTTPProtobuf:
		return otlpmetrichttp.New(ctx, MetricHTTPOptions(srv)...)
	}
	return nil, noExporter("metrics", p)
}

// LogExporter is [SpanExporter] for log records. The official exporters of log
// records do not speak http/json, which is an error.
func LogExporter(ctx context.Context, srv *otlptest.Server, p otlptest.Protocol) (log.Exporter, error) {
	switch p {
	case otlptest.GRPC:
		return otlploggrpc.New(ctx, LogGRPCOptions(srv)...)
	case otlptest.HTTPProtobuf:
		return otlploghttp.New(ctx, LogHTTPOptions(srv)...)
	}
	return nil, noExporter("log records", p)
}

func noExporter(what string, p otlptest.Protocol) error {
	if p == otlptest.HTTPJSON {
		return fmt.Errorf("the official Go SDK has no exporter of %s over http/json: use grpc or http/protobuf", what)
	}
	return fmt.Errorf("exporter of %s: got protocol %q, want grpc or http/protobuf", what, p)
}
