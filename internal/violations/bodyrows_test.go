package violations

import (
	"math"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Where the item of a row is.
const (
	aSpan   = "resource_spans[0].scope_spans[0].spans[0]"
	aLog    = "resource_logs[0].scope_logs[0].log_records[0]"
	aMetric = "resource_metrics[0].scope_metrics[0].metrics[0]"
	aPoint  = aMetric + ".sum.data_points[0]"
	aHisto  = aMetric + ".histogram.data_points[0]"
	anExp   = aMetric + ".exponential_histogram.data_points[0]"
	aSumm   = aMetric + ".summary.data_points[0]"
)

// bodyRow is a request in which just one thing is wrong.
type bodyRow struct {
	check *Check
	name  string
	body  proto.Message
	want  string // after the rule, the level and the export's number
}

var bodyRows = []bodyRow{
	{traceID, "a trace id of 3 bytes", spanWith(func(s *tracepb.Span) { s.TraceId = []byte("abc") }),
		aSpan + `.trace_id of span "charge": got 3 bytes, want 16 bytes that are not all zero`},
	{traceID, "a trace id of zeros", spanWith(func(s *tracepb.Span) { s.TraceId = make([]byte, 16) }),
		aSpan + `.trace_id of span "charge": got 16 zero bytes, want 16 bytes that are not all zero`},
	{traceID, "no trace id", spanWith(func(s *tracepb.Span) { s.TraceId = nil }),
		aSpan + `.trace_id of span "charge": got none, want 16 bytes that are not all zero`},
	{traceID, "opentelemetry-swift#537: base64 of hexadecimal digits", spanWith(func(s *tracepb.Span) { s.TraceId = []byte("0123456789abcdef01234567") }),
		aSpan + `.trace_id of span "charge": got 24 bytes, want 16 bytes that are not all zero`},
	{spanOwnID, "a span id of 1 byte", spanWith(func(s *tracepb.Span) { s.SpanId = []byte("a") }),
		aSpan + `.span_id of span "charge": got 1 byte, want 8 bytes that are not all zero`},
	{spanOwnID, "a span id of zeros", spanWith(func(s *tracepb.Span) { s.SpanId = make([]byte, 8) }),
		aSpan + `.span_id of span "charge": got 8 zero bytes, want 8 bytes that are not all zero`},
	{parentID, "opentelemetry-java#1164: a root's parent as 8 zero bytes", spanWith(func(s *tracepb.Span) { s.ParentSpanId = make([]byte, 8) }),
		aSpan + `.parent_span_id of span "charge": got 8 zero bytes, want it to be empty in a root span`},
	{parentID, "a parent of 16 bytes", spanWith(func(s *tracepb.Span) { s.ParentSpanId = s.TraceId }),
		aSpan + `.parent_span_id of span "charge": got 16 bytes, want 8 bytes, or none in a root span`},
	{foreignID, "a link to a trace id of 8 bytes", linkWith(func(l *tracepb.Span_Link) { l.TraceId = l.SpanId }),
		aSpan + `.links[1].trace_id of span "charge": got 8 bytes, want 16 bytes`},
	{foreignID, "a link to a span id of 4 bytes, with attributes", linkWith(func(l *tracepb.Span_Link) { l.SpanId, l.Attributes = []byte("1234"), cart().Attributes }),
		aSpan + `.links[1].span_id of span "charge": got 4 bytes, want 8 bytes`},
	{foreignID, "an exemplar's trace id of 17 bytes", exemplarWith(func(e *metricspb.Exemplar) { e.TraceId = []byte("0123456789abcdefg") }),
		aPoint + `.exemplars[0].trace_id of metric "requests": got 17 bytes, want 16 bytes`},
	{foreignID, "dartastic_opentelemetry#288: an exemplar's span id in hexadecimal digits", exemplarWith(func(e *metricspb.Exemplar) { e.SpanId = []byte("0123456789abcdef") }),
		aPoint + `.exemplars[0].span_id of metric "requests": got 16 bytes, want 8 bytes`},
	{emptyLink, "a link to nothing", linkWith(func(l *tracepb.Span_Link) { l.TraceId, l.SpanId = nil, nil }),
		aSpan + `.links[1].trace_id of span "charge": got none, want the id of a trace, or attributes`},
	{emptyLink, "a link to a span of zeros", linkWith(func(l *tracepb.Span_Link) { l.SpanId = make([]byte, 8) }),
		aSpan + `.links[1].span_id of span "charge": got 8 zero bytes, want the id of a span, or attributes`},
	{zeroExemplar, "an exemplar of no trace as zeros", exemplarWith(func(e *metricspb.Exemplar) { e.TraceId, e.SpanId = make([]byte, 16), nil }),
		aPoint + `.exemplars[0].trace_id of metric "requests": got 16 zero bytes, want it to be empty where there is no trace`},
	{logID, "a log's trace id of 15 bytes", logWith(func(l *logspb.LogRecord) { l.TraceId = make([]byte, 15) }),
		aLog + `.trace_id of log record "paid": got 15 zero bytes, want 16 bytes`},
	{logID, "a log's span id of zeros", logWith(func(l *logspb.LogRecord) { l.TraceId, l.SpanId = []byte("0123456789abcdef"), make([]byte, 8) }),
		aLog + `.span_id of log record "paid": got 8 zero bytes, want it to be empty where there is no span`},
	{logSpan, "a log of a span without a trace", logWith(func(l *logspb.LogRecord) { l.SpanId, l.EventName = []byte("12345678"), "payment" }),
		aLog + `.trace_id of log record "payment": got none, want the id of the span's trace`},
	{spanBits, "opentelemetry-go#7436: flags beyond those that are known", spanWith(func(s *tracepb.Span) { s.Flags = 0xFFFFFD00 }),
		aSpan + `.flags of span "charge": got 0xfffffd00, want zero above the lowest 10 bits`},
	{spanBits, "flags of a link", linkWith(func(l *tracepb.Span_Link) { l.Flags = 0x400 }),
		aSpan + `.links[1].flags of span "charge": got 0x400, want zero above the lowest 10 bits`},
	{logBits, "flags of a log", logWith(func(l *logspb.LogRecord) { l.Flags = 0x101 }),
		aLog + `.flags of log record "paid": got 0x101, want zero above the lowest 8 bits`},

	{duplicateKey, "a span's attributes", spanWith(func(s *tracepb.Span) { s.Attributes = twice() }),
		aSpan + `.attributes[2].key of span "charge": got the key "a" again, want each key once`},
	{duplicateKey, "an event's attributes", spanWith(func(s *tracepb.Span) {
		s.Attributes = cart().Attributes
		s.Events = []*tracepb.Span_Event{{Name: "e", Attributes: cart().Attributes}, {Name: "e", Attributes: twice()}}
	}),
		aSpan + `.events[1].attributes[2].key of span "charge": got the key "a" again, want each key once`},
	{duplicateKey, "a link's attributes", linkWith(func(l *tracepb.Span_Link) { l.Attributes = twice() }),
		aSpan + `.links[1].attributes[2].key of span "charge": got the key "a" again, want each key once`},
	{duplicateKey, "a log's attributes", logWith(func(l *logspb.LogRecord) { l.Attributes = twice() }),
		aLog + `.attributes[2].key of log record "paid": got the key "a" again, want each key once`},
	{duplicateKey, "a map in a log's body", logWith(func(l *logspb.LogRecord) { l.Body = mapOf(twice()...) }),
		aLog + `.body.kvlist_value.values[2].key of service "shop": got the key "a" again, want each key once`},
	{duplicateKey, "a point's attributes", pointWith(func(p *metricspb.NumberDataPoint) { p.Attributes = twice() }),
		aPoint + `.attributes[2].key of metric "requests": got the key "a" again, want each key once`},
	{duplicateKey, "an exemplar's attributes", exemplarWith(func(e *metricspb.Exemplar) { e.FilteredAttributes = twice() }),
		aPoint + `.exemplars[0].filtered_attributes[2].key of metric "requests": got the key "a" again, want each key once`},
	{duplicateKey, "a metric's metadata", metricWith(func(m *metricspb.Metric) { m.Metadata = twice() }),
		aMetric + `.metadata[2].key of metric "requests": got the key "a" again, want each key once`},
	{duplicateKey, "a resource's attributes", tracesWith(func(d *tracepb.ResourceSpans) { d.Resource.Attributes = append(d.Resource.Attributes, twice()...) }),
		`resource_spans[0].resource.attributes[4].key of service "shop": got the key "a" again, want each key once`},
	{duplicateKey, "a scope's attributes", tracesWith(func(d *tracepb.ResourceSpans) { d.ScopeSpans[0].Scope.Attributes = twice() }),
		`resource_spans[0].scope_spans[0].scope.attributes[2].key of service "shop": got the key "a" again, want each key once`},
	{duplicateKey, "a map in an array in an attribute", spanWith(func(s *tracepb.Span) {
		s.Attributes = []*commonpb.KeyValue{kv("x", text("y")), kv("list", array(text("z"), mapOf(kv("a", mapOf(twice()...)), kv("b", text("a")))))}
	}),
		aSpan + `.attributes[1].value.array_value.values[1].kvlist_value.values[0].value.kvlist_value.values[2].key of span "charge": got the key "a" again, want each key once`},
	{duplicateKey, "two empty keys of a map", spanWith(func(s *tracepb.Span) {
		s.Attributes = []*commonpb.KeyValue{kv("x", mapOf(kv("", text("a")), kv("", nil)))}
	}),
		aSpan + `.attributes[0].value.kvlist_value.values[1].key of span "charge": got the key "" again, want each key once`},
	{emptyKey, "an empty key", spanWith(func(s *tracepb.Span) { s.Attributes = []*commonpb.KeyValue{kv("a", text("x")), kv("", text("y"))} }),
		aSpan + `.attributes[1].key of span "charge": got an empty key, want one that is not`},
	{strindex, "a key by its index", spanWith(func(s *tracepb.Span) {
		s.Attributes = []*commonpb.KeyValue{indexed(&commonpb.KeyValue{Value: text("x")}, 3)}
	}),
		aSpan + `.attributes[0].key_strindex of span "charge": got an index, want none, since only profiles have a string table`},
	{strindex, "a value by its index", spanWith(func(s *tracepb.Span) { s.Attributes = []*commonpb.KeyValue{kv("a", indexed(&commonpb.AnyValue{}, 8))} }),
		aSpan + `.attributes[0].value.string_value_strindex of span "charge": got an index, want none, since only profiles have a string table`},
	{serviceName, "a resource of an unknown service", tracesWith(func(d *tracepb.ResourceSpans) { d.Resource.Attributes = d.Resource.Attributes[1:] }),
		`resource_spans[0].resource.attributes: got no service.name, want the name of the service`},
	{serviceName, "no resource", tracesWith(func(d *tracepb.ResourceSpans) { d.Resource = nil }),
		`resource_spans[0].resource.attributes: got no service.name, want the name of the service`},
	{serviceName, "a service whose name is empty", tracesWith(func(d *tracepb.ResourceSpans) { d.Resource.Attributes[0].Value = text("") }),
		`resource_spans[0].resource.attributes: got no service.name, want the name of the service`},
	{emptyName, "a span without a name", spanWith(func(s *tracepb.Span) { s.Name = "" }),
		aSpan + `.name of service "shop": got none, want the name of the operation`},
	{emptyName, "a metric without a name", metricWith(func(m *metricspb.Metric) { m.Name = "" }),
		aMetric + `.name of service "shop": got none, want the name of the metric`},
	{enumNumber, "a kind", spanWith(func(s *tracepb.Span) { s.Kind = 6 }),
		aSpan + `.kind of span "charge": got 6, want a number from 0 to 5`},
	{enumNumber, "a status", spanWith(func(s *tracepb.Span) { s.Status = &tracepb.Status{Code: 3} }),
		aSpan + `.status.code of span "charge": got 3, want a number from 0 to 2`},
	{enumNumber, "a negative severity", logWith(func(l *logspb.LogRecord) { l.SeverityNumber = -1 }),
		aLog + `.severity_number of log record "paid": got -1, want a number from 0 to 24`},
	{enumNumber, "a temporality", sumWith(func(s *metricspb.Sum) { s.AggregationTemporality = 3 }),
		aMetric + `.sum.aggregation_temporality of metric "requests": got 3, want a number from 0 to 2`},

	{spanTime, "a span without a start", spanWith(func(s *tracepb.Span) { s.StartTimeUnixNano = 0 }),
		aSpan + `.start_time_unix_nano of span "charge": got none, want the time when the span started`},
	{spanTime, "a span without an end", spanWith(func(s *tracepb.Span) { s.EndTimeUnixNano = 0 }),
		aSpan + `.end_time_unix_nano of span "charge": got none, want the time when the span ended`},
	{spanOrder, "a span that ends before it starts", spanWith(func(s *tracepb.Span) { s.EndTimeUnixNano = noon - 5e6 }),
		aSpan + `.end_time_unix_nano of span "charge": got an end 5ms before the start 2024-05-17T12:00:00Z, want an end that is not before the start`},
	{logAnyTime, "a log without a time", logWith(func(l *logspb.LogRecord) { l.TimeUnixNano = 0 }),
		aLog + `.time_unix_nano of log record "paid": got neither this nor observed_time_unix_nano, want at least one of them`},
	{noTime, "a point without a time", pointWith(func(p *metricspb.NumberDataPoint) { p.TimeUnixNano = 0 }),
		aPoint + `.time_unix_nano of metric "requests": got none, want the time of the value`},
	{pointOrder, "a point that ends before it starts", histogramWith(func(p *metricspb.HistogramDataPoint) { p.StartTimeUnixNano = noon + 1 }),
		aHisto + `.time_unix_nano of metric "duration": got an end 1ns before the start 2024-05-17T12:00:00.000000001Z, want an end that is not before the start`},

	{noTemporality, "a sum of no temporality", sumWith(func(s *metricspb.Sum) { s.AggregationTemporality = 0 }),
		aMetric + `.sum.aggregation_temporality of metric "requests": got unspecified, want delta or cumulative`},
	{noValue, "a point without a value", pointWith(func(p *metricspb.NumberDataPoint) { p.Value = nil }),
		aPoint + ` of metric "requests": got no value, want as_double or as_int`},
	{noExemplar, "an exemplar without a value", exemplarWith(func(e *metricspb.Exemplar) { e.Value = nil }),
		aPoint + `.exemplars[0] of metric "requests": got no value, want as_double or as_int`},
	{buckets, "opentelemetry-collector-contrib#50737: as many counts as bounds", histogramWith(func(p *metricspb.HistogramDataPoint) { p.BucketCounts = []uint64{1, 2, 3} }),
		aHisto + `.bucket_counts of metric "duration": got 3 bucket counts and 3 bounds, want one bucket count more than bounds, or none of either`},
	{buckets, "bounds without counts", histogramWith(func(p *metricspb.HistogramDataPoint) { p.BucketCounts = nil }),
		aHisto + `.bucket_counts of metric "duration": got 0 bucket counts and 3 bounds, want one bucket count more than bounds, or none of either`},
	{bucketSum, "buckets that hold less than the count", histogramWith(func(p *metricspb.HistogramDataPoint) { p.Count = 7 }),
		aHisto + `.count of metric "duration": got 7, while the buckets hold 6, want the sum of bucket_counts`},
	{bounds, "bounds that are equal", histogramWith(func(p *metricspb.HistogramDataPoint) { p.ExplicitBounds = []float64{1, 2.5, 2.5} }),
		aHisto + `.explicit_bounds[2] of metric "duration": got 2.5 after 2.5, want bounds that rise strictly`},
	{bounds, "a bound that is none", histogramWith(func(p *metricspb.HistogramDataPoint) { p.ExplicitBounds[0] = math.NaN() }),
		aHisto + `.explicit_bounds[0] of metric "duration": got NaN, want bounds that rise strictly`},
	{emptySum, "a sum of no values", histogramWith(func(p *metricspb.HistogramDataPoint) { p.Count, p.BucketCounts = 0, make([]uint64, 4) }),
		aHisto + `.sum of metric "duration": got 21, want 0 or none, since the count is 0`},
	{exponential, "exponential buckets that hold less than the count", exponentialWith(func(p *metricspb.ExponentialHistogramDataPoint) { p.ZeroCount = 0 }),
		anExp + `.count of metric "size": got 205, while the buckets hold 204, want the sum of zero_count and of both bucket_counts`},
	{emptyExpSum, "a sum of no values, exponential", exponentialWith(func(p *metricspb.ExponentialHistogramDataPoint) {
		p.Count, p.ZeroCount, p.Positive, p.Negative = 0, 0, nil, nil
	}),
		anExp + `.sum of metric "size": got 21, want 0 or none, since the count is 0`},
	{recorded, "a missing value that is there", pointWith(func(p *metricspb.NumberDataPoint) { p.Flags = 1 }),
		aPoint + ` of metric "requests": got a value, want none, as the flags say`},
	{recorded, "a missing histogram that is there", histogramWith(func(p *metricspb.HistogramDataPoint) { p.Flags = 1 }),
		aHisto + ` of metric "duration": got a value, want none, as the flags say`},
	{quantiles, "a quantile above 1", summaryWith(func(p *metricspb.SummaryDataPoint) { p.QuantileValues[2].Quantile = 99 }),
		aSumm + `.quantile_values[2].quantile of metric "latency": got 99, want a quantile from 0 to 1`},
	{quantiles, "quantiles that fall", summaryWith(func(p *metricspb.SummaryDataPoint) { p.QuantileValues[0].Quantile = 0.75 }),
		aSumm + `.quantile_values[1].quantile of metric "latency": got 0.5 after 0.75, want quantiles that rise strictly`},
	{emptySummary, "a summary's sum of no values", summaryWith(func(p *metricspb.SummaryDataPoint) { p.Count = 0 }),
		aSumm + `.sum of metric "latency": got 21, want 0, since the count is 0`},

	{envelope, "a request of nothing", &tracepb.TracesData{},
		`: got an empty request, want something in it`},
	{envelope, "a resource of nothing", tracesWith(func(d *tracepb.ResourceSpans) { d.ScopeSpans = nil }),
		`resource_spans[0] of service "shop": got a resource without scope_spans, want something in it`},
	{envelope, "a scope of nothing", tracesWith(func(d *tracepb.ResourceSpans) { d.ScopeSpans[0].Spans = nil }),
		`resource_spans[0].scope_spans[0] of service "shop": got a scope without spans, want something in it`},
	{envelope, "a metric of no points", sumWith(func(s *metricspb.Sum) { s.DataPoints = nil }),
		aMetric + ` of metric "requests": got a metric without data points, want something in it`},
	{envelope, "a metric of no data", metricWith(func(m *metricspb.Metric) { m.Data = nil }),
		aMetric + ` of metric "requests": got a metric without data points, want something in it`},
}

func tracesWith(f func(*tracepb.ResourceSpans)) *tracepb.TracesData {
	d := spanWith(func(*tracepb.Span) {})
	f(d.ResourceSpans[0])
	return d
}

func metricWith(f func(*metricspb.Metric)) *metricspb.MetricsData {
	d := sumWith(func(*metricspb.Sum) {})
	f(d.ResourceMetrics[0].ScopeMetrics[0].Metrics[0])
	return d
}
