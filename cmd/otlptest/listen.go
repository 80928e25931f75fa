package main

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
)

// address is where a flag says to listen: HOST:PORT, or unix:PATH.
type address struct{ flag, addr string }

// listen opens all listeners or none. An empty address is none.
func listen(addrs ...address) ([]net.Listener, error) {
	ls := make([]net.Listener, len(addrs))
	for i, a := range addrs {
		if a.addr == "" {
			continue
		}
		l, err := a.listen()
		if err != nil {
			closeAll(ls)
			return nil, a.explain(err)
		}
		ls[i] = l
	}
	return ls, nil
}

func (a address) listen() (net.Listener, error) {
	if path, ok := strings.CutPrefix(a.addr, "unix:"); ok {
		return net.Listen("unix", path)
	}
	return net.Listen("tcp", a.addr)
}

func closeAll(ls []net.Listener) {
	for _, l := range ls {
		if l != nil {
			l.Close()
		}
	}
}

func (a address) explain(err error) error {
	var bad *net.AddrError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s %s: the address is in use, by a Collector perhaps: stop what listens there, or choose another port (0 is any free one)", a.flag, a.addr)
	case errors.As(err, &bad):
		return fmt.Errorf("%s %s: %s, want HOST:PORT, such as 127.0.0.1:0", a.flag, a.addr, bad.Err)
	}
	return fmt.Errorf("%s %s: %w", a.flag, a.addr, err)
}

// loopback says whether only this machine reaches an address.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// reachable is an address that clients on this machine can use: one that
// stands for every interface is none.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}
