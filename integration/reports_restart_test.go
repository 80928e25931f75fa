package integration_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// restless retries often enough to notice that a server is back, and for long.
var restless = retries{true, 100 * time.Millisecond, time.Second, time.Hour}

// A backend that was gone for a while, at the same address, gets the exports
// that come later, by the same exporter.
//
// What the official exporters do with those that come meanwhile today: over
// gRPC they try until it is back, over HTTP they give up at once, where C-10
// wants them to try again.
func exportsArriveAfterARestart(t *testing.T) {
	for _, gone := range []time.Duration{0, 2 * time.Second, 5 * time.Minute} {
		t.Run(gone.String(), func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) { idleWhileDown(t, p, gone) })
		})
		t.Run("an export after "+gone.String(), func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) { busyWhileDown(t, p, gone) })
		})
	}
	for _, gone := range []time.Duration{2 * time.Second, time.Minute} {
		t.Run("scripted for "+gone.String(), func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) { scriptedOutage(t, p, gone) })
		})
	}
	t.Run("tcp", func(t *testing.T) { eachPath(t, restartsOnTCP) })
}

func down(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	if err := srv.Down(); err != nil {
		t.Fatal(err)
	}
}

func up(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	if err := srv.Up(); err != nil {
		t.Fatal(err)
	}
}

// idleWhileDown exports before and after, and not meanwhile.
func idleWhileDown(t *testing.T, p path, gone time.Duration) {
	srv := startInMemory(t)
	e := p.configured(t, srv, settings{timeout: time.Hour})
	for n := 1; n <= 3; n++ {
		if err := e.export(t.Context()); err != nil {
			t.Errorf("export %d: %v", n, err)
		}
		otlptest.Exactly(t, srv.Exports(), n)
		down(t, srv)
		time.Sleep(gone)
		up(t, srv)
		synctest.Wait() // until the exporter knows
	}
	if n := srv.Connections().Len(); n != 3 {
		t.Errorf("got %d connections, want one for each export", n)
	}
}

// busyWhileDown exports while the server is gone.
func busyWhileDown(t *testing.T, p path, gone time.Duration) {
	srv := startInMemory(t)
	e := p.configured(t, srv, settings{retries: restless, timeout: time.Hour})
	down(t, srv)
	start := time.Now()
	wait := inBackground(func() error { return e.export(t.Context()) })
	time.Sleep(gone)
	up(t, srv)
	err := wait()
	if took := time.Since(start); p.grpc() && (err != nil || took < gone) {
		t.Errorf("got %v after %s, want success after %s", err, took, gone)
	}
	if !p.grpc() {
		if gone > 0 {
			wantMention(t, err, "refused")
			otlptest.Exactly(t, srv.Exports(), 0)
		}
		if err != nil {
			err = e.export(t.Context())
		}
		if err != nil {
			t.Errorf("the next export: %v", err)
		}
	}
	wantItems(t, srv, sampleOf(p.signal))
	verify(t, srv, query.MaxAttempts(1), query.DeliveredOnce())
}

// scriptedOutage is the same by a fault, which cuts the export that meets it.
func scriptedOutage(t *testing.T, p path, gone time.Duration) {
	srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(faults.Outage(gone))))
	e := p.configured(t, srv, settings{retries: restless, timeout: time.Hour})
	start := time.Now()
	err := e.export(t.Context())
	took := time.Since(start)
	if retried := p.grpc(); retried != (err == nil) || retried != (took >= gone) || !retried && took != 0 {
		t.Errorf("got %v after %s, want it retried: %t", err, took, retried)
	}
	if err != nil {
		time.Sleep(gone)
		synctest.Wait()
		if err := e.export(t.Context()); err != nil {
			t.Errorf("the next export: %v", err)
		}
	}
	wantItems(t, srv, sampleOf(p.signal))
	exports := otlptest.Exactly(t, srv.Exports(), 2)
	if exports[0].Outcome != query.Cut || exports[1].Arrived.Sub(start) < gone {
		t.Errorf("want it cut, and then nothing for %s:\n%s", gone, srv.Report())
	}
	verify(t, srv, query.AllDelivered(), query.DeliveredOnce(), query.MinGap(gone))
}

// On TCP the exporter may not have noticed yet: one export may be lost with the
// connection, but not a second one.
func restartsOnTCP(t *testing.T, p path) {
	srv := otlptest.Start(t)
	e := p.configured(t, srv, settings{retries: patient, timeout: time.Minute})
	for range 20 {
		before := srv.Exports().Len()
		err := e.export(t.Context())
		if err != nil {
			err = e.export(t.Context())
		}
		if err != nil {
			t.Fatalf("export: %v", err)
		}
		otlptest.Await(t, srv.Exports(), before+1)
		if err := srv.Restart(); err != nil {
			t.Fatal(err)
		}
	}
}

// A connection that dies and comes back, 500 times over: each export is there,
// and what waits for one more says what came.
func reconnectsDoNotFlake(t *testing.T) {
	times := runs(500)
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { reconnect(t, protocol, times) })
		})
	}
}

// reconnect exports each signal in turn, with a restart after each export.
func reconnect(t *testing.T, protocol query.Protocol, times int) {
	srv := startInMemory(t)
	var exporters []exporter
	for _, signal := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
		exporters = append(exporters, path{signal, protocol}.configured(t, srv, settings{retries: restless}))
	}
	for n := range times {
		srv.Reset()
		e := exporters[n%len(exporters)]
		wait := inBackground(func() error { return waitFor(t, srv, 1) })
		if err := errors.Join(e.export(t.Context()), wait()); err != nil {
			t.Fatalf("run %d: %v", n+1, err)
		}
		down(t, srv)
		up(t, srv)
		synctest.Wait()
		otlptest.Exactly(t, srv.Exports(), 1)
	}
	err := waitFor(t, srv, 2)
	for _, text := range []string{"got 1 export in 1m0s, want at least 2", "1 metrics " + string(protocol), "accepted"} {
		wantMention(t, err, text)
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error in its chain", err)
	}
}

func waitFor(t *testing.T, srv *otlptest.Server, exports int) error {
	_, err := srv.Exports().Wait(within(t, time.Minute), exports)
	return err
}
