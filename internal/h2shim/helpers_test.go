package h2shim_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/otlptest/otlptest/internal/h2shim"
	"github.com/otlptest/otlptest/internal/memnet"
)

// scripted is a connection on which chunks arrive one a read, and then its end.
type scripted struct {
	net.Conn
	chunks [][]byte
	wrote  [][]byte
}

func (s *scripted) Read(b []byte) (int, error) {
	if len(s.chunks) == 0 {
		return 0, io.EOF
	}
	n := copy(b, s.chunks[0])
	if s.chunks[0] = s.chunks[0][n:]; len(s.chunks[0]) == 0 {
		s.chunks = s.chunks[1:]
	}
	return n, nil
}

func (s *scripted) Write(b []byte) (int, error) {
	s.wrote = append(s.wrote, bytes.Clone(b))
	return len(b), nil
}

func (s *scripted) SetReadDeadline(time.Time) error { return nil }

// chunked divides b into chunks of n bytes.
func chunked(b []byte, n int) (chunks [][]byte) {
	for len(b) > n {
		chunks = append(chunks, b[:n])
		b = b[n:]
	}
	return append(chunks, b)
}

// frames is what f writes.
func frames(f func(*http2.Framer)) []byte {
	var b bytes.Buffer
	framer := http2.NewFramer(&b, nil)
	framer.AllowIllegalWrites = true
	f(framer)
	return b.Bytes()
}

func afterPreface(f func(*http2.Framer)) []byte {
	return append([]byte(http2.ClientPreface), frames(f)...)
}

// tcpPair and memPair return both ends of a connection.
func tcpPair(t testing.TB) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return ends(t, l, net.Dial)
}

func memPair(t testing.TB) (client, server net.Conn) {
	t.Helper()
	l, err := memnet.NewHost().Listen(4317)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return ends(t, l, func(_, addr string) (net.Conn, error) { return memnet.Dial(context.Background(), addr) })
}

func ends(t testing.TB, l net.Listener, dial func(network, addr string) (net.Conn, error)) (client, server net.Conn) {
	t.Helper()
	client, err := dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

// bare is a client of HTTP/2 that does nothing by itself and forgives nothing.
type bare struct {
	*http2.Framer
	t    *testing.T
	conn net.Conn
}

func newBare(t *testing.T, c net.Conn) *bare {
	b := &bare{http2.NewFramer(c, c), t, c}
	b.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	io.WriteString(c, http2.ClientPreface)
	b.WriteSettings()
	return b
}

// head is the header block of a request.
func head(path string) []byte {
	return h2shim.Fields(":method", "POST", ":scheme", "http", ":authority", "test", ":path", path,
		"content-type", "application/grpc", "te", "trailers")
}

// open begins a request whose body is yet to come; ask sends one without.
func (b *bare) open(stream uint32, path string) {
	b.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head(path), EndHeaders: true})
}

func (b *bare) ask(stream uint32, path string) {
	b.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: head(path), EndHeaders: true, EndStream: true})
}

// next describes the next frame, but for settings, windows and the server's pings.
func (b *bare) next() string {
	b.t.Helper()
	for {
		b.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		f, err := b.ReadFrame()
		if err != nil {
			b.t.Fatalf("the client reads: %v", err)
		}
		switch f := f.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				b.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if f.IsAck() {
				return describe(f)
			}
			b.WritePing(true, f.Data)
		case *http2.WindowUpdateFrame:
		default:
			return describe(f)
		}
	}
}

// want checks what comes next, in this order. What ends in * may go on.
func (b *bare) want(frames ...string) {
	b.t.Helper()
	for _, want := range frames {
		got := b.next()
		if begin, ok := strings.CutSuffix(want, "*"); ok && strings.HasPrefix(got, begin) {
			continue
		}
		if got != want {
			b.t.Errorf("the client got %s, want %s", got, want)
		}
	}
}

// wantQuiet checks that the server has nothing more to say.
func (b *bare) wantQuiet() {
	b.t.Helper()
	b.WritePing(false, [8]byte{9})
	b.want("PING 9 ACK")
}

// describe names a frame and what matters about it.
func describe(f http2.Frame) string {
	end := ""
	if f.Header().Type <= http2.FrameHeaders && f.Header().Flags.Has(http2.FlagDataEndStream) {
		end = " END"
	}
	id := f.Header().StreamID
	switch f := f.(type) {
	case *http2.MetaHeadersFrame:
		s := fmt.Sprintf("HEADERS %d%s", id, end)
		for _, h := range f.Fields {
			if h.Name != "date" {
				s += " " + h.Name + "=" + h.Value
			}
		}
		return s
	case *http2.DataFrame:
		return fmt.Sprintf("DATA %d%s %s", id, end, f.Data())
	case *http2.RSTStreamFrame:
		return fmt.Sprintf("RST_STREAM %d %v", id, f.ErrCode)
	case *http2.GoAwayFrame:
		return fmt.Sprintf("GOAWAY %d %v", f.LastStreamID, f.ErrCode)
	case *http2.PingFrame:
		if f.IsAck() {
			return fmt.Sprintf("PING %d ACK", f.Data[0])
		}
		return fmt.Sprintf("PING %d", f.Data[0])
	}
	return f.Header().String()
}

// wait fails the test if c is not closed soon.
func wait(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s: still waiting after 10s", what)
	}
}
