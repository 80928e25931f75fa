package otlptest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestHeldAnswersGoInTheOrderOfTheirRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		held := srv.Hold(where.Not(where.Name("free")))
		answered := make(chan string, 3)
		for _, name := range []string{"a", "b", "c"} {
			go func() {
				send(t, srv, span(name))
				answered <- name
			}()
			synctest.Wait()
		}
		exports, err := held.Wait(3)
		if err != nil {
			t.Fatal(err)
		}
		if got := srv.Report().Peak(); got != 3 {
			t.Errorf("got a peak of %d requests, want 3", got)
		}
		for _, e := range exports {
			if e.Outcome != query.Open || e.Stored != 1 {
				t.Errorf("got export %s with %d stored, want it open and stored", e, e.Stored)
			}
		}
		send(t, srv, span("free"))
		for _, i := range []int{2, 0, 1} {
			if err := held.Release(i); err != nil {
				t.Fatal(err)
			}
			if got, want := <-answered, "abc"[i:i+1]; got != want {
				t.Errorf("got the answer to %s, want that to %s", got, want)
			}
		}
		held.ReleaseAll()
		send(t, srv, span("afterwards"))
		otlptest.Exactly(t, srv.Exports(where.Func("accepted", func(e query.Export) bool { return e.Outcome == query.Accepted })), 5)
	})
}

func TestAHoldEndsWithItsClientAndWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		held := srv.Hold()
		body, err := proto.Marshal(traces(span("a")))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			dialBare(t, srv, srv.GRPCEndpoint()).http2(t).request("/opentelemetry.proto.collector.trace.v1.TraceService/Export", "application/grpc", append([]byte{0, 0, 0, 0, byte(len(body))}, body...))
		}
		if _, err := held.Wait(2); err != nil {
			t.Fatal(err)
		}
		if err := srv.Close(); err != nil {
			t.Fatal(err)
		}
		for e := range srv.Exports().All() {
			if e.Outcome != query.Cut {
				t.Errorf("got export %s, want it cut", e)
			}
		}
	})
}

func TestEveryHoldSeesAnExportAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		first, second := srv.Hold(), srv.Hold()
		answered := make(chan int)
		go func() { answered <- send(t, srv, span("a")) }()
		for _, h := range []*otlptest.Held{first, second} {
			if _, err := h.Wait(1); err != nil {
				t.Error(err)
			}
		}
		second.ReleaseAll()
		synctest.Wait()
		select {
		case <-answered:
			t.Error("the answer went although one hold keeps it back")
		default:
		}
		first.ReleaseAll()
		<-answered
	})
}

func TestWaitingForHeldAnswersEndsWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		held := srv.Hold()
		time.AfterFunc(time.Second, func() { srv.Close() })
		start := time.Now()
		_, err := held.Wait(1)
		const want = "otlptest: Held.Wait: got 0 held until the server was closed, want at least 1"
		if took := time.Since(start); !errors.Is(err, query.ErrClosed) || err.Error() != want || took != time.Second {
			t.Errorf("got %v after %s, want %s", err, took, want)
		}
	})
}

func TestWaitingForHeldAnswersEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // longer than the server's own waits
		defer cancel()
		_, err := srv.Hold().WaitContext(ctx, 1)
		const want = "otlptest: Held.Wait: got 0 exports in 1m0s, want at least 1 held\n"
		if !errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

func TestHoldsThatCannotWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithWaitTimeout(time.Second))
		held := srv.Hold(where.Name("b"))
		send(t, srv, span("a"))
		_, err := held.Wait(1)
		const want = "otlptest: Held.Wait: got 0 exports in 1s, want at least 1 held where name=\"b\"\n  exports  1 traces http/protobuf 1 span accepted"
		if err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
		err = held.Release(0)
		if want := "otlptest: Held.Release: got index 0, want one of the 0 that have been held"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		_, err = srv.Hold(where.Rule("S-40")).Wait(1)
		if err == nil || !strings.Contains(err.Error(), `filter rule="S-40" applies to violations`) {
			t.Errorf("got %v, want why the filter cannot apply", err)
		}
	})
}
