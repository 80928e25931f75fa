package port_test

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/port"
)

// Nobody gets a port whose listener is down, however many ask for one.
func TestPortIsKeptWhileOthersTakePorts(t *testing.T) {
	const listeners = 100
	end := time.Now().Add(1500 * time.Millisecond)
	var ups atomic.Int64
	var wg sync.WaitGroup
	for range listeners {
		l := listen(t, "tcp", "127.0.0.1:0")
		wg.Go(func() { takePorts(end) })
		wg.Go(func() {
			defer l.Close()
			for time.Now().Before(end) {
				down := l.Down()
				<-time.After(3 * time.Millisecond)
				if err := errors.Join(down, l.Up()); err != nil {
					t.Error(err)
					return
				}
				ups.Add(1)
			}
		})
	}
	wg.Wait()
	t.Logf("%d listeners were up again %d times", listeners, ups.Load())
}

// takePorts takes ephemeral ports to listen on and to dial from, and has some of
// them at a time.
func takePorts(end time.Time) {
	var taken [10]net.Listener
	for i := 0; time.Now().Before(end); i = (i + 1) % len(taken) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			continue
		}
		if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
			c.Close()
		}
		if taken[i] != nil {
			taken[i].Close()
		}
		taken[i] = l
	}
	for _, l := range taken {
		if l != nil {
			l.Close()
		}
	}
}

// A dial from an ephemeral port to itself would succeed, were the port free.
func TestNoDialFindsItself(t *testing.T) {
	l := listen(t, "tcp", "127.0.0.1:0")
	defer l.Close()
	do(t, l.Down)
	own := l.Addr().(*net.TCPAddr)
	c, err := (&net.Dialer{LocalAddr: own}).Dial("tcp", own.String())
	if err == nil {
		c.Close()
		t.Errorf("a dial from %v to itself succeeded", own)
	}
}

// One that somebody else opened is kept from when it goes down.
func TestForeignPortIsKept(t *testing.T) {
	l := port.Keep(netListen(t, "tcp", "127.0.0.1:0"))
	defer l.Close()
	do(t, l.Down)
	own := l.Addr().(*net.TCPAddr)
	if c, err := (&net.Dialer{LocalAddr: own}).Dial("tcp", own.String()); err == nil {
		c.Close()
		t.Errorf("a dial from %v to itself succeeded", own)
	}
	do(t, l.Up)
	reach(t, l)
}

// Two servers that are told the same port would share what comes to it.
func TestNobodyListensBeside(t *testing.T) {
	l := listen(t, "tcp", "127.0.0.1:0")
	defer l.Close()
	address := l.Addr().String()
	if other, err := port.Listen("tcp", address); err == nil {
		other.Close()
		t.Errorf("listened on %s twice", address)
	}
	do(t, l.Down, l.Up)
	if other, err := port.Listen("tcp", address); err == nil {
		other.Close()
		t.Errorf("listened on %s twice, once it had been down", address)
	}
	reach(t, l)
}
