package otlpjson

import (
	"fmt"
	"testing"

	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// shapes are requests as batching exporters send them.
var shapes = []struct {
	name         string
	spans, attrs int
}{
	{"100x4", 100, 4},
	{"500x10", 500, 10},
}

// request is spans with attributes, half of them strings.
func request(spans, attrs int) *tracepb.TracesData {
	ss := &tracepb.ScopeSpans{Scope: &commonpb.InstrumentationScope{Name: "shop/cart"}}
	for i := range spans {
		s := &tracepb.Span{
			TraceId: []byte("0123456789abcdef"), SpanId: []byte("01234567"), ParentSpanId: []byte("76543210"),
			Name: "load-generator-span", Kind: 2, Status: &tracepb.Status{}, Flags: 257,
			StartTimeUnixNano: 1544712660000000001, EndTimeUnixNano: 1544712661000000001,
		}
		for j := range attrs {
			v := &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: int64(i * j)}}
			if j%2 == 0 {
				v = &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: fmt.Sprintf("value number %d", i)}}
			}
			s.Attributes = append(s.Attributes, &commonpb.KeyValue{Key: fmt.Sprintf("load.attribute.%d", j), Value: v})
		}
		ss.Spans = append(ss.Spans, s)
	}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{{
			Key: "service.name", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "shop"}},
		}}},
		ScopeSpans: []*tracepb.ScopeSpans{ss},
	}}}
}

// bench runs f over each shape, in JSON and in protobuf, and reports the time
// for a span.
func bench(b *testing.B, f func(b *testing.B, json, body []byte)) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			body := encode(b, request(shape.spans, shape.attrs))
			json, err := FromProto(nil, query.Traces, body)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(json)))
			b.ReportAllocs()
			for b.Loop() {
				f(b, json, body)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*shape.spans), "ns/span")
		})
	}
}

func BenchmarkToProto(b *testing.B) {
	var dst []byte
	bench(b, func(b *testing.B, json, _ []byte) {
		var err error
		if dst, _, err = ToProto(dst[:0], query.Traces, json, Strict); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkToProtoAnew makes new bytes each time.
func BenchmarkToProtoAnew(b *testing.B) {
	bench(b, func(b *testing.B, json, _ []byte) {
		if _, _, err := ToProto(nil, query.Traces, json, Strict); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkFromProto(b *testing.B) {
	var dst []byte
	bench(b, func(b *testing.B, _, body []byte) {
		var err error
		if dst, err = FromProto(dst[:0], query.Traces, body); err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkUnmarshalOfficially reads the JSON as plain proto3 JSON, in which
// these ids are base64.
func BenchmarkUnmarshalOfficially(b *testing.B) {
	bench(b, func(b *testing.B, json, _ []byte) {
		if err := protojson.Unmarshal(json, &tracepb.TracesData{}); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkMarshalOfficially(b *testing.B) {
	m := request(500, 10)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := protojson.Marshal(m); err != nil {
			b.Fatal(err)
		}
	}
}
