package memnet

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func (l *line) idle() bool { return len(l.flying) == 0 && (l.timer == nil || !l.timer.Stop()) }

func TestNoTimerOutlastsAConnection(t *testing.T) {
	shut := map[string]func(*Conn) error{"close": (*Conn).Close, "reset": (*Conn).Reset}
	for name, first := range shut {
		for then, second := range shut {
			t.Run(name+" then "+then, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { testNoTimer(t, first, second) })
			})
		}
	}
}

func testNoTimer(t *testing.T, first, second func(*Conn) error) {
	l, err := NewHostWithRoundTrip(time.Second).Listen(4317)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := Dial(context.Background(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	client, server := c.(*Conn), s.(*Conn)
	client.Write([]byte("there"))
	time.Sleep(time.Millisecond)
	server.Write([]byte("back"))
	first(client)
	server.Write([]byte("into the void"))
	second(server)
	for _, p := range []*pipe{client.in, client.out} {
		if !p.way.ahead.idle() || !p.way.back.idle() {
			t.Error("something is on its way between two closed ends")
		}
	}
}

func TestNoTimerOutlastsAListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, err := NewHostWithRoundTrip(time.Second).Listen(4317)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Dial(context.Background(), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		if !l.way.idle() {
			t.Error("a connection is on its way to a closed listener")
		}
		c.Close()
	})
}
