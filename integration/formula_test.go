package integration_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

const (
	formulaRoundTrip  = 200 * time.Millisecond
	formulaServerTime = 300 * time.Millisecond
	formulaSpans      = 100
)

// The example of OTEP-0035: 100 spans a request, a round trip of 200 ms and a
// server that takes 300 ms make 200 spans a second with one request in flight,
// and so 4,000 with twenty. Over gRPC they share a connection, over HTTP/1.1 a
// client.
func TestTheFormulaOf2019(t *testing.T) {
	for _, protocol := range protocols {
		for inFlight, want := range map[int]float64{1: 200, 20: 4000} {
			t.Run(fmt.Sprintf("%s, %d in flight", protocol, inFlight), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					srv := exportByFormula(t, protocol, inFlight, true)
					got := srv.Report().Throughput()
					if got.Measured != want || got.Ceiling != want || got.Peak != inFlight {
						t.Errorf("got %+v, want %.0f spans a second, measured and as the ceiling, and a peak of %d\n%s", got, want, inFlight, srv.Report())
					}
					if got.ItemsPerExport != formulaSpans || got.ServerTime != formulaServerTime || got.RoundTrip != formulaRoundTrip {
						t.Errorf("got %+v, want 100 spans, 300ms and 200ms", got)
					}
					verify(t, srv, query.AllDelivered(), query.DeliveredOnce(), query.Concurrency(inFlight, inFlight))
				})
			})
		}
	}
}

// Twenty requests of 4 KB, uncompressed, are more than the 64 KiB that HTTP/2
// lets a client send on a new connection: some wait a round trip for leave to
// send the rest. From then on the requests come in two groups, and what is
// measured stays below the formula.
func TestFlowControlCostsARoundTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := exportByFormula(t, query.GRPC, 20, false)
		sent, late := 0, 0
		for _, e := range srv.Exports().Slice()[:20] {
			sent += e.WireSize
			switch took := e.Received.Sub(e.Arrived); took {
			case 0:
			case formulaRoundTrip:
				late++
			default:
				t.Errorf("%s: got a body that took %s, want 0s or a round trip", e, took)
			}
		}
		if sent <= 1<<16 || late == 0 || late == 20 {
			t.Errorf("got %d of 20 requests late, of %d bytes together, want some", late, sent)
		}
		if got := srv.Report().Throughput(); got.Measured >= 4000 || got.Measured < 3500 || got.Peak != 20 {
			t.Errorf("got %+v, want a little less than 4000 spans a second", got)
		}
	})
}

// exportByFormula exports six requests by each of some workers, on one exporter.
func exportByFormula(t *testing.T, protocol query.Protocol, inFlight int, zipped bool) *otlptest.Server {
	t.Helper()
	srv := startInMemory(t, otlptest.WithRoundTrip(formulaRoundTrip),
		otlptest.WithFaults(faults.Always(faults.Accept().After(formulaServerTime))))
	e := path{query.Traces, protocol}.configured(t, srv, settings{gzip: zipped})
	load{workers: inFlight, batches: 6, spans: formulaSpans}.run(t, func(int) exporter { return e })
	return srv
}
