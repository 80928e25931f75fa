// Package memnet is a TCP-like network in the memory of one process.
//
// A [Host] is an IP address of its own, on which listeners announce themselves;
// [Dial] reaches them by address from anywhere in the process.
// Connections behave as TCP connections on an ideal network: buffers are bounded,
// deadlines expire, one direction can end before the other, and failures have
// the shapes that package net gives them.
//
// The network runs no goroutine of its own and waits only in [sync.Cond.Wait],
// so it can be used within a testing/synctest bubble, where every wait is durably
// blocking and deadlines run on the virtual clock. As with all else in a bubble,
// both ends of a connection must be used from the same one: to dial or to write
// from outside what a bubble waits for is fatal.
package memnet

import (
	"context"
	"net"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"syscall"
)

// network is what the whole process shares: who listens, and which addresses
// have been handed out. Its mutex is never held across a wait.
var network = struct {
	mu        sync.Mutex
	listeners map[netip.AddrPort]*Listener
	hosts     hostAddrs
	clients   clientAddrs
}{
	listeners: make(map[netip.AddrPort]*Listener),
	hosts:     newHostAddrs(),
}

// A Host is an IP address on which listeners can be opened. The zero value has
// no address and cannot listen. Hosts are comparable, can be copied, and need
// not be closed.
type Host struct {
	ip netip.Addr
}

// NewHost returns a host whose address no other host of the process has, had or
// will have. The addresses come from ranges reserved for documentation and
// benchmarks: the first 131,000 are IPv4 addresses, those after are IPv6.
func NewHost() Host {
	network.mu.Lock()
	defer network.mu.Unlock()
	return Host{network.hosts.next()}
}

// IP returns the host's address, or nil for the zero Host.
func (h Host) IP() net.IP { return h.ip.AsSlice() }

// Listen opens a listener on the host's address and the given port, from 1 to
// 65535. Once a listener is closed the same port can be listened on again; while
// it is open, the error is a [*net.OpError] that wraps [syscall.EADDRINUSE].
func (h Host) Listen(port int) (*Listener, error) {
	if !h.ip.IsValid() || port < 1 || port > 65535 {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: &net.AddrError{
			Err: "invalid address", Addr: net.JoinHostPort(h.ip.String(), strconv.Itoa(port)),
		}}
	}
	l := newListener(netip.AddrPortFrom(h.ip, uint16(port)))
	network.mu.Lock()
	defer network.mu.Unlock()
	if network.listeners[l.key] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Addr: l.addr, Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}
	}
	network.listeners[l.key] = l
	return l, nil
}

// Dial connects to the listener at address, an IP literal with a port. It
// returns as soon as the connection is in the listener's backlog, which may be
// before it is accepted. While the backlog is full Dial waits, until there is
// room, the listener closes or ctx is done.
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
	if l == nil {
		return nil, os.NewSyscallError("connect", syscall.ECONNREFUSED)
	}
	return l.connect(ctx, from)
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
