package integration_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// The backend is overloaded for ten minutes: twenty times it says to come back
// in thirty seconds.
const (
	outageAttempts = 20
	outageDelay    = 30 * time.Second
	outage         = outageAttempts * outageDelay
)

func outageOf(signal query.Signal) faults.Rule {
	return faults.Always(faults.Throttle(outageDelay)).Times(outageAttempts).On(signal)
}

func TestAnExportSurvivesTenMinutesOfThrottling(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t, otlptest.WithFaults(outageOf(p.signal)))
		start := time.Now()
		if err := newExporter(t, srv, p, patient).export(t.Context()); err != nil {
			t.Fatalf("export: %v", err)
		}
		if got := time.Since(start); got != outage {
			t.Errorf("got an export of %s, want %s", got, outage)
		}
		wantSurvived(t, onlyBatch(t, srv))
		wantItems(t, srv, sampleOf(p.signal))
	})
}

// wantSurvived checks a batch that met the whole outage and then arrived.
func wantSurvived(t *testing.T, b query.Batch) {
	t.Helper()
	if len(b.Attempts()) != outageAttempts+1 || b.Deliveries() != 1 || !b.Acknowledged() {
		t.Errorf("got %d attempts, %d deliveries, acknowledged %t, want %d, 1 and true:\n%s",
			len(b.Attempts()), b.Deliveries(), b.Acknowledged(), outageAttempts+1, b)
	}
	for i, gap := range b.Gaps() {
		if gap != outageDelay || b.Promised()[i] != outageDelay {
			t.Errorf("got gap %s of promised %s before attempt %d, want %s", gap, b.Promised()[i], i+2, outageDelay)
		}
	}
}

// Whole pipelines, all signals at once. The batching processors of traces are
// shut down rather than flushed: they hold a mutex while they export.
func TestPipelinesLoseNothingInTenMinutesOfThrottling(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := startInMemory(t, otlptest.WithFaults(outageOf(query.Traces), outageOf(query.Metrics), outageOf(query.Logs)))
				p := newPipelines(t, srv, protocol)
				const items = 100
				for i := range items {
					p.record(fmt.Sprint("item ", i), i)
				}
				start := time.Now()
				p.shutdown(t)
				if got := time.Since(start); got != outage {
					t.Errorf("got a shutdown of %s, want %s", got, outage)
				}
				report := srv.Report()
				for _, b := range report.Batches {
					wantSurvived(t, b)
				}
				if len(report.Batches) != 3 {
					t.Errorf("got %d batches, want 3:\n%s", len(report.Batches), report)
				}
				for i := range items {
					name := fmt.Sprint("item ", i)
					otlptest.Exactly(t, srv.Spans(where.Name(name)), 1)
					otlptest.Exactly(t, srv.Points(where.Name("items"), where.Attr("item", i)), 1)
					otlptest.Exactly(t, srv.Logs(where.Attr("item", i)), 1)
				}
				if n := len(srv.Spans().Slice()) + srv.Points().Len() + srv.Logs().Len(); n != 3*items {
					t.Errorf("got %d items, want %d", n, 3*items)
				}
			})
		})
	}
}

// pipelines is providers that export over one protocol.
type pipelines struct {
	traces  *sdktrace.TracerProvider
	metrics *sdkmetric.MeterProvider
	logs    *sdklog.LoggerProvider
	counter metric.Int64Counter
}

// newPipelines makes providers that export only when they are flushed or shut
// down, and wait as long as it takes.
func newPipelines(t *testing.T, srv *otlptest.Server, protocol query.Protocol) *pipelines {
	t.Helper()
	var e exporter
	for _, signal := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
		one, err := path{signal, protocol}.newExporter(srv, patient)
		if err != nil {
			t.Fatal(err)
		}
		switch signal {
		case query.Traces:
			e.traces = one.traces
		case query.Metrics:
			e.metrics = one.metrics
		default:
			e.logs = one.logs
		}
	}
	p := &pipelines{
		traces: sdktrace.NewTracerProvider(sdktrace.WithBatcher(e.traces,
			sdktrace.WithBatchTimeout(time.Hour), sdktrace.WithExportTimeout(exporterTimeout))),
		metrics: sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(e.metrics,
			sdkmetric.WithInterval(time.Hour), sdkmetric.WithTimeout(exporterTimeout)))),
		logs: sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(e.logs,
			sdklog.WithExportInterval(time.Hour), sdklog.WithExportTimeout(exporterTimeout)))),
	}
	var err error
	if p.counter, err = p.metrics.Meter("integration").Int64Counter("items"); err != nil {
		t.Fatal(err)
	}
	return p
}

// record makes a span, a point and a log record.
func (p *pipelines) record(name string, item int) {
	ctx, span := p.traces.Tracer("integration").Start(context.Background(), name)
	p.counter.Add(ctx, 1, metric.WithAttributes(attribute.Int("item", item)))
	var r log.Record
	r.SetBody(attribute.StringValue(name))
	r.AddAttributes(attribute.Int("item", item))
	p.logs.Logger("integration").Emit(ctx, r)
	span.End()
}

// shutdown shuts all three down at once.
func (p *pipelines) shutdown(t *testing.T) {
	t.Helper()
	var waits []func() error
	for _, f := range []func(context.Context) error{p.traces.Shutdown, p.metrics.Shutdown, p.logs.Shutdown} {
		waits = append(waits, inBackground(func() error { return f(context.Background()) }))
	}
	for _, wait := range waits {
		if err := wait(); err != nil {
			t.Errorf("shutdown: %v", err)
		}
	}
}
