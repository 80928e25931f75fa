package integration_test

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

const many = 200 // servers

func TestServersOfParallelTestsKeepApart(t *testing.T) {
	for i := range many {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			srv := otlptest.Start(t)
			exportSpan(t, srv, i)
			wantOwnSpan(t, srv, i)
		})
	}
}

func TestServersThatRunAtOnceKeepApart(t *testing.T) {
	servers := make([]*otlptest.Server, many)
	for i := range servers {
		servers[i] = otlptest.Start(t)
	}
	var exports sync.WaitGroup
	for i, srv := range servers {
		exports.Go(func() { exportSpan(t, srv, i) })
	}
	exports.Wait()
	for i, srv := range servers {
		wantOwnSpan(t, srv, i)
	}
}

// exportSpan sends the i-th server's span by an official exporter.
func exportSpan(t *testing.T, srv *otlptest.Server, i int) {
	t.Helper()
	e, err := path{query.Traces, protocols[i%len(protocols)]}.newExporter(srv, retries{})
	if err != nil {
		t.Error(err)
		return
	}
	spans := tracetest.SpanStubs{{Name: fmt.Sprint("span ", i)}}.Snapshots()
	if err := e.traces.ExportSpans(context.Background(), spans); err != nil {
		t.Errorf("export %d: %v", i, err)
	}
	if err := e.shutdown(context.Background()); err != nil {
		t.Errorf("shutdown %d: %v", i, err)
	}
}

func wantOwnSpan(t *testing.T, srv *otlptest.Server, i int) {
	t.Helper()
	otlptest.Exactly(t, srv.Spans(), 1)
	otlptest.Exactly(t, srv.Spans(where.Name(fmt.Sprint("span ", i))), 1)
}

func TestAThousandServersLeaveNothingBehind(t *testing.T) {
	for name, opts := range map[string][]otlptest.Option{"tcp": nil, "in memory": {otlptest.WithInMemory()}} {
		t.Run(name, func(t *testing.T) {
			ignored := goleak.IgnoreCurrent()
			for i := range runs(1000) {
				srv := mustStart(t, opts...)
				if i%10 == 0 { // most come and go without a client
					openAndExport(t, srv)
				}
				if err := srv.Close(); err != nil {
					t.Fatalf("close %d: %v", i, err)
				}
			}
			goleak.VerifyNone(t, ignored)
		})
	}
}

// mustStart starts a server that the test closes itself.
func mustStart(t *testing.T, opts ...otlptest.Option) *otlptest.Server {
	t.Helper()
	srv, err := otlptest.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	return srv
}

// openAndExport sends an export by each protocol, and leaves the connections
// open but for the gRPC client's, which would come again.
func openAndExport(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	c := newClient(t, srv)
	for _, protocol := range protocols {
		c.mustSend(t, path{query.Traces, protocol}, spanNamed(t, "a"))
	}
	c.conn.Close()
	otlptest.Exactly(t, srv.Spans(), 2)
}

// spanNamed is the bytes of a request with one span.
func spanNamed(t testing.TB, name string) []byte {
	t.Helper()
	return mustMarshal(t, &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{Name: name}}}},
	}}})
}

const hanging = 25 // exports by each protocol

// hangAll sends exports that hang, and returns when the server has them all.
// The function that it returns waits until the clients have got an error.
func hangAll(t *testing.T, srv *otlptest.Server) (wait func()) {
	t.Helper()
	if err := srv.Inject(faults.Always(faults.Hang())); err != nil {
		t.Fatal(err)
	}
	c := newClient(t, srv)
	var clients sync.WaitGroup
	for i := range 2 * hanging {
		p := path{query.Traces, protocols[i%2]}
		body := spanNamed(t, fmt.Sprint(i))
		clients.Go(func() {
			r, err := c.send(context.Background(), p, body, false)
			if err == nil && r.err() == nil {
				t.Errorf("%s: a hanging export succeeded", p)
			}
		})
	}
	otlptest.Await(t, srv.Exports(), 2*hanging)
	return func() {
		clients.Wait()
		c.conn.Close()
	}
}

// Of several tries the fastest counts: the machine may be busy.
func TestCloseDoesNotWaitForRequestsThatHang(t *testing.T) {
	const limit = 100 * time.Millisecond
	ignored := goleak.IgnoreCurrent()
	fastest := time.Hour
	for try := 0; try < 10 && fastest >= limit; try++ {
		srv := mustStart(t)
		wait := hangAll(t, srv)
		start := time.Now()
		if err := srv.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		fastest = min(fastest, time.Since(start))
		wait()
		wantCut(t, srv)
	}
	if fastest >= limit {
		t.Errorf("Close took %s at best, want less than %s", fastest, limit)
	}
	goleak.VerifyNone(t, ignored)
}

// The bubble would not end while a goroutine is left.
func TestCloseTakesNoVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := mustStart(t, otlptest.WithInMemory())
		wait := hangAll(t, srv)
		start := time.Now()
		if err := srv.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		wait()
		if took := time.Since(start); took != 0 {
			t.Errorf("Close took %s, want 0", took)
		}
		wantCut(t, srv)
	})
}

// wantCut checks that all that hung is on record as ended by the server.
func wantCut(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	exports := otlptest.Exactly(t, srv.Exports(), 2*hanging)
	perProtocol := map[query.Protocol]int{}
	for _, e := range exports {
		perProtocol[e.Protocol]++
		if e.Outcome != query.Cut || e.Answered.IsZero() {
			t.Errorf("got outcome %s, answered at %s, want %s at some time", e, e.Answered, query.Cut)
		}
	}
	if perProtocol[query.GRPC] != hanging || perProtocol[query.HTTPProtobuf] != hanging {
		t.Errorf("got %v, want %d by each", perProtocol, hanging)
	}
}

func TestCloseFreesThePorts(t *testing.T) {
	srv := mustStart(t)
	openAndExport(t, srv)
	addrs := []string{srv.GRPCEndpoint(), srv.HTTPEndpoint()[len("http://"):]}
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	var listeners []net.Listener
	for _, addr := range addrs {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatalf("the port is not free: %v", err)
		}
		defer l.Close()
		listeners = append(listeners, l)
	}
	again := otlptest.Start(t, otlptest.WithListeners(listeners[0], listeners[1]))
	if again.GRPCEndpoint() != addrs[0] || again.HTTPEndpoint() != "http://"+addrs[1] {
		t.Errorf("got endpoints %s and %s, want those of %s", again.GRPCEndpoint(), again.HTTPEndpoint(), addrs)
	}
	openAndExport(t, again)
}

func TestCloseIsIdempotent(t *testing.T) {
	for name, opts := range map[string][]otlptest.Option{"tcp": nil, "in memory": {otlptest.WithInMemory()}} {
		t.Run(name, func(t *testing.T) {
			ignored := goleak.IgnoreCurrent()
			srv := otlptest.Start(t, opts...) // whose cleanup closes once more
			openAndExport(t, srv)
			var closers sync.WaitGroup
			for range 10 {
				closers.Go(func() {
					if err := srv.Close(); err != nil {
						t.Errorf("close: %v", err)
					}
				})
			}
			closers.Wait()
			if err := srv.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			goleak.VerifyNone(t, ignored)
			otlptest.Exactly(t, srv.Spans(where.Name("a")), 2) // what came can still be asked for
		})
	}
}

func TestClientsOfAClosedServerGetErrors(t *testing.T) {
	for name, opts := range map[string][]otlptest.Option{"tcp": nil, "in memory": {otlptest.WithInMemory()}} {
		t.Run(name, func(t *testing.T) {
			srv := mustStart(t, opts...)
			c := newClient(t, srv)
			for _, protocol := range protocols {
				c.mustSend(t, path{query.Traces, protocol}, spanNamed(t, "before"))
			}
			if err := srv.Close(); err != nil {
				t.Fatal(err)
			}
			for _, protocol := range protocols {
				r, err := c.send(context.Background(), path{query.Traces, protocol}, spanNamed(t, "after"), false)
				if err == nil && r.err() == nil {
					t.Errorf("%s: an export to a closed server succeeded", protocol)
				}
			}
			otlptest.Exactly(t, srv.Spans(), 2)
		})
	}
}
