package memnet_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
)

// trip is the round trip of these tests, and half of it that of one way.
const (
	trip = 80 * time.Millisecond
	half = trip / 2
)

func listenFar(t testing.TB) *memnet.Listener {
	t.Helper()
	l, err := memnet.NewHostWithRoundTrip(trip).Listen(4317)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// far runs f in a bubble with both ends of a connection that has a round trip.
func far(t *testing.T, f func(t *testing.T, client, server *memnet.Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := listenFar(t)
		client := dial(t, l)
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { server.Close() })
		f(t, client, server.(*memnet.Conn))
	})
}

// wantTook checks that exactly d passed since begin.
func wantTook(t *testing.T, what string, begin time.Time, d time.Duration) {
	t.Helper()
	if took := time.Since(begin); took != d {
		t.Errorf("%s took %v, want %v", what, took, d)
	}
}

func TestOneByteTakesHalfARoundTrip(t *testing.T) {
	far(t, func(t *testing.T, client, server *memnet.Conn) {
		begin := time.Now()
		for i, c := range [][2]*memnet.Conn{{client, server}, {server, client}} {
			if err := write1(c[0]); err != nil {
				t.Fatal(err)
			}
			wantTook(t, "writing", begin, time.Duration(i)*half)
			if err := read1(c[1]); err != nil {
				t.Fatal(err)
			}
			wantTook(t, "reading", begin, time.Duration(i+1)*half)
		}
	})
}

func TestAMegabyteArrivesAtOnce(t *testing.T) {
	far(t, func(t *testing.T, client, server *memnet.Conn) {
		want := make([]byte, 1<<20)
		rnd := rand.New(rand.NewPCG(1, 2))
		for i := range want {
			want[i] = byte(rnd.Uint32())
		}
		begin := time.Now()
		if n, err := client.Write(want); n != len(want) || err != nil {
			t.Fatalf("wrote %d, %v", n, err)
		}
		wantTook(t, "writing", begin, 0)
		got := make([]byte, len(want))
		if _, err := io.ReadFull(server, got); err != nil || !bytes.Equal(got, want) {
			t.Errorf("got other bytes than were sent, %v", err)
		}
		wantTook(t, "reading", begin, half)
	})
}

func TestWritesKeepTheirDistances(t *testing.T) {
	far(t, func(t *testing.T, client, server *memnet.Conn) {
		const n = 500
		rnd := rand.New(rand.NewPCG(1, 2))
		sent := make([]time.Time, n)
		done := start(func() error {
			for i := range sent {
				time.Sleep(time.Duration(rnd.IntN(3)) * time.Millisecond)
				sent[i] = time.Now()
				if _, err := client.Write([]byte{byte(i)}); err != nil {
					return err
				}
			}
			return nil
		})
		var b [1]byte
		for i := range n {
			if _, err := server.Read(b[:]); err != nil || b[0] != byte(i) {
				t.Fatalf("read %d, %v, want %d", b[0], err, byte(i))
			}
			wantTook(t, "a byte", sent[i], half)
		}
		if err := done(); err != nil {
			t.Error(err)
		}
	})
}

func TestReadReturnsOnlyWhatHasArrived(t *testing.T) {
	far(t, func(t *testing.T, client, server *memnet.Conn) {
		client.Write([]byte("early"))
		time.Sleep(time.Millisecond)
		client.Write([]byte("late"))
		b := make([]byte, 10)
		for _, want := range []string{"early", "late"} {
			if n, err := server.Read(b); string(b[:n]) != want || err != nil {
				t.Errorf("read %q, %v, want %q", b[:n], err, want)
			}
		}
	})
}

func TestWriteBlocksWhileTooMuchIsUnread(t *testing.T) {
	far(t, func(t *testing.T, client, server *memnet.Conn) {
		const bound = 16 << 20
		client.SetWriteDeadline(time.Now().Add(time.Hour))
		n, err := client.Write(make([]byte, bound+1))
		wantTimeout(t, err, "write")
		if n != bound {
			t.Errorf("wrote %d bytes, want %d", n, bound)
		}
		client.SetWriteDeadline(time.Time{})
		begin := time.Now()
		write := start(func() error { return write1(client) })
		time.Sleep(time.Second)
		read1(server)
		if err := write(); err != nil {
			t.Error(err)
		}
		wantTook(t, "a write until there was room", begin, time.Second)
	})
}

func TestDeadlineDuringTheFlight(t *testing.T) {
	far(t, func(t *testing.T, client, server *memnet.Conn) {
		begin := time.Now()
		write1(client)
		server.SetReadDeadline(begin.Add(half - 1))
		wantTimeout(t, read1(server), "read")
		wantTook(t, "the read that timed out", begin, half-1)
		server.SetReadDeadline(begin.Add(half + 1))
		if err := read1(server); err != nil {
			t.Error(err)
		}
		wantTook(t, "the byte", begin, half)
		wantTimeout(t, read1(server), "read")
		wantTook(t, "the read after it", begin, half+1)
	})
}

func TestHostWithoutARoundTripIsNear(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, d := range []time.Duration{0, -time.Second} {
			l, err := memnet.NewHostWithRoundTrip(d).Listen(4317)
			if err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			client := dial(t, l)
			server, _ := l.Accept()
			client.Write([]byte("x"))
			read1(server.(*memnet.Conn))
			wantTook(t, "all", begin, 0)
			l.Close()
		}
	})
}

func TestARoundTripTakesAtLeastAsLongOnTheRealClock(t *testing.T) {
	const trip = 10 * time.Millisecond
	l, err := memnet.NewHostWithRoundTrip(trip).Listen(4317)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		server, err := l.Accept()
		if err != nil {
			return
		}
		defer server.Close()
		io.Copy(server, server)
	}()
	begin := time.Now()
	client := dial(t, l)
	client.Write([]byte("x"))
	if err := read1(client); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took < 2*trip {
		t.Errorf("dialing and a round trip took %v, want %v at least", took, 2*trip)
	}
}
