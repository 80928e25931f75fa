package receiver

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http2"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/internal/h2shim"
	"github.com/otlptest/otlptest/query"
)

// framed is the answers to gRPC calls that grpc-go cannot give.
var framed = map[faults.Kind]func(line, answer, query.Signal){
	faults.KindHTTP:     line.bare,
	faults.KindRedirect: line.bare,
	faults.KindRaw:      line.bare,
	faults.KindHalf:     line.half,
	faults.KindTrailers: line.trailers,
	faults.KindEncoded:  line.encoded,
}

// bare answers as a web server that knows nothing of gRPC.
func (l line) bare(a answer, _ query.Signal) {
	f := a.fault()
	contentType, body := f.Type, f.Body
	if f.Kind != faults.KindRaw {
		contentType, body = "text/html; charset=utf-8", "<html><body>"+a.message+"</body></html>"
	}
	head := []string{":status", strconv.Itoa(f.HTTP), "content-type", contentType}
	if f.Kind == faults.KindRedirect {
		head = append(head, "location", location(f.Location, l.path))
	}
	if a.throttled {
		head = append(head, "retry-after", a.retryAfter())
	}
	l.replace(func(fr *http2.Framer) {
		l.block(fr, body == "", append(head, fields(f.Header)...)...)
		if body != "" {
			l.data(fr, true, []byte(body))
		}
	})
}

// half begins a message, and resets the stream in its middle.
func (l line) half(answer, query.Signal) {
	half := truncated(false)
	l.replace(func(fr *http2.Framer) {
		l.block(fr, false, grpcHead...)
		l.data(fr, false, prefixed(half, 0)[:len(half)])
		fr.WriteRSTStream(l.stream, http2.ErrCodeInternal)
	})
}

// trailers answers with success and trailers of any size.
func (l line) trailers(a answer, sig query.Signal) {
	l.replace(func(fr *http2.Framer) {
		l.block(fr, false, grpcHead...)
		l.data(fr, false, prefixed(a.body(sig, false), 0))
		l.block(fr, true, append([]string{"grpc-status", "0", fillerName, strings.Repeat("x", int(a.fault().Size))}, fields(a.fault().Header)...)...)
	})
}

// encoded answers with success in a compression that nobody asked for.
func (l line) encoded(a answer, sig query.Signal) {
	const compressed = 1
	body := encodeAs(a.fault().Type, a.body(sig, false))
	l.replace(func(fr *http2.Framer) {
		l.block(fr, false, append(slices.Clone(grpcHead), "grpc-encoding", a.fault().Type)...)
		l.data(fr, false, prefixed(body, compressed))
		l.block(fr, true, append([]string{"grpc-status", "0"}, fields(a.fault().Header)...)...)
	})
}

// grpcHead is how an answer of gRPC begins.
var grpcHead = []string{":status", "200", "content-type", "application/grpc"}

// prefixed is a message as gRPC has it in a stream.
func prefixed(message []byte, flag byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{flag}, uint32(len(message))), message...)
}

func fields(list []faults.Field) (pairs []string) {
	for _, f := range list {
		pairs = append(pairs, strings.ToLower(f.Name), f.Value)
	}
	return pairs
}

// maxFrame is the size that every HTTP/2 peer takes.
const maxFrame = 16384

// block writes header fields in as many frames as they need.
func (l line) block(fr *http2.Framer, end bool, pairs ...string) {
	rest := h2shim.Fields(pairs...)
	next := func() []byte {
		part := rest[:min(maxFrame, len(rest))]
		rest = rest[len(part):]
		return part
	}
	part := next()
	fr.WriteHeaders(http2.HeadersFrameParam{StreamID: l.stream, BlockFragment: part, EndHeaders: len(rest) == 0, EndStream: end})
	for len(rest) > 0 {
		part = next()
		fr.WriteContinuation(l.stream, len(rest) == 0, part)
	}
}

// data writes bytes in as many frames as they need.
func (l line) data(fr *http2.Framer, end bool, b []byte) {
	for len(b) > maxFrame {
		fr.WriteData(l.stream, false, b[:maxFrame])
		b = b[maxFrame:]
	}
	fr.WriteData(l.stream, end, b)
}
