package wire

import (
	"fmt"
	"testing"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// shapes are requests as batching exporters send them.
var shapes = []struct {
	name         string
	spans, attrs int
}{
	{"100x4", 100, 4},
	{"500x10", 500, 10},
}

// request is a body of spans with attributes, half of them strings.
func request(b *testing.B, spans, attrs int) []byte {
	ss := &tracepb.ScopeSpans{Scope: &commonpb.InstrumentationScope{Name: "shop/cart"}}
	for i := range spans {
		s := &tracepb.Span{
			TraceId: make([]byte, 16), SpanId: make([]byte, 8), ParentSpanId: make([]byte, 8),
			Name: "load-generator-span", Kind: 2, StartTimeUnixNano: 1 << 60, EndTimeUnixNano: 1<<60 + 1, Status: &tracepb.Status{},
			Flags: 257,
		}
		for j := range attrs {
			v := &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: int64(i * j)}}
			if j%2 == 0 {
				v = stringValuePB(fmt.Sprintf("value number %d", i))
			}
			s.Attributes = append(s.Attributes, &commonpb.KeyValue{Key: fmt.Sprintf("load.attribute.%d", j), Value: v})
		}
		ss.Spans = append(ss.Spans, s)
	}
	ss.Spans[spans/2].Name = "charge"
	return encode(b, &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{
			{Key: "telemetry.sdk.name", Value: stringValuePB("opentelemetry")}, {Key: "service.name", Value: stringValuePB("shop")},
		}},
		ScopeSpans: []*tracepb.ScopeSpans{ss},
	}}})
}

func stringValuePB(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

// bench runs f over each shape and reports the time for a span.
func bench(b *testing.B, f func(body []byte)) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			body := request(b, shape.spans, shape.attrs)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				f(body)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*shape.spans), "ns/span")
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	bench(b, func(body []byte) {
		if _, err := Validate(query.Traces, body); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	for name, f := range map[string]query.Filter{
		"name":    where.Name("charge"),
		"attr":    where.Attr("load.attribute.3", "charge"),
		"service": where.Service("charge"),
	} {
		b.Run(name, func(b *testing.B) {
			it, m := new(Item), Compile([]expr.Expr{f.Expr()})
			bench(b, func(body []byte) {
				it.Scan(query.Traces, body, nil, 1, func(it *Item) bool {
					if it.Match(m) {
						it.Span()
					}
					return true
				})
			})
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	bench(b, func(body []byte) {
		for it := range Items(query.Traces, body, nil, 1) {
			it.Span()
		}
	})
}

func BenchmarkKey(b *testing.B) {
	bench(b, func(body []byte) { Key(query.Traces, body) })
}

// BenchmarkUnmarshal is the official decoder, to compare with.
func BenchmarkUnmarshal(b *testing.B) {
	bench(b, func(body []byte) {
		if err := proto.Unmarshal(body, &tracepb.TracesData{}); err != nil {
			b.Fatal(err)
		}
	})
}
