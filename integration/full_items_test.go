package integration_test

import (
	"time"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/otlptest/otlptest/query"
)

// lastNano is the last instant that the wire has.
const lastNano = uint64(1<<64 - 1)

var lastInstant = time.Date(2554, 7, 21, 23, 34, 33, 709551615, time.UTC)

func fullSpan() *tracepb.Span {
	return &tracepb.Span{
		TraceId: traceID[:], SpanId: spanID[:], ParentSpanId: remoteID[:], TraceState: "a=1,b=2",
		Flags: 0xfffffeff, // reserved bits too (S-41)
		Name:  "GET /é", Kind: tracepb.Span_SPAN_KIND_CONSUMER,
		StartTimeUnixNano: 1, EndTimeUnixNano: lastNano,
		Attributes: fullAttrs(), DroppedAttributesCount: 1,
		Events: []*tracepb.Span_Event{
			{TimeUnixNano: epochNano, Name: "first", Attributes: in("event 1"), DroppedAttributesCount: 2},
			{TimeUnixNano: epochNano + 1, Name: "second", Attributes: in("event 2"), DroppedAttributesCount: 3},
		},
		DroppedEventsCount: 4,
		Links: []*tracepb.Span_Link{
			{TraceId: otherTrace[:], SpanId: remoteID[:], TraceState: "c=3", Attributes: in("link 1"), DroppedAttributesCount: 5, Flags: 0x101},
			{TraceId: traceID[:], SpanId: childID[:], TraceState: "d=4", Attributes: in("link 2"), DroppedAttributesCount: 6, Flags: 0x301},
		},
		DroppedLinksCount: 1<<32 - 1,
		Status:            &tracepb.Status{Message: "why", Code: tracepb.Status_STATUS_CODE_OK},
	}
}

func fullSpanValues() []query.Span {
	return []query.Span{{
		TraceID: traceID, SpanID: spanID, ParentSpanID: remoteID, TraceState: "a=1,b=2", Flags: 0xfffffeff,
		Name: "GET /é", Kind: query.SpanKindConsumer,
		Start: time.Date(1970, 1, 1, 0, 0, 0, 1, time.UTC), End: lastInstant,
		Attrs: fullAttrsValue(), DroppedAttrs: 1,
		Events: []query.Event{
			{Time: epoch, Name: "first", Attrs: inValue("event 1"), DroppedAttrs: 2},
			{Time: at(1), Name: "second", Attrs: inValue("event 2"), DroppedAttrs: 3},
		},
		DroppedEvents: 4,
		Links: []query.Link{
			{TraceID: otherTrace, SpanID: remoteID, TraceState: "c=3", Attrs: inValue("link 1"), DroppedAttrs: 5, Flags: 0x101},
			{TraceID: traceID, SpanID: childID, TraceState: "d=4", Attrs: inValue("link 2"), DroppedAttrs: 6, Flags: 0x301},
		},
		DroppedLinks: 1<<32 - 1,
		Status:       query.SpanStatus{Message: "why", Code: query.StatusOK},
		Resource:     fullResourceValue(), Scope: fullScopeValue(),
	}}
}

func fullRecord() *logspb.LogRecord {
	return &logspb.LogRecord{
		TimeUnixNano: epochNano, ObservedTimeUnixNano: epochNano + 1,
		SeverityNumber: logspb.SeverityNumber_SEVERITY_NUMBER_FATAL4, SeverityText: "Emergency",
		Body: mapValue(fullAttrs()...), Attributes: in("record"), DroppedAttributesCount: 1, Flags: 0xffffff01,
		TraceId: traceID[:], SpanId: spanID[:], EventName: "event",
	}
}

func fullLogValues() []query.Log {
	return []query.Log{{
		Time: epoch, ObservedTime: at(1), Severity: 24, SeverityText: "Emergency",
		Body: query.MapValue(fullAttrsValue()...), Attrs: inValue("record"), DroppedAttrs: 1, Flags: 0xffffff01,
		TraceID: traceID, SpanID: spanID, EventName: "event",
		Resource: fullResourceValue(), Scope: fullScopeValue(),
	}}
}

func fullExemplars() []*metricspb.Exemplar {
	return []*metricspb.Exemplar{
		{
			FilteredAttributes: fullAttrs(), TimeUnixNano: epochNano + 3, Value: &metricspb.Exemplar_AsInt{AsInt: -1 << 63},
			SpanId: spanID[:], TraceId: traceID[:],
		},
		{
			FilteredAttributes: in("exemplar"), TimeUnixNano: epochNano + 4, Value: &metricspb.Exemplar_AsDouble{AsDouble: -0.25},
			SpanId: childID[:], TraceId: otherTrace[:],
		},
	}
}

func fullExemplarValues() []query.Exemplar {
	return []query.Exemplar{
		{Attrs: fullAttrsValue(), Time: at(3), Value: query.IntValue(-1 << 63), SpanID: spanID, TraceID: traceID},
		{Attrs: inValue("exemplar"), Time: at(4), Value: query.FloatValue(-0.25), SpanID: childID, TraceID: otherTrace},
	}
}

// fullNumbers is a point with an integer and one with a double.
func fullNumbers() []*metricspb.NumberDataPoint {
	return []*metricspb.NumberDataPoint{
		{
			Attributes: in("int point"), StartTimeUnixNano: epochNano + 1, TimeUnixNano: epochNano + 2,
			Value: &metricspb.NumberDataPoint_AsInt{AsInt: -3}, Exemplars: fullExemplars(), Flags: 0xffffffff,
		},
		{
			Attributes: in("double point"), StartTimeUnixNano: epochNano + 1, TimeUnixNano: epochNano + 2,
			Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: 5e-324}, Exemplars: fullExemplars(), Flags: 1,
		},
	}
}

func fullMetrics() []*metricspb.Metric {
	const start, now = epochNano + 1, epochNano + 2
	number := func(f float64) *float64 { return &f }
	metric := func(name string) *metricspb.Metric {
		return &metricspb.Metric{Name: name, Description: "what it is", Unit: "{thing}/s", Metadata: in("metadata of " + name)}
	}
	gauge, sum, histogram, exponential, summary := metric("gauge"), metric("sum"), metric("histogram"), metric("exponential"), metric("summary")
	gauge.Data = &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: fullNumbers()}}
	sum.Data = &metricspb.Metric_Sum{Sum: &metricspb.Sum{
		DataPoints: fullNumbers(), IsMonotonic: true,
		AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA,
	}}
	histogram.Data = &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
		AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
		DataPoints: []*metricspb.HistogramDataPoint{{
			Attributes: in("histogram"), StartTimeUnixNano: start, TimeUnixNano: now,
			Count: 1<<64 - 1, Sum: number(0), Min: number(-1), Max: number(8),
			BucketCounts: []uint64{1<<64 - 2, 0, 1}, ExplicitBounds: []float64{-0.5, 0.5},
			Exemplars: fullExemplars(), Flags: 2,
		}},
	}}
	exponential.Data = &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
		AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA,
		DataPoints: []*metricspb.ExponentialHistogramDataPoint{{
			Attributes: in("exponential"), StartTimeUnixNano: start, TimeUnixNano: now,
			Count: 10, Sum: number(2.5), Min: number(0), Max: number(3), Scale: -10, ZeroCount: 1, ZeroThreshold: 1e-9,
			Positive:  &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: -1 << 31, BucketCounts: []uint64{1, 2, 300}},
			Negative:  &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: 1<<31 - 1, BucketCounts: []uint64{1<<64 - 1, 1}},
			Exemplars: fullExemplars(), Flags: 3,
		}},
	}}
	summary.Data = &metricspb.Metric_Summary{Summary: &metricspb.Summary{
		DataPoints: []*metricspb.SummaryDataPoint{{
			Attributes: in("summary"), StartTimeUnixNano: start, TimeUnixNano: now, Count: 6, Sum: 7.5, Flags: 4,
			QuantileValues: []*metricspb.SummaryDataPoint_ValueAtQuantile{{Quantile: 0.25, Value: 1}, {Quantile: 0.99, Value: 2}},
		}},
	}}
	return []*metricspb.Metric{gauge, sum, histogram, exponential, summary}
}

func fullPointValues() []query.Point {
	integer := query.Point{Attrs: inValue("int point"), Value: query.IntValue(-3), Flags: 0xffffffff, Exemplars: fullExemplarValues()}
	double := query.Point{Attrs: inValue("double point"), Value: query.FloatValue(5e-324), Flags: 1, Exemplars: fullExemplarValues()}
	sumOf := func(p query.Point) query.Point {
		p.Name, p.Type, p.Temporality, p.Monotonic = "sum", query.Sum, query.Delta, true
		return p
	}
	gaugeOf := func(p query.Point) query.Point {
		p.Name, p.Type = "gauge", query.Gauge
		return p
	}
	points := []query.Point{
		gaugeOf(integer), gaugeOf(double), sumOf(integer), sumOf(double),
		{
			Name: "histogram", Type: query.HistogramType, Temporality: query.Cumulative,
			Attrs: inValue("histogram"), Flags: 2, Exemplars: fullExemplarValues(),
			Histogram: &query.Histogram{
				Count: 1<<64 - 1, Sum: query.FloatValue(0), Min: query.FloatValue(-1), Max: query.FloatValue(8),
				Counts: []uint64{1<<64 - 2, 0, 1}, Bounds: []query.Float{-0.5, 0.5},
			},
		},
		{
			Name: "exponential", Type: query.ExponentialType, Temporality: query.Delta,
			Attrs: inValue("exponential"), Flags: 3, Exemplars: fullExemplarValues(),
			Exponential: &query.ExponentialHistogram{
				Count: 10, Sum: query.FloatValue(2.5), Min: query.FloatValue(0), Max: query.FloatValue(3),
				Scale: -10, ZeroCount: 1, ZeroThreshold: 1e-9,
				Positive: query.Buckets{Offset: -1 << 31, Counts: []uint64{1, 2, 300}},
				Negative: query.Buckets{Offset: 1<<31 - 1, Counts: []uint64{1<<64 - 1, 1}},
			},
		},
		{
			Name: "summary", Type: query.SummaryType, Attrs: inValue("summary"), Flags: 4,
			Summary: &query.Summary{Count: 6, Sum: 7.5, Quantiles: []query.Quantile{{Quantile: 0.25, Value: 1}, {Quantile: 0.99, Value: 2}}},
		},
	}
	for i := range points {
		p := &points[i]
		p.Description, p.Unit, p.Metadata = "what it is", "{thing}/s", inValue("metadata of "+p.Name)
		p.Start, p.Time = at(1), at(2)
		p.Resource, p.Scope = fullResourceValue(), fullScopeValue()
	}
	return points
}
