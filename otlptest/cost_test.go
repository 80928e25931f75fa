package otlptest_test

import (
	"net"
	"runtime"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// The tests in this file fail on a gross loss of what the server is built for:
// that it costs less than what it measures. They count allocations and bytes,
// which are the same on every machine, and never look at the clock. The limits
// leave room for other versions of Go and grpc-go.

// way is how exports come.
type way struct {
	via    query.Protocol
	zipped bool
	allocs float64 // the most for an export
}

var ways = []way{
	{query.GRPC, false, 140}, // most of them grpc-go's
	{query.GRPC, true, 160},
	{query.HTTPProtobuf, false, 50}, // most of them net/http's
	{query.HTTPProtobuf, true, 60},
}

func (w way) String() string {
	if w.zipped {
		return string(w.via) + " gzip"
	}
	return string(w.via)
}

// encoded is the body as it is sent.
func (w way) encoded(body []byte) []byte {
	if w.zipped {
		return zip(body)
	}
	return body
}

func skipUnderRace(t *testing.T) {
	t.Helper()
	if underRace {
		t.Skip("the race detector allocates, and empties pools")
	}
}

func TestAnExportCostsFewAllocations(t *testing.T) {
	skipUnderRace(t)
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			srv := otlptest.Start(t)
			client := newFrugal(t, srv, w.via, w.zipped)
			body := w.encoded(batchOf(t, 0, 20, 4))
			got := testing.AllocsPerRun(200, func() { client.export(body) })
			t.Logf("%v allocations", got)
			if got > w.allocs {
				t.Errorf("got %v allocations for an export, want at most %v", got, w.allocs)
			}
		})
	}
}

// A request of more spans comes in more frames, and in more blocks of deflate,
// for which compress/flate makes tables. That is all.
func TestNothingIsAllocatedForASpan(t *testing.T) {
	skipUnderRace(t)
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			srv := otlptest.Start(t)
			client := newFrugal(t, srv, w.via, w.zipped)
			few, many := w.encoded(batchOf(t, 0, 10, 1)), w.encoded(batchOf(t, 0, 400, 1))
			for range 20 { // until buffers have grown
				client.export(many)
			}
			base := testing.AllocsPerRun(100, func() { client.export(few) })
			got := testing.AllocsPerRun(100, func() { client.export(many) })
			t.Logf("%v allocations for 10 spans, %v for 400", base, got)
			const frames, tables = 20, 150
			most := base + frames
			if w.zipped {
				most += tables
			}
			if got > most {
				t.Errorf("got %v allocations for 400 spans and %v for 10, want about the same", got, base)
			}
		})
	}
}

// What is kept of an export is its bytes and little more, and what is allocated
// on the way is not much more than that.
func TestAnExportTakesTheMemoryOfItsBytes(t *testing.T) {
	skipUnderRace(t)
	const exports = 400
	for _, w := range ways {
		t.Run(w.String(), func(t *testing.T) {
			srv := otlptest.Start(t)
			client := newFrugal(t, srv, w.via, w.zipped)
			wire, bodies := 0, make([][]byte, 20)
			for i := range bodies {
				bodies[i] = batchOf(t, i, 100, 4)
				wire += len(bodies[i]) * exports / len(bodies)
				bodies[i] = w.encoded(bodies[i])
				client.export(bodies[i])
			}
			srv.Reset()
			before := memory()
			for i := range exports {
				client.export(bodies[i%len(bodies)])
			}
			after := memory()
			kept := float64(after.HeapAlloc-before.HeapAlloc) / float64(wire)
			made := float64(after.TotalAlloc-before.TotalAlloc) / float64(wire)
			t.Logf("kept %.3f, allocated %.3f bytes for each of the wire", kept, made)
			if kept > 1.1 {
				t.Errorf("got %.3f kept bytes for each of the uncompressed wire, want at most 1.1", kept)
			}
			if made > 1.6 {
				t.Errorf("got %.3f allocated bytes for each of the uncompressed wire, want at most 1.6", made)
			}
			runtime.KeepAlive(srv)
			runtime.KeepAlive(client)
			runtime.KeepAlive(bodies)
		})
	}
}

// memory is what the heap holds once it is swept.
func memory() (m runtime.MemStats) {
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m
}

// A server that nobody uses has a goroutine for gRPC, and one for HTTP from when
// somebody asks for its address.
func TestAServerStartsAGoroutineForEachPortThatIsAskedFor(t *testing.T) {
	before := runtime.NumGoroutine()
	srv := otlptest.Start(t)
	if got := runtime.NumGoroutine() - before; got > 1 {
		t.Errorf("got %d more goroutines, want 1", got)
	}
	srv.HTTPEndpoint()
	srv.HTTPEndpoint()
	if got := runtime.NumGoroutine() - before; got > 2 {
		t.Errorf("with HTTP: got %d more goroutines, want 2", got)
	}
}

func TestHTTPIsAskedForAfterClose(t *testing.T) {
	srv := otlptest.Start(t)
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", nil); err == nil {
		t.Error("got an answer of a server that is closed")
	}
}

// To start and stop a server costs little beside what grpc-go's alone does.
func TestAServerCostsFewAllocations(t *testing.T) {
	skipUnderRace(t)
	const most, mostBytes = 500, 128 << 10
	run := func() {
		srv, err := otlptest.New()
		if err != nil {
			t.Fatal(err)
		}
		if err := srv.Close(); err != nil {
			t.Fatal(err)
		}
	}
	run()
	before := memory()
	got := testing.AllocsPerRun(20, run)
	after := memory()
	bytes := (after.TotalAlloc - before.TotalAlloc) / 21
	t.Logf("%v allocations of %d bytes; grpc-go alone %v", got, bytes, testing.AllocsPerRun(20, func() { _, stop := startBare(t); stop() }))
	if got > most || bytes > mostBytes {
		t.Errorf("got %v allocations of %d bytes, want at most %d of %d", got, bytes, most, mostBytes)
	}
}

// startBare starts a server of grpc-go that accepts everything, and keeps
// nothing.
func startBare(tb testing.TB) (addr string, stop func()) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		var m tracepb.TracesData
		if err := stream.RecvMsg(&m); err != nil {
			return err
		}
		return stream.SendMsg(new(tracepb.TracesData))
	}))
	served := make(chan error)
	go func() { served <- s.Serve(l) }()
	return l.Addr().String(), func() {
		s.Stop()
		<-served
	}
}

// Asking for violations and the ledger allocates nothing for spans with which
// nothing is wrong, and makes no content keys where bytes tell exports apart or
// show that they are equal.
func TestAskingCostsFewAllocations(t *testing.T) {
	skipUnderRace(t)
	const exports, most = 50, 35 // for each of them; a key takes more than 20
	ask := func(spans, different int) float64 {
		srv := otlptest.Start(t)
		client := newFrugal(t, srv, query.HTTPProtobuf, false)
		for i := range exports {
			client.export(batchOf(t, i%different, spans, 4))
		}
		before := memory()
		srv.Violations().Len() // for the first time, unlike in testing.AllocsPerRun
		srv.Report()
		return float64(memory().Mallocs-before.Mallocs) / exports
	}
	for _, different := range []int{exports, 5} {
		few, many := ask(2, different), ask(200, different)
		t.Logf("%v allocations for an export of 2 spans, %v for one of 200, if %d of %d differ", few, many, different, exports)
		if many > most || many > few+5 {
			t.Errorf("got %v allocations for an export of 200 spans and %v for one of 2, want the same and at most %d", many, few, most)
		}
	}
}
