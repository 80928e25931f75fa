// Package memnet is a TCP-like network in the memory of one process.
//
// A [Host] is an IP address of its own, on which listeners announce themselves;
// [Dial] reaches them by address from anywhere in the process.
// Connections behave as TCP connections on an ideal network: buffers are bounded,
// deadlines expire, one direction can end before the other, and failures have
// the shapes that package net gives them. Nothing takes any time, unless the host
// is one with a round trip, [NewHostWithRoundTrip].
//
// The network runs no goroutine of its own and waits only in [sync.Cond.Wait],
// so it can be used within a testing/synctest bubble, where every wait is durably
// blocking and deadlines run on the virtual clock. As with all else in a bubble,
// both ends of a connection must be used from the same one: to dial or to write
// from outside what a bubble waits for is fatal.
package memnet

import (
	"net"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// network is what the whole process shares: who listens, which addresses have
// been handed out, and how far away they are. Its mutex is never held across a wait.
var network = struct {
	mu        sync.Mutex
	listeners map[netip.AddrPort]*Listener
	hosts     hostAddrs
	clients   clientAddrs
	delays    map[netip.Addr]time.Duration // one way, of the hosts that have one
}{
	listeners: make(map[netip.AddrPort]*Listener),
	delays:    make(map[netip.Addr]time.Duration),
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

// NewHostWithRoundTrip returns a host as [NewHost] does, to which everything takes
// half of d, and as long back: what is written to a connection, its end by Close,
// CloseWrite or Reset, and the news of a Close or Reset to whoever writes. In a
// testing/synctest bubble it takes exactly that.
//
//   - Data keeps its order and the distances in time. The bandwidth is unlimited:
//     of all that was written and not read, on its way or not, 16 MiB are buffered
//     in each direction. That a read made room is known to the writer at once.
//   - What a Reset finds unread when it arrives is lost; what arrived before and
//     was read is not.
//   - Dial takes d, also to be refused. The listener accepts half of d after that,
//     when TCP's third packet would arrive, as what the dialer writes at once does.
//
// In a bubble nothing arrives any more once the bubble's first function has
// returned, as its clock stands still then: who waits for the other end to close
// has to see that before.
//
// A d that is not positive is none. The process remembers d for ever.
func NewHostWithRoundTrip(d time.Duration) Host {
	h := NewHost()
	if delay := d / 2; delay > 0 {
		network.mu.Lock()
		defer network.mu.Unlock()
		network.delays[h.ip] = delay
	}
	return h
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
	network.mu.Lock()
	defer network.mu.Unlock()
	l := newListener(netip.AddrPortFrom(h.ip, uint16(port)), network.delays[h.ip])
	if network.listeners[l.key] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Addr: l.addr, Err: os.NewSyscallError("bind", syscall.EADDRINUSE)}
	}
	network.listeners[l.key] = l
	return l, nil
}
