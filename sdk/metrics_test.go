package sdk_test

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
	"github.com/otlptest/otlptest/sdk"
)

// oneMetrics is what arrived of the only resource.
func oneMetrics(t testing.TB, srv *otlptest.Server) metricdata.ResourceMetrics {
	t.Helper()
	got, err := sdk.ResourceMetrics(srv.Points())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 {
		t.Fatalf("got %d ResourceMetrics, want 1", len(got))
	}
	return got[0]
}

func TestMetricsArriveAsTheyWereExported(t *testing.T) {
	for _, p := range protocols {
		t.Run(string(p), func(t *testing.T) {
			srv := otlptest.Start(t)
			exporter, err := sdk.MetricExporter(background, srv, p)
			if err != nil {
				t.Fatal(err)
			}
			sdk.ShutdownAtEnd(t, exporter)
			want := allMetrics()
			if err := exporter.Export(background, &want); err != nil {
				t.Fatal(err)
			}
			got := oneMetrics(t, srv)
			metricdatatest.AssertEqual(t, want, got)
			if diff := gocmp.Diff(want, got, equal, gocmp.AllowUnexported(metricdata.Extrema[float64]{})); diff != "" {
				t.Errorf("metrics (-exported +received):\n%s", diff)
			}
		})
	}
}

// allMetrics has each field of each type.
func allMetrics() metricdata.ResourceMetrics {
	return metricdata.ResourceMetrics{Resource: shop, ScopeMetrics: []metricdata.ScopeMetrics{
		{
			Scope: instrumentation.Scope{Name: "a", Version: "1", SchemaURL: "https://example.com", Attributes: attribute.NewSet(scopeAttrs...)},
			Metrics: []metricdata.Metrics{
				{Name: "ints", Description: "gauge", Unit: "By", Data: metricdata.Gauge[int64]{DataPoints: points[int64](-5)}},
				{Name: "doubles", Data: metricdata.Gauge[float64]{DataPoints: points(math.Inf(-1))}},
				{Name: "doubles", Description: "the same but for this", Data: metricdata.Gauge[float64]{DataPoints: points(0.0)}},
				{Name: "delta", Data: metricdata.Sum[int64]{DataPoints: points[int64](1<<63 - 1), Temporality: metricdata.DeltaTemporality, IsMonotonic: true}},
				{Name: "cumulative", Data: metricdata.Sum[float64]{DataPoints: points(0.0), Temporality: metricdata.CumulativeTemporality}},
			},
		},
		{
			Scope: instrumentation.Scope{Name: "b"},
			Metrics: []metricdata.Metrics{
				{Name: "histogram", Unit: "ms", Data: metricdata.Histogram[float64]{Temporality: metricdata.DeltaTemporality, DataPoints: histograms()}},
				{Name: "exponential", Data: metricdata.ExponentialHistogram[float64]{Temporality: metricdata.CumulativeTemporality, DataPoints: exponentials()}},
				{Name: "summary", Data: metricdata.Summary{DataPoints: []metricdata.SummaryDataPoint{
					{Attributes: attribute.NewSet(everyType...), StartTime: start, Time: now, Count: 5, Sum: -1.5, QuantileValues: []metricdata.QuantileValue{{Quantile: 0.5, Value: 1}, {Quantile: 1, Value: 2}}},
					{Attributes: attribute.NewSet(), StartTime: start, Time: now},
				}}},
			},
		},
	}}
}

var (
	start = time.Date(2024, 2, 29, 12, 0, 0, 1, time.UTC)
	now   = start.Add(time.Minute)
)

func points[N int64 | float64](v N) []metricdata.DataPoint[N] {
	return []metricdata.DataPoint[N]{
		{Attributes: attribute.NewSet(everyType...), StartTime: start, Time: now, Value: v, Exemplars: exemplarsOf(v)},
		{Attributes: attribute.NewSet(), StartTime: start, Time: now, Value: 0},
	}
}

func exemplarsOf[N int64 | float64](v N) []metricdata.Exemplar[N] {
	return []metricdata.Exemplar[N]{
		{FilteredAttributes: everyType, Time: now.Add(-1), Value: v, SpanID: []byte{1, 2, 3, 4, 5, 6, 7, 8}, TraceID: []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
		{Time: now.Add(-2), Value: 2},
	}
}

func histograms() []metricdata.HistogramDataPoint[float64] {
	return []metricdata.HistogramDataPoint[float64]{
		{
			Attributes: attribute.NewSet(everyType...), StartTime: start, Time: now, Count: 6, Sum: 7.5,
			Bounds: []float64{0, 10}, BucketCounts: []uint64{1, 2, 3}, Min: metricdata.NewExtrema(-1.0), Max: metricdata.NewExtrema(0.0), Exemplars: exemplarsOf(0.5),
		},
		{Attributes: attribute.NewSet(), StartTime: start, Time: now},
	}
}

func exponentials() []metricdata.ExponentialHistogramDataPoint[float64] {
	return []metricdata.ExponentialHistogramDataPoint[float64]{
		{
			Attributes: attribute.NewSet(everyType...), StartTime: start, Time: now, Count: 6, Sum: 7.5,
			Min: metricdata.NewExtrema(-1.0), Max: metricdata.NewExtrema(3.0), Scale: -3, ZeroCount: 2, ZeroThreshold: 1e-9,
			PositiveBucket: metricdata.ExponentialBucket{Offset: 3, Counts: []uint64{1, 2}},
			NegativeBucket: metricdata.ExponentialBucket{Offset: -3, Counts: []uint64{1}}, Exemplars: exemplarsOf(0.5),
		},
		{Attributes: attribute.NewSet(), StartTime: start, Time: now},
	}
}

// In a bubble both readers collect at the same time.
func TestMetricsArriveAsAManualReaderSawThem(t *testing.T) {
	for _, p := range protocols {
		t.Run(string(p), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := otlptest.Start(t, otlptest.WithInMemory())
				manual := sdkmetric.NewManualReader()
				mp := sdk.MeterProvider(t, srv, p, sdkmetric.WithReader(manual), sdkmetric.WithResource(shop), exponentialView)
				measure(t, mp)
				time.Sleep(time.Second) // in virtual time
				var want metricdata.ResourceMetrics
				if err := manual.Collect(background, &want); err != nil {
					t.Fatal(err)
				}
				sdk.Flush(t, mp)
				metricdatatest.AssertEqual(t, want, oneMetrics(t, srv))
			})
		})
	}
}

var exponentialView = sdkmetric.WithView(sdkmetric.NewView(
	sdkmetric.Instrument{Name: "exponential"},
	sdkmetric.Stream{Aggregation: sdkmetric.AggregationBase2ExponentialHistogram{MaxSize: 160, MaxScale: 20}}))

// measure measures within a sampled span, so that there are exemplars.
func measure(t testing.TB, mp metric.MeterProvider) {
	t.Helper()
	ctx := trace.ContextWithSpanContext(background, remote(t))
	meter := mp.Meter("shop/cart", metric.WithInstrumentationVersion("1.2.3"), metric.WithInstrumentationAttributes(scopeAttrs...))
	counter, err1 := meter.Int64Counter("counter", metric.WithUnit("{order}"), metric.WithDescription("what was ordered"))
	gauge, err2 := meter.Float64Gauge("gauge")
	histogram, err3 := meter.Float64Histogram("histogram")
	exponential, err4 := meter.Float64Histogram("exponential")
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, attrs := range [][]attribute.KeyValue{nil, everyType[:9]} {
		counter.Add(ctx, 3, metric.WithAttributes(attrs...))
		gauge.Record(ctx, -0.5, metric.WithAttributes(attrs...))
		histogram.Record(ctx, 70, metric.WithAttributes(attrs...))
		exponential.Record(ctx, 1234.5, metric.WithAttributes(attrs...))
	}
}

func TestIntegerHistogramsArriveAsDoubles(t *testing.T) {
	srv := otlptest.Start(t)
	mp := sdk.MeterProvider(t, srv, otlptest.GRPC)
	h, err := mp.Meter("").Int64Histogram("size")
	if err != nil {
		t.Fatal(err)
	}
	h.Record(trace.ContextWithSpanContext(background, remote(t)), 7)
	sdk.Flush(t, mp)
	metricdatatest.AssertAggregationsEqual(t, metricdata.Histogram[float64]{
		Temporality: metricdata.CumulativeTemporality,
		DataPoints: []metricdata.HistogramDataPoint[float64]{{
			Count: 1, Sum: 7, Min: metricdata.NewExtrema(7.0), Max: metricdata.NewExtrema(7.0),
			Bounds:       []float64{0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000},
			BucketCounts: []uint64{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		}},
	}, oneMetrics(t, srv).ScopeMetrics[0].Metrics[0].Data, metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}

func TestEachFlushAndEachResourceIsItsOwnResourceMetrics(t *testing.T) {
	srv := otlptest.Start(t)
	a := sdk.MeterProvider(t, srv, otlptest.GRPC, sdkmetric.WithResource(shop))
	b := sdk.MeterProvider(t, srv, otlptest.HTTPProtobuf)
	measure(t, a)
	measure(t, b)
	sdk.Flush(t, a, b, a)
	got, err := sdk.ResourceMetrics(srv.Points(where.Name("counter")))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || !got[0].Resource.Equal(shop) || got[1].Resource.Equal(shop) || !got[2].Resource.Equal(shop) {
		t.Fatalf("got %d ResourceMetrics %v, want 3 in the order of the flushes", len(got), got)
	}
	for _, rm := range got {
		if len(rm.ScopeMetrics) != 1 || len(rm.ScopeMetrics[0].Metrics) != 1 {
			t.Errorf("got %v, want the counter alone", rm.ScopeMetrics)
		}
	}
}

func TestPointsThatTheSDKCannotHaveAreErrors(t *testing.T) {
	const at = `"timeUnixNano":"1"`
	for data, want := range map[string]string{
		`"gauge":{"dataPoints":[{` + at + `}]}`:                                                    `metric "bad": a point of type "gauge" has no value`,
		`"gauge":{"dataPoints":[{` + at + `,"flags":1}]}`:                                          `metric "bad": a point says that there is no value`,
		`"sum":{"aggregationTemporality":7,"dataPoints":[{` + at + `,"asInt":"1"}]}`:               `metric "bad": got temporality(7)`,
		`"gauge":{"dataPoints":[{` + at + `,"asInt":"1","exemplars":[{"asDouble":0.5}]}]}`:         `metric "bad": exemplar: got the value 0.5`,
		`"gauge":{"dataPoints":[{` + at + `,"asDouble":1,"exemplars":[{"asInt":"` + odd + `"}]}]}`: `metric "bad": exemplar: got the value ` + odd,
		`"gauge":{"dataPoints":[{` + at + `,"asInt":"1","attributes":[{"key":"a"},{"key":"a"}]}]}`: `metric "bad": attributes with the same key`,
	} {
		srv := otlptest.Start(t)
		post(t, srv, "/v1/metrics", `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"bad",`+data+`}]}]}]}`)
		if _, err := sdk.ResourceMetrics(srv.Points()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %s", data, err, want)
		}
	}
}

const odd = "9007199254740993" // what no double can be
