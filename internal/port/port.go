// Package port lets a server stop listening for a while and listen again at the
// same address.
package port

import (
	"fmt"
	"net"
	"sync"
)

// A Listener is a [net.Listener] whose listening can be stopped and begun again
// at the same address, without whoever serves it noticing. It is made by
// [Listen], [Keep] or [New], and is safe for concurrent use.
type Listener struct {
	addr net.Addr
	how  how

	mu      sync.Mutex
	changed sync.Cond    // of what follows
	current net.Listener // nil while down
	turn    int          // how many were current before
	closed  bool
}

// how is how one kind of listener goes down and up.
type how interface {
	// down closes a listener, and keeps its address if it can. One that cannot be
	// opened again stays open, and is an error.
	down(net.Listener) error
	up() (net.Listener, error)
	// free gives up what keeps the address.
	free()
}

func newListener(l net.Listener, h how) *Listener {
	p := &Listener{addr: l.Addr(), current: l, how: h}
	p.changed.L = &p.mu
	return p
}

// New returns a listener that is up, by l, which it closes when it goes down.
// Every time it goes up again it calls open, which listens at the address of l
// and must not wait.
func New(l net.Listener, open func() (net.Listener, error)) *Listener {
	return newListener(l, opener(open))
}

// opener is the way of a listener that somebody else knows how to open.
type opener func() (net.Listener, error)

func (o opener) down(l net.Listener) error { return l.Close() }
func (o opener) up() (net.Listener, error) { return o() }
func (o opener) free()                     {}

// Addr returns the address, which is the same whether up or down.
func (p *Listener) Addr() net.Addr { return p.addr }

// Accept waits for the next connection, also while the listener is down. It ends
// with the next error of a listener that is up, and after Close with a
// [*net.OpError] that wraps [net.ErrClosed].
func (p *Listener) Accept() (net.Conn, error) {
	for {
		l, turn, err := p.waitUp()
		if err != nil {
			return nil, err
		}
		c, err := l.Accept()
		if err == nil || !p.over(turn) {
			return c, err
		}
	}
}

// waitUp waits until the listener is up or closed.
func (p *Listener) waitUp() (net.Listener, int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.current == nil && !p.closed {
		p.changed.Wait()
	}
	if p.closed {
		return nil, 0, p.error("accept", net.ErrClosed)
	}
	return p.current, p.turn, nil
}

// over says whether the listener that was up at a turn has been closed by p.
func (p *Listener) over(turn int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed || p.turn != turn
}

// Down stops listening: from now on dials are refused, and those that were not
// accepted are reset. Connections that were accepted stay. It does nothing if the
// listener is down, and fails if it is closed or of a type that cannot be opened
// again, which stays up.
func (p *Listener) Down() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return p.error("down", net.ErrClosed)
	}
	if p.current == nil {
		return nil
	}
	if err := p.how.down(p.current); err != nil {
		return p.error("down", err)
	}
	p.current = nil
	p.turn++
	return nil
}

// Up listens again at the same address. It does nothing if the listener is up,
// and fails if it is closed or the address cannot be listened on: it is down
// then, and may be brought up later.
func (p *Listener) Up() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return p.error("up", net.ErrClosed)
	}
	if p.current != nil {
		return nil
	}
	l, err := p.how.up()
	if err != nil {
		return fmt.Errorf("listen again: %w", err)
	}
	if got := l.Addr().String(); got != p.addr.String() {
		l.Close()
		return p.error("up", fmt.Errorf("got a listener at %s", got))
	}
	p.current = l
	p.changed.Broadcast()
	return nil
}

// Close closes the listener, up or down, gives up its address, and ends pending
// and future calls of Accept. A second Close returns a [*net.OpError] that wraps
// [net.ErrClosed].
func (p *Listener) Close() error {
	l, ok := p.close()
	if !ok {
		return p.error("close", net.ErrClosed)
	}
	if l == nil {
		return nil
	}
	return l.Close()
}

// close returns what has yet to be closed, if anything, and false if the
// listener was closed before.
func (p *Listener) close() (net.Listener, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, false
	}
	p.closed = true
	p.changed.Broadcast()
	p.how.free()
	return p.current, true
}

func (p *Listener) error(op string, err error) error {
	return &net.OpError{Op: op, Net: p.addr.Network(), Addr: p.addr, Err: err}
}
