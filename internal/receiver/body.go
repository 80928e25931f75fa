package receiver

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// Decoder undoes an encoding of HTTP bodies.
type Decoder func(io.Reader) (io.ReadCloser, error)

// bodies reads bodies, and undoes their encoding, under a size cap that holds
// before and after. Its readers and buffers are pooled and belong to one
// server.
type bodies struct {
	max      int
	decoders map[string]Decoder // beside gzip
	readers  sync.Pool
	buffers  sync.Pool
}

// read reads r, which has an encoding that the server decodes, to its end; any
// other is read as if it had none. Hint is how many bytes there are, or
// negative if that is not known.
func (b *bodies) read(r io.Reader, encoding string, hint int64) message {
	switch decode := b.decoders[encoding]; {
	case encoding == "gzip" || encoding == "x-gzip":
		return b.gunzip(r)
	case decode != nil:
		return b.decode(r, decode)
	}
	return b.plain(r, hint)
}

// decode reads r through a decoder.
func (b *bodies) decode(r io.Reader, decoder Decoder) message {
	in := &counter{r: io.LimitReader(r, int64(b.max)+1)}
	m := message{}
	plain, err := decoder(in)
	if err == nil {
		defer plain.Close()
		m = b.plain(plain, -1)
		err = m.err
	}
	m.wire = in.n
	switch {
	case in.n > b.max || errors.Is(err, errTooLarge):
		m.err = b.tooLarge()
	case in.err != nil:
		m.err = errBroken
	case err != nil:
		m.err = fmt.Errorf("%w: %w", errCompression, cause(err))
	}
	return m
}

// decodes says whether the server knows an encoding of HTTP bodies.
func (r *Receiver) decodes(encoding string) bool {
	return slices.Contains(r.encodings(), encoding) || encoding == ""
}

// encodings is those that the server knows.
func (r *Receiver) encodings() []string {
	return append([]string{"gzip", "identity", "x-gzip"}, slices.Sorted(maps.Keys(r.Decoders))...)
}

// counter counts what is read, and keeps why that ended, if not at the end.
type counter struct {
	r   io.Reader
	n   int
	err error
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

// plain reads r as it is.
func (b *bodies) plain(r io.Reader, hint int64) message {
	if hint > int64(b.max) {
		return message{err: b.tooLarge()}
	}
	if hint >= 0 {
		body := make([]byte, hint)
		n, err := io.ReadFull(r, body)
		if err != nil {
			return message{wire: n, err: errBroken}
		}
		return message{body: body, wire: n}
	}
	buf := b.buffer()
	defer b.buffers.Put(buf)
	if err := b.fill(buf, r); err != nil {
		return message{wire: buf.Len(), err: err}
	}
	return message{body: bytes.Clone(buf.Bytes()), wire: buf.Len()}
}

// gunzip reads r, which is gzip, to its end.
func (b *bodies) gunzip(r io.Reader) message {
	buf := b.buffer()
	defer b.buffers.Put(buf)
	if err := b.fill(buf, r); err != nil {
		return message{wire: buf.Len(), err: err}
	}
	m := message{wire: buf.Len()}
	m.body, m.err = b.inflate(buf.Bytes())
	return m
}

func (b *bodies) buffer() *bytes.Buffer {
	if buf, ok := b.buffers.Get().(*bytes.Buffer); ok {
		buf.Reset()
		return buf
	}
	return new(bytes.Buffer)
}

// fill reads r into buf up to the cap.
func (b *bodies) fill(buf *bytes.Buffer, r io.Reader) error {
	n, err := buf.ReadFrom(io.LimitReader(r, int64(b.max)+1))
	switch {
	case err != nil:
		return &brokenError{err}
	case n > int64(b.max):
		return b.tooLarge()
	}
	return nil
}

// brokenError is why a body could not be read to its end.
type brokenError struct{ error }

// Is makes it an errBroken.
func (brokenError) Is(target error) bool { return target == errBroken }

// cause is what a decoder says is wrong with its input.
func cause(err error) error {
	var broken *brokenError
	if errors.As(err, &broken) {
		return broken.error
	}
	return err
}

// inflate allocates once where the trailer's length is right, which it is for
// one member of less than 4 GiB.
func (b *bodies) inflate(z []byte) ([]byte, error) {
	zr, err := b.reader(z)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCompression, err)
	}
	defer b.readers.Put(zr)
	body := make([]byte, 0, b.expect(z))
	for {
		if len(body) == cap(body) { // is that all?
			var probe [1]byte
			n, err := zr.Read(probe[:])
			body = append(body, probe[:n]...)
			if done, err := b.done(body, err); done {
				return body, err
			}
			continue
		}
		n, err := zr.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if done, err := b.done(body, err); done {
			return body, err
		}
	}
}

// done says whether reading is over, and with which error.
func (b *bodies) done(body []byte, err error) (bool, error) {
	switch {
	case len(body) > b.max:
		return true, b.tooLarge()
	case err == io.EOF:
		return true, nil
	case err != nil:
		return true, fmt.Errorf("%w: %w", errCompression, err)
	}
	return false, nil
}

// expect is how long the trailer says that the data is, as far as deflate can
// make it.
func (b *bodies) expect(z []byte) int {
	const maxRatio = 1032
	size := int(binary.LittleEndian.Uint32(z[len(z)-4:]))
	return min(size, b.max, maxRatio*len(z))
}

func (b *bodies) reader(z []byte) (*gzip.Reader, error) {
	if len(z) < 18 { // a header and a trailer
		return nil, io.ErrUnexpectedEOF
	}
	if zr, ok := b.readers.Get().(*gzip.Reader); ok {
		return zr, zr.Reset(bytes.NewReader(z))
	}
	return gzip.NewReader(bytes.NewReader(z))
}

func (b *bodies) tooLarge() error {
	return fmt.Errorf("%w of %d bytes", errTooLarge, b.max)
}
