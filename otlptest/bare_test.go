package otlptest_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
)

// A bare client speaks one protocol frame by frame and writes down what comes
// back, so that nothing is interpreted before a test sees it.
type bare struct {
	net.Conn
	framer *http2.Framer
	next   uint32 // stream
	broken error  // what a write met: the network tells it once
}

func (b *bare) Write(p []byte) (int, error) {
	n, err := b.Conn.Write(p)
	if err != nil && b.broken == nil {
		b.broken = err
	}
	return n, err
}

// dialBare connects to a server's gRPC port, or to its HTTP port.
func dialBare(t testing.TB, srv *otlptest.Server, addr string) *bare {
	t.Helper()
	c, err := srv.DialGRPC(context.Background(), strings.TrimPrefix(addr, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &bare{Conn: c, next: 1}
}

// http2 begins HTTP/2, with prior knowledge.
func (b *bare) http2(t *testing.T) *bare {
	t.Helper()
	if _, err := io.WriteString(b, http2.ClientPreface); err != nil {
		t.Fatal(err)
	}
	b.framer = http2.NewFramer(b, b)
	b.framer.SetMaxReadFrameSize(1 << 20)
	b.framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	b.framer.MaxHeaderListSize = 64 << 20
	if err := b.framer.WriteSettings(); err != nil {
		t.Fatal(err)
	}
	return b
}

// request sends a request on a new stream.
func (b *bare) request(path, contentType string, body []byte) (stream uint32) {
	var block strings.Builder
	enc := hpack.NewEncoder(&block)
	for _, f := range [][2]string{
		{":method", "POST"}, {":scheme", "http"}, {":authority", "backend"}, {":path", path},
		{"content-type", contentType}, {"te", "trailers"}, {"user-agent", "bare"},
	} {
		enc.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
	}
	stream = b.next
	b.next += 2
	b.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: []byte(block.String()), EndHeaders: true})
	b.framer.WriteData(stream, true, body)
	return stream
}

// call sends an export by gRPC and returns what comes back.
func (b *bare) call(body []byte) string {
	message := append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body))), body...)
	return b.answer(b.request("/opentelemetry.proto.collector.trace.v1.TraceService/Export", "application/grpc", message))
}

// post2 sends an export by HTTP/2 and returns what comes back.
func (b *bare) post2(body []byte) string {
	return b.answer(b.request("/v1/traces", "application/x-protobuf", body))
}

// answer writes down the frames that come on a stream, up to its end.
func (b *bare) answer(stream uint32) string {
	var seen []string
	var data []byte // of frames in a row
	for {
		frame, err := b.framer.ReadFrame()
		if _, more := frame.(*http2.DataFrame); !more && len(data) > 0 {
			seen, data = append(seen, "DATA "+bytesOf(data)), nil
		}
		if err != nil {
			return strings.Join(append(seen, b.ended(err)), " | ")
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				b.framer.WriteSettingsAck()
			}
			continue
		case *http2.WindowUpdateFrame:
			continue
		case *http2.PingFrame:
			if !f.IsAck() {
				b.framer.WritePing(true, f.Data)
			}
			continue
		case *http2.MetaHeadersFrame:
			seen = append(seen, "HEADERS"+fieldsOf(f))
		case *http2.DataFrame:
			data = append(data, f.Data()...)
			b.framer.WriteWindowUpdate(0, uint32(len(f.Data())+1))
			b.framer.WriteWindowUpdate(stream, uint32(len(f.Data())+1))
		case *http2.RSTStreamFrame:
			return strings.Join(append(seen, "RST_STREAM "+f.ErrCode.String()), " | ")
		case *http2.GoAwayFrame:
			seen = append(seen, fmt.Sprintf("GOAWAY last %d %s", f.LastStreamID, f.ErrCode))
			if f.LastStreamID < stream && f.ErrCode == http2.ErrCodeNo {
				return strings.Join(seen, " | ")
			}
			continue
		}
		if flags := frame.Header().Flags; flags.Has(http2.FlagDataEndStream) && frame.Header().StreamID == stream {
			if len(data) > 0 {
				seen = append(seen, "DATA "+bytesOf(data))
			}
			return strings.Join(append(seen, "END"), " | ")
		}
	}
}

// fieldsOf is the header fields that tell something, in order of name.
func fieldsOf(f *http2.MetaHeadersFrame) string {
	var fields []string
	for _, h := range f.Fields {
		fields = append(fields, field(h.Name, h.Value))
	}
	slices.Sort(fields)
	return strings.Join(fields, "")
}

func field(name, value string) string {
	switch name = strings.ToLower(name); {
	case name == "date" || name == "content-length":
		return ""
	case name == "grpc-status-details-bin":
		return " details=" + detailsOf(value)
	case len(value) > 80:
		value = fmt.Sprintf("(%d bytes)", len(value))
	}
	return fmt.Sprintf(" %s=%q", name, value)
}

// detailsOf is the types of a status's details, and the delay of RetryInfo.
func detailsOf(value string) string {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	var s spb.Status
	if err != nil || proto.Unmarshal(raw, &s) != nil {
		return fmt.Sprintf("not a status: %q", value)
	}
	var names []string
	for _, d := range s.Details {
		m, err := d.UnmarshalNew()
		if err != nil {
			return err.Error()
		}
		name := string(m.ProtoReflect().Descriptor().Name())
		if r, ok := m.(*errdetails.RetryInfo); ok {
			name += "(" + r.RetryDelay.AsDuration().String() + ")"
		}
		names = append(names, name)
	}
	return strings.Join(names, "+")
}

func bytesOf(b []byte) string {
	if len(b) > 200 {
		return fmt.Sprintf("(%d bytes)", len(b))
	}
	return strconv.QuoteToASCII(string(b))
}

// ended says how a connection ended.
func (b *bare) ended(err error) string {
	switch {
	case errors.Is(b.broken, syscall.ECONNRESET), errors.Is(b.broken, syscall.EPIPE):
		return "ECONNRESET"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "EOF"
	case errors.Is(err, syscall.ECONNRESET):
		return "ECONNRESET"
	}
	return err.Error()
}

// post1 sends an export by HTTP/1.1 and writes down what comes back.
func (b *bare) post1(contentType string, body []byte) string {
	fmt.Fprintf(b, "POST /v1/traces HTTP/1.1\r\nHost: backend\r\nUser-Agent: bare\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", contentType, len(body), body)
	resp, err := http.ReadResponse(bufio.NewReaderSize(b, 1<<20), nil)
	if err != nil {
		return b.ended(err)
	}
	var fields []string
	for name, values := range resp.Header {
		fields = append(fields, field(name, values[0]))
	}
	if resp.Close {
		fields = append(fields, field("connection", "close"))
	}
	slices.Sort(fields)
	seen := resp.Status + strings.Join(fields, "")
	content, err := io.ReadAll(resp.Body)
	seen += " | " + bytesOf(content)
	for name, values := range resp.Trailer {
		seen += " | trailer" + field(name, strings.Join(values, ", "))
	}
	if err != nil {
		seen += " | " + b.ended(err)
	}
	return seen
}
