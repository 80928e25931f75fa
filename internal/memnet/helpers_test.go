package memnet_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
)

// eachClock runs f on the real clock and in a bubble. settle returns when the
// other goroutines of f are blocked, in the bubble for certain.
func eachClock(t *testing.T, f func(t *testing.T, settle func())) {
	t.Helper()
	t.Run("real", func(t *testing.T) {
		f(t, func() { time.Sleep(2 * time.Millisecond) })
	})
	t.Run("bubble", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { f(t, synctest.Wait) })
	})
}

func listen(t testing.TB) *memnet.Listener {
	t.Helper()
	l, err := memnet.NewHost().Listen(4317)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func dial(t testing.TB, l net.Listener) *memnet.Conn {
	t.Helper()
	c, err := memnet.Dial(context.Background(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*memnet.Conn)
}

// pair returns both ends of a connection.
func pair(t testing.TB) (client, server *memnet.Conn) {
	t.Helper()
	l := listen(t)
	client = dial(t, l)
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return client, c.(*memnet.Conn)
}

// start runs f in a goroutine and returns a function that waits for its error.
func start(f func() error) (wait func() error) {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return func() error { return <-done }
}

func readInto(c net.Conn, b []byte) func() error {
	return func() error { _, err := c.Read(b); return err }
}

func writeAll(c net.Conn, b []byte) func() error {
	return func() error { _, err := c.Write(b); return err }
}

// wantOpError checks that err is a *net.OpError of op on tcp that wraps want.
func wantOpError(t *testing.T, err error, op string, want error) {
	t.Helper()
	var opErr *net.OpError
	if !errors.As(err, &opErr) {
		t.Errorf("got error %v, want a *net.OpError that wraps %v", err, want)
		return
	}
	if opErr.Op != op || opErr.Net != "tcp" || !errors.Is(err, want) {
		t.Errorf("got error %v (op %s), want op %s on tcp that wraps %v", err, opErr.Op, op, want)
	}
}

// bufferSize is how much a connection buffers in one direction.
const bufferSize = 64 << 10
