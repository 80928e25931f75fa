package integration_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// patience is how long a client waits that gives up.
const patience = 7 * time.Second

func TestAnExportThatItsClientGivesUpIsAbandoned(t *testing.T) {
	for name, fault := range map[string]faults.Fault{
		"while it hangs":          faults.Hang(),
		"before a slow answer":    faults.Accept().After(time.Minute),
		"before it is throttled":  faults.Throttle(time.Second).After(time.Minute),
		"although data is stored": faults.Hang().Stored(),
	} {
		t.Run(name, func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) { giveUp(t, p, fault) })
		})
	}
}

func giveUp(t *testing.T, p path, fault faults.Fault) {
	srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(fault)))
	e := newExporter(t, srv, p, patient)
	start := time.Now()
	if err := e.export(within(t, patience)); err == nil {
		t.Error("the export succeeded")
	}
	if got := time.Since(start); got != patience {
		t.Errorf("the exporter gave up after %s, want %s", got, patience)
	}
	synctest.Wait() // until the server has noticed
	got := otlptest.Exactly(t, srv.Exports(), 1)[0]
	if got.Outcome != query.Abandoned || !got.Answered.Equal(start.Add(patience)) {
		t.Errorf("got %s, ended after %s, want %q after %s", got, got.Answered.Sub(start), query.Abandoned, patience)
	}
	if got.Status != (query.Status{}) || got.Throttled {
		t.Errorf("got status %s, throttled %t for an export without an answer", got.Status, got.Throttled)
	}
	if p.grpc() && !got.Deadline.Equal(start.Add(patience)) {
		t.Errorf("got deadline %s, want %s", got.Deadline, start.Add(patience))
	}
	deliveries := 0
	if fault.Accepts() || fault.Keep {
		deliveries = 1
	}
	b := onlyBatch(t, srv)
	if b.Deliveries() != deliveries || b.Acknowledged() || stored(srv, p.signal) != deliveries*got.Items {
		t.Errorf("want %d deliveries and no acknowledgement:\n%s", deliveries, srv.Report())
	}
	if err := e.export(t.Context()); err != nil {
		t.Errorf("the next export: %v", err)
	}
	if b := onlyBatch(t, srv); len(b.Attempts()) != 2 || !b.Acknowledged() {
		t.Errorf("want the next export to continue the batch:\n%s", srv.Report())
	}
}

// A client that has no deadline of its own is freed by the hang limit.
func TestTheHangLimitEndsAHang(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t, otlptest.WithHangLimit(time.Hour), otlptest.WithFaults(faults.Sequence(faults.Hang())))
		start := time.Now()
		if err := newExporter(t, srv, p, patient).export(t.Context()); err != nil {
			t.Fatal(err)
		}
		attempts := onlyBatch(t, srv).Attempts()
		if len(attempts) != 2 || attempts[0].Outcome != query.Refused || attempts[0].Answered.Sub(start) != time.Hour {
			t.Errorf("want a refusal after an hour and a retry:\n%s", srv.Report())
		}
	})
}

// What a client left is recorded, with as much of it as had come.
func TestAnHTTPRequestThatEndsBeforeItsBodyIsAbandoned(t *testing.T) {
	for name, test := range map[string]struct {
		head, body string
		wire       int // how much of the body the server read
	}{
		"of a known length": {"Content-Length: 1000\r\n", "0123456789", 10},
		"chunked":           {"Transfer-Encoding: chunked\r\n", "4\r\n0123\r\n8\r\n", 4},
		"gzip":              {"Content-Length: 1000\r\nContent-Encoding: gzip\r\n", "\x1f\x8b", 2},
		"without a body":    {"Content-Length: 1\r\n", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := startInMemory(t)
				addr := strings.TrimPrefix(srv.HTTPEndpoint(), "http://")
				conn, err := srv.DialGRPC(t.Context(), addr)
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				fmt.Fprintf(conn, "POST /v1/logs HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-protobuf\r\n%s\r\n%s", addr, test.head, test.body)
				time.Sleep(time.Minute)
				otlptest.Exactly(t, srv.Exports(), 0)
				conn.Close()
				e := otlptest.One(t, srv.Exports())
				if e.Outcome != query.Abandoned || e.Signal != query.Logs || e.Answered.Sub(e.Arrived) != time.Minute {
					t.Errorf("got %s, ended after %s, want %q after a minute", e, e.Answered.Sub(e.Arrived), query.Abandoned)
				}
				if e.WireSize != test.wire || e.Items != 0 {
					t.Errorf("got wire size %d and %d items, want %d and 0", e.WireSize, e.Items, test.wire)
				}
				wantNothing(t, srv)
			})
		})
	}
}

func TestAGRPCCallThatEndsBeforeItsMessageIsAbandoned(t *testing.T) {
	for name, end := range map[string]func(context.CancelFunc, *grpc.ClientConn){
		"by cancelling":  func(cancel context.CancelFunc, _ *grpc.ClientConn) { cancel() },
		"by hanging up":  func(_ context.CancelFunc, conn *grpc.ClientConn) { conn.Close() },
		"by its timeout": func(context.CancelFunc, *grpc.ClientConn) { time.Sleep(patience) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := startInMemory(t)
				conn := newClient(t, srv).conn
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				desc := &grpc.StreamDesc{ClientStreams: true}
				if _, err := conn.NewStream(ctx, desc, method(query.Metrics)); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				otlptest.Exactly(t, srv.Exports(), 0)
				end(cancel, conn)
				e := otlptest.One(t, srv.Exports())
				if e.Outcome != query.Abandoned || e.Signal != query.Metrics || e.Protocol != query.GRPC || e.Answered.IsZero() {
					t.Errorf("got %s, answered %s, want %q", e, e.Answered, query.Abandoned)
				}
				wantNothing(t, srv)
			})
		})
	}
}

// wantNothing checks that nothing is stored.
func wantNothing(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	if n := srv.Spans().Len() + srv.Points().Len() + srv.Logs().Len(); n != 0 {
		t.Errorf("got %d items stored, want none", n)
	}
	for e := range srv.Exports().All() {
		if e.Stored != 0 {
			t.Errorf("got %d items stored of %s, want none", e.Stored, e)
		}
	}
}
