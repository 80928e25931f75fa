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

// Decoder undoes an encoding of HTTP bodies. It returns [ErrTooLarge] if it has
// to decode the whole at once and that is longer than limit.
type Decoder func(r io.Reader, limit int) (io.ReadCloser, error)

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
	plain, err := decoder(in, b.max)
	if err == nil {
		defer plain.Close()
		m = b.plain(plain, -1)
		err = m.err
	}
	m.wire = in.n
	switch {
	case in.n > b.max || errors.Is(err, ErrTooLarge):
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
	switch encoding {
	case "", "gzip", "identity", "x-gzip":
		return true
	}
	return r.Decoders[encoding] != nil
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

// pooled is how long the buffers are that are kept for the next body. What is
// longer is read in pieces of that size, so that reading takes twice its size.
const pooled = 1 << 20

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
	defer b.release(buf)
	whole, err := b.begin(buf, r)
	m := message{wire: buf.Len(), err: err}
	switch {
	case err != nil:
	case whole:
		m.body = bytes.Clone(buf.Bytes())
	default:
		m.body, m.err = b.pieces(buf.Bytes(), r)
		m.wire = len(m.body)
	}
	return m
}

// begin reads the first bytes of r into buf, and says whether they are all.
func (b *bodies) begin(buf *bytes.Buffer, r io.Reader) (whole bool, err error) {
	first := min(pooled, b.max+1)
	n, err := buf.ReadFrom(io.LimitReader(r, int64(first)))
	switch {
	case err != nil:
		return false, &brokenError{err}
	case n > int64(b.max):
		return false, b.tooLarge()
	}
	return int(n) < first, nil
}

// pieces reads the rest of a body that begins with first.
func (b *bodies) pieces(first []byte, r io.Reader) ([]byte, error) {
	list, size := [][]byte{first}, len(first)
	for {
		piece := make([]byte, min(pooled, b.max+1-size))
		n, err := fill(piece, r)
		list, size = append(list, piece[:n]), size+n
		switch {
		case size > b.max:
			return nil, b.tooLarge()
		case err == io.EOF:
			return slices.Concat(list...), nil
		case err != nil:
			return nil, &brokenError{err}
		}
	}
}

// fill reads r until piece is full, and returns io.EOF only where r does.
func fill(piece []byte, r io.Reader) (n int, err error) {
	for n < len(piece) && err == nil {
		var k int
		k, err = r.Read(piece[n:])
		n += k
	}
	return n, err
}

// gunzip reads r, which is gzip, to its end.
func (b *bodies) gunzip(r io.Reader) message {
	buf := b.buffer()
	defer b.release(buf)
	whole, err := b.begin(buf, r)
	switch {
	case err != nil:
		return message{wire: buf.Len(), err: err}
	case !whole:
		return b.decode(io.MultiReader(buf, r), func(r io.Reader, _ int) (io.ReadCloser, error) { return gzip.NewReader(r) })
	}
	m := message{wire: buf.Len()}
	m.body, m.err = b.inflate(buf.Bytes())
	return m
}

// buffer is an empty one, which release takes back.
func (b *bodies) buffer() *bytes.Buffer {
	if buf, ok := b.buffers.Get().(*bytes.Buffer); ok {
		buf.Reset()
		return buf
	}
	return new(bytes.Buffer)
}

func (b *bodies) release(buf *bytes.Buffer) {
	if buf.Cap() <= 2*pooled {
		b.buffers.Put(buf)
	}
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
	body := make([]byte, b.expect(z)+1) // with room to see that there is no more
	n, err := fill(body, zr)
	body = body[:n]
	switch {
	case n > b.max:
		return nil, b.tooLarge()
	case err == nil:
		body, err = b.pieces(body, zr)
	case err == io.EOF:
		return body[:n:n], nil
	}
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = fmt.Errorf("%w: %w", errCompression, cause(err))
	}
	return body, err
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
	return fmt.Errorf("%w of %d bytes", ErrTooLarge, b.max)
}
