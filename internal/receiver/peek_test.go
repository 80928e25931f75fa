package receiver

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// client is a connection on which a client says something and then nothing
// more; what it is told is kept.
type client struct {
	net.Conn
	in  io.Reader
	out bytes.Buffer
}

func (s *client) Read(b []byte) (int, error)  { return s.in.Read(b) }
func (s *client) Write(b []byte) (int, error) { return s.out.Write(b) }

// frames is the bytes of some frames.
func frames(write func(*http2.Framer)) string {
	var b bytes.Buffer
	write(http2.NewFramer(&b, nil))
	return b.String()
}

// head is a request's head, in one frame or, if split, in two.
func head(contentType string, split bool) string {
	var block bytes.Buffer
	e := hpack.NewEncoder(&block)
	e.WriteField(hpack.HeaderField{Name: ":method", Value: "POST"})
	e.WriteField(hpack.HeaderField{Name: "content-type", Value: contentType})
	return frames(func(f *http2.Framer) {
		b := block.Bytes()
		first := len(b)
		if split {
			first = 3
		}
		f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: b[:first], EndHeaders: !split})
		if split {
			f.WriteContinuation(1, true, b[first:])
		}
	})
}

var (
	settings = frames(func(f *http2.Framer) { f.WriteSettings() })
	ack      = frames(func(f *http2.Framer) { f.WriteSettingsAck() })
	ping     = frames(func(f *http2.Framer) { f.WritePing(false, [8]byte{1}) })
	pong     = frames(func(f *http2.Framer) { f.WritePing(true, [8]byte{1}) })
	data     = frames(func(f *http2.Framer) { f.WriteData(1, true, []byte("hello")) })
)

func TestPeek(t *testing.T) {
	const preface = http2.ClientPreface
	tests := []struct {
		name   string
		client string
		grpc   bool
		fails  bool
		again  string // what the server reads then; empty for what the client said
		told   string
	}{
		{name: "HTTP/1", client: "POST / HTTP/1.1\r\n\r\n"},
		{name: "HTTP/1 that begins alike", client: "PRI / HTTP/1.1\r\n\r\nand more"},
		{name: "gRPC", client: preface + settings + head("application/grpc", false) + data, grpc: true, told: settings},
		{name: "gRPC in JSON, its head in two frames", client: preface + settings + head("application/grpc+json", true) + data, grpc: true, told: settings},
		{name: "HTTP/2", client: preface + settings + head("application/x-protobuf", false) + data, told: settings},
		{
			name: "settings acknowledged before", client: preface + settings + ack + head("application/grpc", false) + data, grpc: true,
			again: preface + settings + head("application/grpc", false) + data, told: settings,
		},
		{
			name: "settings acknowledged after, and for the server again", client: preface + settings + head("application/grpc", false) + ack + data + ack, grpc: true,
			again: preface + settings + head("application/grpc", false) + data + ack, told: settings,
		},
		{
			name: "a ping before, and one for the server", client: preface + settings + ping + head("application/grpc", false) + ping + data, grpc: true,
			again: preface + settings + head("application/grpc", false) + ping + data, told: settings + pong,
		},
		{name: "nothing", fails: true},
		{name: "a preface and no more", client: preface, fails: true, told: settings},
		{name: "no end to what comes before", client: preface + strings.Repeat(settings, maxPeek/len(settings)+1), fails: true, told: settings},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			conn := &client{in: strings.NewReader(test.client)}
			p := &peeked{Conn: conn}
			isGRPC, err := p.peek()
			if isGRPC != test.grpc || (err != nil) != test.fails || conn.out.String() != test.told {
				t.Fatalf("got gRPC %v, %v, and told %q, want %v, an error %v, and %q", isGRPC, err, conn.out.String(), test.grpc, test.fails, test.told)
			}
			if test.fails {
				return
			}
			want := test.again
			if want == "" {
				want = test.client
			}
			if got, err := io.ReadAll(p); string(got) != want || err != nil {
				t.Errorf("got %q and %v to read again, want %q", got, err, want)
			}
		})
	}
}

// Whatever a client says, the server is asked to read it again, but for what
// was meant for peek alone.
func FuzzPeek(f *testing.F) {
	for _, seed := range []string{
		"POST / HTTP/1.1\r\n\r\n", http2.ClientPreface,
		http2.ClientPreface + settings + ack + ping + head("application/grpc", true) + ack + data,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, said string) {
		p := &peeked{Conn: &client{in: strings.NewReader(said)}}
		if _, err := p.peek(); err != nil {
			return
		}
		again, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(said, http2.ClientPreface) {
			if string(again) != said {
				t.Fatalf("got %q, want %q", again, said)
			}
			return
		}
		if missing := len(said) - len(again); missing < 0 || missing != 0 && !strings.Contains(said, "\x04") && !strings.Contains(said, "\x06") {
			t.Fatalf("got %d of %d bytes to read again", len(again), len(said))
		}
	})
}
