package memnet_test

import (
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
)

func TestTheEndArrivesAfterTheData(t *testing.T) {
	for name, end := range map[string]func(*memnet.Conn) error{
		"close": (*memnet.Conn).Close, "close write": (*memnet.Conn).CloseWrite,
	} {
		t.Run(name, func(t *testing.T) {
			far(t, func(t *testing.T, client, server *memnet.Conn) {
				begin := time.Now()
				client.Write([]byte("last"))
				time.Sleep(time.Microsecond)
				client.Write([]byte(" words"))
				time.Sleep(time.Microsecond)
				if err := end(client); err != nil {
					t.Fatal(err)
				}
				wantTook(t, name, begin, 2*time.Microsecond)
				if got, err := io.ReadAll(server); string(got) != "last words" || err != nil {
					t.Errorf("read %q, %v", got, err)
				}
				wantTook(t, "the end", begin, half+2*time.Microsecond)
			})
		})
	}
}

func TestWriterHearsOfCloseHalfARoundTripLater(t *testing.T) {
	far(t, func(t *testing.T, client, server *memnet.Conn) {
		server.Close()
		time.Sleep(half - 1)
		for range 3 {
			if err := write1(client); err != nil {
				t.Errorf("write before the news: %v", err)
			}
		}
		time.Sleep(time.Microsecond)
		if err := write1(client); err != nil {
			t.Errorf("write that is lost: %v", err)
		}
		wantOpError(t, write1(client), "write", syscall.EPIPE)
	})
}

func TestPendingCallsHearOfTheEndHalfARoundTripLater(t *testing.T) {
	for _, test := range []struct {
		name        string
		end         func(*memnet.Conn) error
		read, write error
	}{
		{"close", (*memnet.Conn).Close, io.EOF, syscall.EPIPE},
		{"reset", (*memnet.Conn).Reset, syscall.ECONNRESET, syscall.ECONNRESET},
	} {
		t.Run(test.name, func(t *testing.T) {
			far(t, func(t *testing.T, client, server *memnet.Conn) {
				client.Write(make([]byte, 16<<20))
				begin := time.Now()
				timed := func(call func(*memnet.Conn) error) func() error {
					return start(func() error {
						err := call(client)
						wantTook(t, "the call", begin, time.Second+half)
						return err
					})
				}
				read, write, queued := timed(read1), timed(write1), timed(write1)
				time.Sleep(time.Second)
				test.end(server)
				if err := read(); test.read == io.EOF && err != io.EOF {
					t.Errorf("read: got %v, want EOF", err)
				} else if test.read != io.EOF {
					wantOpError(t, err, "read", test.read)
				}
				wantOpError(t, write(), "write", test.write)
				wantOpError(t, queued(), "write", test.write)
			})
		})
	}
}

func TestResetDropsWhatItFindsUnread(t *testing.T) {
	far(t, func(t *testing.T, client, server *memnet.Conn) {
		client.Write([]byte("read"))
		client.Write([]byte("lost"))
		time.Sleep(time.Millisecond)
		client.Write([]byte("lost"))
		client.Reset()
		b := make([]byte, 4)
		if n, err := server.Read(b); string(b[:n]) != "read" || err != nil {
			t.Errorf("read %q, %v, want what arrived before the reset", b[:n], err)
		}
		if err := write1(server); err != nil {
			t.Errorf("write before the reset arrived: %v", err)
		}
		time.Sleep(2 * time.Millisecond)
		wantOpError(t, read1(server), "read", syscall.ECONNRESET)
		wantOpError(t, write1(server), "write", syscall.ECONNRESET)
		wantOpError(t, read1(client), "read", net.ErrClosed)
	})
}

func TestClosedListenerResetsWhatIsOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listenFar(t)
		client := dial(t, l)
		begin := time.Now()
		l.Close()
		wantOpError(t, read1(client), "read", syscall.ECONNRESET)
		wantTook(t, "the reset", begin, half)
	})
}

func TestConcurrentMethodsOnALongWay(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		l, err := memnet.NewHostWithRoundTrip(time.Millisecond).Listen(4317)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		client := dial(t, l)
		server, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		go io.Copy(server, server)
		calls := []func(){
			func() { client.Read(make([]byte, 1024)) },
			func() { client.Write(make([]byte, 1024)) },
			func() { client.SetDeadline(time.Now().Add(10 * time.Millisecond)) },
			func() { _ = fmt.Sprint(client.LocalAddr(), client.RemoteAddr()) },
		}
		var wg sync.WaitGroup
		for range 50 {
			for _, call := range calls {
				wg.Go(call)
			}
		}
		wg.Go(func() { client.CloseWrite() })
		wg.Go(func() { client.Close() })
		wg.Go(func() { client.Reset() })
		wg.Wait()
	})
}
