package port_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"

	"github.com/otlptest/otlptest/internal/memnet"
	"github.com/otlptest/otlptest/internal/port"
)

// kinds are all that can go down and up.
var kinds = map[string]func(t *testing.T) *port.Listener{
	"tcp":           func(t *testing.T) *port.Listener { return listen(t, "tcp", "127.0.0.1:0") },
	"tcp by name":   func(t *testing.T) *port.Listener { return listen(t, "tcp4", "localhost:0") },
	"tcp6":          func(t *testing.T) *port.Listener { return listen(t, "tcp6", "[::1]:0") },
	"all addresses": func(t *testing.T) *port.Listener { return listen(t, "tcp", ":0") },
	"all of IPv4":   func(t *testing.T) *port.Listener { return listen(t, "tcp4", ":0") },
	"0.0.0.0":       func(t *testing.T) *port.Listener { return listen(t, "tcp", "0.0.0.0:0") },
	"all of IPv6":   func(t *testing.T) *port.Listener { return listen(t, "tcp6", ":0") },
	"unix":          func(t *testing.T) *port.Listener { return listen(t, "unix", filepath.Join(t.TempDir(), "s")) },
	"memory":        func(*testing.T) *port.Listener { return memory() },
	"a user's tcp":  func(t *testing.T) *port.Listener { return port.Keep(netListen(t, "tcp", "127.0.0.1:0")) },
	"a user's tcp4": func(t *testing.T) *port.Listener { return port.Keep(netListen(t, "tcp4", ":0")) },
	"a user's tcp6": func(t *testing.T) *port.Listener { return port.Keep(netListen(t, "tcp6", "[::1]:0")) },
	"a user's unix": func(t *testing.T) *port.Listener {
		l := netListen(t, "unix", filepath.Join(t.TempDir(), "s"))
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		return port.Keep(l)
	},
}

func eachKind(t *testing.T, f func(t *testing.T, l *port.Listener)) {
	for name, open := range kinds {
		t.Run(name, func(t *testing.T) {
			l := open(t)
			t.Cleanup(func() { l.Close() })
			f(t, l)
		})
	}
}

func listen(t *testing.T, network, address string) *port.Listener {
	t.Helper()
	skipWithoutIPv6(t, network)
	l, err := port.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func netListen(t *testing.T, network, address string) net.Listener {
	t.Helper()
	skipWithoutIPv6(t, network)
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func skipWithoutIPv6(t *testing.T, network string) {
	t.Helper()
	if network != "tcp6" {
		return
	}
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 on this machine: ", err)
	}
	l.Close()
}

func memory() *port.Listener {
	host := memnet.NewHost()
	open := func() (net.Listener, error) { return host.Listen(4317) }
	l, err := open()
	if err != nil {
		panic(err)
	}
	return port.New(l, open)
}

// dial connects to a listener on whatever network it is.
func dial(l net.Listener) (net.Conn, error) {
	addr := l.Addr()
	if tcp, ok := addr.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && !tcp.IP.IsUnspecified() {
		return memnet.Dial(context.Background(), addr.String())
	}
	return net.Dial(addr.Network(), addr.String())
}

// reach checks that a dial is accepted, and returns both ends.
func reach(t *testing.T, l net.Listener) (client, server net.Conn) {
	t.Helper()
	client, err := dial(l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return client, server
}

// do fails the test if a step does.
func do(t *testing.T, steps ...func() error) {
	t.Helper()
	for i, step := range steps {
		if err := step(); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
}

func wantClosed(t *testing.T, what string, err error) {
	t.Helper()
	var opErr *net.OpError
	if !errors.Is(err, net.ErrClosed) || !errors.As(err, &opErr) {
		t.Errorf("%s: got %v, want a *net.OpError that wraps net.ErrClosed", what, err)
	}
}
