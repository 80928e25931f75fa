package httpapi_test

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/otlptest"
)

// What the lists of the benchmark are of.
const (
	tracesAsked   = 5000
	spansPerTrace = 10
)

// many is a server with many traces, a hundred in an export, and its API.
func many(b *testing.B) http.Handler {
	b.Helper()
	srv := otlptest.Start(b, otlptest.WithInMemory())
	for first := 0; first < tracesAsked; first += 100 {
		m := spans()
		ss := m.ResourceSpans[0].ScopeSpans[0]
		for n := first * spansPerTrace; n < (first+100)*spansPerTrace; n++ {
			s := &tracepb.Span{
				TraceId: binary.BigEndian.AppendUint64(make([]byte, 8), uint64(n/spansPerTrace+1)),
				SpanId:  binary.BigEndian.AppendUint64(nil, uint64(n+1)), Name: fmt.Sprintf("span %d", n%spansPerTrace), Kind: 2,
				StartTimeUnixNano: uint64(1e18 + n), EndTimeUnixNano: uint64(1e18 + 1e6 + n),
			}
			if n%spansPerTrace > 0 {
				s.ParentSpanId = binary.BigEndian.AppendUint64(nil, uint64(n-n%spansPerTrace+1))
			}
			for i := range 8 {
				s.Attributes = append(s.Attributes, text(fmt.Sprintf("an.attribute.%d", i), "a value of some length"))
			}
			ss.Spans = append(ss.Spans, s)
		}
		send(b, srv, "/v1/traces", m)
	}
	return httpapi.New(srv)
}

func BenchmarkLists(b *testing.B) {
	api := many(b)
	for _, target := range []string{
		"traces?format=summary&order=newest&limit=100", "traces?format=summary&order=newest&limit=100&q=name=%22span+9%22",
		"traces?format=summary&order=newest&limit=100&q=complete", "traces?format=summary&limit=100",
		"spans?order=newest&limit=100", "spans?limit=100", "exports?order=newest&limit=100",
		"batches?order=newest&limit=100", "keys", "services", "spans/25000", "spans/25000/assertion", "stats", "violations?format=groups",
	} {
		b.Run(target, func(b *testing.B) {
			for b.Loop() {
				req := httptest.NewRequestWithContext(b.Context(), http.MethodGet, "http://localhost/api/v1/"+target, nil)
				rec := httptest.NewRecorder()
				if api.ServeHTTP(rec, req); rec.Code != http.StatusOK {
					b.Fatalf("got %d %s", rec.Code, rec.Body)
				}
				b.ReportMetric(float64(rec.Body.Len()), "B/answer")
			}
		})
	}
}
