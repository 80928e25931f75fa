package memnet_test

import (
	"context"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
)

func TestDialTakesARoundTrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listenFar(t)
		begin := time.Now()
		client := dial(t, l)
		wantTook(t, "dial", begin, trip)
		write1(client)
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		wantTook(t, "accept", begin, trip+half)
		if err := read1(server.(*memnet.Conn)); err != nil {
			t.Error(err)
		}
		wantTook(t, "the first byte", begin, trip+half)
	})
}

func TestDialFindsWhoListensWhenItArrives(t *testing.T) {
	for _, test := range []struct {
		name     string
		up, down time.Duration // when somebody begins and ends to listen
		refused  bool
	}{
		{"nobody", time.Hour, time.Hour, true},
		{"who comes before", half - 1, time.Hour, false},
		{"who comes after", half + 1, time.Hour, true},
		{"who goes before", 0, half - 1, true},
		{"who goes after", 0, half + 1, true},
		{"who goes when dialed", 0, trip + 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				host := memnet.NewHostWithRoundTrip(trip)
				listened := start(func() error { return listenBetween(host, test.up, test.down) })
				synctest.Wait()
				begin := time.Now()
				c, err := memnet.Dial(t.Context(), (&net.TCPAddr{IP: host.IP(), Port: 4317}).String())
				wantTook(t, "dial", begin, trip)
				switch {
				case test.refused:
					wantOpError(t, err, "dial", syscall.ECONNREFUSED)
				case err != nil:
					t.Error(err)
				default:
					c.Close()
				}
				if err := listened(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func listenBetween(host memnet.Host, up, down time.Duration) error {
	time.Sleep(up)
	l, err := host.Listen(4317)
	if err != nil {
		return err
	}
	time.Sleep(down - up)
	return l.Close()
}

func TestDialOnItsWayHeedsItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listenFar(t)
		for _, d := range []time.Duration{0, 1, half - 1, half + 1, trip - 1} {
			ctx, cancel := context.WithTimeout(t.Context(), d)
			begin := time.Now()
			_, err := memnet.Dial(ctx, l.Addr().String())
			wantOpError(t, err, "dial", context.DeadlineExceeded)
			wantTook(t, "dial", begin, d)
			cancel()
		}
		accepted := start(func() error { _, err := l.Accept(); return err })
		time.Sleep(time.Hour)
		l.Close()
		wantOpError(t, accepted(), "accept", net.ErrClosed)
	})
}
