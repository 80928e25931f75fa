package receiver

import (
	"context"
	"crypto/tls"
	"net"
	"time"
)

// Listen tracks what a listener accepts, and undoes TLS where the receiver has
// it, with these protocols to choose from (ALPN).
func (r *Receiver) Listen(l net.Listener, protocols ...string) net.Listener {
	if r.TLS == nil {
		return plainListener{l, r}
	}
	config := r.TLS.Clone()
	config.NextProtos = protocols
	t := &tlsListener{Listener: l, recv: r, config: config, ready: make(chan net.Conn), done: make(chan struct{})}
	r.admitting.Go(t.run)
	return t
}

// plainListener hands on what it accepts.
type plainListener struct {
	net.Listener
	recv *Receiver
}

// Accept implements net.Listener.
func (l plainListener) Accept() (net.Conn, error) {
	c, err := l.recv.accept(l.Listener)
	if err != nil {
		return nil, err // not a nil *conn in an interface
	}
	return c, nil
}

// tlsListener hands on connections whose handshake is done, so that one that
// fails is known here, whatever serves them.
type tlsListener struct {
	net.Listener
	recv   *Receiver
	config *tls.Config
	ready  chan net.Conn
	done   chan struct{}
	err    error // why run ended, once done is closed
}

// Accept implements net.Listener.
func (l *tlsListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.ready:
		return c, nil
	case <-l.done:
		return nil, l.err
	}
}

// run accepts until the listener is closed.
func (l *tlsListener) run() {
	for {
		c, err := l.recv.accept(l.Listener)
		if err != nil {
			l.err = err
			close(l.done)
			return
		}
		l.recv.admitting.Go(func() { l.admit(c) })
	}
}

// handshakeLimit is how long a client may take for its handshake.
const handshakeLimit = 10 * time.Second

// admit does the handshake of one connection.
func (l *tlsListener) admit(c *conn) {
	ctx, cancel := context.WithTimeout(context.Background(), handshakeLimit)
	defer cancel()
	t := tls.Server(c, l.config)
	if err := t.HandshakeContext(ctx); err != nil {
		c.note.Fail("TLS handshake: " + err.Error())
		t.Close()
		return
	}
	c.note.Secure(tls.VersionName(t.ConnectionState().Version))
	select {
	case l.ready <- t:
	case <-l.done:
		t.Close()
	}
}
