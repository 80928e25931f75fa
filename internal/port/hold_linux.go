package port

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
)

// A holder keeps a TCP port by a socket that is bound to it and never listens.
// The system gives the port to nobody else then, but lets those listen on it
// who ask for it. The zero value holds nothing.
type holder struct{ socket *os.File }

func (h holder) free() {
	if h.socket != nil {
		h.socket.Close()
	}
}

// reusePort is SO_REUSEPORT, which package syscall does not have, where it is 15:
// nearly everywhere. Elsewhere setting it fails.
const reusePort = 15

// listenAnywhere listens on a port that the system chooses, so that a holder can
// be bound beside it when it is wanted. Nobody can listen there meanwhile but who
// names the port and sets the same option. For a port that is named it does
// nothing: two servers of ours must not share one.
func listenAnywhere(network, address string) (l net.Listener, ok bool) {
	if _, port, err := net.SplitHostPort(address); err != nil || port != "0" {
		return nil, false
	}
	lc := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) (err error) {
		controlErr := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, reusePort, 1) })
		return errors.Join(controlErr, err)
	}}
	lc.SetMultipathTCP(false) // a second socket, which a holder is not like
	l, err := lc.Listen(context.Background(), network, address)
	return l, err == nil
}

// holdBeside holds the port of a listener that is of listenAnywhere.
func holdBeside(l net.Listener) (h holder, err error) {
	t, ok := l.(*net.TCPListener)
	if !ok {
		return holder{}, errors.ErrUnsupported
	}
	c, err := t.SyscallConn()
	if err != nil {
		return holder{}, err
	}
	h, _, err = holdLike(c, l.Addr().String())
	return h, err
}

// errHeld ends a listening that was only to tell what it binds to.
var errHeld = errors.New("held")

// hold keeps the port that listening on address would use, on which nobody may
// listen yet, and returns the address with that port, which is another one if
// it is 0.
func hold(network, address string) (h holder, kept string, err error) {
	lc := net.ListenConfig{Control: func(_, resolved string, like syscall.RawConn) error {
		var port int
		if h, port, err = holdLike(like, resolved); err != nil {
			return err
		}
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return err
		}
		kept = net.JoinHostPort(host, strconv.Itoa(port))
		return errHeld
	}}
	lc.SetMultipathTCP(false) // which would call Control once more when it fails
	l, err := lc.Listen(context.Background(), network, address)
	switch {
	case err == nil: // cannot be, as Control never succeeds
		l.Close()
		return holder{}, "", fmt.Errorf("hold %s: listened on it", address)
	case !errors.Is(err, errHeld):
		h.free()
		return holder{}, "", err
	}
	return h, kept, nil
}

// holdLike binds a socket like another one to a resolved address, and returns it
// with its port.
func holdLike(like syscall.RawConn, address string) (h holder, port int, err error) {
	addr, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return holder{}, 0, err
	}
	controlErr := like.Control(func(fd uintptr) {
		h, port, err = bind(int(fd), addr)
	})
	return h, port, errors.Join(controlErr, err)
}

func bind(like int, addr *net.TCPAddr) (h holder, port int, err error) {
	family, err := syscall.GetsockoptInt(like, syscall.SOL_SOCKET, syscall.SO_DOMAIN)
	if err != nil {
		return holder{}, 0, os.NewSyscallError("getsockopt", err)
	}
	fd, err := syscall.Socket(family, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return holder{}, 0, os.NewSyscallError("socket", err)
	}
	h = holder{os.NewFile(uintptr(fd), "held port")}
	if err := setOptions(fd, like, family); err != nil {
		h.free()
		return holder{}, 0, os.NewSyscallError("setsockopt", err)
	}
	if err := syscall.Bind(fd, sockaddr(family, addr)); err != nil {
		h.free()
		return holder{}, 0, os.NewSyscallError("bind", err)
	}
	port, err = portOf(fd)
	if err != nil {
		h.free()
		return holder{}, 0, os.NewSyscallError("getsockname", err)
	}
	return h, port, nil
}

func setOptions(fd, like, family int) error {
	if family == syscall.AF_INET6 {
		only, err := syscall.GetsockoptInt(like, syscall.IPPROTO_IPV6, syscall.IPV6_V6ONLY)
		if err != nil {
			return err
		}
		if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_IPV6, syscall.IPV6_V6ONLY, only); err != nil {
			return err
		}
	}
	if shared, err := syscall.GetsockoptInt(like, syscall.SOL_SOCKET, reusePort); err == nil && shared != 0 {
		if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, reusePort, 1); err != nil {
			return err
		}
	}
	return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
}

// sockaddr is an address for a family, to which all of IPv4 is all of IPv6.
func sockaddr(family int, addr *net.TCPAddr) syscall.Sockaddr {
	if family == syscall.AF_INET {
		sa := &syscall.SockaddrInet4{Port: addr.Port}
		copy(sa.Addr[:], addr.IP.To4())
		return sa
	}
	sa := &syscall.SockaddrInet6{Port: addr.Port}
	if !addr.IP.IsUnspecified() {
		copy(sa.Addr[:], addr.IP.To16())
	}
	if i, err := net.InterfaceByName(addr.Zone); err == nil {
		sa.ZoneId = uint32(i.Index)
	}
	return sa
}

func portOf(fd int) (int, error) {
	sa, err := syscall.Getsockname(fd)
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		return sa.Port, nil
	case *syscall.SockaddrInet6:
		return sa.Port, nil
	}
	return 0, err
}
