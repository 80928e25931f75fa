package otlptest_test

import (
	"bytes"
	"fmt"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// The ids of the samples.
var (
	traceID = query.TraceID(bytes.Repeat([]byte{0xa1}, 16))
	spanID  = query.SpanID(bytes.Repeat([]byte{0xb2}, 8))
)

// at is a time in nanoseconds that a double cannot hold.
const at = 1544712660000000001

// sample is n items of a signal that nothing is wrong with, of a service
// "shop".
func sample(sig query.Signal, n int) proto.Message {
	switch sig {
	case query.Traces:
		spans := make([]*tracepb.Span, n)
		for i := range spans {
			spans[i] = goodSpan()
			spans[i].Name, spans[i].SpanId[7] = fmt.Sprint("item ", i), byte(i+1)
		}
		return traces(spans...)
	case query.Metrics:
		points := make([]*metricspb.NumberDataPoint, n)
		for i := range points {
			points[i] = intPoint(int64(i))
			points[i].Attributes = []*commonpb.KeyValue{attr("item", i)}
		}
		return metrics(gauge("items", points...))
	}
	records := make([]*logspb.LogRecord, n)
	for i := range records {
		records[i] = goodRecord()
		records[i].Body = stringValue(fmt.Sprint("item ", i))
	}
	return logs(records...)
}

// goodSpan is a root span that nothing is wrong with.
func goodSpan() *tracepb.Span {
	return &tracepb.Span{
		TraceId: bytes.Clone(traceID[:]), SpanId: bytes.Clone(spanID[:]), Name: "charge",
		Kind: tracepb.Span_SPAN_KIND_SERVER, StartTimeUnixNano: at, EndTimeUnixNano: at + 1000,
	}
}

// goodRecord is a log record that nothing is wrong with.
func goodRecord() *logspb.LogRecord {
	return &logspb.LogRecord{
		TimeUnixNano: at, ObservedTimeUnixNano: at + 1, SeverityNumber: logspb.SeverityNumber_SEVERITY_NUMBER_INFO,
		Body: stringValue("paid"), TraceId: bytes.Clone(traceID[:]), SpanId: bytes.Clone(spanID[:]),
	}
}

func shop() *resourcepb.Resource {
	return &resourcepb.Resource{Attributes: []*commonpb.KeyValue{attr("service.name", "shop")}}
}

func traces(spans ...*tracepb.Span) *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: shop(), ScopeSpans: []*tracepb.ScopeSpans{{Scope: &commonpb.InstrumentationScope{Name: "shop/pay"}, Spans: spans}},
	}}}
}

func metrics(ms ...*metricspb.Metric) *metricspb.MetricsData {
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource: shop(), ScopeMetrics: []*metricspb.ScopeMetrics{{Scope: &commonpb.InstrumentationScope{Name: "shop/pay"}, Metrics: ms}},
	}}}
}

func logs(records ...*logspb.LogRecord) *logspb.LogsData {
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: shop(), ScopeLogs: []*logspb.ScopeLogs{{Scope: &commonpb.InstrumentationScope{Name: "shop/pay"}, LogRecords: records}},
	}}}
}

func gauge(name string, points ...*metricspb.NumberDataPoint) *metricspb.Metric {
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: points}}}
}

func sum(name string, temporality metricspb.AggregationTemporality, points ...*metricspb.NumberDataPoint) *metricspb.Metric {
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{
		AggregationTemporality: temporality, IsMonotonic: true, DataPoints: points,
	}}}
}

func histogram(name string, points ...*metricspb.HistogramDataPoint) *metricspb.Metric {
	for _, p := range points {
		p.StartTimeUnixNano, p.TimeUnixNano = at, at+1000
	}
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
		AggregationTemporality: delta, DataPoints: points,
	}}}
}

func exponential(name string, points ...*metricspb.ExponentialHistogramDataPoint) *metricspb.Metric {
	for _, p := range points {
		p.StartTimeUnixNano, p.TimeUnixNano = at, at+1000
	}
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
		AggregationTemporality: delta, DataPoints: points,
	}}}
}

func summary(name string, points ...*metricspb.SummaryDataPoint) *metricspb.Metric {
	for _, p := range points {
		p.StartTimeUnixNano, p.TimeUnixNano = at, at+1000
	}
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: points}}}
}

const delta = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA

func intPoint(value int64) *metricspb.NumberDataPoint {
	return &metricspb.NumberDataPoint{
		StartTimeUnixNano: at, TimeUnixNano: at + 1000, Value: &metricspb.NumberDataPoint_AsInt{AsInt: value},
	}
}

func stringValue(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

func keyed(key string, v *commonpb.AnyValue) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: v}
}

// stored is how many items of a signal a server has.
func stored(srv *otlptest.Server, sig query.Signal) int {
	switch sig {
	case query.Traces:
		return srv.Spans().Len()
	case query.Metrics:
		return srv.Points().Len()
	}
	return srv.Logs().Len()
}

// padded is a request without items of exactly n bytes, more than a few, for
// any signal: a field that OTLP does not have.
func padded(via query.Protocol, n int) []byte {
	if via == query.HTTPJSON {
		const rest = `{"later":""}`
		return fmt.Appendf(nil, `{"later":"%s"}`, bytes.Repeat([]byte("x"), n-len(rest)))
	}
	content := make([]byte, n-1-protowire.SizeVarint(uint64(n)))
	return protowire.AppendBytes(protowire.AppendTag(nil, 15, protowire.BytesType), content)
}

// accepted sends a message by each protocol to a server of its own, which has
// to accept it, and lets look see what arrived.
func accepted(t *testing.T, m proto.Message, look func(t *testing.T, srv *otlptest.Server)) {
	t.Helper()
	for _, via := range protocols {
		t.Run(string(via), func(t *testing.T) {
			srv := otlptest.Start(t)
			if got := newWire(t, srv).export(via, m).String(); got != success(via) {
				t.Errorf("got %s, want %s", got, success(via))
			}
			look(t, srv)
		})
	}
}

// acceptedJSON is accepted for a body of OTLP JSON as it is.
func acceptedJSON(t *testing.T, sig query.Signal, body string) *otlptest.Server {
	t.Helper()
	srv := otlptest.Start(t)
	if got := newWire(t, srv).send(query.HTTPJSON, sig, []byte(body), false).String(); got != success(query.HTTPJSON) {
		t.Errorf("got %s, want %s for %s", got, success(query.HTTPJSON), body)
	}
	return srv
}
