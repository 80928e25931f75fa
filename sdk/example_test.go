package sdk_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/log/logtest"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/sdk"
)

// example runs the body of a test, which has a t.
func example(test func(t testing.TB)) {
	if f := run(new(fakeTB), test); f.failed {
		fmt.Print(f.log.String())
	}
}

func ExampleTracerProvider() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		tp := sdk.TracerProvider(t, srv, otlptest.GRPC, trace.WithResource(shop))

		_, span := tp.Tracer("shop/cart").Start(context.Background(), "charge")
		span.SetAttributes(attribute.Int("http.response.status_code", 500))
		span.End()

		got := otlptest.One(t, srv.Spans())
		fmt.Println(got.Name, got.Attrs, "of", got.Resource.Service())
	})
	// Output: charge http.response.status_code=500 of shop
}

func ExampleMeterProvider() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		mp := sdk.MeterProvider(t, srv, otlptest.HTTPProtobuf)

		orders, _ := mp.Meter("shop/cart").Int64Counter("orders")
		orders.Add(context.Background(), 3)

		sdk.Flush(t, mp)
		p := otlptest.Exactly(t, srv.Points(), 1)[0]
		fmt.Println(p.Name, p.Value, p.Temporality)
	})
	// Output: orders 3 cumulative
}

func ExampleLoggerProvider() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		lp := sdk.LoggerProvider(t, srv, otlptest.GRPC)

		var r log.Record
		r.SetSeverity(log.SeverityWarn)
		r.SetBody(attribute.StringValue("the cart is empty"))
		lp.Logger("shop/cart").Emit(context.Background(), r)

		got := otlptest.One(t, srv.Logs())
		fmt.Println(got.Severity, got.Body.Str())
	})
	// Output: warn the cart is empty
}

func ExampleSpanStubs() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		tp := sdk.TracerProvider(t, srv, otlptest.HTTPJSON)
		endSpan(tp, "charge")
		sdk.Flush(t, tp)

		stubs, err := sdk.SpanStubs(srv.Spans())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(stubs[0].Name, stubs[0].SpanKind, len(stubs.Snapshots()))
	})
	// Output: charge internal 1
}

func ExampleResourceMetrics() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		mp := sdk.MeterProvider(t, srv, otlptest.GRPC)
		orders, _ := mp.Meter("shop/cart").Int64Counter("orders")
		orders.Add(context.Background(), 3, metric.WithAttributes(attribute.Bool("paid", true)))
		sdk.Flush(t, mp)

		collected, err := sdk.ResourceMetrics(srv.Points())
		if err != nil {
			t.Fatal(err)
		}
		equal := metricdatatest.AssertEqual(t, metricdata.Metrics{
			Name: "orders",
			Data: metricdata.Sum[int64]{
				Temporality: metricdata.CumulativeTemporality, IsMonotonic: true,
				DataPoints: []metricdata.DataPoint[int64]{{Attributes: attribute.NewSet(attribute.Bool("paid", true)), Value: 3}},
			},
		}, collected[0].ScopeMetrics[0].Metrics[0], metricdatatest.IgnoreTimestamp())
		fmt.Println(equal)
	})
	// Output: true
}

func ExampleLogRecording() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		lp := sdk.LoggerProvider(t, srv, otlptest.GRPC)
		var r log.Record
		r.SetBody(attribute.StringValue("the cart is empty"))
		lp.Logger("shop/cart").Emit(context.Background(), r)
		sdk.Flush(t, lp)

		got, err := sdk.LogRecording(srv.Logs())
		if err != nil {
			t.Fatal(err)
		}
		want := logtest.Recording{{Name: "shop/cart"}: {{Body: attribute.StringValue("the cart is empty")}}}
		equal := logtest.AssertEqual(t, want, got, logtest.Transform(func(r logtest.Record) logtest.Record {
			r.Context, r.ObservedTimestamp = nil, time.Time{} // leave them out
			return r
		}))
		fmt.Println(equal)
	})
	// Output: true
}

func ExampleLogRecords() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		lp := sdk.LoggerProvider(t, srv, otlptest.GRPC)
		var r log.Record
		r.SetBody(attribute.StringValue("the cart is empty"))
		lp.Logger("shop/cart").Emit(context.Background(), r)
		sdk.Flush(t, lp)

		records, err := sdk.LogRecords(srv.Logs())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(records[0].InstrumentationScope().Name, records[0].Body())
	})
	// Output: shop/cart the cart is empty
}

func ExampleCaptureErrors() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.PartialSuccess(1, "too old"))))
		errs := sdk.CaptureErrors(t)
		tp := sdk.TracerProvider(t, srv, otlptest.GRPC)
		endSpan(tp, "charge")
		err := tp.ForceFlush(context.Background())

		for _, reported := range errs.All() {
			fmt.Println(errors.Is(err, reported), reported)
		}
	})
	// Output: true traces export: OTLP partial success: too old (1 spans rejected)
}

func ExampleLossMeter() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		exporter, err := sdk.SpanExporter(context.Background(), srv, otlptest.GRPC)
		if err != nil {
			t.Fatal(err)
		}
		var meter sdk.LossMeter
		batcher := trace.NewBatchSpanProcessor(exporter, trace.WithMaxQueueSize(1), trace.WithMaxExportBatchSize(1))
		tp := trace.NewTracerProvider(trace.WithSpanProcessor(meter.SpanProcessor(batcher)))

		held := srv.Hold() // while the server does not answer, the queue fills
		endSpan(tp, "exported")
		_, err = held.Wait(1)
		endSpan(tp, "queued")
		endSpan(tp, "dropped")
		held.ReleaseAll()

		fmt.Println(errors.Join(err, tp.Shutdown(context.Background())))
		fmt.Println(meter.Loss(query.Traces, srv.Report()))
		fmt.Println(srv.Report().Verify(query.NoLoss(), meter.NoLoss()))
	})
	// Output:
	// <nil>
	// 3 spans produced, 2 sent, 2 delivered: 1 lost
	// produced and delivered: 3 spans produced, 2 sent, 2 delivered: 1 lost
}

func ExampleShutdownAtEnd() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		exporter, err := otlptracegrpc.New(context.Background(),
			append(sdk.TraceGRPCOptions(srv), otlptracegrpc.WithCompressor("gzip"))...)
		if err != nil {
			t.Fatal(err)
		}
		tp := trace.NewTracerProvider(trace.WithBatcher(exporter))
		sdk.ShutdownAtEnd(t, tp)

		endSpan(tp, "charge")
		sdk.Flush(t, tp)
		fmt.Println(otlptest.One(t, srv.Exports()).Encoding)
	})
	// Output: gzip
}

func ExampleMetricExporter() {
	example(func(t testing.TB) {
		srv := otlptest.Start(t)
		exporter, err := sdk.MetricExporter(context.Background(), srv, otlptest.GRPC)
		if err != nil {
			t.Fatal(err)
		}
		reader := sdkmetric.NewPeriodicReader(exporter, sdkmetric.WithInterval(time.Millisecond))
		mp := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
		sdk.ShutdownAtEnd(t, mp)

		orders, _ := mp.Meter("shop/cart").Int64Counter("orders")
		orders.Add(context.Background(), 3)
		fmt.Println(otlptest.Await(t, srv.Points(), 1)[0].Value)
	})
	// Output: 3
}
