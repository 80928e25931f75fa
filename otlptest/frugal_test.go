package otlptest_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"golang.org/x/net/http2"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/internal/h2shim"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// batchOf is an encoded request of so many spans with so many attributes each.
// Those of different numbers have no span in common.
func batchOf(tb testing.TB, number, spans, attrs int) []byte {
	tb.Helper()
	list := make([]*tracepb.Span, spans)
	for i := range list {
		id := uint64(number*spans + i + 1)
		s := &tracepb.Span{
			TraceId: make([]byte, 16), SpanId: make([]byte, 8), Name: "load-generator-span", Kind: 2,
			StartTimeUnixNano: 1 << 60, EndTimeUnixNano: 1<<60 + id, Status: &tracepb.Status{}, Flags: 257,
		}
		binary.BigEndian.PutUint64(s.TraceId, id)
		binary.BigEndian.PutUint64(s.SpanId, id)
		for j := range attrs {
			v := stringValue(fmt.Sprintf("value number %d", i))
			if j%2 == 1 {
				v = &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: int64(i * j)}}
			}
			s.Attributes = append(s.Attributes, keyed(fmt.Sprintf("load.attribute.%d", j), v))
		}
		list[i] = s
	}
	body, err := proto.Marshal(traces(list...))
	if err != nil {
		tb.Fatal(err)
	}
	return body
}

// frugal is a client that allocates nothing for an export, so that what is
// allocated meanwhile is the server's.
type frugal struct {
	tb     testing.TB
	c      net.Conn
	r      *bufio.Reader
	buf    []byte
	via    query.Protocol
	zipped bool

	// Of HTTP/2.
	stream          uint32 // two more than the one in use
	initial         int    // bytes that a new stream may send
	own, window     int    // bytes that this stream, and the connection, may send now
	ended, answered bool   // this stream
}

// newFrugal connects, and exports once.
func newFrugal(tb testing.TB, srv *otlptest.Server, via query.Protocol, zipped bool) *frugal {
	tb.Helper()
	addr := srv.GRPCEndpoint()
	if via != query.GRPC {
		addr = strings.TrimPrefix(srv.HTTPEndpoint(), "http://")
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	f := &frugal{tb: tb, c: c, r: bufio.NewReaderSize(c, 64<<10), buf: make([]byte, 0, 1<<20), via: via, zipped: zipped}
	f.stream, f.initial, f.window = 1, 65535, 65535
	if via == query.GRPC {
		hello := bytes.NewBufferString(http2.ClientPreface)
		framer := http2.NewFramer(hello, nil)
		framer.WriteSettings()
		framer.WriteSettingsAck()
		f.write(hello.Bytes())
	}
	body := batchOf(tb, 0, 1, 1)
	if zipped {
		body = zip(body)
	}
	f.export(body)
	return f
}

// export sends a body, which is compressed already if it has to be, and waits
// for a success.
func (f *frugal) export(body []byte) {
	if f.via == query.GRPC {
		f.call(body)
	} else {
		f.post(body)
	}
}

func (f *frugal) write(b []byte) {
	if _, err := f.c.Write(b); err != nil {
		f.tb.Fatal(err)
	}
}

// post takes answers with a head only.
func (f *frugal) post(body []byte) {
	f.buf = append(f.buf[:0], "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nUser-Agent: frugal/1\r\nContent-Type: application/x-protobuf\r\n"...)
	if f.zipped {
		f.buf = append(f.buf, "Content-Encoding: gzip\r\n"...)
	}
	f.buf = append(fmt.Appendf(f.buf, "Content-Length: %d\r\n\r\n", len(body)), body...)
	f.write(f.buf)
	for n := 0; ; n++ {
		line, err := f.r.ReadSlice('\n')
		if err != nil || n == 0 && string(line) != "HTTP/1.1 200 OK\r\n" {
			f.tb.Fatalf("got %q (%v), want 200", line, err)
		}
		if len(line) == 2 {
			return
		}
	}
}

// The heads of a call, which change no table of HPACK.
var (
	callHead = h2shim.Fields(":method", "POST", ":scheme", "http", ":path", exportMethod[query.Traces], ":authority", "localhost",
		"content-type", "application/grpc", "user-agent", "frugal/1", "te", "trailers")
	zippedHead = append(bytes.Clone(callHead), h2shim.Fields("grpc-encoding", "gzip")...)
)

// call makes a call on a stream of its own, and waits for the stream's end.
func (f *frugal) call(body []byte) {
	f.stream += 2
	f.own, f.ended, f.answered = f.initial, false, false
	head, compressed := callHead, byte(0)
	if f.zipped {
		head, compressed = zippedHead, 1
	}
	f.buf = append(frame(f.buf[:0], http2.FrameHeaders, http2.FlagHeadersEndHeaders, f.id(), len(head)), head...)
	f.buf = append(frame(f.buf, http2.FrameData, 0, f.id(), 5), compressed)
	f.buf = binary.BigEndian.AppendUint32(f.buf, uint32(len(body)))
	f.spend(5)
	for last := false; !last; {
		n := min(len(body), 16384) // bytes of a frame
		if f.own < n || f.window < n {
			f.write(f.buf)
			f.buf = f.buf[:0]
			f.read()
			continue
		}
		flags := http2.Flags(0)
		if last = n == len(body); last {
			flags = http2.FlagDataEndStream
		}
		f.buf = append(frame(f.buf, http2.FrameData, flags, f.id(), n), body[:n]...)
		body = body[n:]
		f.spend(n)
	}
	f.write(f.buf)
	for !f.ended {
		f.read()
	}
	if !f.answered {
		f.tb.Fatal("got an error, want a success")
	}
}

func (f *frugal) id() uint32 { return f.stream - 2 }

func (f *frugal) spend(n int) {
	f.own -= n
	f.window -= n
}

// read reads a frame.
func (f *frugal) read() {
	const head = 9
	b, err := f.r.Peek(head)
	if err != nil {
		f.tb.Fatal(err)
	}
	size := int(b[0])<<16 | int(b[1])<<8 | int(b[2])
	kind, flags, stream := http2.FrameType(b[3]), http2.Flags(b[4]), binary.BigEndian.Uint32(b[5:])
	if b, err = f.r.Peek(head + size); err != nil {
		f.tb.Fatal(err)
	}
	switch own := stream == f.id(); kind {
	case http2.FrameSettings:
		f.settings(b[head:])
	case http2.FrameWindowUpdate:
		n := int(binary.BigEndian.Uint32(b[head:]))
		if stream == 0 {
			f.window += n
		} else if own {
			f.own += n
		}
	case http2.FrameData:
		f.answered = f.answered || own // an error has no message
	case http2.FrameHeaders:
		f.ended = f.ended || own && flags.Has(http2.FlagHeadersEndStream)
	case http2.FrameRSTStream, http2.FrameGoAway:
		f.tb.Fatalf("got %s, want an answer", kind)
	}
	if _, err := f.r.Discard(head + size); err != nil {
		f.tb.Fatal(err)
	}
}

// settings takes note of a new window of streams.
func (f *frugal) settings(b []byte) {
	for ; len(b) >= 6; b = b[6:] {
		if http2.SettingID(binary.BigEndian.Uint16(b)) == http2.SettingInitialWindowSize {
			n := int(binary.BigEndian.Uint32(b[2:]))
			f.own += n - f.initial
			f.initial = n
		}
	}
}

func frame(b []byte, kind http2.FrameType, flags http2.Flags, stream uint32, size int) []byte {
	b = append(b, byte(size>>16), byte(size>>8), byte(size), byte(kind), byte(flags))
	return binary.BigEndian.AppendUint32(b, stream)
}
