package memnet_test

import (
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
)

func TestClosedConnFails(t *testing.T) {
	for name, shut := range map[string]func(*memnet.Conn) error{
		"close": (*memnet.Conn).Close,
		"reset": (*memnet.Conn).Reset,
	} {
		t.Run(name, func(t *testing.T) {
			client, server := pair(t)
			server.Write([]byte("unread"))
			if err := shut(client); err != nil {
				t.Fatal(err)
			}
			wantOpError(t, read1(client), "read", net.ErrClosed)
			wantOpError(t, write1(client), "write", net.ErrClosed)
			wantOpError(t, client.CloseWrite(), "close", net.ErrClosed)
			wantOpError(t, client.Close(), "close", net.ErrClosed)
			wantOpError(t, client.Reset(), "close", net.ErrClosed)
			wantOpError(t, client.SetDeadline(time.Time{}), "set", net.ErrClosed)
			wantOpError(t, client.SetReadDeadline(time.Time{}), "set", net.ErrClosed)
			wantOpError(t, client.SetWriteDeadline(time.Time{}), "set", net.ErrClosed)
		})
	}
}

func TestPendingCallsEnd(t *testing.T) {
	for _, test := range []struct {
		name        string
		shut        func(client, server *memnet.Conn) error
		read, write error
	}{
		{"own close", func(c, _ *memnet.Conn) error { return c.Close() }, net.ErrClosed, net.ErrClosed},
		{"own reset", func(c, _ *memnet.Conn) error { return c.Reset() }, net.ErrClosed, net.ErrClosed},
		{"peer's close", func(_, s *memnet.Conn) error { return s.Close() }, io.EOF, syscall.EPIPE},
		{"peer's reset", func(_, s *memnet.Conn) error { return s.Reset() }, syscall.ECONNRESET, syscall.ECONNRESET},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachClock(t, func(t *testing.T, settle func()) {
				client, server := pair(t)
				fill(client)
				read := start(func() error { return read1(client) })
				write := start(func() error { return write1(client) })
				queued := start(func() error { return write1(client) })
				settle()
				if err := test.shut(client, server); err != nil {
					t.Fatal(err)
				}
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

func TestPeerCloseLeavesBufferedDataReadable(t *testing.T) {
	client, server := pair(t)
	server.Write([]byte("last words"))
	server.Close()
	if got, err := io.ReadAll(client); string(got) != "last words" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := client.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("read at the end: got %v, want EOF itself", err)
	}
	if err := client.Close(); err != nil {
		t.Errorf("close after the peer's: %v", err)
	}
}

func TestOneWriteAfterPeerCloseIsLost(t *testing.T) {
	client, server := pair(t)
	server.Close()
	if n, err := client.Write(nil); n != 0 || err != nil {
		t.Errorf("empty write: got %d, %v, want 0, nil", n, err)
	}
	if n, err := client.Write(make([]byte, 2*bufferSize)); n != 2*bufferSize || err != nil {
		t.Errorf("first write: got %d, %v, want all to be lost", n, err)
	}
	for range 2 {
		wantOpError(t, write1(client), "write", syscall.EPIPE)
	}
	if err := client.CloseWrite(); err != nil {
		t.Errorf("CloseWrite: %v", err)
	}
}

func TestCloseWriteLeavesTheOtherDirectionOpen(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		client, server := pair(t)
		client.Write([]byte("request"))
		if err := client.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		wantOpError(t, write1(client), "write", syscall.EPIPE)
		if got, err := io.ReadAll(server); string(got) != "request" || err != nil {
			t.Errorf("server got %q, %v", got, err)
		}
		server.Write([]byte("response"))
		server.Close()
		if got, err := io.ReadAll(client); string(got) != "response" || err != nil {
			t.Errorf("client got %q, %v", got, err)
		}
		if err := client.CloseWrite(); err != nil {
			t.Errorf("second CloseWrite: %v", err)
		}
	})
}

func TestCloseWriteEndsPendingWrite(t *testing.T) {
	eachClock(t, func(t *testing.T, settle func()) {
		client, _ := pair(t)
		fill(client)
		write := start(func() error { return write1(client) })
		settle()
		client.CloseWrite()
		wantOpError(t, write(), "write", syscall.EPIPE)
	})
}

func TestResetDropsWhatIsBuffered(t *testing.T) {
	client, server := pair(t)
	client.Write([]byte("lost"))
	server.Write([]byte("lost"))
	if err := server.Reset(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		wantOpError(t, read1(client), "read", syscall.ECONNRESET)
		wantOpError(t, write1(client), "write", syscall.ECONNRESET)
	}
	wantOpError(t, client.CloseWrite(), "close", syscall.ECONNRESET)
	if err := client.SetDeadline(time.Now()); err != nil {
		t.Errorf("SetDeadline after the peer's reset: %v", err)
	}
	if err := client.Close(); err != nil {
		t.Errorf("close after the peer's reset: %v", err)
	}
	wantOpError(t, read1(client), "read", net.ErrClosed)
}

func TestErrorsReadAsThoseOfTCP(t *testing.T) {
	client, server := pair(t)
	ends := client.LocalAddr().String() + "->" + client.RemoteAddr().String()
	server.Reset()
	closed, _ := pair(t)
	closed.Close()
	for _, test := range []struct {
		err  error
		want string
	}{
		{read1(client), "read tcp " + ends + ": read: connection reset by peer"},
		{write1(client), "write tcp " + ends + ": write: connection reset by peer"},
		{read1(closed), "use of closed network connection"},
	} {
		if got := test.err.Error(); !strings.HasSuffix(got, test.want) {
			t.Errorf("got error %q, want %q", got, test.want)
		}
	}
}
