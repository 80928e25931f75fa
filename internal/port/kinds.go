package port

import (
	"errors"
	"fmt"
	"net"
)

// Listen listens as [net.Listen] does. On Linux a TCP port is kept while the
// listener is down: nobody else is given it, and no dial finds anybody at it.
// Elsewhere another process may take it.
func Listen(network, address string) (*Listener, error) {
	switch network {
	case "tcp", "tcp4", "tcp6":
		return listenTCP(network, address)
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return nil, err
	}
	return Keep(l), nil
}

func listenTCP(network, address string) (*Listener, error) {
	if l, ok := listenAnywhere(network, address); ok {
		return newListener(l, &tcp{network: network, address: l.Addr().String()}), nil
	}
	h, address, err := hold(network, address)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen(network, address)
	if err != nil {
		h.free()
		return nil, err
	}
	return newListener(l, &tcp{network: network, address: l.Addr().String(), held: h}), nil
}

// Keep returns a listener for one that somebody else opened.
//
// A [*net.TCPListener] is opened again by its address. On Linux its port is kept
// from right after it first went down, if nobody else took it in between. One
// that listens on every address of IPv6 listens on those of IPv4 too, once it was
// down.
//
// A [*net.UnixListener] leaves no file behind while it is down, and is opened
// again by its path; the file is a new one.
//
// Down fails for any other type, except a [*Listener], which is returned itself.
func Keep(l net.Listener) *Listener {
	switch l := l.(type) {
	case *Listener:
		return l
	case *net.TCPListener:
		network := "tcp"
		if a, ok := l.Addr().(*net.TCPAddr); ok && a.IP.To4() != nil {
			network = "tcp4" // "tcp" would be all addresses of IPv6 as well, for that of IPv4
		}
		return newListener(l, &tcp{network: network, address: l.Addr().String()})
	case *net.UnixListener:
		return newListener(l, unix{l.Addr()})
	}
	return newListener(l, fixed{})
}

// tcp is the way of TCP.
type tcp struct {
	network, address string
	held             holder
}

func (t *tcp) down(l net.Listener) error {
	if t.held == (holder{}) {
		t.held, _ = holdBeside(l)
	}
	if err := l.Close(); err != nil {
		return err
	}
	if t.held == (holder{}) {
		t.held, _, _ = hold(t.network, t.address) // without it the port may still be free later
	}
	return nil
}

func (t *tcp) up() (net.Listener, error) { return net.Listen(t.network, t.address) }
func (t *tcp) free()                     { t.held.free() }

// unix is the way of a socket in the file system.
type unix struct{ addr net.Addr }

func (u unix) down(l net.Listener) error {
	if l, ok := l.(*net.UnixListener); ok {
		l.SetUnlinkOnClose(true)
	}
	return l.Close()
}

func (u unix) up() (net.Listener, error) { return net.Listen(u.addr.Network(), u.addr.String()) }
func (u unix) free()                     {}

// fixed is the way of a listener that nobody knows how to open again.
type fixed struct{}

func (fixed) down(l net.Listener) error {
	return fmt.Errorf("got a listener of type %T, which cannot be opened again, want a *net.TCPListener or a *net.UnixListener", l)
}

func (fixed) up() (net.Listener, error) { return nil, errors.ErrUnsupported }
func (fixed) free()                     {}
