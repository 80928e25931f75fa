package receiver

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// gunzipper undoes gzip under a size cap. Its readers and buffers are pooled
// and belong to one server.
type gunzipper struct {
	max     int
	readers sync.Pool
	buffers sync.Pool
}

// read reads r, which is plain, to its end. Hint is how many bytes there are,
// or negative if that is not known.
func (g *gunzipper) read(r io.Reader, hint int64) message {
	if hint > int64(g.max) {
		return message{err: g.tooLarge()}
	}
	if hint >= 0 {
		body := make([]byte, hint)
		n, err := io.ReadFull(r, body)
		if err != nil {
			return message{wire: n, err: errBroken}
		}
		return message{body: body, wire: n}
	}
	buf := g.buffer()
	defer g.buffers.Put(buf)
	if err := g.fill(buf, r); err != nil {
		return message{wire: buf.Len(), err: err}
	}
	return message{body: bytes.Clone(buf.Bytes()), wire: buf.Len()}
}

// decompress reads r, which is gzip, to its end.
func (g *gunzipper) decompress(r io.Reader) message {
	buf := g.buffer()
	defer g.buffers.Put(buf)
	if err := g.fill(buf, r); err != nil {
		return message{wire: buf.Len(), err: err}
	}
	m := message{wire: buf.Len()}
	m.body, m.err = g.inflate(buf.Bytes())
	return m
}

func (g *gunzipper) buffer() *bytes.Buffer {
	if buf, ok := g.buffers.Get().(*bytes.Buffer); ok {
		buf.Reset()
		return buf
	}
	return new(bytes.Buffer)
}

// fill reads r into buf up to the cap.
func (g *gunzipper) fill(buf *bytes.Buffer, r io.Reader) error {
	n, err := buf.ReadFrom(io.LimitReader(r, int64(g.max)+1))
	switch {
	case err != nil:
		return errBroken
	case n > int64(g.max):
		return g.tooLarge()
	}
	return nil
}

// inflate allocates once where the trailer's length is right, which it is for
// one member of less than 4 GiB.
func (g *gunzipper) inflate(z []byte) ([]byte, error) {
	zr, err := g.reader(z)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCompression, err)
	}
	defer g.readers.Put(zr)
	body := make([]byte, 0, g.expect(z))
	for {
		if len(body) == cap(body) { // is that all?
			var probe [1]byte
			n, err := zr.Read(probe[:])
			body = append(body, probe[:n]...)
			if done, err := g.done(body, err); done {
				return body, err
			}
			continue
		}
		n, err := zr.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if done, err := g.done(body, err); done {
			return body, err
		}
	}
}

// done says whether reading is over, and with which error.
func (g *gunzipper) done(body []byte, err error) (bool, error) {
	switch {
	case len(body) > g.max:
		return true, g.tooLarge()
	case err == io.EOF:
		return true, nil
	case err != nil:
		return true, fmt.Errorf("%w: %w", errCompression, err)
	}
	return false, nil
}

// expect is how long the trailer says that the data is, as far as deflate can
// make it.
func (g *gunzipper) expect(z []byte) int {
	const maxRatio = 1032
	size := int(binary.LittleEndian.Uint32(z[len(z)-4:]))
	return min(size, g.max, maxRatio*len(z))
}

func (g *gunzipper) reader(z []byte) (*gzip.Reader, error) {
	if len(z) < 18 { // a header and a trailer
		return nil, io.ErrUnexpectedEOF
	}
	if zr, ok := g.readers.Get().(*gzip.Reader); ok {
		return zr, zr.Reset(bytes.NewReader(z))
	}
	return gzip.NewReader(bytes.NewReader(z))
}

func (g *gunzipper) tooLarge() error {
	return fmt.Errorf("%w of %d bytes", errTooLarge, g.max)
}
