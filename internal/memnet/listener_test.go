package memnet_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
)

// backlog is how many connections a listener keeps unaccepted.
const backlog = 128

func TestHostsAreUnique(t *testing.T) {
	seen := make(map[string]bool)
	for range 1000 {
		ip := memnet.NewHost().IP().String()
		if seen[ip] {
			t.Fatalf("host %s was handed out twice", ip)
		}
		seen[ip] = true
	}
}

func TestHostListensOnSeveralPorts(t *testing.T) {
	host := memnet.NewHost()
	for _, port := range []int{4317, 4318} {
		l, err := host.Listen(port)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if a := l.Addr().(*net.TCPAddr); !a.IP.Equal(host.IP()) || a.Port != port {
			t.Errorf("listener's address is %v, want port %d of %v", a, port, host.IP())
		}
		if got := dial(t, l).RemoteAddr().String(); got != l.Addr().String() {
			t.Errorf("dialed %v, connected to %s", l.Addr(), got)
		}
	}
}

func TestListenRefuses(t *testing.T) {
	host := memnet.NewHost()
	l, err := host.Listen(4317)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, err = host.Listen(4317)
	wantOpError(t, err, "listen", syscall.EADDRINUSE)
	for _, port := range []int{-1, 0, 65536} {
		if _, err := host.Listen(port); err == nil {
			t.Errorf("listening on port %d did not fail", port)
		}
	}
	if _, err := new(memnet.Host).Listen(4317); err == nil {
		t.Error("listening on the zero Host did not fail")
	}
}

func TestConnectionsHaveAddressesOfTheirOwn(t *testing.T) {
	l := listen(t)
	seen := make(map[string]bool)
	for range backlog {
		client := dial(t, l)
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		a, ok := server.RemoteAddr().(*net.TCPAddr)
		if !ok || a.String() != client.LocalAddr().String() || seen[a.String()] {
			t.Errorf("remote address is %v of type %T, want %v and not seen before", a, server.RemoteAddr(), client.LocalAddr())
		}
		if server.LocalAddr().String() != l.Addr().String() {
			t.Errorf("local address is %v, want the listener's, %v", server.LocalAddr(), l.Addr())
		}
		seen[a.String()] = true
	}
}

func TestDialIsRefusedWhereNobodyListens(t *testing.T) {
	closed := listen(t)
	closed.Close()
	for _, addr := range []string{closed.Addr().String(), "192.0.2.0:1", "127.0.0.1:4317", "[::1]:4317"} {
		_, err := memnet.Dial(t.Context(), addr)
		wantOpError(t, err, "dial", syscall.ECONNREFUSED)
		if want := "dial tcp " + addr + ": connect: connection refused"; err.Error() != want {
			t.Errorf("got error %q, want %q", err, want)
		}
	}
}

func TestDialRejectsWhatIsNoAddress(t *testing.T) {
	var dnsErr *net.DNSError
	if _, err := memnet.Dial(t.Context(), "collector:4317"); !errors.As(err, &dnsErr) || !dnsErr.IsNotFound {
		t.Errorf("dialing a name: got %v, want a *net.DNSError that says not found", err)
	}
	for _, addr := range []string{"", "192.0.2.1", "192.0.2.1:", "192.0.2.1:otlp", "192.0.2.1:65536"} {
		var addrErr *net.AddrError
		if _, err := memnet.Dial(t.Context(), addr); !errors.As(err, &addrErr) {
			t.Errorf("dialing %q: got %v, want a *net.AddrError", addr, err)
		}
	}
}

func TestDialHeedsItsContext(t *testing.T) {
	l := listen(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := memnet.Dial(ctx, l.Addr().String())
	wantOpError(t, err, "dial", context.Canceled)
}

func TestDialToAFullBacklogWaits(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(l net.Listener, cancel func())
		want error
	}{
		{"for Accept", func(l net.Listener, _ func()) { l.Accept() }, nil},
		{"for Close", func(l net.Listener, _ func()) { l.Close() }, syscall.ECONNREFUSED},
		{"for its context", func(_ net.Listener, cancel func()) { cancel() }, context.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := listen(t)
				for range backlog {
					dial(t, l)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				returned := false
				wait := start(func() error {
					_, err := memnet.Dial(ctx, l.Addr().String())
					returned = true
					return err
				})
				synctest.Wait()
				if returned {
					t.Error("dial did not wait")
				}
				test.end(l, cancel)
				err := wait()
				if test.want == nil && err != nil {
					t.Error(err)
				} else if test.want != nil {
					wantOpError(t, err, "dial", test.want)
				}
			})
		})
	}
}

func TestDialToAFullBacklogTimesOutInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listen(t)
		for range backlog {
			dial(t, l)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		begin := time.Now()
		_, err := memnet.Dial(ctx, l.Addr().String())
		var netErr net.Error
		if took := time.Since(begin); !errors.As(err, &netErr) || !netErr.Timeout() || took != time.Hour {
			t.Errorf("got %v after %v, want a time-out after 1h", err, took)
		}
	})
}

func TestDialDoesNotWaitForAccept(t *testing.T) {
	l := listen(t)
	client := dial(t, l)
	client.Write([]byte("early"))
	client.Close()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(server); string(got) != "early" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestConnectionsAreAcceptedInOrder(t *testing.T) {
	l := listen(t)
	for range 3 * backlog {
		a, b := dial(t, l), dial(t, l)
		for _, client := range []*memnet.Conn{a, b} {
			server, err := l.Accept()
			if err != nil || server.RemoteAddr() != client.LocalAddr() {
				t.Fatalf("accepted %v, %v, want %v", server, err, client.LocalAddr())
			}
		}
	}
}

func TestListenerCloseEndsAccept(t *testing.T) {
	eachClock(t, func(t *testing.T, settle func()) {
		l := listen(t)
		accept := start(func() error { _, err := l.Accept(); return err })
		settle()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		wantOpError(t, accept(), "accept", net.ErrClosed)
		_, err := l.Accept()
		wantOpError(t, err, "accept", net.ErrClosed)
		wantOpError(t, l.Close(), "close", net.ErrClosed)
		if want := "accept tcp " + l.Addr().String() + ": use of closed network connection"; err.Error() != want {
			t.Errorf("got error %q, want %q", err, want)
		}
	})
}

func TestListenerCloseResetsOnlyWhatWasNotAccepted(t *testing.T) {
	eachClock(t, func(t *testing.T, settle func()) {
		l := listen(t)
		accepted := dial(t, l)
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		unaccepted := dial(t, l)
		read := start(func() error { return read1(unaccepted) })
		settle()
		l.Close()
		wantOpError(t, read(), "read", syscall.ECONNRESET)
		if _, err := server.Write([]byte("x")); err != nil {
			t.Error(err)
		}
		if err := read1(accepted); err != nil {
			t.Errorf("read from the accepted connection: %v", err)
		}
	})
}

func TestAddressCanBeListenedOnAgain(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		host := memnet.NewHost()
		for range 3 {
			l, err := host.Listen(4317)
			if err != nil {
				t.Fatal(err)
			}
			client := dial(t, l)
			if server, err := l.Accept(); err != nil || server.RemoteAddr() != client.LocalAddr() {
				t.Errorf("accepted %v, %v", server, err)
			}
			l.Close()
			_, err = memnet.Dial(t.Context(), l.Addr().String())
			wantOpError(t, err, "dial", syscall.ECONNREFUSED)
		}
	})
}

// One process-wide registry serves bubbles that run at the same time.
func TestBubblesAreIndependent(t *testing.T) {
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				for range 200 {
					client, server := pair(t)
					server.SetReadDeadline(time.Now().Add(time.Minute))
					if err := read1(server); !strings.Contains(err.Error(), "timeout") {
						t.Error(err)
					}
					client.Close()
				}
			})
		})
	}
}

func TestConcurrentDialAcceptAndClose(t *testing.T) {
	host := memnet.NewHost()
	for range 50 {
		l, err := host.Listen(4317)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				c, err := memnet.Dial(t.Context(), l.Addr().String())
				if err != nil {
					wantOpError(t, err, "dial", syscall.ECONNREFUSED)
					return
				}
				read1(c.(*memnet.Conn)) // until it is closed or reset
				c.Close()
			})
		}
		wg.Go(func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Close()
			}
		})
		wg.Go(func() { l.Close() })
		wg.Wait()
	}
}
