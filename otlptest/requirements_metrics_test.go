package otlptest_test

import (
	"math"
	"strings"
	"testing"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

var metricRequirements = []requirement{
	{number: "S-43", text: "A data point without a time is not right.", test: pointsHaveATime},
	{number: "S-44", text: "Temporality is delta or cumulative; a point and an exemplar have a value.", test: pointsHaveAValue},
	{number: "S-45", text: "A histogram has a count more than bounds, or neither; the counts add up; the bounds rise.", test: histogramsAddUp},
	{number: "S-46", text: "An exponential histogram's buckets and zero count add up to its count.", test: exponentialHistogramsAddUp},
	{number: "S-47", text: "No recorded value means no value; a summary's quantiles lie from 0 to 1 and rise.", test: absentValuesAndQuantiles},
}

// metricViolates sends a metric by every protocol. It has to be stored as it
// came, and to violate a rule at some fields of its data, or none.
func metricViolates(t *testing.T, m *metricspb.Metric, rule string, level query.Level, fields ...string) {
	t.Helper()
	accepted(t, metrics(m), func(t *testing.T, srv *otlptest.Server) {
		for _, p := range otlptest.Await(t, srv.Points(), 1) {
			if p.Name != m.Name || p.Proto() == nil {
				t.Errorf("got point %+v, want one of %v", p, m)
			}
		}
		if len(fields) == 0 {
			conforms(t, srv)
			return
		}
		var paths []string
		for _, f := range fields {
			paths = append(paths, "metrics[0]."+kindOf(m)+"."+f)
		}
		violates(t, srv, rule, level, paths...)
	})
	refused := 0
	if level == query.LevelError || rule == "S-43" {
		refused = refusedPoints(m, fields)
	}
	for _, via := range protocols {
		strictly(t, via, metrics(gauge("right", intPoint(1)), m), rule, refused)
	}
}

// refusedPoints is how many of a metric's points these fields are of, or all
// if one is the metric's.
func refusedPoints(m *metricspb.Metric, fields []string) int {
	points := map[string]bool{}
	for _, f := range fields {
		point, _, of := strings.Cut(f, "]")
		if !of {
			return pointCount(m)
		}
		points[point] = true
	}
	return len(points)
}

func pointCount(m *metricspb.Metric) int {
	return len(m.GetGauge().GetDataPoints()) + len(m.GetSum().GetDataPoints()) + len(m.GetHistogram().GetDataPoints()) +
		len(m.GetExponentialHistogram().GetDataPoints()) + len(m.GetSummary().GetDataPoints())
}

func kindOf(m *metricspb.Metric) string {
	return string(m.ProtoReflect().WhichOneof(m.ProtoReflect().Descriptor().Oneofs().Get(0)).Name())
}

func pointsHaveATime(t *testing.T) {
	for _, m := range full(query.Metrics).(*metricspb.MetricsData).ResourceMetrics[0].ScopeMetrics[0].Metrics {
		metricViolates(t, m, "S-43", query.LevelWarning)
		d := m.ProtoReflect().Get(m.ProtoReflect().WhichOneof(m.ProtoReflect().Descriptor().Oneofs().Get(0))).Message()
		p := d.Get(d.Descriptor().Fields().ByName("data_points")).List().Get(0).Message()
		p.Clear(p.Descriptor().Fields().ByName("time_unix_nano"))
		p.Clear(p.Descriptor().Fields().ByName("start_time_unix_nano"))
		metricViolates(t, m, "S-43", query.LevelWarning, "data_points[0].time_unix_nano")
	}
}

func pointsHaveAValue(t *testing.T) {
	const unspecified = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_UNSPECIFIED
	metricViolates(t, sum("m", unspecified, intPoint(1)), "S-44", query.LevelError, "aggregation_temporality")
	h := histogram("m", &metricspb.HistogramDataPoint{})
	h.GetHistogram().AggregationTemporality = unspecified
	metricViolates(t, h, "S-44", query.LevelError, "aggregation_temporality")
	e := exponential("m", &metricspb.ExponentialHistogramDataPoint{})
	e.GetExponentialHistogram().AggregationTemporality = unspecified
	metricViolates(t, e, "S-44", query.LevelError, "aggregation_temporality")

	p := intPoint(0)
	metricViolates(t, gauge("m", p), "S-44", query.LevelError) // 0 is a value
	p.Value = nil
	metricViolates(t, gauge("m", p), "S-44", query.LevelError, "data_points[0]")
	metricViolates(t, sum("m", delta, intPoint(1), p), "S-44", query.LevelError, "data_points[1]")
	exemplars := []*metricspb.Exemplar{{TimeUnixNano: at, Value: &metricspb.Exemplar_AsDouble{}}, {TimeUnixNano: at}}
	p = intPoint(1)
	p.Exemplars = exemplars
	metricViolates(t, gauge("m", p), "S-44", query.LevelError, "data_points[0].exemplars[1]")
	metricViolates(t, histogram("m", &metricspb.HistogramDataPoint{Exemplars: exemplars}), "S-44", query.LevelError, "data_points[0].exemplars[1]")
}

func histogramsAddUp(t *testing.T) {
	tests := []struct {
		count  uint64
		counts []uint64
		bounds []float64
		fields []string
	}{
		{3, []uint64{1, 2}, []float64{5}, nil},
		{3, []uint64{3}, nil, nil},
		{3, nil, nil, nil},
		{0, []uint64{0, 0, 0}, []float64{math.Inf(-1), math.Inf(1)}, nil},
		{6, []uint64{1, 2, 3}, []float64{1, 2, 3}, []string{"data_points[0].bucket_counts"}},
		{0, nil, []float64{1}, []string{"data_points[0].bucket_counts"}},
		{4, []uint64{1, 2}, []float64{5}, []string{"data_points[0].count"}},
		{2, []uint64{1, 2}, []float64{5}, []string{"data_points[0].count"}},
		{0, []uint64{0, 0, 0}, []float64{5, 5}, []string{"data_points[0].explicit_bounds[1]"}},
		{0, []uint64{0, 0, 0}, []float64{5, 4}, []string{"data_points[0].explicit_bounds[1]"}},
		{0, []uint64{0, 0}, []float64{math.NaN()}, []string{"data_points[0].explicit_bounds[0]"}},
		{9, []uint64{1, 2}, []float64{6, 5}, []string{"data_points[0].bucket_counts", "data_points[0].explicit_bounds[1]", "data_points[0].count"}},
	}
	for _, test := range tests {
		metricViolates(t, histogram("latency", &metricspb.HistogramDataPoint{Count: test.count, BucketCounts: test.counts, ExplicitBounds: test.bounds}),
			"S-45", query.LevelError, test.fields...)
	}
}

func exponentialHistogramsAddUp(t *testing.T) {
	type side = metricspb.ExponentialHistogramDataPoint_Buckets
	right := &metricspb.ExponentialHistogramDataPoint{
		Count: 10, ZeroCount: 1, Positive: &side{BucketCounts: []uint64{2, 3}}, Negative: &side{Offset: -4, BucketCounts: []uint64{4}},
	}
	metricViolates(t, exponential("latency", right), "S-46", query.LevelError)
	metricViolates(t, exponential("latency", &metricspb.ExponentialHistogramDataPoint{}), "S-46", query.LevelError)
	for _, count := range []uint64{0, 5, 9, 11} {
		right.Count = count
		metricViolates(t, exponential("latency", right), "S-46", query.LevelError, "data_points[0].count")
	}
}

func absentValuesAndQuantiles(t *testing.T) {
	const absent = 1 // DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK
	for _, flags := range []uint32{absent, 0xffffffff} {
		p := intPoint(0)
		p.Value, p.Flags = nil, flags
		accepted(t, metrics(gauge("m", p)), func(t *testing.T, srv *otlptest.Server) {
			if p := otlptest.One(t, srv.Points()); !p.NoRecordedValue() || !p.Value.IsEmpty() || uint32(p.Flags) != flags {
				t.Errorf("got point %+v, want no value", p)
			}
			conforms(t, srv)
		})
		p = intPoint(3)
		p.Flags = flags
		metricViolates(t, gauge("m", p), "S-47", query.LevelWarning, "data_points[0]")
	}
	tests := []struct {
		quantiles []float64
		fields    []string
	}{
		{nil, nil}, {[]float64{0, 0.5, 1}, nil}, {[]float64{0.99}, nil},
		{[]float64{-0.1}, []string{"data_points[0].quantile_values[0].quantile"}},
		{[]float64{0.5, 1.1}, []string{"data_points[0].quantile_values[1].quantile"}},
		{[]float64{0.5, 0.5}, []string{"data_points[0].quantile_values[1].quantile"}},
		{[]float64{0.9, 0.5, 0.99}, []string{"data_points[0].quantile_values[1].quantile"}},
		{[]float64{math.NaN()}, []string{"data_points[0].quantile_values[0].quantile"}},
	}
	for _, test := range tests {
		p := &metricspb.SummaryDataPoint{Count: 1, Sum: 2}
		for _, q := range test.quantiles {
			p.QuantileValues = append(p.QuantileValues, &metricspb.SummaryDataPoint_ValueAtQuantile{Quantile: q, Value: math.NaN()})
		}
		metricViolates(t, summary("latency", p), "S-47", query.LevelError, test.fields...)
	}
}
