package integration_test

import (
	"encoding/binary"
	"sync"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// load is what workers export, all at once: each of them so many batches, one
// after the other, of so many spans that no other has.
type load struct{ workers, batches, spans int }

// total is how many spans that is.
func (l load) total() int { return l.workers * l.batches * l.spans }

// run exports by the exporter of each worker, and returns when all is done.
func (l load) run(t *testing.T, of func(worker int) exporter) {
	t.Helper()
	var workers sync.WaitGroup
	for w := range l.workers {
		e := of(w)
		workers.Go(func() {
			for b := range l.batches {
				if err := e.traces.ExportSpans(t.Context(), l.batch(w*l.batches+b)); err != nil {
					t.Errorf("worker %d, batch %d: %v", w, b, err)
				}
			}
		})
	}
	workers.Wait()
}

// batch is the spans of the n-th batch, as small as spans are.
func (l load) batch(n int) []sdktrace.ReadOnlySpan {
	stubs := make(tracetest.SpanStubs, l.spans)
	for i := range stubs {
		var id trace.TraceID
		binary.BigEndian.PutUint64(id[:], uint64(n+1))
		binary.BigEndian.PutUint64(id[8:], uint64(i+1))
		stubs[i] = tracetest.SpanStub{Name: "s", SpanContext: trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: trace.SpanID(id[8:])})}
	}
	return stubs.Snapshots()
}

// oneEach is an exporter of its own for each worker.
func oneEach(t *testing.T, srv *otlptest.Server, protocol query.Protocol, s settings) func(int) exporter {
	return func(int) exporter { return path{query.Traces, protocol}.configured(t, srv, s) }
}
