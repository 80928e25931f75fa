package integration_test

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

func TestOfficialExportersDeliverEverySignalUnchanged(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		t.Run("tcp", func(t *testing.T) { deliverSample(t, otlptest.Start(t), p) })
		t.Run("in memory", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { deliverSample(t, startInMemory(t), p) })
		})
	})
}

func deliverSample(t *testing.T, srv *otlptest.Server, p path) {
	if err := newExporter(t, srv, p, retries{}).export(t.Context()); err != nil {
		t.Fatalf("export: %v", err)
	}
	e := otlptest.Exactly(t, srv.Exports(), 1)[0]
	if e.Signal != p.signal || e.Protocol != p.protocol || e.Outcome != query.Accepted {
		t.Errorf("got export %s, want %s accepted", e, p)
	}
	wantItems(t, srv, sampleOf(p.signal))
}

// batch is what a server must have of one export: the whole message, and the
// items as queries return them.
type batch struct {
	data   proto.Message
	spans  []query.Span
	points []query.Point
	logs   []query.Log
}

func sampleOf(signal query.Signal) batch {
	switch signal {
	case query.Traces:
		return batch{data: sampleTracesProto(), spans: sampleSpanValues()}
	case query.Metrics:
		return batch{data: sampleMetricsProto(), points: samplePointValues()}
	}
	return batch{data: sampleLogsProto(), logs: sampleLogValues()}
}

// wantItems checks that the last export has that content, and that the server
// has stored nothing else.
func wantItems(t *testing.T, srv *otlptest.Server, want batch) {
	t.Helper()
	exports := otlptest.Await(t, srv.Exports(), 1)
	e := exports[len(exports)-1]
	if diff := diffMessages(want.data, e.Proto()); diff != "" {
		t.Errorf("message differs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.spans, srv.Spans().Slice()); diff != "" {
		t.Errorf("spans differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.points, srv.Points().Slice()); diff != "" {
		t.Errorf("points differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.logs, srv.Logs().Slice()); diff != "" {
		t.Errorf("logs differ (-want +got):\n%s", diff)
	}
	if n := len(want.spans) + len(want.points) + len(want.logs); e.Items != n || e.Stored != n {
		t.Errorf("got %d items of which %d stored, want %d", e.Items, e.Stored, n)
	}
}

// diffMessages is empty for equal messages, for which cmp.Diff takes its time.
func diffMessages(want, got proto.Message) string {
	if proto.Equal(want, got) {
		return ""
	}
	return "\n" + cmp.Diff(want, got, protocmp.Transform())
}
