package otlptest_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// nothing is what a server says that nothing has reached.
func nothing(srv *otlptest.Server) string {
	return strings.Join(strings.Fields(srv.Spans().Source().Explain(nil)), " ")
}

func TestAServerThatIsClosedIsNotNamedAnyMore(t *testing.T) {
	srv := otlptest.Start(t)
	other, err := otlptest.New()
	if err != nil {
		t.Fatal(err)
	}
	send(t, other, span("charge"))
	const named = "another server of this process, at grpc "
	if text := nothing(srv); !strings.Contains(text, named) || !strings.Contains(text, other.HTTPEndpoint()) {
		t.Errorf("got %s\nwant the other server named", text)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	if text := nothing(srv); strings.Contains(text, named) {
		t.Errorf("got %s\nwant the other server not named: it is closed", text)
	}
}

func TestWhatOtherServersGotBeforeAResetDoesNotCount(t *testing.T) {
	srv, other := otlptest.Start(t), otlptest.Start(t)
	send(t, other, span("charge"))
	srv.Reset()
	if text := nothing(srv); strings.Contains(text, "another server") {
		t.Errorf("got %s\nwant nothing of the other server, which got nothing since", text)
	}
	send(t, other, span("charge"))
	if text := nothing(srv); !strings.Contains(text, "has received 1 export meanwhile") {
		t.Errorf("got %s\nwant 1 export elsewhere", text)
	}
}

// Servers in bubbles of their own meet in the registry, which no bubble minds.
func TestServersInBubblesKnowOfEachOther(t *testing.T) {
	var bubbles sync.WaitGroup
	for range 8 {
		bubbles.Go(func() {
			synctest.Test(t, func(t *testing.T) {
				srv := otlptest.Start(t, otlptest.WithInMemory())
				time.Sleep(time.Second)
				nothing(srv)
				send(t, srv, span("charge"))
				nothing(otlptest.Start(t, otlptest.WithInMemory()))
				srv.Reset()
			})
		})
	}
	bubbles.Wait()
}

func TestNothingKeepsAServerAliveThatIsClosed(t *testing.T) {
	gone := make(chan struct{})
	func() {
		srv, err := otlptest.New(otlptest.WithInMemory())
		if err != nil {
			t.Fatal(err)
		}
		runtime.AddCleanup(srv, func(c chan struct{}) { close(c) }, gone)
		if err := srv.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	for limit := time.Now().Add(10 * time.Second); time.Now().Before(limit); {
		runtime.GC()
		select {
		case <-gone:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the server is still there")
}

// A diagnosis asks the environment of this process, and knows loopback by its
// names.
func TestAnEndpointOfTheServersOwnIsNotElsewhere(t *testing.T) {
	unsetenv(t)
	srv := otlptest.Start(t)
	for endpoint, elsewhere := range map[string]bool{
		srv.GRPCEndpoint():                                               false,
		"http://" + srv.GRPCEndpoint():                                   false,
		srv.HTTPEndpoint() + "/v1/traces":                                false,
		strings.Replace(srv.HTTPEndpoint(), "127.0.0.1", "localhost", 1): false,
		"http://localhost:1":                                             true,
		"collector":                                                      true,
		"https://example.com":                                            true,
	} {
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
		if got := strings.Contains(nothing(srv), "OTEL_EXPORTER_OTLP_ENDPOINT="); got != elsewhere {
			t.Errorf("%s: said to be elsewhere %t, want %t", endpoint, got, elsewhere)
		}
	}
	srv.Setenv(t, query.GRPC)
	if text := nothing(srv); strings.Contains(text, "OTEL_") {
		t.Errorf("got %s\nwant nothing of the environment, which is the server's own", text)
	}
}
