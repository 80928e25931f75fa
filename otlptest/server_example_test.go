package otlptest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func ExampleServer_Spans() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	for span := range srv.Spans(where.Service("shop")).All() {
		fmt.Println(span.Name, span.Duration())
	}
	// Output:
	// GET /pay 30ms
	// charge 20ms
}

// The ledger of what was tried, with checks on it.
func ExampleServer_Report() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Throttle(time.Second))))
	pay(t, srv)
	pay(t, srv) // at once, although it was asked to wait
	report := srv.Report()
	fmt.Println(len(report.Batches), "batch,", report.Items().Delivered, "spans delivered")
	fmt.Println(report.Verify(query.NoLoss(), query.NoDuplicates()))
	fmt.Println(report.Verify(query.HonoursRetryDelay()) != nil)
	// Output:
	// 1 batch, 2 spans delivered
	// <nil>
	// true
}

func ExampleServer_Faults() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithUnusedFaultsAllowed(),
		otlptest.WithFaults(faults.Sequence(faults.Unavailable()).Times(2), faults.Always(faults.Reject("no")).On(query.Logs)))
	pay(t, srv)
	for _, rule := range srv.Faults() {
		fmt.Println(rule)
	}
	srv.ClearFaults()
	fmt.Println(len(srv.Faults()))
	// Output:
	// unavailable
	// logs: always reject "no"
	// 0
}

// State is what a readiness probe would say.
func ExampleServer_State() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	for _, do := range []func() error{srv.Refuse, srv.Up, srv.Down, srv.Restart, srv.Close} {
		if err := do(); err != nil {
			panic(err)
		}
		fmt.Print(srv.State(), " ")
	}
	// Output: refusing up down up closed
}

func ExampleServer_Reset() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	pay(t, srv)
	srv.Reset()
	fmt.Println(srv.Spans().Len(), srv.Exports().Len(), len(srv.Faults()))
	// Output: 0 0 0
}

func ExampleServer_Setenv() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	srv.Setenv(t, otlptest.HTTPJSON) // before the exporter is made
	fmt.Println(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == srv.HTTPEndpoint(), os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"))
	// Output: true http/json
}

// An exporter over gRPC takes WithTLSCredentials(credentials.NewTLS(srv.ClientTLS())),
// one over HTTP WithTLSClientConfig(srv.ClientTLS()).
func ExampleServer_ClientTLS() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithMutualTLS())
	conn, err := grpc.NewClient(srv.GRPCEndpoint(), grpc.WithTransportCredentials(credentials.NewTLS(srv.ClientTLS())))
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	fmt.Println(srv.HTTPEndpoint()[:8], len(srv.ClientTLS().Certificates))
	// Output: https:// 1
}

func ExampleServer_TLSFiles() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithTLS("backend"))
	ca, cert, key := srv.TLSFiles()
	fmt.Println(filepath.Base(ca), cert == "", key == "")
	// Output: ca.pem true true
}

// An exporter takes grpc.WithContextDialer(srv.DialGRPC) as one of its dial
// options.
func ExampleServer_DialGRPC() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithInMemory())
	conn, err := srv.DialGRPC(context.Background(), srv.GRPCEndpoint())
	if err != nil {
		panic(err)
	}
	fmt.Println(conn.Close())
	// Output: <nil>
}

func ExampleServer_Memory() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithMemoryLimit(500, otlptest.DropOldest))
	for range 5 {
		pay(t, srv)
	}
	m := srv.Memory()
	fmt.Println(m.Kept <= m.Limit, m.Refused, m.Dropped > 0, srv.Exports().Len())
	// Output: true 0 true 5
}

// Answers go in the order of the test's choice.
func ExampleHeld_Release() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	held := srv.Hold()
	answered := make(chan string)
	for i, name := range []string{"first", "second"} {
		go func() { pay(t, srv); answered <- name }()
		if _, err := held.Wait(i + 1); err != nil {
			panic(err)
		}
	}
	for _, i := range []int{1, 0} {
		if err := held.Release(i); err != nil {
			panic(err)
		}
		fmt.Println(<-answered)
	}
	// Output:
	// second
	// first
}

func ExampleHeld_WaitContext() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	exports, err := srv.Hold().WaitContext(ctx, 1)
	fmt.Println(len(exports), context.Cause(ctx) != nil, err != nil)
	// Output: 0 true true
}
