package integration_test

import (
	"math"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/otlptest/otlptest/query"
)

// sampleMetrics is the metrics' batch: a metric of each type.
func sampleMetrics() *metricdata.ResourceMetrics {
	route := attribute.NewSet(attribute.String("route", "/cart"))
	start, now := epoch, at(time.Minute)
	return &metricdata.ResourceMetrics{Resource: sampleResource(), ScopeMetrics: []metricdata.ScopeMetrics{{
		Scope: sampleScope(),
		Metrics: []metricdata.Metrics{
			{Name: "temperature", Description: "of the room", Unit: "Cel", Data: metricdata.Gauge[float64]{
				DataPoints: []metricdata.DataPoint[float64]{
					{Attributes: attribute.NewSet(manyAttrs()...), Time: now, Value: 21.5},
					{Attributes: route, Time: now, Value: math.NaN()},
				},
			}},
			{Name: "requests", Unit: "1", Data: metricdata.Sum[int64]{
				Temporality: metricdata.CumulativeTemporality, IsMonotonic: true,
				DataPoints: []metricdata.DataPoint[int64]{{
					Attributes: route, StartTime: start, Time: now, Value: 1 << 60,
					Exemplars: []metricdata.Exemplar[int64]{{
						FilteredAttributes: []attribute.KeyValue{attribute.String("user", "u-1")},
						Time:               at(time.Second), Value: 1, SpanID: spanID[:], TraceID: traceID[:],
					}},
				}},
			}},
			{Name: "latency", Unit: "s", Data: metricdata.Histogram[float64]{
				Temporality: metricdata.DeltaTemporality,
				DataPoints: []metricdata.HistogramDataPoint[float64]{{
					Attributes: route, StartTime: start, Time: now, Count: 3, Sum: 1.75,
					Bounds: []float64{0.5, 1}, BucketCounts: []uint64{2, 0, 1},
					Min: metricdata.NewExtrema(0.25), Max: metricdata.NewExtrema(1.25),
				}},
			}},
			{Name: "size", Unit: "By", Data: metricdata.ExponentialHistogram[int64]{
				Temporality: metricdata.CumulativeTemporality,
				DataPoints: []metricdata.ExponentialHistogramDataPoint[int64]{{
					Attributes: route, StartTime: start, Time: now, Count: 7, Sum: -4, Scale: -2,
					ZeroCount: 1, ZeroThreshold: 0.125,
					PositiveBucket: metricdata.ExponentialBucket{Offset: -3, Counts: []uint64{1, 0, 2}},
					NegativeBucket: metricdata.ExponentialBucket{Offset: 4, Counts: []uint64{3}},
				}},
			}},
			{Name: "pause", Unit: "s", Data: metricdata.Summary{
				DataPoints: []metricdata.SummaryDataPoint{{
					Attributes: route, StartTime: start, Time: now, Count: 2, Sum: 3,
					QuantileValues: []metricdata.QuantileValue{{Quantile: 0.5, Value: 1}, {Quantile: 1, Value: 2}},
				}},
			}},
		},
	}}}
}

func sampleMetricsProto() *metricspb.MetricsData {
	route := []*commonpb.KeyValue{{Key: "route", Value: stringValue("/cart")}}
	const start, now = epochNano, epochNano + 60e9
	number := func(f float64) *float64 { return &f }
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource: sampleResourceProto(), SchemaUrl: resourceSchema,
		ScopeMetrics: []*metricspb.ScopeMetrics{{
			Scope: sampleScopeProto(), SchemaUrl: scopeSchema,
			Metrics: []*metricspb.Metric{
				{Name: "temperature", Description: "of the room", Unit: "Cel", Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{
					DataPoints: []*metricspb.NumberDataPoint{
						{Attributes: manyAttrsProto(), TimeUnixNano: now, Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: 21.5}},
						{Attributes: route, TimeUnixNano: now, Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: math.NaN()}},
					},
				}}},
				{Name: "requests", Unit: "1", Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{
					AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE, IsMonotonic: true,
					DataPoints: []*metricspb.NumberDataPoint{{
						Attributes: route, StartTimeUnixNano: start, TimeUnixNano: now, Value: &metricspb.NumberDataPoint_AsInt{AsInt: 1 << 60},
						Exemplars: []*metricspb.Exemplar{{
							FilteredAttributes: []*commonpb.KeyValue{{Key: "user", Value: stringValue("u-1")}},
							TimeUnixNano:       epochNano + 1e9, Value: &metricspb.Exemplar_AsInt{AsInt: 1}, SpanId: spanID[:], TraceId: traceID[:],
						}},
					}},
				}}},
				{Name: "latency", Unit: "s", Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
					AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA,
					DataPoints: []*metricspb.HistogramDataPoint{{
						Attributes: route, StartTimeUnixNano: start, TimeUnixNano: now, Count: 3, Sum: number(1.75),
						ExplicitBounds: []float64{0.5, 1}, BucketCounts: []uint64{2, 0, 1}, Min: number(0.25), Max: number(1.25),
					}},
				}}},
				{Name: "size", Unit: "By", Data: &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
					AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
					DataPoints: []*metricspb.ExponentialHistogramDataPoint{{
						Attributes: route, StartTimeUnixNano: start, TimeUnixNano: now, Count: 7, Sum: number(-4), Scale: -2,
						ZeroCount: 1, ZeroThreshold: 0.125,
						Positive: &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: -3, BucketCounts: []uint64{1, 0, 2}},
						Negative: &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: 4, BucketCounts: []uint64{3}},
					}},
				}}},
				{Name: "pause", Unit: "s", Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{
					DataPoints: []*metricspb.SummaryDataPoint{{
						Attributes: route, StartTimeUnixNano: start, TimeUnixNano: now, Count: 2, Sum: 3,
						QuantileValues: []*metricspb.SummaryDataPoint_ValueAtQuantile{{Quantile: 0.5, Value: 1}, {Quantile: 1, Value: 2}},
					}},
				}}},
			},
		}},
	}}}
}

func samplePointValues() []query.Point {
	route := query.Attrs{query.Attr("route", "/cart")}
	start, now := epoch, at(time.Minute)
	points := []query.Point{
		{
			Name: "temperature", Description: "of the room", Unit: "Cel", Type: query.Gauge,
			Attrs: manyAttrsValue(), Time: now, Value: query.FloatValue(21.5),
		},
		{
			Name: "temperature", Description: "of the room", Unit: "Cel", Type: query.Gauge,
			Attrs: route, Time: now, Value: query.FloatValue(math.NaN()),
		},
		{
			Name: "requests", Unit: "1", Type: query.Sum, Temporality: query.Cumulative, Monotonic: true,
			Attrs: route, Start: start, Time: now, Value: query.IntValue(1 << 60),
			Exemplars: []query.Exemplar{{
				Time: at(time.Second), Value: query.IntValue(1), Attrs: query.Attrs{query.Attr("user", "u-1")},
				TraceID: traceID, SpanID: spanID,
			}},
		},
		{
			Name: "latency", Unit: "s", Type: query.HistogramType, Temporality: query.Delta,
			Attrs: route, Start: start, Time: now,
			Histogram: &query.Histogram{
				Count: 3, Sum: query.FloatValue(1.75), Min: query.FloatValue(0.25), Max: query.FloatValue(1.25),
				Bounds: []query.Float{0.5, 1}, Counts: []uint64{2, 0, 1},
			},
		},
		{
			Name: "size", Unit: "By", Type: query.ExponentialType, Temporality: query.Cumulative,
			Attrs: route, Start: start, Time: now,
			Exponential: &query.ExponentialHistogram{
				Count: 7, Sum: query.FloatValue(-4), Scale: -2, ZeroCount: 1, ZeroThreshold: 0.125,
				Positive: query.Buckets{Offset: -3, Counts: []uint64{1, 0, 2}},
				Negative: query.Buckets{Offset: 4, Counts: []uint64{3}},
			},
		},
		{
			Name: "pause", Unit: "s", Type: query.SummaryType,
			Attrs: route, Start: start, Time: now,
			Summary: &query.Summary{Count: 2, Sum: 3, Quantiles: []query.Quantile{{Quantile: 0.5, Value: 1}, {Quantile: 1, Value: 2}}},
		},
	}
	for i := range points {
		points[i].Resource, points[i].Scope = sampleResourceValue, sampleScopeValue
	}
	return points
}
