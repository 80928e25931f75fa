package receiver

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"

	"github.com/otlptest/otlptest/internal/h2shim"
	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// conn is a connection that was accepted, on either transport. It lies below
// TLS.
type conn struct {
	net.Conn
	among     *connections // that are open
	note      *store.Conn
	secure    bool         // TLS is expected on it
	http2     bool         // HTTP/2 is, in plaintext
	shim      *h2shim.Conn // what a server has of it, where it may be HTTP/2
	begun     atomic.Bool
	cut       atomic.Bool  // the server ended it
	silent    atomic.Bool  // nothing passes any more
	ahead     ahead        // of whoever reads
	rate      atomic.Int64 // bytes a second that are read at most, 0 for any number
	slowUntil atomic.Int64 // Unix nanoseconds; when rate no longer holds
	closed    chan struct{}
	once      sync.Once
	err       error
}

// Read notes when bytes arrive, and whether the first ones are TLS where it is
// not expected, or not where it is.
func (c *conn) Read(b []byte) (int, error) {
	for {
		n, ok, err := c.ahead.read(b)
		if !ok {
			n, err = c.Conn.Read(b)
		}
		if n > 0 && !c.silent.Load() {
			c.arrived(b[:n])
			return n, err
		}
		if err != nil || len(b) == 0 {
			return 0, err
		}
	}
}

func (c *conn) arrived(b []byte) {
	c.note.Touch()
	if c.begun.CompareAndSwap(false, true) {
		c.look(b)
	}
	if rate := c.rate.Load(); rate > 0 {
		c.pause(pace(len(b), rate))
	}
}

// pace is how long so many bytes take.
func pace(n int, bytesPerSecond int64) time.Duration {
	return time.Duration(float64(n) / float64(bytesPerSecond) * float64(time.Second))
}

// pause waits, unless the connection or the hang limit ends before; after that
// all is read as fast as it comes.
func (c *conn) pause(d time.Duration) {
	if left := time.Until(time.Unix(0, c.slowUntil.Load())); left < d {
		d = left
		c.rate.Store(0)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.closed:
	}
}

// Write drops what is written to a connection that is silent.
func (c *conn) Write(b []byte) (int, error) {
	if c.silent.Load() {
		return len(b), nil
	}
	return c.Conn.Write(b)
}

// end closes the connection on the server's part.
func (c *conn) end() {
	c.cut.Store(true)
	c.Close()
}

// reset ends the connection as a process that crashes does. Where the network
// has no such thing it is closed.
func (c *conn) reset() {
	c.cut.Store(true)
	switch raw := c.Conn.(type) {
	case *net.TCPConn:
		raw.SetLinger(0)
	case interface{ Reset() error }:
		raw.Reset()
	}
	c.Close()
}

// look says what is wrong with how a client begins.
func (c *conn) look(first []byte) {
	const handshake = 0x16 // the content type of a TLS record
	switch isTLS := first[0] == handshake; {
	case isTLS && !c.secure:
		c.note.Fail("a TLS handshake on a port of plaintext: the exporter wants TLS, the server has none")
	case !isTLS && c.secure:
		c.note.Fail("plaintext on a port of TLS: the exporter is insecure, or its endpoint is http://")
	case !isTLS && c.http2 && !bytes.HasPrefix([]byte(http2.ClientPreface), first[:min(len(first), len(http2.ClientPreface))]):
		c.note.Fail("no HTTP/2 on the port of gRPC: the exporter may speak OTLP over HTTP, whose port is another")
	}
}

// Close is idempotent.
func (c *conn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.err = c.Conn.Close()
		c.among.remove(c)
		c.note.Close()
	})
	return c.err
}

// connOf is the connection below c, which may be TLS, or nil if it was not
// accepted by a listener of the receiver.
func connOf(c net.Conn) *conn {
	if s, ok := c.(*h2shim.Conn); ok {
		c = s.NetConn()
	}
	if p, ok := c.(*peeked); ok {
		c = p.Conn
	}
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	tracked, _ := c.(*conn)
	return tracked
}

// connections is those that are open.
type connections struct {
	mu     sync.Mutex
	open   map[*conn]bool
	closed bool
}

// add is false when no more are let in.
func (cs *connections) add(c *conn) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.closed {
		return false
	}
	if cs.open == nil {
		cs.open = map[*conn]bool{}
	}
	cs.open[c] = true
	return true
}

func (cs *connections) remove(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	delete(cs.open, c)
}

// shut closes those that are open, and lets no more in.
func (cs *connections) shut() {
	cs.mu.Lock()
	cs.closed = true
	var all []*conn
	for c := range cs.open {
		all = append(all, c)
	}
	cs.mu.Unlock()
	for _, c := range all {
		c.end()
	}
}

// reopen lets connections in again, unless that is set, which it is before shut.
func (cs *connections) reopen(unless *atomic.Bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if !unless.Load() {
		cs.closed = false
	}
}

// accept takes a connection from a listener and tracks it.
func (r *Receiver) accept(l net.Listener) (*conn, error) {
	for {
		raw, err := l.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: raw, among: &r.conns, secure: r.TLS != nil, closed: make(chan struct{})}
		c.note = r.Store.Connect(query.Connection{Peer: raw.RemoteAddr().String(), Listener: l.Addr().String(), Opened: time.Now()})
		if r.conns.add(c) {
			return c, nil
		}
		c.Close()
	}
}

// shimmed is a connection that a server gets, so that faults can put frames of
// their own between the server's.
func shimmed(c net.Conn) net.Conn {
	tracked := connOf(c)
	tracked.shim = h2shim.New(c)
	return tracked.shim
}

type connKey struct{}

// withConn is for http.Server.ConnContext.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if tracked := connOf(c); tracked != nil {
		return context.WithValue(ctx, connKey{}, tracked)
	}
	return ctx
}
