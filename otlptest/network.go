package otlptest

import (
	"context"
	"net"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
	"github.com/otlptest/otlptest/internal/port"
)

// network is one that an option brings along, so that a test without the option
// does not link it.
type network struct {
	// host makes a host at such a distance, on which ports can be opened.
	host func(roundTrip time.Duration) (open func(int) (*port.Listener, error))
	dial func(ctx context.Context, addr string) (net.Conn, error)
}

// memory is the one of WithInMemory.
var memory = network{inMemory, memnet.Dial}

func inMemory(roundTrip time.Duration) (open func(int) (*port.Listener, error)) {
	host := memnet.NewHostWithRoundTrip(roundTrip)
	return func(n int) (*port.Listener, error) {
		again := func() (net.Listener, error) { return host.Listen(n) }
		l, err := again()
		if err != nil {
			return nil, err
		}
		return port.New(l, again), nil
	}
}
