package violations

import (
	"fmt"
	"slices"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// oracle finds what is wrong with a message after the official decoder has read
// it, slowly: each finding is a rule and a path.
type oracle struct{ found []string }

func ask(m proto.Message) []string {
	var o oracle
	o.walk(m.ProtoReflect(), "")
	slices.Sort(o.found)
	return o.found
}

func (o *oracle) add(wrong bool, rule, path, field string) {
	if path != "" && field != "" {
		path += "."
	}
	if wrong {
		o.found = append(o.found, rule+" "+path+field)
	}
}

func (o *oracle) walk(m protoreflect.Message, path string) {
	o.check(m.Interface(), path)
	dot := path
	if dot != "" {
		dot += "."
	}
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		name, v := dot+string(fd.Name()), m.Get(fd)
		switch {
		case fd.Message() == nil || !m.Has(fd):
		case fd.IsList():
			keys := map[string]bool{}
			for i := range v.List().Len() {
				sub := v.List().Get(i).Message()
				if kv, ok := sub.Interface().(*commonpb.KeyValue); ok {
					at := fmt.Sprintf("%s[%d]", name, i)
					o.add(kv.Key == "" && fd.Name() != "values", "R-04", at, "key")
					o.add(keys[kv.Key] && (kv.Key != "" || fd.Name() == "values"), "S-49", at, "key")
					keys[kv.Key] = true
				}
				o.walk(sub, fmt.Sprintf("%s[%d]", name, i))
			}
		default:
			o.walk(v.Message(), name)
		}
	}
}

func (o *oracle) check(m proto.Message, p string) {
	switch m := m.(type) {
	case *tracepb.TracesData:
		o.add(len(m.ResourceSpans) == 0, "C-23", p, "")
	case *metricspb.MetricsData:
		o.add(len(m.ResourceMetrics) == 0, "C-23", p, "")
	case *logspb.LogsData:
		o.add(len(m.ResourceLogs) == 0, "C-23", p, "")
	case *tracepb.ResourceSpans:
		o.resource(m.Resource, len(m.ScopeSpans), p)
	case *metricspb.ResourceMetrics:
		o.resource(m.Resource, len(m.ScopeMetrics), p)
	case *logspb.ResourceLogs:
		o.resource(m.Resource, len(m.ScopeLogs), p)
	case *tracepb.ScopeSpans:
		o.add(len(m.Spans) == 0, "C-23", p, "")
	case *metricspb.ScopeMetrics:
		o.add(len(m.Metrics) == 0, "C-23", p, "")
	case *logspb.ScopeLogs:
		o.add(len(m.LogRecords) == 0, "C-23", p, "")
	case *tracepb.Span:
		o.span(m, p)
	case *tracepb.Span_Link:
		o.link(m, p)
	case *logspb.LogRecord:
		o.log(m, p)
	default:
		o.metrics(m, p)
	}
}

func (o *oracle) resource(r *resourcepb.Resource, scopes int, p string) {
	i := slices.IndexFunc(r.GetAttributes(), func(kv *commonpb.KeyValue) bool { return kv.Key == "service.name" })
	o.add(i < 0 || r.Attributes[i].Value.GetStringValue() == "", "R-01", p, "resource.attributes")
	o.add(scopes == 0, "C-23", p, "")
}

func valid(id []byte, n int) bool { return len(id) == n && !slices.Equal(id, make([]byte, n)) }

func fits(id []byte, n int) bool { return len(id) == 0 || len(id) == n }

func (o *oracle) span(s *tracepb.Span, p string) {
	o.add(!valid(s.TraceId, 16), "S-40", p, "trace_id")
	o.add(!valid(s.SpanId, 8), "S-40", p, "span_id")
	o.add(len(s.ParentSpanId) > 0 && !valid(s.ParentSpanId, 8), "S-40", p, "parent_span_id")
	o.add(s.Flags > 0x3ff, "C-40", p, "flags")
	o.add(s.StartTimeUnixNano == 0, "R-02", p, "start_time_unix_nano")
	o.add(s.EndTimeUnixNano == 0 || s.EndTimeUnixNano < s.StartTimeUnixNano, "R-02", p, "end_time_unix_nano")
	o.add(s.Name == "", "R-05", p, "name")
	o.add(s.Kind < 0 || s.Kind > 5, "R-06", p, "kind")
	o.add(s.Status.GetCode() < 0 || s.Status.GetCode() > 2, "R-06", p, "status.code")
}

func (o *oracle) link(l *tracepb.Span_Link, p string) {
	o.add(l.Flags > 0x3ff, "C-40", p, "flags")
	o.add(!fits(l.TraceId, 16), "S-40", p, "trace_id")
	o.add(!fits(l.SpanId, 8), "S-40", p, "span_id")
	if fits(l.TraceId, 16) && fits(l.SpanId, 8) && l.TraceState == "" && len(l.Attributes) == 0 {
		o.add(!valid(l.TraceId, 16), "S-40", p, "trace_id")
		o.add(valid(l.TraceId, 16) && !valid(l.SpanId, 8), "S-40", p, "span_id")
	}
}

func (o *oracle) log(l *logspb.LogRecord, p string) {
	o.add(len(l.TraceId) > 0 && (!fits(l.TraceId, 16) || fits(l.SpanId, 8) && !valid(l.TraceId, 16)), "S-48", p, "trace_id")
	o.add(len(l.SpanId) > 0 && (!fits(l.SpanId, 8) || fits(l.TraceId, 16) && !valid(l.SpanId, 8)), "S-48", p, "span_id")
	o.add(len(l.TraceId) == 0 && valid(l.SpanId, 8), "S-48", p, "trace_id")
	o.add(l.Flags > 0xff, "S-41", p, "flags")
	o.add(l.TimeUnixNano == 0 && l.ObservedTimeUnixNano == 0, "R-03", p, "time_unix_nano")
	o.add(l.SeverityNumber < 0 || l.SeverityNumber > 24, "R-06", p, "severity_number")
}

func (o *oracle) metrics(m proto.Message, p string) {
	switch m := m.(type) {
	case *metricspb.Metric:
		o.add(m.Name == "", "R-05", p, "name")
		o.add(pointsOf(m) == 0, "C-23", p, "")
	case *metricspb.Sum:
		o.temporality(m.AggregationTemporality, p)
	case *metricspb.Histogram:
		o.temporality(m.AggregationTemporality, p)
	case *metricspb.ExponentialHistogram:
		o.temporality(m.AggregationTemporality, p)
	case *metricspb.NumberDataPoint:
		o.times(m.StartTimeUnixNano, m.TimeUnixNano, p)
		o.add(m.Value == nil && m.Flags&1 == 0, "S-44", p, "")
		o.add(m.Value != nil && m.Flags&1 != 0, "S-47", p, "")
	case *metricspb.HistogramDataPoint:
		o.histogram(m, p)
	case *metricspb.ExponentialHistogramDataPoint:
		o.exponential(m, p)
	case *metricspb.SummaryDataPoint:
		o.summary(m, p)
	case *metricspb.Exemplar:
		o.add(m.Value == nil, "S-44", p, "")
		both := fits(m.TraceId, 16) && fits(m.SpanId, 8)
		o.add(!fits(m.TraceId, 16) || both && len(m.TraceId) > 0 && !valid(m.TraceId, 16), "S-40", p, "trace_id")
		o.add(!fits(m.SpanId, 8) || both && len(m.SpanId) > 0 && !valid(m.SpanId, 8), "S-40", p, "span_id")
	}
}

func pointsOf(m *metricspb.Metric) int {
	return len(m.GetGauge().GetDataPoints()) + len(m.GetSum().GetDataPoints()) + len(m.GetHistogram().GetDataPoints()) +
		len(m.GetExponentialHistogram().GetDataPoints()) + len(m.GetSummary().GetDataPoints())
}

func (o *oracle) temporality(t metricspb.AggregationTemporality, p string) {
	o.add(t == 0, "S-44", p, "aggregation_temporality")
	o.add(t < 0 || t > 2, "R-06", p, "aggregation_temporality")
}

func (o *oracle) times(start, end uint64, p string) {
	o.add(end == 0, "S-43", p, "time_unix_nano")
	o.add(end != 0 && end < start, "R-02", p, "time_unix_nano")
}

func sumOf(counts []uint64) (sum uint64) {
	for _, c := range counts {
		sum += c
	}
	return sum
}

func (o *oracle) histogram(h *metricspb.HistogramDataPoint, p string) {
	o.times(h.StartTimeUnixNano, h.TimeUnixNano, p)
	n, m, sum := len(h.BucketCounts), len(h.ExplicitBounds), sumOf(h.BucketCounts)
	o.add(n != m+1 && n+m > 0, "S-45", p, "bucket_counts")
	for i, b := range h.ExplicitBounds {
		if b != b || i > 0 && !(b > h.ExplicitBounds[i-1]) {
			o.add(true, "S-45", p, fmt.Sprintf("explicit_bounds[%d]", i))
			break
		}
	}
	if h.Flags&1 != 0 {
		o.add(h.Count != 0 || h.GetSum() != 0 || sum != 0, "S-47", p, "")
		return
	}
	o.add(n > 0 && sum != h.Count, "S-45", p, "count")
	o.add(h.Count == 0 && h.GetSum() != 0, "S-45", p, "sum")
}

func (o *oracle) exponential(h *metricspb.ExponentialHistogramDataPoint, p string) {
	o.times(h.StartTimeUnixNano, h.TimeUnixNano, p)
	sum := sumOf(h.Positive.GetBucketCounts()) + sumOf(h.Negative.GetBucketCounts()) + h.ZeroCount
	if h.Flags&1 != 0 {
		o.add(h.Count != 0 || h.GetSum() != 0 || sum != 0, "S-47", p, "")
		return
	}
	o.add(sum != h.Count, "S-46", p, "count")
	o.add(h.Count == 0 && h.GetSum() != 0, "S-46", p, "sum")
}

func (o *oracle) summary(s *metricspb.SummaryDataPoint, p string) {
	o.times(s.StartTimeUnixNano, s.TimeUnixNano, p)
	for i, q := range s.QuantileValues {
		if !(q.Quantile >= 0 && q.Quantile <= 1) || i > 0 && q.Quantile <= s.QuantileValues[i-1].Quantile {
			o.add(true, "S-47", p, fmt.Sprintf("quantile_values[%d].quantile", i))
			break
		}
	}
	if s.Flags&1 != 0 {
		o.add(s.Count != 0 || s.Sum != 0, "S-47", p, "")
		return
	}
	o.add(s.Count == 0 && s.Sum != 0, "S-47", p, "sum")
}
