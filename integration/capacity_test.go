package integration_test

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// The items a second that the backend of these tests can take.
const pace = 1000

// Eight exporters that have more than the backend can take settle at its pace
// and lose nothing, as long as what it tells them to wait is longer than their
// own backoff. Over HTTP Retry-After has whole seconds: they may come a little
// late.
func TestExportersSettleAtThePaceOfTheBackend(t *testing.T) {
	for name, test := range map[string]struct {
		load
		protocol query.Protocol
		retries  retries
		within   float64 // of the pace
	}{
		"grpc, batches of a tenth of a second": {load{8, 5, pace / 10}, query.GRPC, patient, 0.02},
		"grpc, batches of a second":            {load{8, 1, pace}, query.GRPC, upToHalfASecond, 0.02},
		"http, batches of a tenth of a second": {load{8, 5, pace / 10}, query.HTTPProtobuf, patient, 0.05},
		"http, batches of a second":            {load{8, 1, pace}, query.HTTPProtobuf, upToHalfASecond, 0.05},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { settle(t, test.load, test.protocol, test.retries, test.within) })
		})
	}
}

// upToHalfASecond is a backoff that never waits longer.
var upToHalfASecond = retries{Enabled: true, InitialInterval: 100 * time.Millisecond, MaxInterval: 330 * time.Millisecond}

func settle(t *testing.T, l load, protocol query.Protocol, r retries, within float64) {
	srv := startInMemory(t, otlptest.WithFaults(faults.Always(faults.Capacity(pace, 0))))
	l.run(t, oneEach(t, srv, protocol, settings{retries: r, timeout: time.Hour}))
	verify(t, srv, query.NoLoss(), query.NoDuplicates(), query.AllDelivered(), query.HonoursRetryDelay())
	if got := srv.Report().Throughput().Measured; math.Abs(got-pace) > pace*within {
		t.Errorf("got %.1f spans a second, want %d, give or take %.0f%%\n%s", got, pace, 100*within, srv.Report())
	}
	if got := srv.Spans().Len(); got != l.total() {
		t.Errorf("got %d spans, want %d", got, l.total())
	}
}

// A backend that takes four requests at a time, each for a second, never has
// more, however many clients it has. Who of them comes in is chance, so that one
// may be left with several batches at the end.
func TestABackendTakesNoMoreRequestsAtATimeThanItCan(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { fourAtATime(t, load{workers: 8, batches: 5, spans: 1}, protocol) })
		})
	}
}

func fourAtATime(t *testing.T, l load, protocol query.Protocol) {
	const most, each = 4, time.Second
	srv := startInMemory(t, otlptest.WithFaults(faults.Always(faults.Capacity(0, most).After(each))))
	start := time.Now()
	l.run(t, oneEach(t, srv, protocol, settings{retries: patient, timeout: time.Hour}))
	took, least := time.Since(start), time.Duration(l.total()/most)*each
	if took < least || took > 2*least {
		t.Errorf("got %d requests in %s, want at least %s and not twice as long\n%s", l.total(), took, least, srv.Report())
	}
	verify(t, srv, query.NoLoss(), query.DeliveredOnce(), query.HonoursRetryDelay())
	var taken []query.Export
	for e := range srv.Exports().All() {
		if e.Acknowledged() {
			taken = append(taken, e)
		}
	}
	if got := query.NewReport(taken, query.Contents{}).Peak(); got != most {
		t.Errorf("got a peak of %d requests, want %d\n%s", got, most, srv.Report())
	}
}
