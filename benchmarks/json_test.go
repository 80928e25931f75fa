// Package benchmarks compares otlptest with what a user would take instead. It
// is a module of its own and not in go.work, since it needs the Collector:
//
//	cd benchmarks && go test -bench . -benchmem -count 5
package benchmarks

import (
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// tracesJSON is a request as the Collector's exporter writes it.
func tracesJSON(spans, attrs int) []byte {
	var b strings.Builder
	b.WriteString(`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"generator"}}]},"scopeSpans":[{"scope":{"name":"bench"},"spans":[`)
	for i := range spans {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"%016x","name":"load-generator-span","kind":3,`+
			`"startTimeUnixNano":"1544712660000000001","endTimeUnixNano":"%d","attributes":[`, i+1, 1544712660000000001+i)
		for j := range attrs {
			if j > 0 {
				b.WriteByte(',')
			}
			if j < 2 {
				fmt.Fprintf(&b, `{"key":"load_generator.seq_num_%d","value":{"intValue":"%d"}}`, j, i)
			} else {
				fmt.Fprintf(&b, `{"key":"http.request.attr%d","value":{"stringValue":"value-%d-%d"}}`, j, i, j)
			}
		}
		b.WriteString(`],"status":{}}`)
	}
	b.WriteString(`]}]}]}`)
	return []byte(b.String())
}

var shapes = []struct {
	name         string
	spans, attrs int
}{{"small", 100, 4}, {"large", 500, 10}}

// BenchmarkJSON decodes OTLP JSON: here into protobuf that is validated and
// kept, with the Collector into its own structs.
func BenchmarkJSON(b *testing.B) {
	for _, shape := range shapes {
		body := tracesJSON(shape.spans, shape.attrs)
		perSpan := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*shape.spans), "ns/span")
		}
		b.Run(shape.name+"/otlptest", func(b *testing.B) {
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				out, _, err := otlpjson.ToProto(buf[:0], query.Traces, body, otlpjson.Lenient)
				if err != nil {
					b.Fatal(err)
				}
				if n, err := wire.Validate(query.Traces, out); n != shape.spans || err != nil {
					b.Fatal(n, err)
				}
				buf = out
				kept = append([]byte(nil), out...)
			}
			perSpan(b)
		})
		b.Run(shape.name+"/collector", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var u ptrace.JSONUnmarshaler
				td, err := u.UnmarshalTraces(body)
				if err != nil || td.SpanCount() != shape.spans {
					b.Fatal(td.SpanCount(), err)
				}
			}
			perSpan(b)
		})
	}
}

// kept keeps the compiler from dropping the copy that a server makes.
var kept []byte
