package receiver

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// peeked is a connection whose first bytes have been looked at and can be read
// again. With HTTP/2 a client may wait for the server's settings before it says
// what it wants, so peek sends some; what the client acknowledges of that is
// kept from the server that will send its own.
type peeked struct {
	net.Conn
	again []byte // to be read before anything else
	raw   []byte // read, but not yet a whole frame
	owed  bool   // the client has yet to acknowledge our settings
	alone bool   // no server has the connection yet
}

// maxPeek bounds what is read before the first request is understood.
const maxPeek = 1 << 20

// peek reads until it is clear whether the client speaks gRPC.
func (p *peeked) peek() (isGRPC bool, err error) {
	for len(p.raw) < len(http2.ClientPreface) {
		if !strings.HasPrefix(http2.ClientPreface, string(p.raw)) {
			p.again, p.raw = p.raw, nil
			return false, nil // HTTP/1
		}
		if err := p.more(); err != nil {
			return false, err
		}
	}
	if !bytes.HasPrefix(p.raw, []byte(http2.ClientPreface)) {
		p.again, p.raw = p.raw, nil
		return false, nil
	}
	p.again, p.raw = p.raw[:len(http2.ClientPreface):len(http2.ClientPreface)], p.raw[len(http2.ClientPreface):]
	if err := http2.NewFramer(p.Conn, nil).WriteSettings(); err != nil {
		return false, err
	}
	p.owed, p.alone = true, true
	defer func() { p.alone = false }()
	return p.firstRequest()
}

// more reads what there is.
func (p *peeked) more() error {
	if len(p.raw)+len(p.again) > maxPeek {
		return errors.New("the client does not begin a request")
	}
	buf := make([]byte, 4096)
	n, err := p.Conn.Read(buf)
	p.raw = append(p.raw, buf[:n]...)
	if n > 0 {
		return nil
	}
	return err
}

// firstRequest reads frames up to the head of the first request, and says
// whether its content type is gRPC's.
func (p *peeked) firstRequest() (isGRPC bool, err error) {
	var block []byte
	decoder := hpack.NewDecoder(4096, func(f hpack.HeaderField) {
		isGRPC = isGRPC || f.Name == "content-type" && strings.HasPrefix(f.Value, "application/grpc")
	})
	for {
		frame, ok := p.frame()
		if !ok {
			if err := p.more(); err != nil {
				return false, err
			}
			continue
		}
		switch f := frame.(type) {
		case *http2.PingFrame:
			if err := http2.NewFramer(p.Conn, nil).WritePing(true, f.Data); err != nil {
				return false, err
			}
		case *http2.HeadersFrame:
			block = append(block, f.HeaderBlockFragment()...)
			if f.HeadersEnded() {
				_, err := decoder.Write(block)
				return isGRPC, err
			}
		case *http2.ContinuationFrame:
			block = append(block, f.HeaderBlockFragment()...)
			if f.HeadersEnded() {
				_, err := decoder.Write(block)
				return isGRPC, err
			}
		}
	}
}

// frame takes the next whole frame, if one has come, and puts it where it can
// be read again, unless it was meant for peek alone.
func (p *peeked) frame() (http2.Frame, bool) {
	const head = 9
	if len(p.raw) < head {
		return nil, false
	}
	size := head + int(binary.BigEndian.Uint32(p.raw[:4])>>8)
	if len(p.raw) < size {
		return nil, false
	}
	raw := p.raw[:size]
	p.raw = p.raw[size:]
	framer := http2.NewFramer(nil, bytes.NewReader(raw))
	framer.AllowIllegalReads = true // it sees one frame only
	frame, err := framer.ReadFrame()
	if err != nil {
		frame = nil // for the server to complain about
	}
	switch f := frame.(type) {
	case *http2.SettingsFrame:
		if f.IsAck() && p.owed {
			p.owed = false
			return f, true
		}
	case *http2.PingFrame:
		if p.alone {
			return f, true // answered by peek
		}
	}
	p.again = append(p.again, raw...)
	return frame, true
}

// Read implements net.Conn.
func (p *peeked) Read(b []byte) (int, error) {
	for len(p.again) == 0 {
		if !p.owed {
			if len(p.raw) == 0 {
				return p.Conn.Read(b)
			}
			p.again, p.raw = p.raw, nil
			break
		}
		if _, ok := p.frame(); ok {
			continue
		}
		if err := p.more(); err != nil {
			if err == io.EOF && len(p.raw) > 0 {
				p.owed = false // what is left is for the server to complain about
				continue
			}
			return 0, err
		}
	}
	n := copy(b, p.again)
	p.again = p.again[n:]
	return n, nil
}
