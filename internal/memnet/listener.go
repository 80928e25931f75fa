package memnet

import (
	"context"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"
)

// backlog is how many connections a listener keeps that nobody has accepted.
const backlog = 128

// A Listener accepts connections at one address of the network. It is opened by
// [Host.Listen], is a [net.Listener], and is safe for concurrent use.
type Listener struct {
	key  netip.AddrPort
	addr *net.TCPAddr

	mu      sync.Mutex
	changed sync.Cond // of what follows, and when a waiting dialer's context is done
	pending []*Conn
	arrived int // how many of pending can be accepted
	closed  bool
	way     line // of dialers
}

func newListener(key netip.AddrPort, delay time.Duration) *Listener {
	l := &Listener{key: key, addr: net.TCPAddrFromAddrPort(key)}
	l.changed.L = &l.mu
	l.way = line{delay: delay, mu: &l.mu, arrive: l.arrive}
	return l
}

// Addr returns the address listened on, a [*net.TCPAddr].
func (l *Listener) Addr() net.Addr { return l.addr }

// Accept waits for the next connection and returns it, a [*Conn]. Once the
// listener is closed the error is a [*net.OpError] that wraps [net.ErrClosed].
func (l *Listener) Accept() (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.arrived == 0 && !l.closed {
		l.changed.Wait()
	}
	if l.closed {
		return nil, l.error("accept", net.ErrClosed)
	}
	c := l.pending[0]
	l.pending[0] = nil
	l.pending = l.pending[1:]
	l.arrived--
	l.changed.Broadcast()
	return c, nil
}

// Close frees the address, ends pending and future calls of Accept and Dial, and
// resets the connections that were not accepted; those that were stay open. A
// second Close returns a [*net.OpError] that wraps [net.ErrClosed].
func (l *Listener) Close() error {
	pending, ok := l.close()
	if !ok {
		return l.error("close", net.ErrClosed)
	}
	network.mu.Lock()
	delete(network.listeners, l.key)
	network.mu.Unlock()
	for _, c := range pending {
		c.Reset()
	}
	return nil
}

func (l *Listener) close() (pending []*Conn, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, false
	}
	pending, l.pending, l.closed = l.pending, nil, true
	l.way.end()
	l.changed.Broadcast()
	return pending, true
}

// connect returns the client's end of a new connection whose other end waits to
// be accepted.
func (l *Listener) connect(ctx context.Context, from *net.TCPAddr) (*Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed && len(l.pending) >= backlog {
		defer context.AfterFunc(ctx, l.wake)()
	}
	for !l.closed && len(l.pending) >= backlog && ctx.Err() == nil {
		l.changed.Wait()
	}
	if l.closed {
		return nil, os.NewSyscallError("connect", syscall.ECONNREFUSED)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, server := newConns(from, l.addr, l.way.delay)
	l.pending = append(l.pending, server)
	if l.way.delay > 0 {
		l.way.send(segment{n: 1})
	} else {
		l.arrive(segment{n: 1})
	}
	return client, nil
}

func (l *Listener) arrive(s segment) {
	l.arrived += s.n
	l.changed.Broadcast()
}

func (l *Listener) wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Broadcast()
}

func (l *Listener) error(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: l.addr, Err: err}
}
