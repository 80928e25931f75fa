package sdk

import (
	"fmt"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/otlptest/otlptest/query"
)

// number is what the SDK has points of.
type number interface{ int64 | float64 }

// appendPoint adds a point to the data of its metric, which is nil before the
// first one.
func appendPoint(data metricdata.Aggregation, p query.Point) (metricdata.Aggregation, error) {
	t, err := temporality(p.Temporality)
	if err != nil {
		return nil, err
	}
	switch {
	case p.NoRecordedValue():
		return nil, fmt.Errorf("a point says that there is no value (NO_RECORDED_VALUE), which the SDK cannot")
	case p.Type == query.HistogramType && p.Histogram != nil:
		return appendHistogram(data, t, p)
	case p.Type == query.ExponentialType && p.Exponential != nil:
		return appendExponential(data, t, p)
	case p.Type == query.SummaryType && p.Summary != nil:
		return appendSummary(data, p)
	case p.Value.Kind() == query.KindInt:
		return appendNumber(data, t, p, integer)
	case p.Value.Kind() == query.KindFloat:
		return appendNumber(data, t, p, double)
	}
	return nil, fmt.Errorf("a point of type %q has no value", p.Type)
}

func temporality(t query.Temporality) (metricdata.Temporality, error) {
	switch t {
	case query.Delta:
		return metricdata.DeltaTemporality, nil
	case query.Cumulative:
		return metricdata.CumulativeTemporality, nil
	case query.TemporalityUnspecified:
		return 0, nil
	}
	return 0, fmt.Errorf("got %s, want delta or cumulative", t)
}

func appendNumber[N number](data metricdata.Aggregation, t metricdata.Temporality, p query.Point, n func(query.Value) (N, error)) (metricdata.Aggregation, error) {
	d := metricdata.DataPoint[N]{StartTime: p.Start, Time: p.Time}
	var err error
	if d.Attributes, err = set(p.Attrs); err != nil {
		return nil, err
	}
	if d.Value, err = n(p.Value); err != nil {
		return nil, err
	}
	if d.Exemplars, err = exemplars(p.Exemplars, n); err != nil {
		return nil, err
	}
	if p.Type == query.Gauge {
		g, _ := data.(metricdata.Gauge[N])
		g.DataPoints = append(g.DataPoints, d)
		return g, nil
	}
	s, _ := data.(metricdata.Sum[N])
	s.Temporality, s.IsMonotonic, s.DataPoints = t, p.Monotonic, append(s.DataPoints, d)
	return s, nil
}

func appendHistogram(data metricdata.Aggregation, t metricdata.Temporality, p query.Point) (metricdata.Aggregation, error) {
	attrs, err := set(p.Attrs)
	if err != nil {
		return nil, err
	}
	es, err := exemplars(p.Exemplars, double)
	if err != nil {
		return nil, err
	}
	h, _ := data.(metricdata.Histogram[float64])
	h.Temporality = t
	h.DataPoints = append(h.DataPoints, metricdata.HistogramDataPoint[float64]{
		Attributes: attrs, StartTime: p.Start, Time: p.Time, Exemplars: es,
		Count: p.Histogram.Count, Sum: p.Histogram.Sum.Float(), Min: extrema(p.Histogram.Min), Max: extrema(p.Histogram.Max),
		Bounds: each(p.Histogram.Bounds, toFloat), BucketCounts: p.Histogram.Counts,
	})
	return h, nil
}

func appendExponential(data metricdata.Aggregation, t metricdata.Temporality, p query.Point) (metricdata.Aggregation, error) {
	attrs, err := set(p.Attrs)
	if err != nil {
		return nil, err
	}
	es, err := exemplars(p.Exemplars, double)
	if err != nil {
		return nil, err
	}
	e := p.Exponential
	h, _ := data.(metricdata.ExponentialHistogram[float64])
	h.Temporality = t
	h.DataPoints = append(h.DataPoints, metricdata.ExponentialHistogramDataPoint[float64]{
		Attributes: attrs, StartTime: p.Start, Time: p.Time, Exemplars: es,
		Count: e.Count, Sum: e.Sum.Float(), Min: extrema(e.Min), Max: extrema(e.Max),
		Scale: e.Scale, ZeroCount: e.ZeroCount, ZeroThreshold: float64(e.ZeroThreshold),
		PositiveBucket: buckets(e.Positive), NegativeBucket: buckets(e.Negative),
	})
	return h, nil
}

func appendSummary(data metricdata.Aggregation, p query.Point) (metricdata.Aggregation, error) {
	attrs, err := set(p.Attrs)
	if err != nil {
		return nil, err
	}
	s, _ := data.(metricdata.Summary)
	s.DataPoints = append(s.DataPoints, metricdata.SummaryDataPoint{
		Attributes: attrs, StartTime: p.Start, Time: p.Time,
		Count: p.Summary.Count, Sum: float64(p.Summary.Sum),
		QuantileValues: each(p.Summary.Quantiles, func(q query.Quantile) metricdata.QuantileValue {
			return metricdata.QuantileValue{Quantile: float64(q.Quantile), Value: float64(q.Value)}
		}),
	})
	return s, nil
}

func exemplars[N number](es []query.Exemplar, n func(query.Value) (N, error)) ([]metricdata.Exemplar[N], error) {
	var out []metricdata.Exemplar[N]
	for _, e := range es {
		v, err := n(e.Value)
		if err != nil {
			return nil, fmt.Errorf("exemplar: %w", err)
		}
		x := metricdata.Exemplar[N]{FilteredAttributes: attributes(e.Attrs), Time: e.Time, Value: v}
		if !e.SpanID.IsZero() {
			x.SpanID = e.SpanID[:]
		}
		if !e.TraceID.IsZero() {
			x.TraceID = e.TraceID[:]
		}
		out = append(out, x)
	}
	return out, nil
}

func integer(v query.Value) (int64, error) {
	if v.Kind() != query.KindInt {
		return 0, fmt.Errorf("got the value %s beside an integer, want an integer", v)
	}
	return v.Int(), nil
}

// double takes integers too, which exemplars of histograms are.
func double(v query.Value) (float64, error) {
	switch f := v.Float(); {
	case v.Kind() == query.KindFloat, v.Kind() == query.KindInt && f < 1<<63 && int64(f) == v.Int():
		return f, nil
	}
	return 0, fmt.Errorf("got the value %s, want what a double can be", v)
}

func extrema(v query.Value) metricdata.Extrema[float64] {
	if v.IsEmpty() {
		return metricdata.Extrema[float64]{}
	}
	return metricdata.NewExtrema(v.Float())
}

func buckets(b query.Buckets) metricdata.ExponentialBucket {
	return metricdata.ExponentialBucket{Offset: b.Offset, Counts: b.Counts}
}

func toFloat(f query.Float) float64 { return float64(f) }
