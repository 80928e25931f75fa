package memnet_test

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
)

// blocked are calls that wait for ever on a connection of their own unless a
// deadline ends them.
var blocked = []struct {
	op    string
	set   func(*memnet.Conn, time.Time) error
	setup func(*memnet.Conn)
	call  func(*memnet.Conn) error
}{
	{"read", (*memnet.Conn).SetReadDeadline, func(*memnet.Conn) {}, read1},
	{"write", (*memnet.Conn).SetWriteDeadline, fill, write1},
	{"read", (*memnet.Conn).SetDeadline, func(*memnet.Conn) {}, read1},
	{"write", (*memnet.Conn).SetDeadline, fill, write1},
}

func fill(c *memnet.Conn)         { c.Write(make([]byte, bufferSize)) }
func read1(c *memnet.Conn) error  { return readInto(c, make([]byte, 1))() }
func write1(c *memnet.Conn) error { return writeAll(c, make([]byte, 1))() }

// eachBlocked runs f for each of the blocked calls, on both clocks.
func eachBlocked(t *testing.T, f func(t *testing.T, settle func(), op string, set func(time.Time), call func() error)) {
	eachClock(t, func(t *testing.T, settle func()) {
		for _, b := range blocked {
			c, _ := pair(t)
			b.setup(c)
			set := func(d time.Time) {
				if err := b.set(c, d); err != nil {
					t.Error(err)
				}
			}
			f(t, settle, b.op, set, func() error { return b.call(c) })
		}
	})
}

func wantTimeout(t *testing.T, err error, op string) {
	t.Helper()
	wantOpError(t, err, op, os.ErrDeadlineExceeded)
	var netErr net.Error
	if !errors.As(err, &netErr) || !netErr.Timeout() {
		t.Errorf("error %v is not a time-out", err)
	}
}

func wantTimeoutOrNil(t *testing.T, err error) {
	t.Helper()
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got error %v, want none or a time-out", err)
	}
}

func TestPastDeadlineFailsAtOnce(t *testing.T) {
	eachBlocked(t, func(t *testing.T, _ func(), op string, set func(time.Time), call func() error) {
		for _, past := range []time.Time{time.Unix(1, 0), time.Now(), time.Now().Add(-time.Second)} {
			set(past)
			wantTimeout(t, call(), op)
			wantTimeout(t, call(), op)
		}
	})
}

func TestPastDeadlineFailsEvenIfDataOrRoomIsThere(t *testing.T) {
	client, server := pair(t)
	server.Write([]byte("x"))
	client.SetDeadline(time.Unix(1, 0))
	wantTimeout(t, read1(client), "read")
	wantTimeout(t, write1(client), "write")
	client.SetDeadline(time.Time{})
	if err := read1(client); err != nil {
		t.Errorf("read after the deadline was removed: %v", err)
	}
}

func TestDeadlineInThePastEndsPendingCalls(t *testing.T) {
	eachBlocked(t, func(t *testing.T, settle func(), op string, set func(time.Time), call func() error) {
		wait := start(call)
		settle()
		set(time.Unix(1, 0))
		wantTimeout(t, wait(), op)
	})
}

func TestFutureDeadlineEndsPendingCalls(t *testing.T) {
	eachBlocked(t, func(t *testing.T, settle func(), op string, set func(time.Time), call func() error) {
		const d = 10 * time.Millisecond
		begin := time.Now()
		set(begin.Add(d))
		wantTimeout(t, call(), op)
		if took := time.Since(begin); took < d {
			t.Errorf("%s with a deadline in %v failed after %v", op, d, took)
		}

		set(time.Time{})
		wait := start(call)
		settle()
		set(time.Now().Add(d))
		wantTimeout(t, wait(), op)
	})
}

func TestLastDeadlineWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, b := range blocked {
			c, _ := pair(t)
			b.setup(c)
			begin := time.Now()
			b.set(c, begin.Add(time.Minute))
			wait := start(func() error { return b.call(c) })
			time.Sleep(30 * time.Second)
			b.set(c, time.Time{})
			time.Sleep(time.Hour)
			b.set(c, begin.Add(3*time.Hour))
			b.set(c, begin.Add(2*time.Hour))
			wantTimeout(t, wait(), b.op)
			if took := time.Since(begin); took != 2*time.Hour {
				t.Errorf("%s failed after %v, want 2h", b.op, took)
			}
		}
	})
}

func TestDeadlineOfOneDirectionSparesTheOther(t *testing.T) {
	client, server := pair(t)
	client.SetReadDeadline(time.Unix(1, 0))
	if err := write1(client); err != nil {
		t.Errorf("write after a read deadline: %v", err)
	}
	server.SetWriteDeadline(time.Unix(1, 0))
	if err := read1(server); err != nil {
		t.Errorf("read after a write deadline: %v", err)
	}
}

func TestWriteThatTimesOutSaysHowMuchWasBuffered(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		client, server := pair(t)
		client.SetWriteDeadline(time.Now().Add(5 * time.Millisecond))
		n, err := client.Write(make([]byte, 2*bufferSize))
		wantTimeout(t, err, "write")
		if n != bufferSize {
			t.Errorf("wrote %d bytes before the deadline, want %d", n, bufferSize)
		}
		client.Close()
		if got, err := io.ReadAll(server); len(got) != n || err != nil {
			t.Errorf("read %d bytes, %v, want %d", len(got), err, n)
		}
	})
}

func TestDeadlineAppliesWhileWaitingForAnotherWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := pair(t)
		first := start(writeAll(client, make([]byte, 2*bufferSize)))
		synctest.Wait()
		second := start(writeAll(client, []byte("x")))
		synctest.Wait()
		client.SetWriteDeadline(time.Unix(1, 0))
		wantTimeout(t, first(), "write")
		wantTimeout(t, second(), "write")
		client.Close()
		if got, err := io.ReadAll(server); len(got) != bufferSize || err != nil {
			t.Errorf("read %d bytes, %v, want those of the first write, %d", len(got), err, bufferSize)
		}
	})
}

func TestLongDeadlineTakesNoTimeInABubble(t *testing.T) {
	begin := time.Now()
	synctest.Test(t, func(t *testing.T) {
		client, _ := pair(t)
		begin := time.Now()
		client.SetReadDeadline(begin.Add(time.Hour))
		wantTimeout(t, read1(client), "read")
		if took := time.Since(begin); took != time.Hour {
			t.Errorf("read failed after %v, want 1h", took)
		}
	})
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("one hour of virtual time took %v", took)
	}
}
