package payload

import (
	"fmt"
	"math/rand/v2"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

// pointsPerMetric is how many data points one metric has.
const pointsPerMetric = 10

var bounds = []float64{5, 10, 25, 50, 75, 100, 250, 500, 750, 1000}

func metrics(r *rand.Rand, k Kind, s Shape, i int) *metricspb.MetricsData {
	all := make([]*metricspb.Metric, s.Items/pointsPerMetric)
	for j := range all {
		m := &metricspb.Metric{Name: fmt.Sprintf("load.generator.%s.%d", k, j), Description: "made by the load generator", Unit: "{call}"}
		if all[j] = m; k == Sums {
			m.Data = &metricspb.Metric_Sum{Sum: sum(r, s, i, j*pointsPerMetric)}
		} else {
			m.Data = &metricspb.Metric_Histogram{Histogram: histogram(r, s, i, j*pointsPerMetric)}
		}
	}
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource:     resource,
		ScopeMetrics: []*metricspb.ScopeMetrics{{Scope: scope, Metrics: all}},
	}}}
}

// sum is the data points of request i from the first on.
func sum(r *rand.Rand, s Shape, i, first int) *metricspb.Sum {
	points := make([]*metricspb.NumberDataPoint, pointsPerMetric)
	for j := range points {
		points[j] = &metricspb.NumberDataPoint{
			StartTimeUnixNano: start,
			TimeUnixNano:      start + uint64(i+1)*1e9,
			Value:             &metricspb.NumberDataPoint_AsInt{AsInt: r.Int64N(1e6)},
			Attributes:        attributes(r, s.Attrs, i*s.Items+first+j+1, i+1),
		}
	}
	return &metricspb.Sum{
		DataPoints:             points,
		IsMonotonic:            true,
		AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
	}
}

// histogram is the data points of request i from the first on.
func histogram(r *rand.Rand, s Shape, i, first int) *metricspb.Histogram {
	points := make([]*metricspb.HistogramDataPoint, pointsPerMetric)
	for j := range points {
		p := &metricspb.HistogramDataPoint{
			StartTimeUnixNano: start,
			TimeUnixNano:      start + uint64(i+1)*1e9,
			ExplicitBounds:    bounds,
			BucketCounts:      make([]uint64, len(bounds)+1),
			Attributes:        attributes(r, s.Attrs, i*s.Items+first+j+1, i+1),
		}
		for b := range p.BucketCounts {
			p.BucketCounts[b] = r.Uint64N(100)
			p.Count += p.BucketCounts[b]
		}
		total := float64(p.Count) * 42
		p.Sum = &total
		points[j] = p
	}
	return &metricspb.Histogram{
		DataPoints:             points,
		AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
	}
}
