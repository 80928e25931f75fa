package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	logapi "go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
)

// must ends the program at an error.
func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// exporterMain is a program that exports to where its environment says: a job
// with some spans in it, a counter of two series, records of an error.
func exporterMain() {
	spans := flag.Int("spans", 0, "how many spans the job has in it; without any there is no job")
	jobs := flag.Int64("jobs", 0, "what is added to the counter")
	records := flag.Int("logs", 0, "how many records are logged")
	status := flag.Int("status", 0, "the exit status")
	flag.Parse()
	ctx := context.Background()
	must(exportSpans(ctx, *spans))
	must(exportPoints(ctx, *jobs))
	must(exportLogs(ctx, *records))
	fmt.Println("exported")
	os.Exit(*status)
}

func exportSpans(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	exporter, err := newSpanExporter(ctx)
	if err != nil {
		return err
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter))
	jobCtx, job := provider.Tracer("test").Start(ctx, "job")
	for i := range n {
		_, span := provider.Tracer("test").Start(jobCtx, "step")
		span.SetAttributes(attribute.Int("step.number", i))
		span.End()
	}
	job.End()
	return provider.Shutdown(ctx)
}

func newSpanExporter(ctx context.Context) (*otlptrace.Exporter, error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL") == "grpc" {
		return otlptracegrpc.New(ctx, otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig(impatient)))
	}
	return otlptracehttp.New(ctx, otlptracehttp.WithRetry(otlptracehttp.RetryConfig(impatient)))
}

// impatient is how the exporter retries: for want of time hardly at all.
var impatient = struct {
	Enabled         bool
	InitialInterval time.Duration
	MaxInterval     time.Duration
	MaxElapsedTime  time.Duration
}{true, time.Millisecond, time.Millisecond, 500 * time.Millisecond}

func exportPoints(ctx context.Context, n int64) error {
	if n == 0 {
		return nil
	}
	exporter, err := otlpmetrichttp.New(ctx)
	if err != nil {
		return err
	}
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter)))
	counter, err := provider.Meter("test").Int64Counter("jobs")
	if err != nil {
		return err
	}
	counter.Add(ctx, n-1, metric.WithAttributes(attribute.Bool("ok", true)))
	counter.Add(ctx, 1, metric.WithAttributes(attribute.Bool("ok", false)))
	return provider.Shutdown(ctx)
}

func exportLogs(ctx context.Context, n int) error {
	if n == 0 {
		return nil
	}
	exporter, err := otlploghttp.New(ctx)
	if err != nil {
		return err
	}
	provider := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(exporter)))
	for range n {
		var r logapi.Record
		r.SetSeverity(logapi.SeverityError)
		r.SetBody(attribute.StringValue("refused"))
		provider.Logger("test").Emit(ctx, r)
	}
	return provider.Shutdown(ctx)
}

// getMain is a program that prints what a URL answers: get [-token TOKEN] URL.
// With -api the URL is a path of the API that otlptest run serves.
func getMain() {
	token := flag.String("token", "", "the bearer token")
	api := flag.Bool("api", false, "below $OTLPTEST_API_URL")
	flag.Parse()
	url := flag.Arg(0)
	if *api {
		url = os.Getenv("OTLPTEST_API_URL") + url
	}
	req, err := http.NewRequest(http.MethodGet, url, nil)
	must(err)
	if *token != "" {
		req.Header.Set("Authorization", "Bearer "+*token)
	}
	answer, err := http.DefaultClient.Do(req)
	must(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(err)
	fmt.Println(answer.StatusCode, strings.TrimSpace(string(body)))
}

// senderMain is a program that exports a span, and resets the backend.
func senderMain() {
	ctx := context.Background()
	must(exportSpans(ctx, 1))
	answer, err := http.Post(os.Getenv("OTLPTEST_API_URL")+"/api/v1/reset", "", nil)
	must(err)
	must(answer.Body.Close())
}

// waiterMain is a program that is healthy at an address until a SIGTERM, and
// ends with status 7 then, after it has exported.
func waiterMain() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	l, err := net.Listen("tcp", os.Args[1])
	must(err)
	go http.Serve(l, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	fmt.Println("got", <-signals)
	must(exportSpans(context.Background(), 1))
	os.Exit(7)
}
