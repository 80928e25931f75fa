package otlptest_test

import (
	"errors"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"

	"google.golang.org/grpc"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// hostOf is the host and port of an endpoint over HTTP.
func hostOf(endpoint string) string { return strings.TrimPrefix(endpoint, "http://") }

func TestAPortThatIsFirstAskedForInAnOutageIsDown(t *testing.T) {
	for name, begin := range map[string]func(*otlptest.Server) error{"Down": (*otlptest.Server).Down, "Refuse": (*otlptest.Server).Refuse} {
		srv := otlptest.Start(t)
		if err := begin(srv); err != nil {
			t.Fatal(err)
		}
		endpoint := srv.HTTPEndpoint()
		if c, err := net.Dial("tcp", hostOf(endpoint)); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%s: got %v and %v, want a refused connection", name, c, err)
		}
		if err := srv.Up(); err != nil {
			t.Fatal(err)
		}
		if srv.HTTPEndpoint() != endpoint {
			t.Errorf("%s: got endpoint %s, want %s as before", name, srv.HTTPEndpoint(), endpoint)
		}
		if status := send(t, srv, span("charge")); status != 200 {
			t.Errorf("%s: got status %d, want 200", name, status)
		}
	}
}

func TestNobodyIsAtAnAddressThatIsFirstAskedForAfterClose(t *testing.T) {
	srv, err := otlptest.New()
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := srv.HTTPEndpoint(), "http://127.0.0.1:0"; got != want {
		t.Errorf("got endpoint %s, want %s", got, want)
	}
}

// Whoever asks for the address meanwhile, and in whatever order.
func TestThePortOfHTTPIsOpenedOnce(t *testing.T) {
	for range 20 {
		srv, err := otlptest.New()
		if err != nil {
			t.Fatal(err)
		}
		endpoints := make([]string, 4)
		var all sync.WaitGroup
		for i := range endpoints {
			all.Go(func() { endpoints[i] = srv.HTTPEndpoint() })
		}
		all.Go(func() {
			if err := srv.Restart(); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		for _, e := range endpoints {
			if e != endpoints[0] {
				t.Errorf("got endpoints %q, want one", endpoints)
			}
		}
		if status := send(t, srv, span("charge")); status != 200 {
			t.Errorf("got status %d, want 200", status)
		}
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Requests come while Close looks whether any is open.
func TestCloseUnderLoad(t *testing.T) {
	for range 20 {
		srv, err := otlptest.New()
		if err != nil {
			t.Fatal(err)
		}
		conn := dial(t, srv)
		endpoint := srv.HTTPEndpoint()
		begun, stop := make(chan struct{}, 2), make(chan struct{})
		var clients sync.WaitGroup
		loop := func(export func() error) {
			clients.Go(func() {
				for first := true; ; first = false {
					err := export()
					if first {
						begun <- struct{}{}
					}
					select {
					case <-stop:
						return
					default:
					}
					if err != nil {
						return
					}
				}
			})
		}
		loop(func() error {
			return conn.Invoke(t.Context(), exportMethod[query.Traces], empty{}, empty{}, grpc.ForceCodec(noCodec{}))
		})
		loop(func() error {
			res, err := srv.HTTPClient().Post(endpoint+"/v1/traces", "application/x-protobuf", nil)
			if err == nil {
				res.Body.Close()
			}
			return err
		})
		<-begun
		<-begun
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
		exports, requests := 0, 0
		for e := range srv.Exports().All() {
			exports++
			if e.Outcome == query.Open {
				t.Errorf("got %s after Close, want no export that is open", e)
			}
		}
		for c := range srv.Connections().All() {
			requests += c.Requests
		}
		if exports != requests {
			t.Errorf("got %d exports of %d requests, want all of them on record", exports, requests)
		}
		close(stop)
		clients.Wait()
		conn.Close()
	}
}

// An address that nobody has asked for is not listened on, so it is not named.
func TestFailuresNameWhatIsListenedOn(t *testing.T) {
	srv := otlptest.Start(t)
	if text := nothing(srv); !strings.Contains(text, "listening on grpc "+srv.GRPCEndpoint()) || strings.Contains(text, "http://") {
		t.Errorf("got %s\nwant the address of gRPC alone", text)
	}
	both := "listening on grpc " + srv.GRPCEndpoint() + " and " + srv.HTTPEndpoint()
	if text := nothing(srv); !strings.Contains(text, both) {
		t.Errorf("got %s\nwant %s", text, both)
	}
}
