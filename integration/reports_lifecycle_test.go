package integration_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.uber.org/goleak"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// noLeaks returns a check that no goroutine has been added that is still there.
func noLeaks(t *testing.T) (check func()) {
	ignored := goleak.IgnoreCurrent()
	return func() {
		t.Helper()
		goleak.VerifyNone(t, ignored)
	}
}

// pipeline is a provider of one signal.
type pipeline struct {
	record   func()
	shutdown func(context.Context) error
}

// newPipeline makes a provider that exports once a second, and has its limits
// by itself: 30 seconds for an export.
func newPipeline(t *testing.T, signal query.Signal, e exporter) pipeline {
	t.Helper()
	ctx := context.Background()
	switch signal {
	case query.Traces:
		p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(e.traces, sdktrace.WithBatchTimeout(time.Second)))
		record := func() {
			_, span := p.Tracer("integration").Start(ctx, "a")
			span.End()
		}
		return pipeline{record, p.Shutdown}
	case query.Metrics:
		p := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(e.metrics, sdkmetric.WithInterval(time.Second))))
		counter, err := p.Meter("integration").Int64Counter("a")
		if err != nil {
			t.Fatal(err)
		}
		return pipeline{func() { counter.Add(ctx, 1) }, p.Shutdown}
	}
	p := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(e.logs, sdklog.WithExportInterval(time.Second))))
	record := func() {
		var r log.Record
		r.SetBody(attribute.StringValue("a"))
		p.Logger("integration").Emit(ctx, r)
	}
	return pipeline{record, p.Shutdown}
}

// Shutdown ends in the time that it is given, while the backend refuses all.
//
// What the SDK does otherwise today: an export that the batch processor of
// traces has begun goes on behind the shutdown, and so does one of logs that
// had begun before it, up to the exporter's timeout over gRPC, and up to the
// processor's over HTTP. Those of metrics end.
func shutdownIsBounded(t *testing.T) {
	for _, while := range []string{"idle", "exporting"} {
		t.Run(while, func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) {
				goesOn := p.signal == query.Traces || p.signal == query.Logs && while == "exporting"
				shutDownIn(t, p, while == "exporting", goesOn)
			})
		})
	}
	t.Run("of an exporter", exportersShutDownInTime)
}

// stubborn retries for a minute.
var stubborn = retries{true, 100 * time.Millisecond, time.Second, time.Minute}

func shutDownIn(t *testing.T, p path, exporting, goesOn bool) {
	for _, limit := range []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second} {
		srv := startInMemory(t, otlptest.WithFaults(faults.Always(faults.Unavailable())))
		pipe := newPipeline(t, p.signal, p.configured(t, srv, settings{retries: stubborn}))
		pipe.record()
		if exporting {
			time.Sleep(1500 * time.Millisecond)
		}
		start := time.Now()
		if err := pipe.shutdown(within(t, limit)); err == nil {
			t.Error("the shutdown succeeded")
		}
		if took := time.Since(start); took != limit {
			t.Errorf("got a shutdown of %s, want %s", took, limit)
		}
		synctest.Wait()
		before := srv.Exports().Len()
		time.Sleep(time.Hour)
		if after := srv.Exports().Len() - before; before == 0 || (after > 0) != goesOn {
			t.Errorf("got %d attempts by the end of the shutdown and %d afterwards, want some: %t:\n%s", before, after, goesOn, srv.Report())
		}
		processor := 30 * time.Second
		if p.grpc() {
			processor = 10 * time.Second
		}
		if last := lastExport(srv); last.Sub(start) > processor {
			t.Errorf("got the last attempt %s after the shutdown began", last.Sub(start))
		}
	}
}

func lastExport(srv *otlptest.Server) time.Time {
	exports := srv.Exports().Slice()
	return exports[len(exports)-1].Arrived
}

// The exporter of traces over HTTP ends what it is doing at once when it is
// shut down itself. (All others hold a mutex while they export, so that the
// clock of a bubble stands still.)
func exportersShutDownInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := startInMemory(t, otlptest.WithFaults(faults.Always(faults.Unavailable())))
		e := path{query.Traces, query.HTTPProtobuf}.configured(t, srv, settings{retries: stubborn})
		wait := inBackground(func() error { return e.export(context.Background()) })
		time.Sleep(1500 * time.Millisecond)
		start := time.Now()
		if err := e.shutdown(within(t, time.Second)); err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if wait() == nil {
			t.Error("the export succeeded")
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("got a shutdown of %s, want none", took)
		}
		synctest.Wait()
		before := srv.Exports().Len()
		time.Sleep(time.Hour)
		otlptest.Exactly(t, srv.Exports(), before)
	})
}

// Servers of tests that run at once have addresses of their own, and are ready
// when Start returns.
func serversDoNotClash(t *testing.T) {
	for name, opts := range map[string][]otlptest.Option{"tcp": nil, "in memory": {otlptest.WithInMemory()}} {
		t.Run(name, func(t *testing.T) {
			var taken sync.Map
			t.Run("at once", func(t *testing.T) {
				for i := range many {
					t.Run(fmt.Sprint(i), func(t *testing.T) {
						t.Parallel()
						readyAtOnce(t, otlptest.Start(t, opts...), &taken)
					})
				}
			})
		})
	}
}

// readyAtOnce checks that both ports can be dialled, and are not those of
// another server that is there: those of one that is gone may come again.
func readyAtOnce(t *testing.T, srv *otlptest.Server, taken *sync.Map) {
	addrs := []string{srv.GRPCEndpoint(), strings.TrimPrefix(srv.HTTPEndpoint(), "http://")}
	for _, addr := range addrs {
		c, err := srv.DialGRPC(t.Context(), addr)
		if err != nil {
			t.Fatalf("dial: %v", err)
		}
		c.Close()
	}
	if _, clash := taken.LoadOrStore(addrs[0], true); clash {
		t.Errorf("got address %s, which another server has", addrs[0])
	}
	t.Cleanup(func() { taken.Delete(addrs[0]) }) // before the server is closed
	c := newClient(t, srv)
	for _, protocol := range protocols {
		c.mustSend(t, path{query.Traces, protocol}, spanNamed(t, t.Name()))
	}
	for _, s := range otlptest.Exactly(t, srv.Spans(), len(protocols)) {
		if s.Name != t.Name() {
			t.Errorf("got the span of %s", s.Name)
		}
	}
}
