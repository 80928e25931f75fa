package integration_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// When ForceFlush has returned the data is there: an export is stored before
// its answer leaves.
func TestFlushedDataIsThereWithoutWaiting(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			srv := otlptest.Start(t)
			p := newPipelines(t, srv, protocol)
			defer p.shutdown(t)
			times := runs(500)
			for i := range times {
				name := fmt.Sprint("item ", i)
				p.record(name, i)
				p.flush(t)
				otlptest.Exactly(t, srv.Spans(where.Name(name)), 1)
				otlptest.Exactly(t, srv.Points(where.Attr("item", i)), 1)
				otlptest.Exactly(t, srv.Logs(where.Attr("item", i)), 1)
			}
		})
	}
}

func (p *pipelines) flush(t *testing.T) {
	t.Helper()
	for _, f := range []func(context.Context) error{p.traces.ForceFlush, p.metrics.ForceFlush, p.logs.ForceFlush} {
		if err := f(context.Background()); err != nil {
			t.Fatalf("flush: %v", err)
		}
	}
}
