package receiver

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"time"
)

// The protocols that TLS clients can choose from (ALPN).
var (
	grpcProtocols = []string{"h2"}
	httpProtocols = []string{"h2", "http/1.1"}
)

// ListenGRPC tracks what a listener accepts for the gRPC server, and undoes
// TLS where the receiver has it.
func (r *Receiver) ListenGRPC(l net.Listener) net.Listener {
	if r.TLS == nil {
		return plainListener{l, r.accept, true}
	}
	return r.secureListener(l, grpcProtocols, false)
}

// ListenHTTP is ListenGRPC for the HTTP server.
func (r *Receiver) ListenHTTP(l net.Listener) net.Listener {
	if r.TLS == nil {
		return plainListener{l, r.accept, false}
	}
	return r.secureListener(l, httpProtocols, true)
}

func (r *Receiver) secureListener(l net.Listener, protocols []string, http bool) net.Listener {
	q := newQueue(l, http)
	r.open(l, protocols, q)
	return q
}

// ListenBoth divides what one listener accepts between the two servers, by how
// each client begins.
func (r *Receiver) ListenBoth(l net.Listener) (forGRPC, forHTTP net.Listener) {
	g, h := newQueue(l, false), newQueue(l, true)
	r.open(l, httpProtocols, g, h)
	return g, h
}

// plainListener hands on what it accepts.
type plainListener struct {
	net.Listener
	accept func(net.Listener) (*conn, error)
	http2  bool // nothing else is spoken here
}

// Accept implements net.Listener.
func (l plainListener) Accept() (net.Conn, error) {
	c, err := l.accept(l.Listener)
	if err != nil {
		return nil, err // not a nil *conn in an interface
	}
	if c.http2 = l.http2; c.http2 {
		return c, nil // the shim comes with the handshake
	}
	return shimmed(c), nil
}

// queue is a listener of connections that are ready to be served.
type queue struct {
	net.Listener
	http  bool // for the HTTP server; gRPC gets its shim with its handshake
	ready chan net.Conn
	done  chan struct{} // closed when nothing more will come
	err   error         // why, once done is closed
}

func newQueue(l net.Listener, http bool) *queue {
	return &queue{Listener: l, http: http, ready: make(chan net.Conn), done: make(chan struct{})}
}

// Accept implements net.Listener.
func (q *queue) Accept() (net.Conn, error) {
	select {
	case c := <-q.ready:
		return c, nil
	case <-q.done:
		return nil, q.err
	}
}

// put waits until c is accepted, or closes it when nobody will.
func (q *queue) put(c net.Conn) {
	if t, ok := c.(*tls.Conn); q.http && (!ok || t.ConnectionState().NegotiatedProtocol == "h2") {
		c = shimmed(c) // which net/http takes for HTTP/2 in plaintext
	}
	select {
	case q.ready <- c:
	case <-q.done:
		c.Close()
	}
}

// open accepts connections until l is closed, admits each, and puts it into a
// queue.
func (r *Receiver) open(l net.Listener, protocols []string, queues ...*queue) {
	var config *tls.Config
	if r.TLS != nil {
		config = r.TLS.Clone()
		config.NextProtos = protocols
	}
	r.admitting.Go(func() {
		for {
			c, err := r.accept(l)
			if err != nil {
				for _, q := range queues {
					q.err = err
					close(q.done)
				}
				return
			}
			r.admitting.Go(func() { admit(c, config, queues) })
		}
	})
}

// handshakeLimit is how long a client may take for its handshake.
const handshakeLimit = 10 * time.Second

// admit does the handshake of a connection, if there is one to do, so that one
// that fails is known here, whatever serves the connection.
func admit(c *conn, config *tls.Config, queues []*queue) {
	if config == nil {
		divide(c, queues)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), handshakeLimit)
	defer cancel()
	t := tls.Server(c, config)
	if err := t.HandshakeContext(ctx); err != nil {
		c.note.Fail("TLS handshake: " + err.Error())
		t.Close()
		return
	}
	c.note.Secure(tls.VersionName(t.ConnectionState().Version))
	divide(t, queues)
}

// divide puts a connection into the one queue, or into the first or second if
// there are two: for gRPC or HTTP.
func divide(c net.Conn, queues []*queue) {
	if len(queues) == 1 {
		queues[0].put(c)
		return
	}
	p := &peeked{Conn: c}
	isGRPC, err := p.peek()
	switch {
	case err != nil:
		if err != io.EOF {
			connOf(c).note.Fail("before the first request: " + err.Error())
		}
		c.Close()
	case isGRPC:
		queues[0].put(p)
	default:
		queues[1].put(p)
	}
}
