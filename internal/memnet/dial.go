package memnet

import (
	"context"
	"net"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Dial connects to the listener at address, an IP literal with a port. It
// returns as soon as the connection is in the listener's backlog, which may be
// before it is accepted; on a host with a round trip that is one after the call.
// While the backlog is full Dial waits, until there is room, the listener closes
// or ctx is done.
//
// The connection is a [*Conn] with a local address of its own. An error is a
// [*net.OpError]; it wraps [syscall.ECONNREFUSED] if nobody listens at address,
// the context's error if ctx is done, a [*net.DNSError] if the host is a name,
// and a [*net.AddrError] if address is malformed.
func Dial(ctx context.Context, address string) (net.Conn, error) {
	key, err := parse(address)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
	c, err := connect(ctx, key)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(key), Err: err}
	}
	return c, nil
}

func connect(ctx context.Context, key netip.AddrPort) (*Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	network.mu.Lock()
	l, from := network.listeners[key], network.clients.next()
	network.mu.Unlock()
	if l == nil || l.way.delay > 0 {
		var err error
		if l, err = travel(ctx, key); err != nil {
			return nil, err
		}
	}
	if l == nil {
		return nil, os.NewSyscallError("connect", syscall.ECONNREFUSED)
	}
	return l.connect(ctx, from)
}

// travel takes the way to key and back, and returns who listens there when the
// dialer arrives, or nil.
func travel(ctx context.Context, key netip.AddrPort) (*Listener, error) {
	network.mu.Lock()
	delay := network.delays[key.Addr()]
	network.mu.Unlock()
	if err := sleep(ctx, delay); err != nil {
		return nil, err
	}
	network.mu.Lock()
	l := network.listeners[key]
	network.mu.Unlock()
	return l, sleep(ctx, delay)
}

// sleep waits for d, or until ctx is done, whose error it returns.
func sleep(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return ctx.Err()
	}
	var mu sync.Mutex
	over, changed := false, sync.NewCond(&mu)
	end := func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
		changed.Broadcast()
	}
	defer time.AfterFunc(d, end).Stop()
	defer context.AfterFunc(ctx, end)()
	mu.Lock()
	defer mu.Unlock()
	for !over {
		changed.Wait()
	}
	return ctx.Err()
}

func parse(address string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return netip.AddrPort{}, err
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return netip.AddrPort{}, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return netip.AddrPort{}, &net.AddrError{Err: "invalid port", Addr: port}
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(n)), nil
}
