package store

import (
	"fmt"
	"iter"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Conn is one connection that was accepted. It is safe for concurrent use.
type Conn struct {
	store *Store
	conn  query.Connection // guarded by store.mu, but for Number and Peer
}

// Connect notes that a connection was accepted, and numbers it.
func (s *Store) Connect(c query.Connection) *Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dialled++
	c.Number = s.dialled
	conn := &Conn{s, c}
	s.conns = append(s.conns, conn)
	s.wake()
	return conn
}

// Number is the connection's.
func (c *Conn) Number() int { return c.conn.Number }

// Peer is the client's address.
func (c *Conn) Peer() string { return c.conn.Peer }

// Begin notes that a request began on the connection, and Store.Begin with it.
// It says whether the connection had carried one before, and its version of
// TLS.
func (c *Conn) Begin(p query.Protocol, userAgent string) (reused bool, tls string) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.conn.Protocol = p
	c.conn.Requests++
	c.conn.Open++
	c.conn.UserAgent = userAgent
	c.store.open++
	return c.conn.Requests > 1, c.conn.TLS
}

// End is the counterpart of Begin.
func (c *Conn) End() {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.conn.Open--
	c.store.open--
	c.store.wake()
}

// Withdraw takes back a Begin whose request will never be appended.
func (c *Conn) Withdraw() {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.conn.Requests--
	c.conn.Open--
	c.store.open--
	c.store.wake()
}

// Touch notes that a byte arrived.
func (c *Conn) Touch() { c.store.lastByte.Store(time.Now().UnixNano()) }

// Speaks notes the protocol, where it is known before the first request.
func (c *Conn) Speaks(p query.Protocol) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.conn.Protocol = p
}

// Secure notes the version of TLS.
func (c *Conn) Secure(version string) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.conn.TLS = version
}

// Fail notes why the connection cannot be used. The first reason counts.
func (c *Conn) Fail(why string) {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	if c.conn.Err == "" {
		c.conn.Err = why
	}
	c.store.wake()
}

// Close notes that the connection has ended.
func (c *Conn) Close() {
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.conn.Closed = time.Now()
	c.store.wake()
}

// Connections is the source of a view of connections.
type Connections struct{ Source }

// Scan implements query.Source.
func (s Connections) Scan(where []query.Filter) iter.Seq[query.Connection] {
	return func(yield func(query.Connection) bool) {
		for _, c := range s.store.connections() {
			if matches(c, where) && !yield(c) {
				return
			}
		}
	}
}

func matches(c query.Connection, where []query.Filter) bool {
	for _, e := range query.Exprs(where) {
		if !holds(e, func(e expr.Expr) bool { return calls(e, func() query.Connection { return c }) }) {
			return false
		}
	}
	return true
}

// connections is a snapshot of all of them.
func (s *Store) connections() []query.Connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]query.Connection, len(s.conns))
	for i, c := range s.conns {
		list[i] = c.conn
	}
	return list
}

// Explain implements query.Source.
func (s Connections) Explain(where []query.Filter) string {
	var texts []string
	for _, c := range s.store.connections() {
		text := fmt.Sprintf("%s, %d requests", c, c.Requests)
		if len(where) > 0 && matches(c, where) {
			text += " (match)"
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		texts = []string{"no client has connected"}
	}
	return flow("seen", last(texts), " | ", 0)
}

// last is the last texts, at most maxExports, and how many came before.
func last(texts []string) []string { return newest(texts, maxExports) }

func newest(texts []string, most int) []string {
	if cut := len(texts) - most; cut > 0 {
		return append([]string{fmt.Sprintf("… %d earlier", cut)}, texts[cut:]...)
	}
	return texts
}

// explainFailures names the connections that could not be used.
func (s *Store) explainFailures() string {
	var texts []string
	for _, c := range s.connections() {
		if c.Err != "" {
			texts = append(texts, c.String())
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return flow("failed", last(texts), " | ", 0)
}
