package otlptest_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// dialError is why a server's two ports cannot be dialled, which has to be the
// same for both.
func dialError(t *testing.T, srv *otlptest.Server) error {
	t.Helper()
	var errs [2]error
	for i, addr := range []string{srv.GRPCEndpoint(), strings.TrimPrefix(srv.HTTPEndpoint(), "http://")} {
		var c net.Conn
		if c, errs[i] = srv.DialGRPC(context.Background(), addr); errs[i] == nil {
			c.Close()
		}
	}
	if (errs[0] == nil) != (errs[1] == nil) {
		t.Errorf("got %v for gRPC, %v for HTTP", errs[0], errs[1])
	}
	return errs[0]
}

func TestDownAndUpKeepTheAddress(t *testing.T) {
	for name, opts := range map[string][]otlptest.Option{
		"TCP": nil, "in memory": {otlptest.WithInMemory()}, "one port": {otlptest.WithOnePort()},
	} {
		t.Run(name, func(t *testing.T) {
			srv := otlptest.Start(t, opts...)
			grpc, http := srv.GRPCEndpoint(), srv.HTTPEndpoint()
			send(t, srv, span("before"))
			for range 3 {
				c := dialBare(t, srv, grpc).http2(t)
				if err := srv.Down(); err != nil {
					t.Fatal(err)
				}
				if got := c.answer(1); got != "EOF" && got != "ECONNRESET" {
					t.Errorf("the connection: got %s, want its end", got)
				}
				if err := dialError(t, srv); !errors.Is(err, syscall.ECONNREFUSED) {
					t.Errorf("down: got %v, want a refusal", err)
				}
				if err := srv.Up(); err != nil {
					t.Fatal(err)
				}
				srv.HTTPClient().CloseIdleConnections()
				send(t, srv, span("after"))
			}
			if srv.GRPCEndpoint() != grpc || srv.HTTPEndpoint() != http {
				t.Errorf("got addresses %s and %s, want %s and %s", srv.GRPCEndpoint(), srv.HTTPEndpoint(), grpc, http)
			}
			otlptest.Exactly(t, srv.Spans(), 4)
		})
	}
}

func TestRefuseLeavesConnectionsOpen(t *testing.T) {
	srv := otlptest.Start(t)
	c := dialBare(t, srv, srv.GRPCEndpoint()).http2(t)
	c.call(nil)
	if err := srv.Refuse(); err != nil {
		t.Fatal(err)
	}
	if err := dialError(t, srv); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v, want a refusal", err)
	}
	if got := c.call(nil); !strings.HasSuffix(got, `grpc-status="0" | END`) {
		t.Errorf("on the connection that was open: got %s, want success", got)
	}
	if err := srv.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := dialError(t, srv); err != nil {
		t.Errorf("after a restart: %v", err)
	}
}

func TestScriptedOutagesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Outage(30*time.Second))))
		if got := dialBare(t, srv, srv.HTTPEndpoint()).post1(mediaType[query.HTTPProtobuf], nil); got != "EOF" {
			t.Errorf("got %s, want the end of the connection", got)
		}
		time.Sleep(30*time.Second - 1)
		if err := dialError(t, srv); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("before the 30 seconds are over: got %v, want a refusal", err)
		}
		if got := srv.State(); got != otlptest.StateDown {
			t.Errorf("before the 30 seconds are over: got state %s", got)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if err := dialError(t, srv); err != nil || srv.State() != otlptest.StateUp {
			t.Errorf("after 30 seconds: %v, and state %s", err, srv.State())
		}
		if e := otlptest.One(t, srv.Exports()); e.Outcome != query.Cut {
			t.Errorf("got %s, want an export that was cut", e)
		}
	})
}

// A scripted outage does not end what the test or another one keeps down.
func TestOutagesDoNotEndEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		out := func(d time.Duration) {
			if err := srv.Inject(faults.Sequence(faults.Outage(d))); err != nil {
				t.Fatal(err)
			}
		}
		down := func(what string, want bool) {
			t.Helper()
			if err := dialError(t, srv); (err != nil) != want || (srv.State() == otlptest.StateDown) != want {
				t.Errorf("%s: got %v and state %s, want it down: %t", what, err, srv.State(), want)
			}
		}
		out(5 * time.Second)
		dialBare(t, srv, srv.HTTPEndpoint()).post1(mediaType[query.HTTPProtobuf], nil)
		if err := srv.Down(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(6 * time.Second)
		down("after a scripted outage within one of the test's", true)
		if err := srv.Up(); err != nil {
			t.Fatal(err)
		}
		down("after Up", false)

		one, two := dialBare(t, srv, srv.HTTPEndpoint()), dialBare(t, srv, srv.HTTPEndpoint())
		if err := srv.Inject(faults.Sequence(faults.Outage(5*time.Second).After(time.Second), faults.Outage(10*time.Second).After(time.Second))); err != nil {
			t.Fatal(err)
		}
		go one.post1(mediaType[query.HTTPProtobuf], nil)
		two.post1(mediaType[query.HTTPProtobuf], nil)
		time.Sleep(6 * time.Second)
		down("after the shorter of two outages", true)
		time.Sleep(6 * time.Second)
		down("after both", false)
	})
}

func TestAnOutageEndsWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Outage(time.Hour))))
		dialBare(t, srv, srv.HTTPEndpoint()).post1(mediaType[query.HTTPProtobuf], nil)
		start := time.Now()
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("Close took %s", took)
		}
		if err := srv.Up(); err == nil {
			t.Error("a closed server came up again")
		}
	})
}

// Which of the two comes first is chance.
func TestAnOutageThatEndsAsTheServerDoesIsNoError(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Outage(time.Minute))))
			dialBare(t, srv, srv.HTTPEndpoint()).post1(mediaType[query.HTTPProtobuf], nil)
			time.Sleep(time.Minute)
			if err := srv.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestListenersThatCannotComeBackStayUp(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := otlptest.Start(t, otlptest.WithListeners(struct{ net.Listener }{l}, nil))
	err = srv.Down()
	if err == nil || !strings.Contains(err.Error(), "got a listener of type struct { net.Listener }, which cannot be opened again, want a *net.TCPListener or a *net.UnixListener") {
		t.Errorf("got %v, want the listener's type", err)
	}
	if err := dialError(t, srv); err != nil {
		t.Errorf("the server is not there any more: %v", err)
	}
}

func TestUnixSocketsComeBack(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	srv := otlptest.Start(t, otlptest.WithListeners(nil, l))
	send(t, srv, span("before"))
	if err := srv.Restart(); err != nil {
		t.Fatal(err)
	}
	srv.HTTPClient().CloseIdleConnections()
	send(t, srv, span("after"))
	otlptest.Exactly(t, srv.Spans(), 2)
}

func TestCertificatesThatClientsMustNotAccept(t *testing.T) {
	for wrong, want := range map[otlptest.Certificate]func(error) bool{
		otlptest.ExpiredCertificate: func(err error) bool {
			var invalid x509.CertificateInvalidError
			return errors.As(err, &invalid) && invalid.Reason == x509.Expired && strings.Contains(invalid.Detail, "is after")
		},
		otlptest.NotYetValidCertificate: func(err error) bool {
			var invalid x509.CertificateInvalidError
			return errors.As(err, &invalid) && invalid.Reason == x509.Expired && strings.Contains(invalid.Detail, "is before")
		},
		otlptest.OtherNameCertificate: func(err error) bool {
			var name x509.HostnameError
			return errors.As(err, &name)
		},
	} {
		t.Run(string(wrong), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithCertificate(wrong))
				_, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", bytes.NewReader(nil))
				if !want(err) {
					t.Errorf("got %v, want that the certificate is %s", err, wrong)
				}
				synctest.Wait()
				if c := otlptest.One(t, srv.Connections()); !strings.Contains(c.Err, "TLS handshake: remote error: tls: bad certificate") && !strings.Contains(c.Err, "certificate") {
					t.Errorf("got connection %s, want why its handshake failed", c)
				}
			})
		})
	}
	if _, err := otlptest.New(otlptest.WithCertificate("old")); err == nil || err.Error() != `WithCertificate: got "old", want "expired", "not yet valid" or "other name"` {
		t.Errorf("got %v", err)
	}
}

func TestRoundTripsTakeTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithRoundTrip(200*time.Millisecond),
			otlptest.WithFaults(faults.Always(faults.Accept().After(300*time.Millisecond))))
		send(t, srv, span("the first")) // also connects
		start := time.Now()
		send(t, srv, span("the second"))
		if took := time.Since(start); took != 500*time.Millisecond {
			t.Errorf("got an answer after %s, want 500ms", took)
		}
	})
	for _, o := range [][]otlptest.Option{{otlptest.WithRoundTrip(time.Second)}, {otlptest.WithInMemory(), otlptest.WithRoundTrip(-1)}} {
		if srv, err := otlptest.New(o...); err == nil {
			srv.Close()
			t.Error("got no error, want one for a round trip that cannot be")
		}
	}
}

// Whoever sees that the server is down sees no connection that is open.
func TestStateIsDownOnceConnectionsAreClosed(t *testing.T) {
	for range 20 {
		srv := otlptest.Start(t)
		conn := dial(t, srv)
		export := func() error {
			return conn.Invoke(t.Context(), exportMethod[query.Traces], empty{}, empty{}, grpc.ForceCodec(noCodec{}))
		}
		if err := export(); err != nil {
			t.Fatal(err)
		}
		for range 50 { // which take a while to close
			c, err := net.Dial("tcp", srv.GRPCEndpoint())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
		}
		if _, err := srv.Connections().Wait(t.Context(), 51); err != nil {
			t.Fatal(err)
		}
		after := make(chan error)
		go func() {
			for srv.State() != otlptest.StateDown {
				runtime.Gosched()
			}
			after <- export()
		}()
		if err := srv.Down(); err != nil {
			t.Fatal(err)
		}
		if err := <-after; err == nil {
			t.Fatal("an export was accepted after State had said that the server is down")
		}
		conn.Close()
	}
}

func TestAListenerThatCannotGoDownKeepsTheOtherUp(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := otlptest.Start(t, otlptest.WithListeners(nil, struct{ net.Listener }{l}))
	if err := srv.Down(); err == nil || srv.State() != otlptest.StateUp {
		t.Errorf("got %v and state %s, want an error and a server that is up", err, srv.State())
	}
	c, err := net.Dial("tcp", srv.GRPCEndpoint())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
