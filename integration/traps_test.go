package integration_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// The context of a test is over when its cleanups run. (Of metrics: providers of
// traces and logs do not even stop their processors then, and cannot be asked
// again.)
func TestACleanupThatShutsDownWithTheContextOfTheTestExportsNothing(t *testing.T) {
	for name, test := range map[string]struct {
		context func(*testing.T) context.Context
		exports int
	}{
		"the test's":       {(*testing.T).Context, 0},
		"one that goes on": {func(*testing.T) context.Context { return context.Background() }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, protocol := range protocols {
				srv := otlptest.Start(t)
				t.Run(string(protocol), func(t *testing.T) {
					shutdown := recordOne(t, path{query.Metrics, protocol}.configured(t, srv, settings{}))
					t.Cleanup(func() {
						if err := shutdown(test.context(t)); (err == nil) != (test.exports == 1) {
							t.Errorf("got %v from the shutdown", err)
						}
					})
				})
				otlptest.Exactly(t, srv.Exports(), test.exports)
			}
		})
	}
}

// While a server does not read, it notices a client that gives up, but over
// HTTP/1.1 only where it could take in the whole body meanwhile. Of a longer one
// it learns when it reads, or never: all of it may have come.
func TestAClientThatGivesUpBeforeItsBodyIsRead(t *testing.T) {
	const wait, timeout = 5 * time.Minute, 10 * time.Second
	for _, test := range []struct {
		protocol query.Protocol
		size     int
		ends     time.Duration
	}{
		{query.GRPC, 10_000, timeout},
		{query.GRPC, 5_000_000, timeout},
		{query.HTTPProtobuf, 10_000, timeout},
		{query.HTTPProtobuf, 100_000, wait},
		{query.HTTPProtobuf, 5_000_000, wait},
	} {
		synctest.Test(t, func(t *testing.T) {
			srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(faults.Accept().ReadAfter(wait))))
			e := path{query.Traces, test.protocol}.configured(t, srv, settings{timeout: timeout})
			start := time.Now()
			err := e.traces.ExportSpans(t.Context(), tracetest.SpanStubs{{Name: strings.Repeat("x", test.size)}}.Snapshots())
			if took := time.Since(start); err == nil || took != timeout {
				t.Errorf("%s, %d bytes: got %v after %s, want an error after %s", test.protocol, test.size, err, took, timeout)
			}
			time.Sleep(wait)
			x := otlptest.One(t, srv.Exports())
			if took := x.Answered.Sub(start); took != test.ends || test.ends == timeout && x.Outcome != query.Abandoned {
				t.Errorf("%s, %d bytes: got %s, ended after %s, want %s", test.protocol, test.size, x, took, test.ends)
			}
		})
	}
}

// C-10: whoever cannot connect must try again. Over gRPC the exporters do; over
// HTTP they give up at once, since net/http calls no refusal temporary.
func TestAServerThatIsNotThereYet(t *testing.T) {
	const there = 2 * time.Second
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t)
		if err := srv.Down(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(there, func() { srv.Up() })
		start := time.Now()
		err := p.configured(t, srv, settings{retries: upToHalfASecond}).export(t.Context())
		took := time.Since(start)
		if departs := !p.grpc(); (err != nil) != departs || departs && took != 0 || !departs && took < there {
			t.Errorf("got %v after %s, want an error at once over HTTP, and none over gRPC", err, took)
		}
		time.Sleep(there)
		if p.grpc() {
			wantItems(t, srv, sampleOf(p.signal))
			return
		}
		otlptest.Exactly(t, srv.Exports(), 0)
	})
}
