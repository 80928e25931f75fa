package integration_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// timeouts are those that exporters are configured with.
var timeouts = []time.Duration{300 * time.Millisecond, 10 * time.Second, time.Minute}

// silences are the ways to give no answer in time.
var silences = map[string]faults.Fault{
	"hang":             faults.Hang(),
	"hang before body": faults.Hang().BeforeReading(),
	"slow":             faults.Unavailable().After(9 * time.Minute),
	"slow reader":      faults.Unavailable().ReadAfter(9 * time.Minute),
	"black hole":       faults.Blackhole(),
}

// The exporters over HTTP send again what met their timeout, and it is there
// once.
//
// What the official exporters do otherwise today: over gRPC their timeout is
// that of all attempts, so that there is one, and the batch is lost. Over
// HTTP/2 net/http does not notice that a connection is dead: all attempts go
// into the black hole.
func timeoutsAreRetried(t *testing.T) {
	for name, fault := range silences {
		t.Run(name, func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) {
				if p.grpc() {
					lostToTheTimeout(t, p, fault)
					return
				}
				retriedAfterTimeout(t, p, fault)
			})
			t.Run("http2", func(t *testing.T) {
				p := path{query.Traces, query.HTTPProtobuf}
				synctest.Test(t, func(t *testing.T) {
					if fault.Kind == faults.KindBlackhole {
						lostInABlackHole(t, p)
						return
					}
					retriedAfterTimeout(t, p, fault, otlptest.WithTLS())
				})
			})
		})
	}
}

func retriedAfterTimeout(t *testing.T, p path, fault faults.Fault, opts ...otlptest.Option) {
	for _, timeout := range timeouts {
		srv := startInMemory(t, append(opts, otlptest.WithFaults(faults.Sequence(fault)))...)
		start := time.Now()
		if err := p.configured(t, srv, settings{retries: patient, timeout: timeout}).export(t.Context()); err != nil {
			t.Errorf("export: %v", err)
		}
		if took := time.Since(start); took < timeout || took > timeout+2*patient.MaxInterval {
			t.Errorf("got an export of %s, want %s and a little", took, timeout)
		}
		synctest.Wait()
		wantItems(t, srv, sampleOf(p.signal))
		exports := otlptest.Exactly(t, srv.Exports(), 2)
		if exports[0].Outcome != query.Abandoned || exports[1].Outcome != query.Accepted {
			t.Errorf("want an attempt that is given up, and one that is accepted:\n%s", srv.Report())
		}
		verify(t, srv, query.AllDelivered(), query.DeliveredOnce())
	}
}

func lostToTheTimeout(t *testing.T, p path, fault faults.Fault) {
	for _, timeout := range timeouts {
		srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(fault)))
		start := time.Now()
		err := p.configured(t, srv, settings{retries: patient, timeout: timeout}).export(t.Context())
		wantMention(t, err, "exporter export timeout")
		if took := time.Since(start); took != timeout {
			t.Errorf("got an export of %s, want %s", took, timeout)
		}
		synctest.Wait()
		otlptest.Exactly(t, srv.Exports(), 1)
		wantNothing(t, srv)
	}
}

// The hang limit ends it, after which the exporter gives up.
func lostInABlackHole(t *testing.T, p path) {
	srv := startInMemory(t, otlptest.WithTLS(), otlptest.WithHangLimit(5*time.Minute), otlptest.WithFaults(faults.Sequence(faults.Blackhole())))
	start := time.Now()
	if err := p.configured(t, srv, settings{retries: patient}).export(t.Context()); err == nil {
		t.Error("the export succeeded")
	}
	if took := time.Since(start); took != 5*time.Minute {
		t.Errorf("got an export of %s, want 5m", took)
	}
	otlptest.Exactly(t, srv.Exports(), 1)
	wantNothing(t, srv)
}

// C-39: an export ends in the configured time, whatever the backend does. Over
// gRPC the backend knows when; over HTTP no header says so.
func exportsHaveADeadline(t *testing.T) {
	for name, fault := range silences {
		t.Run(name, func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) {
				for _, timeout := range timeouts {
					endsInTime(t, p, fault, timeout)
				}
			})
		})
	}
	t.Run("of nobody's", callsWithoutADeadlineAreOnRecord)
}

func endsInTime(t *testing.T, p path, fault faults.Fault, timeout time.Duration) {
	srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(fault)))
	e := p.configured(t, srv, settings{timeout: timeout})
	start := time.Now()
	if err := e.export(context.Background()); err == nil {
		t.Error("the export succeeded")
	}
	if took := time.Since(start); took != timeout {
		t.Errorf("got an export of %s, want %s", took, timeout)
	}
	synctest.Wait()
	got := otlptest.One(t, srv.Exports())
	want := time.Time{}
	if p.grpc() {
		want = start.Add(timeout)
	}
	if !got.Deadline.Equal(want) {
		t.Errorf("got deadline %s, want %s", got.Deadline, want)
	}
	if got.Outcome != query.Abandoned || !got.Answered.Equal(start.Add(timeout)) {
		t.Errorf("got %s, ended after %s, want it given up after %s", got, got.Answered.Sub(start), timeout)
	}
}

// A client that would block for ever is told from others by its record, and is
// freed by the hang limit.
func callsWithoutADeadlineAreOnRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := startInMemory(t, otlptest.WithHangLimit(time.Hour), otlptest.WithFaults(faults.Sequence(faults.Hang())))
		c := newClient(t, srv)
		start := time.Now()
		if r := c.sendGRPC(context.Background(), query.Logs, mustMarshal(t, sampleOf(query.Logs).data), false); code(r.status) != codes.Unavailable {
			t.Errorf("got %v, want UNAVAILABLE", r.status)
		}
		if took := time.Since(start); took != time.Hour {
			t.Errorf("got an answer after %s, want 1h", took)
		}
		endless := where.Func("no deadline", func(e query.Export) bool { return e.Protocol == query.GRPC && e.Deadline.IsZero() })
		otlptest.Exactly(t, srv.Exports(endless), 1)
	})
}

// Close ends what hangs at once, whatever it hangs in: the exporters get an
// error, and no goroutine is left.
func closeEndsWhatHangs(t *testing.T) {
	for name, fault := range silences {
		t.Run(name, func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) {
				closeWhile(t, p, func(srv *otlptest.Server) error { return srv.Inject(faults.Sequence(fault)) })
			})
		})
	}
	t.Run("held", func(t *testing.T) {
		eachPathInBubble(t, func(t *testing.T, p path) {
			closeWhile(t, p, func(srv *otlptest.Server) error { srv.Hold(); return nil })
		})
	})
	t.Run("tcp", closeLeavesNothing)
}

// closeWhile closes a server while it keeps an exporter waiting. The bubble
// would not end while a goroutine is left.
func closeWhile(t *testing.T, p path, hang func(*otlptest.Server) error) {
	srv := startInMemory(t)
	if err := hang(srv); err != nil {
		t.Fatal(err)
	}
	e := p.configured(t, srv, settings{timeout: time.Hour})
	wait := inBackground(func() error { return e.export(context.Background()) })
	time.Sleep(time.Second)
	start := time.Now()
	if err := srv.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := wait(); err == nil {
		t.Error("the export succeeded")
	}
	if took := time.Since(start); took != 0 {
		t.Errorf("got an end after %s, want it at once", took)
	}
	for e := range srv.Exports().All() {
		if e.Outcome != query.Cut || e.Answered.IsZero() {
			t.Errorf("got %s, want it cut", e)
		}
	}
}

// closeLeavesNothing is closeWhile on TCP, for all paths at once.
func closeLeavesNothing(t *testing.T) {
	leaks := noLeaks(t)
	srv := mustStart(t, otlptest.WithFaults(faults.Always(faults.Hang())))
	var waits []func() error
	var exporters []exporter
	for _, p := range paths {
		e, err := p.newExporter(srv, retries{})
		if err != nil {
			t.Fatal(err)
		}
		exporters = append(exporters, e)
		waits = append(waits, inBackground(func() error { return e.export(context.Background()) }))
	}
	otlptest.Await(t, srv.Exports(), len(paths))
	if err := srv.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	for i, wait := range waits {
		if err := wait(); err == nil {
			t.Errorf("%s: the export succeeded", paths[i])
		}
		if err := exporters[i].shutdown(context.Background()); err != nil {
			t.Error(fmt.Errorf("%s: shutdown: %w", paths[i], err))
		}
	}
	leaks()
}
