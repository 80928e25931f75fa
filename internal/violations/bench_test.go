package violations

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// batch is a request as a batching exporter sends it: nothing is wrong with it.
func batch(b *testing.B, spans, attrs int) []byte {
	ss := &tracepb.ScopeSpans{Scope: &commonpb.InstrumentationScope{Name: "shop/cart"}}
	for i := range spans {
		s := &tracepb.Span{
			TraceId: make([]byte, 16), SpanId: make([]byte, 8), ParentSpanId: []byte("\x01parent\x02"),
			Name: "load-generator-span", Kind: 2, StartTimeUnixNano: 1 << 60, EndTimeUnixNano: 1<<60 + 1, Status: &tracepb.Status{},
			Flags: 257,
		}
		binary.BigEndian.PutUint64(s.TraceId, uint64(i+1))
		binary.BigEndian.PutUint64(s.SpanId, uint64(i+1))
		for j := range attrs {
			v := number64(int64(i * j))
			if j%2 == 0 {
				v = text(fmt.Sprintf("value number %d", i))
			}
			s.Attributes = append(s.Attributes, kv(fmt.Sprintf("load.attribute.%d", j), v))
		}
		ss.Spans = append(ss.Spans, s)
	}
	return encode(b, &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: shop(), ScopeSpans: []*tracepb.ScopeSpans{ss},
	}}})
}

func benchSpans(b *testing.B, f func(body []byte)) {
	for _, shape := range []struct{ spans, attrs int }{{100, 4}, {500, 10}} {
		b.Run(fmt.Sprintf("%dx%d", shape.spans, shape.attrs), func(b *testing.B) {
			body := batch(b, shape.spans, shape.attrs)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				f(body)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*shape.spans), "ns/span")
		})
	}
}

func BenchmarkLook(b *testing.B) {
	benchSpans(b, func(body []byte) {
		if f := Look(query.Traces, body, false, nil); len(f.list) > 0 {
			b.Fatal(f.list[0])
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	benchSpans(b, func(body []byte) {
		if v := Judge(query.Traces, body); v.Rejected > 0 {
			b.Fatal(v.Message)
		}
	})
}

// BenchmarkValidate and BenchmarkKey are to compare with.
func BenchmarkValidate(b *testing.B) {
	benchSpans(b, func(body []byte) {
		if _, err := wire.Validate(query.Traces, body); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkKey(b *testing.B) {
	benchSpans(b, func(body []byte) { wire.Key(query.Traces, body) })
}

// BenchmarkLookAtMetrics takes note of series, too.
func BenchmarkLookAtMetrics(b *testing.B) {
	const points = 500
	d := histogramWith(func(*metricspb.HistogramDataPoint) {})
	h := d.ResourceMetrics[0].ScopeMetrics[0].Metrics[0].GetHistogram()
	for i := range points - 1 {
		p := proto.Clone(h.DataPoints[0]).(*metricspb.HistogramDataPoint)
		p.Attributes = []*commonpb.KeyValue{kv("http.route", text(fmt.Sprint("/pay/", i))), kv("http.response.status_code", number64(200))}
		h.DataPoints = append(h.DataPoints, p)
	}
	body := encode(b, d)
	b.ReportAllocs()
	for b.Loop() {
		if f := Look(query.Metrics, body, false, nil); len(f.list) > 0 {
			b.Fatal(f.list[0])
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*points), "ns/point")
}
