package sdk_test

import (
	"context"
	"errors"
	"testing"

	"go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/sdk"
)

// overflow produces once, and while that export waits for its answer ten times
// more, for a queue that holds one.
func overflow(t testing.TB, srv *otlptest.Server, produce func(), shutdown func(context.Context) error) {
	t.Helper()
	held := srv.Hold()
	produce()
	if _, err := held.Wait(1); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		produce()
	}
	held.ReleaseAll()
	if err := shutdown(background); err != nil {
		t.Fatal(err)
	}
}

func wantLoss(t testing.TB, meter *sdk.LossMeter, srv *otlptest.Server, want sdk.Loss, text string) {
	t.Helper()
	report := srv.Report()
	got := meter.Loss(want.Signal, report)
	if got != want || got.String() != text || got.Unsent() != got.Lost() {
		t.Errorf("got %+v %q, want %+v %q", got, got, want, text)
	}
	if err := report.Verify(query.NoLoss()); err != nil {
		t.Errorf("a server cannot see it, but says %v", err)
	}
	if err := report.Verify(meter.NoLoss()); err == nil || err.Error() != "produced and delivered: "+text {
		t.Errorf("got %v, want %q", err, text)
	}
}

func TestSpansThatAQueueDroppedAreCounted(t *testing.T) {
	for _, p := range protocols {
		srv := otlptest.Start(t)
		exporter, err := sdk.SpanExporter(background, srv, p)
		if err != nil {
			t.Fatal(err)
		}
		var meter sdk.LossMeter
		tp := trace.NewTracerProvider(trace.WithSpanProcessor(meter.SpanProcessor(
			trace.NewBatchSpanProcessor(exporter, trace.WithMaxQueueSize(1), trace.WithMaxExportBatchSize(1)))))
		overflow(t, srv, func() { endSpan(tp, "charge") }, tp.Shutdown)
		wantLoss(t, &meter, srv, sdk.Loss{Signal: query.Traces, Produced: 11, Sent: 2, Delivered: 2}, "11 spans produced, 2 sent, 2 delivered: 9 lost")
	}
}

func TestLogRecordsThatAQueueDroppedAreCounted(t *testing.T) {
	for _, p := range protocols {
		srv := otlptest.Start(t)
		exporter, err := sdk.LogExporter(background, srv, p)
		if err != nil {
			t.Fatal(err)
		}
		var meter sdk.LossMeter
		lp := sdklog.NewLoggerProvider(sdklog.WithProcessor(meter.LogProcessor(sdklog.NewBatchProcessor(exporter, sdklog.WithMaxQueueSize(1)))))
		overflow(t, srv, func() { lp.Logger("").Emit(background, log.Record{}) }, lp.Shutdown)
		wantLoss(t, &meter, srv, sdk.Loss{Signal: query.Logs, Produced: 11, Sent: 2, Delivered: 2}, "11 log records produced, 2 sent, 2 delivered: 9 lost")
	}
}

func TestPointsThatNeverGotThroughAreCounted(t *testing.T) {
	srv := otlptest.Start(t)
	exporter, err := sdk.MetricExporter(background, srv, otlptest.HTTPProtobuf)
	if err != nil {
		t.Fatal(err)
	}
	sdk.ShutdownAtEnd(t, exporter)
	var meter sdk.LossMeter
	counted := meter.MetricExporter(exporter)
	rm := allMetrics()
	if err := counted.Export(background, &rm); err != nil {
		t.Fatal(err)
	}
	if err := srv.Report().Verify(meter.NoLoss()); err != nil {
		t.Errorf("after one delivery: %v", err)
	}
	gone, cancel := context.WithCancel(background)
	cancel()
	ints := metricdata.ResourceMetrics{ScopeMetrics: []metricdata.ScopeMetrics{{Metrics: []metricdata.Metrics{
		{Name: "histogram", Data: metricdata.Histogram[int64]{DataPoints: make([]metricdata.HistogramDataPoint[int64], 2)}},
		{Name: "exponential", Data: metricdata.ExponentialHistogram[int64]{DataPoints: make([]metricdata.ExponentialHistogramDataPoint[int64], 1)}},
	}}}}
	if err := counted.Export(gone, &ints); err == nil {
		t.Error("got no error from an export whose context is over")
	}
	wantLoss(t, &meter, srv, sdk.Loss{Signal: query.Metrics, Produced: 19, Sent: 16, Delivered: 16}, "19 points produced, 16 sent, 16 delivered: 3 lost")
}

func TestAMeterBesideTheProvidersCountsAsWell(t *testing.T) {
	srv := otlptest.Start(t)
	var meter sdk.LossMeter
	if err := srv.Report().Verify(meter.NoLoss()); err == nil {
		t.Error("got no error where there was nothing to check")
	}
	tp := sdk.TracerProvider(t, srv, otlptest.GRPC, trace.WithSpanProcessor(meter.SpanProcessor(nil)))
	lp := sdk.LoggerProvider(t, srv, otlptest.GRPC, sdklog.WithProcessor(meter.LogProcessor(nil)))
	makeSpans(t, tp)
	emit(t, lp)
	sdk.Flush(t, tp, lp)
	if err := srv.Report().Verify(meter.NoLoss(), query.NoLoss()); err != nil {
		t.Error(err)
	}
	if got, want := meter.Produced(query.Traces), 8; got != want {
		t.Errorf("got %d spans, want %d", got, want)
	}
	if got := meter.Produced("profiles"); got != 0 {
		t.Errorf("got %d of an unknown signal, want 0", got)
	}
}

func TestNothingProducedIsNothingToCheck(t *testing.T) {
	srv := otlptest.Start(t)
	mp := sdk.MeterProvider(t, srv, otlptest.GRPC, sdkmetric.WithResource(shop))
	measure(t, mp)
	sdk.Flush(t, mp)
	var meter sdk.LossMeter
	if err := srv.Report().Verify(meter.NoLoss()); !errors.Is(err, query.ErrNothingToCheck) {
		t.Errorf("got %v, want ErrNothingToCheck", err)
	}
}

func TestSpansThatAreNotSampledAreNotProduced(t *testing.T) {
	var meter sdk.LossMeter
	tp := trace.NewTracerProvider(trace.WithSampler(recordOnly{}), trace.WithSpanProcessor(meter.SpanProcessor(nil)))
	endSpan(tp, "charge")
	if got := meter.Produced(query.Traces); got != 0 {
		t.Errorf("got %d spans, want none", got)
	}
}
