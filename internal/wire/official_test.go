package wire

import (
	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// This file says what the read model of an official message is, written from
// the official message and not from the bytes, to compare the decoder with.

// official is an empty message of a signal.
func official(sig query.Signal) proto.Message {
	switch sig {
	case query.Traces:
		return &tracepb.TracesData{}
	case query.Metrics:
		return &metricspb.MetricsData{}
	}
	return &logspb.LogsData{}
}

// modelled is a query.Span, query.Point or query.Log, with the official message
// that its Proto should give.
type modelled struct {
	item  any
	proto proto.Message
}

func model(m proto.Message) (list []modelled) {
	switch m := m.(type) {
	case *tracepb.TracesData:
		for _, rs := range m.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				for _, s := range ss.Spans {
					q := modelSpan(s)
					q.Resource, q.Scope = modelResource(rs.Resource, rs.SchemaUrl), modelScope(ss.Scope, ss.SchemaUrl)
					list = append(list, modelled{q, s})
				}
			}
		}
	case *metricspb.MetricsData:
		for _, rm := range m.ResourceMetrics {
			for _, sm := range rm.ScopeMetrics {
				for _, metric := range sm.Metrics {
					for i, q := range modelMetric(metric) {
						q.Resource, q.Scope = modelResource(rm.Resource, rm.SchemaUrl), modelScope(sm.Scope, sm.SchemaUrl)
						list = append(list, modelled{q, onlyPoint(metric, i)})
					}
				}
			}
		}
	case *logspb.LogsData:
		for _, rl := range m.ResourceLogs {
			for _, sl := range rl.ScopeLogs {
				for _, l := range sl.LogRecords {
					q := modelLog(l)
					q.Resource, q.Scope = modelResource(rl.Resource, rl.SchemaUrl), modelScope(sl.Scope, sl.SchemaUrl)
					list = append(list, modelled{q, l})
				}
			}
		}
	}
	return list
}

// each converts the elements of a list; no list stays none.
func each[From, To any](list []From, f func(From) To) (out []To) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

func modelAttrs(kvs []*commonpb.KeyValue) query.Attrs {
	return each(kvs, func(kv *commonpb.KeyValue) query.KeyValue {
		return query.KeyValue{Key: kv.GetKey(), Value: modelValue(kv.GetValue())}
	})
}

func modelValue(v *commonpb.AnyValue) query.Value {
	switch v := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return query.StringValue(v.StringValue)
	case *commonpb.AnyValue_BoolValue:
		return query.BoolValue(v.BoolValue)
	case *commonpb.AnyValue_IntValue:
		return query.IntValue(v.IntValue)
	case *commonpb.AnyValue_DoubleValue:
		return query.FloatValue(v.DoubleValue)
	case *commonpb.AnyValue_BytesValue:
		return query.BytesValue(v.BytesValue)
	case *commonpb.AnyValue_ArrayValue:
		return query.ArrayValue(each(v.ArrayValue.GetValues(), modelValue)...)
	case *commonpb.AnyValue_KvlistValue:
		return query.MapValue(modelAttrs(v.KvlistValue.GetValues())...)
	}
	return query.Value{}
}

func modelResource(r *resourcepb.Resource, schema string) query.Resource {
	return query.Resource{
		Attrs:        modelAttrs(r.GetAttributes()),
		DroppedAttrs: r.GetDroppedAttributesCount(),
		Entities: each(r.GetEntityRefs(), func(e *commonpb.EntityRef) query.EntityRef {
			return query.EntityRef{
				SchemaURL: e.SchemaUrl, Type: e.Type, IDKeys: e.IdKeys, DescriptionKeys: e.DescriptionKeys,
			}
		}),
		SchemaURL: schema,
	}
}

func modelScope(s *commonpb.InstrumentationScope, schema string) query.Scope {
	return query.Scope{
		Name: s.GetName(), Version: s.GetVersion(), Attrs: modelAttrs(s.GetAttributes()),
		DroppedAttrs: s.GetDroppedAttributesCount(), SchemaURL: schema,
	}
}

func modelTraceID(b []byte) query.TraceID {
	if len(b) != 16 {
		return query.TraceID{}
	}
	return query.TraceID(b)
}

func modelSpanID(b []byte) query.SpanID {
	if len(b) != 8 {
		return query.SpanID{}
	}
	return query.SpanID(b)
}

func modelSpan(s *tracepb.Span) query.Span {
	return query.Span{
		TraceID:      modelTraceID(s.TraceId),
		SpanID:       modelSpanID(s.SpanId),
		ParentSpanID: modelSpanID(s.ParentSpanId),
		TraceState:   s.TraceState,
		Flags:        query.SpanFlags(s.Flags),
		Name:         s.Name,
		Kind:         query.SpanKind(s.Kind),
		Start:        query.Time(s.StartTimeUnixNano),
		End:          query.Time(s.EndTimeUnixNano),
		Attrs:        modelAttrs(s.Attributes),
		DroppedAttrs: s.DroppedAttributesCount,
		Events: each(s.Events, func(e *tracepb.Span_Event) query.Event {
			return query.Event{
				Time: query.Time(e.TimeUnixNano), Name: e.Name,
				Attrs: modelAttrs(e.Attributes), DroppedAttrs: e.DroppedAttributesCount,
			}
		}),
		DroppedEvents: s.DroppedEventsCount,
		Links: each(s.Links, func(l *tracepb.Span_Link) query.Link {
			return query.Link{
				TraceID: modelTraceID(l.TraceId), SpanID: modelSpanID(l.SpanId), TraceState: l.TraceState,
				Flags: query.SpanFlags(l.Flags), Attrs: modelAttrs(l.Attributes), DroppedAttrs: l.DroppedAttributesCount,
			}
		}),
		DroppedLinks: s.DroppedLinksCount,
		Status:       query.SpanStatus{Code: query.StatusCode(s.Status.GetCode()), Message: s.Status.GetMessage()},
	}
}

func modelLog(l *logspb.LogRecord) query.Log {
	return query.Log{
		Time:         query.Time(l.TimeUnixNano),
		ObservedTime: query.Time(l.ObservedTimeUnixNano),
		Severity:     query.Severity(l.SeverityNumber),
		SeverityText: l.SeverityText,
		Body:         modelValue(l.Body),
		EventName:    l.EventName,
		Attrs:        modelAttrs(l.Attributes),
		DroppedAttrs: l.DroppedAttributesCount,
		Flags:        query.LogFlags(l.Flags),
		TraceID:      modelTraceID(l.TraceId),
		SpanID:       modelSpanID(l.SpanId),
	}
}

func modelMetric(m *metricspb.Metric) (points []query.Point) {
	head := query.Point{Name: m.Name, Description: m.Description, Unit: m.Unit, Metadata: modelAttrs(m.Metadata)}
	switch d := m.Data.(type) {
	case *metricspb.Metric_Gauge:
		head.Type = query.Gauge
		points = each(d.Gauge.DataPoints, modelNumber)
	case *metricspb.Metric_Sum:
		head.Type, head.Temporality = query.Sum, query.Temporality(d.Sum.AggregationTemporality)
		head.Monotonic = d.Sum.IsMonotonic
		points = each(d.Sum.DataPoints, modelNumber)
	case *metricspb.Metric_Histogram:
		head.Type, head.Temporality = query.HistogramType, query.Temporality(d.Histogram.AggregationTemporality)
		points = each(d.Histogram.DataPoints, modelHistogram)
	case *metricspb.Metric_ExponentialHistogram:
		head.Type, head.Temporality = query.ExponentialType, query.Temporality(d.ExponentialHistogram.AggregationTemporality)
		points = each(d.ExponentialHistogram.DataPoints, modelExponential)
	case *metricspb.Metric_Summary:
		head.Type = query.SummaryType
		points = each(d.Summary.DataPoints, modelSummary)
	}
	for i := range points {
		p := &points[i]
		p.Name, p.Description, p.Unit, p.Metadata = head.Name, head.Description, head.Unit, head.Metadata
		p.Type, p.Temporality, p.Monotonic = head.Type, head.Temporality, head.Monotonic
	}
	return points
}

func modelNumber(n *metricspb.NumberDataPoint) query.Point {
	p := query.Point{
		Attrs: modelAttrs(n.Attributes), Start: query.Time(n.StartTimeUnixNano), Time: query.Time(n.TimeUnixNano),
		Flags: query.PointFlags(n.Flags), Exemplars: each(n.Exemplars, modelExemplar),
	}
	switch v := n.Value.(type) {
	case *metricspb.NumberDataPoint_AsDouble:
		p.Value = query.FloatValue(v.AsDouble)
	case *metricspb.NumberDataPoint_AsInt:
		p.Value = query.IntValue(v.AsInt)
	}
	return p
}

func modelOptional(f *float64) query.Value {
	if f == nil {
		return query.Value{}
	}
	return query.FloatValue(*f)
}

func modelFloat(f float64) query.Float { return query.Float(f) }

func modelHistogram(h *metricspb.HistogramDataPoint) query.Point {
	return query.Point{
		Attrs: modelAttrs(h.Attributes), Start: query.Time(h.StartTimeUnixNano), Time: query.Time(h.TimeUnixNano),
		Flags: query.PointFlags(h.Flags), Exemplars: each(h.Exemplars, modelExemplar),
		Histogram: &query.Histogram{
			Count: h.Count, Sum: modelOptional(h.Sum), Min: modelOptional(h.Min), Max: modelOptional(h.Max),
			Bounds: each(h.ExplicitBounds, modelFloat), Counts: h.BucketCounts,
		},
	}
}

func modelExponential(e *metricspb.ExponentialHistogramDataPoint) query.Point {
	return query.Point{
		Attrs: modelAttrs(e.Attributes), Start: query.Time(e.StartTimeUnixNano), Time: query.Time(e.TimeUnixNano),
		Flags: query.PointFlags(e.Flags), Exemplars: each(e.Exemplars, modelExemplar),
		Exponential: &query.ExponentialHistogram{
			Count: e.Count, Sum: modelOptional(e.Sum), Min: modelOptional(e.Min), Max: modelOptional(e.Max),
			Scale: e.Scale, ZeroCount: e.ZeroCount, ZeroThreshold: query.Float(e.ZeroThreshold),
			Positive: query.Buckets{Offset: e.Positive.GetOffset(), Counts: e.Positive.GetBucketCounts()},
			Negative: query.Buckets{Offset: e.Negative.GetOffset(), Counts: e.Negative.GetBucketCounts()},
		},
	}
}

func modelSummary(s *metricspb.SummaryDataPoint) query.Point {
	return query.Point{
		Attrs: modelAttrs(s.Attributes), Start: query.Time(s.StartTimeUnixNano), Time: query.Time(s.TimeUnixNano),
		Flags: query.PointFlags(s.Flags),
		Summary: &query.Summary{
			Count: s.Count, Sum: query.Float(s.Sum),
			Quantiles: each(s.QuantileValues, func(v *metricspb.SummaryDataPoint_ValueAtQuantile) query.Quantile {
				return query.Quantile{Quantile: query.Float(v.Quantile), Value: query.Float(v.Value)}
			}),
		},
	}
}

func modelExemplar(e *metricspb.Exemplar) query.Exemplar {
	x := query.Exemplar{
		Time: query.Time(e.TimeUnixNano), Attrs: modelAttrs(e.FilteredAttributes),
		TraceID: modelTraceID(e.TraceId), SpanID: modelSpanID(e.SpanId),
	}
	switch v := e.Value.(type) {
	case *metricspb.Exemplar_AsDouble:
		x.Value = query.FloatValue(v.AsDouble)
	case *metricspb.Exemplar_AsInt:
		x.Value = query.IntValue(v.AsInt)
	}
	return x
}

// onlyPoint is the metric with only its i-th data point. It is made by way of
// the wire, as proto.Clone loses the sign of a zero.
func onlyPoint(whole *metricspb.Metric, i int) proto.Message {
	b, err := proto.Marshal(whole)
	m := new(metricspb.Metric)
	if err != nil || proto.Unmarshal(b, m) != nil {
		panic("a metric that was decoded cannot be encoded")
	}
	switch d := m.Data.(type) {
	case *metricspb.Metric_Gauge:
		d.Gauge.DataPoints = d.Gauge.DataPoints[i:][:1]
	case *metricspb.Metric_Sum:
		d.Sum.DataPoints = d.Sum.DataPoints[i:][:1]
	case *metricspb.Metric_Histogram:
		d.Histogram.DataPoints = d.Histogram.DataPoints[i:][:1]
	case *metricspb.Metric_ExponentialHistogram:
		d.ExponentialHistogram.DataPoints = d.ExponentialHistogram.DataPoints[i:][:1]
	case *metricspb.Metric_Summary:
		d.Summary.DataPoints = d.Summary.DataPoints[i:][:1]
	}
	return m
}
