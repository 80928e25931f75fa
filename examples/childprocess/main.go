// Childprocess is a program that exports to wherever its environment says, and
// its test runs it against a backend.
//
// The program stands for any other one: a service, a command line tool, one
// that is not written in Go. All that the test tells it is the environment
// that [Server.Env] makes; that also blanks every variable by which the
// machine that runs the test could send the data elsewhere.
//
// Run it with
//
//	go test ./childprocess
//
// [Server.Env]: https://pkg.go.dev/github.com/otlptest/otlptest/otlptest#Server.Env
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/trace"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

// run does the job: a span for each argument.
func run(ctx context.Context, files []string) error {
	exporter, err := newExporter(ctx)
	if err != nil {
		return err
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
	tracer := provider.Tracer("resize")
	ctx, job := tracer.Start(ctx, "job")
	for _, file := range files {
		_, span := tracer.Start(ctx, "resize")
		span.SetAttributes(attribute.String("file.name", file))
		span.End()
	}
	job.End()
	return provider.Shutdown(ctx) // without it the batch would be lost
}

// newExporter reads the protocol itself: Go's SDK has a module for each.
func newExporter(ctx context.Context) (*otlptrace.Exporter, error) {
	switch protocol := os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"); protocol {
	case "grpc":
		return otlptracegrpc.New(ctx)
	case "http/protobuf", "":
		return otlptracehttp.New(ctx)
	default:
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: got %q, want grpc or http/protobuf", protocol)
	}
}
