package otlptest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// exampleT stands for a test's *testing.T: it prints a failure and runs the
// cleanups when it is done.
type exampleT struct {
	testing.TB
	cleanups []func()
}

func (t *exampleT) Helper()                      {}
func (t *exampleT) Name() string                 { return "TestCharge" }
func (t *exampleT) Context() context.Context     { return context.Background() }
func (t *exampleT) Failed() bool                 { return false }
func (t *exampleT) Cleanup(f func())             { t.cleanups = append(t.cleanups, f) }
func (t *exampleT) TempDir() string              { return os.TempDir() }
func (t *exampleT) Setenv(name, value string)    { t.Cleanup(restore(name)); os.Setenv(name, value) }
func (t *exampleT) Logf(s string, args ...any)   { fmt.Printf(s+"\n", args...) }
func (t *exampleT) Errorf(s string, args ...any) { fmt.Printf(s+"\n", args...) }
func (t *exampleT) Fatalf(s string, args ...any) { fmt.Printf(s+"\n", args...) }
func (t *exampleT) Error(args ...any)            { fmt.Println(args...) }
func (t *exampleT) Fatal(args ...any)            { fmt.Println(args...) }

// restore sets a variable to what it is now.
func restore(name string) func() {
	value, is := os.LookupEnv(name)
	return func() {
		if os.Setenv(name, value); !is {
			os.Unsetenv(name)
		}
	}
}

func (t *exampleT) done() {
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
}

// pay is the code under test: it exports two spans, one below the other, to
// where it is told.
func pay(t testing.TB, srv *otlptest.Server) {
	deliver(t, srv, traces(
		took(made("GET /pay", 1, 0, "http.request.method", "GET"), 30*time.Millisecond),
		took(made("charge", 2, 1, "order.id", 17), 20*time.Millisecond)))
}

// In a test t is its *testing.T, and pay the code under test, whose exporter is
// pointed at the server.
func ExampleStart() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	span := otlptest.One(t, srv.Spans(where.Name("charge"), where.Service("shop")))
	fmt.Println(span.Name, span.Attrs.Get("order.id"), span.Duration())
	// Output: charge 17 20ms
}

func ExampleNew() {
	srv, err := otlptest.New(otlptest.WithOnePort())
	if err != nil {
		panic(err)
	}
	defer srv.Close()
	fmt.Println("http://"+srv.GRPCEndpoint() == srv.HTTPEndpoint())
	// Output: true
}

// A failure says what came closest and where it differs.
func ExampleAwait() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithWaitTimeout(20*time.Millisecond))
	pay(t, srv)
	spans := otlptest.Await(t, srv.Spans(where.Service("shop")), 2)
	fmt.Println(len(spans), "spans")
	_, err := srv.Spans(where.Attr("order.id", "17")).Wait(over(), 1)
	fmt.Println(strings.Split(err.Error(), "\n")[1])
	// Output:
	// 2 spans
	//   closest  #2 charge  service=shop  attr.order.id: got 17 (int), want "17" (string)
}

// over is a context that is over.
func over() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func ExampleOne() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	span := otlptest.One(t, srv.Spans(where.Attr("order.id", where.AtLeast(10)), where.Child(where.Name("GET /pay"))))
	fmt.Println(span.Name, span.Kind)
	// Output: charge server
}

// Exactly does not wait: the provider is flushed before.
func ExampleExactly() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	otlptest.Exactly(t, srv.Exports(where.Outcome(query.Accepted)), 1)
	otlptest.Exactly(t, srv.Spans(where.Name("refund")), 0)
	otlptest.Exactly(t, srv.Spans(where.Name("charge")), 2)
	// Output:
	// otlptest: Exactly: got 1 span, want exactly 2 where name="charge"
	//   match    #2 charge  service=shop
	//   closest  #1 GET /pay  service=shop  name: got "GET /pay", want "charge"
	//   exports  1 traces http/protobuf 2 spans accepted
	//   hint     Exactly does not wait: flush the provider before, or use Await
}

func ExampleNever() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	otlptest.Never(t, srv.Spans(where.Name("GET /health")), 10*time.Millisecond)
	fmt.Println("health checks are not traced")
	// Output: health checks are not traced
}

// OTLPTEST_UPDATE=1 in the environment writes the file.
func ExampleGolden() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	otlptest.Golden(t, srv.Spans(), filepath.Join("testdata", "example.golden"), otlptest.RedactAttr("order.id"))
	text, err := os.ReadFile(filepath.Join("testdata", "example.golden"))
	if err != nil {
		panic(err)
	}
	fmt.Print(string(text))
	// Output:
	// span "GET /pay" server
	//   trace 1 span 1
	//   resource service.name="shop" scope "shop/pay"
	//   attributes http.request.method="GET"
	// span "charge" server
	//   trace 1 parent 1 span 2
	//   resource service.name="shop" scope "shop/pay"
	//   attributes order.id=…
}

func ExampleHasShape() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	trace := otlptest.HasShape(t, srv.Traces(), query.Shape("GET /pay", query.Shape("charge")))
	fmt.Println(trace.Len(), "spans in", trace.Duration())
	// Output: 2 spans in 30ms
}

func ExampleServer_Points() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	deliver(t, srv, metrics(sum("jobs", delta, intPoint(3)), sum("jobs", delta, intPoint(4))))
	points := otlptest.Await(t, srv.Points(where.Name("jobs"), where.Temporality(query.Delta)), 2)
	fmt.Println(points[0].Value, points[1].Value)
	// Output: 3 4
}

func ExampleServer_Logs() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	deliver(t, srv, logs(goodRecord()))
	log := otlptest.One(t, srv.Logs(where.Severity(query.SeverityInfo), where.Body(where.Contains("paid"))))
	fmt.Println(log.Severity, log.Body)
	// Output: info "paid"
}

func ExampleServer_Exports() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Unavailable())))
	pay(t, srv)
	pay(t, srv)
	for e := range srv.Exports(where.Name("charge")).All() {
		fmt.Println(e)
	}
	// Output:
	// 1 traces http/protobuf 2 spans 503 UNAVAILABLE (fault 1 of 1)
	// 2 traces http/protobuf 2 spans accepted
}

func ExampleServer_Inject() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	if err := srv.Inject(faults.Sequence(faults.Throttle(30*time.Second), faults.Reject("no")).On(query.Traces)); err != nil {
		panic(err)
	}
	pay(t, srv)
	for _, rule := range srv.PendingFaults() {
		fmt.Println("not met yet:", rule)
	}
	pay(t, srv)
	fmt.Println(len(srv.PendingFaults()))
	// Output:
	// not met yet: traces: reject "no"
	// 0
}

func ExampleServer_Hold() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	held := srv.Hold()
	shutdown := make(chan struct{})
	go func() { pay(t, srv); close(shutdown) }()
	exports, err := held.Wait(1)
	if err != nil {
		panic(err)
	}
	fmt.Println(exports[0].Items, "spans are here, and the client waits")
	held.ReleaseAll()
	<-shutdown
	// Output: 2 spans are here, and the client waits
}

// The server is gone, and back at the same address.
func ExampleServer_Down() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	if err := srv.Down(); err != nil {
		panic(err)
	}
	_, err := srv.HTTPClient().Get(srv.HTTPEndpoint())
	fmt.Println(err != nil)
	if err := srv.Up(); err != nil {
		panic(err)
	}
	pay(t, srv)
	fmt.Println(srv.Spans().Len())
	// Output:
	// true
	// 2
}

func ExampleServer_Violations() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	span := made("charge", 2, 0)
	span.ParentSpanId = make([]byte, 8)
	deliver(t, srv, traces(span))
	for v := range srv.Violations(where.Rule("S-40")).All() {
		fmt.Println(v.Item, v.Got, "/", v.Doc)
	}
	// Output: charge 8 zero bytes / A parent's id has 8 bytes that are not all zero, and a root span has none.
}

func ExampleServer_Connections() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	pay(t, srv)
	for c := range srv.Connections().All() {
		fmt.Println(c, c.Requests)
	}
	// Output: connection 1 (Go-http-client/1.1) 2
}

// Subtests that share a server see only what is theirs.
func ExampleServer_Mark() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	since := where.Since(srv.Mark())
	pay(t, srv)
	fmt.Println(srv.Spans(since).Len(), "of", srv.Spans().Len())
	// Output: 2 of 4
}

// The environment of another process, whose SDK then exports here:
//
//	cmd.Env = append(os.Environ(), srv.Env(otlptest.GRPC)...)
func ExampleServer_Env() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	for _, kv := range srv.Env(otlptest.HTTPProtobuf)[:2] {
		fmt.Println(strings.ReplaceAll(kv, srv.HTTPEndpoint(), "http://127.0.0.1:PORT"))
	}
	// Output:
	// OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:PORT
	// OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
}

func ExampleServer_WriteJSONL() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	deliver(t, srv, metrics(gauge("jobs", intPoint(3))))
	var lines strings.Builder
	if err := srv.WriteJSONL(&lines, query.Metrics); err != nil {
		panic(err)
	}
	fmt.Println(strings.Count(lines.String(), "\n"), strings.Contains(lines.String(), `"name":"jobs"`))
	// Output: 1 true
}
