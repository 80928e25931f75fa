package server

import (
	"fmt"
	"net"
	"time"
)

// serveProxy relays TCP to an address and takes a round trip's time for it:
// what is read goes out half of it later. It loses nothing and has no window
// that a long way would have to open first.
func serveProxy(args []string) (running, error) {
	if len(args) != 2 {
		return running{}, fmt.Errorf("got %d arguments, want an address and a round trip", len(args))
	}
	rtt, err := time.ParseDuration(args[1])
	if err != nil {
		return running{}, err
	}
	l, err := listen()
	if err != nil {
		return running{}, err
	}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", args[0])
			if err != nil {
				_ = client.Close()
				continue
			}
			go relay(server, client, rtt/2)
			go relay(client, server, rtt/2)
		}
	}()
	return running{Addresses: Addresses{TCP: l.Addr().String()}}, nil
}

type chunk struct {
	due   time.Time
	bytes []byte
}

func relay(to, from net.Conn, delay time.Duration) {
	defer func() { _ = to.Close() }()
	defer func() { _ = from.Close() }()
	underway := make(chan chunk, 1<<14)
	go func() {
		defer close(underway)
		for {
			b := make([]byte, 64<<10)
			n, err := from.Read(b)
			if n > 0 {
				underway <- chunk{time.Now().Add(delay), b[:n]}
			}
			if err != nil {
				return
			}
		}
	}()
	failed := false
	for c := range underway { // to the end, so that the reader ends
		if failed {
			continue
		}
		time.Sleep(time.Until(c.due))
		if _, err := to.Write(c.bytes); err != nil {
			failed = true
			_ = from.Close()
		}
	}
}
