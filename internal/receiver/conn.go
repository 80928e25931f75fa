package receiver

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
)

// conn is a connection that was accepted, on either transport.
type conn struct {
	net.Conn
	id        int
	peer      string
	userAgent atomic.Pointer[string] // of its last request
	requests  atomic.Int32           // open on it
	recv      *Receiver
	once      sync.Once
	err       error
}

// Read notes when bytes arrive.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.recv.Store.Touch()
	}
	return n, err
}

// Close is idempotent.
func (c *conn) Close() error {
	c.once.Do(func() {
		c.err = c.Conn.Close()
		c.recv.conns.remove(c)
		c.recv.Store.Disconnected()
	})
	return c.err
}

// request notes that a request began on the connection; the function that it
// returns notes its end.
func (c *conn) request(userAgent string) (end func()) {
	c.requests.Add(1)
	if old := c.userAgent.Load(); old == nil || *old != userAgent {
		c.userAgent.Store(&userAgent)
	}
	return func() { c.requests.Add(-1) }
}

// Connection describes an open connection.
type Connection struct {
	Number    int
	Peer      string
	UserAgent string // of its last request; empty before the first
	Requests  int    // open on it
	GRPC      bool
}

// String is such as "connection 2 (OTel OTLP Exporter Go/1.47.0)".
func (c Connection) String() string {
	return fmt.Sprintf("connection %d (%s)", c.Number, cmp.Or(c.UserAgent, "from "+c.Peer))
}

// connections is those that are open.
type connections struct {
	mu     sync.Mutex
	open   map[*conn]bool // true for gRPC
	closed bool
}

// add is false when everything has been closed already.
func (cs *connections) add(c *conn, grpc bool) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.closed {
		return false
	}
	if cs.open == nil {
		cs.open = map[*conn]bool{}
	}
	cs.open[c] = grpc
	return true
}

func (cs *connections) remove(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	delete(cs.open, c)
}

func (cs *connections) closeAll() {
	cs.mu.Lock()
	cs.closed = true
	var all []*conn
	for c := range cs.open {
		all = append(all, c)
	}
	cs.mu.Unlock()
	for _, c := range all {
		c.Close()
	}
}

// Connections is what is open now, by number.
func (r *Receiver) Connections() []Connection {
	r.conns.mu.Lock()
	defer r.conns.mu.Unlock()
	var list []Connection
	for c, grpc := range r.conns.open {
		d := Connection{Number: c.id, Peer: c.peer, Requests: int(c.requests.Load()), GRPC: grpc}
		if ua := c.userAgent.Load(); ua != nil {
			d.UserAgent = *ua
		}
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b Connection) int { return a.Number - b.Number })
	return list
}

// listener counts and tracks what it accepts.
type listener struct {
	net.Listener
	recv *Receiver
	grpc bool
}

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &conn{Conn: raw, id: l.recv.Store.Connected(), peer: raw.RemoteAddr().String(), recv: l.recv}
		if l.recv.conns.add(c, l.grpc) {
			return c, nil
		}
		raw.Close()
	}
}

type connKey struct{}

// withConn is for http.Server.ConnContext.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if c, ok := c.(*conn); ok {
		return context.WithValue(ctx, connKey{}, c)
	}
	return ctx
}
