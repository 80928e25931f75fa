// Package encodings adds the encodings that OTLP clients use beside gzip: zstd,
// snappy, deflate and zlib.
//
//	srv := otlptest.Start(t, encodings.Register()...)
//
// Over HTTP they belong to the one server. Over gRPC they are registered for
// the whole process, since grpc-go knows no other way: every gRPC client and
// server in the process can use them from then on, so that a test of a client
// that lacks one of them must not call Register.
//
//	name             over HTTP                      over gRPC
//	zstd             a Zstandard frame              the same
//	snappy           the block format               the framing format
//	x-snappy-framed  the framing format             -
//	deflate, zlib    zlib (RFC 1950), or bare       zlib
//	                 deflate (RFC 1951)
package encodings

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"io"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"google.golang.org/grpc/encoding"

	"github.com/otlptest/otlptest/otlptest"
)

// Register registers the encodings for gRPC in this process, and returns the
// options that add them to a server's HTTP. Like encoding.RegisterCompressor it
// is to be called before any gRPC client or server is used.
func Register() []otlptest.Option {
	for _, c := range []codec{
		{"zstd", newZstdWriter, func(r io.Reader) (io.Reader, error) { return zstdWithin(r, grpcLimit) }},
		{"snappy", newSnappyWriter, func(r io.Reader) (io.Reader, error) { return snappy.NewReader(r), nil }},
		{"deflate", newZlibWriter, func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
		{"zlib", newZlibWriter, func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
	} {
		encoding.RegisterCompressor(c)
	}
	return []otlptest.Option{
		otlptest.WithEncoding("zstd", zstdWithin),
		otlptest.WithEncoding("snappy", snappyBlock),
		otlptest.WithEncoding("x-snappy-framed", func(r io.Reader, _ int) (io.ReadCloser, error) { return io.NopCloser(snappy.NewReader(r)), nil }),
		otlptest.WithEncoding("deflate", inflate),
		otlptest.WithEncoding("zlib", inflate),
	}
}

// codec is an encoding for gRPC. It makes a new reader or writer for every
// message: one that was shared could not be used in several bubbles of
// testing/synctest.
type codec struct {
	name   string
	writer func(io.Writer) (io.WriteCloser, error)
	reader func(io.Reader) (io.Reader, error)
}

// Name implements encoding.Compressor.
func (c codec) Name() string { return c.name }

// Compress implements encoding.Compressor.
func (c codec) Compress(w io.Writer) (io.WriteCloser, error) { return c.writer(w) }

// Decompress implements encoding.Compressor.
func (c codec) Decompress(r io.Reader) (io.Reader, error) { return c.reader(r) }

// grpcLimit is how many bytes a frame may make its decoder allocate over gRPC,
// where a decoder does not learn the server's cap.
const grpcLimit = 64 << 20

// window is what every zstd decoder has to be able to keep (RFC 8878).
const window = 8 << 20

func zstdWithin(r io.Reader, limit int) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(uint64(max(limit, window))))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

func newZstdWriter(w io.Writer) (io.WriteCloser, error) {
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
}

func newSnappyWriter(w io.Writer) (io.WriteCloser, error) { return snappy.NewBufferedWriter(w), nil }

func newZlibWriter(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }

// snappyBlock decodes the block format, which says at its beginning how long
// the data is, and has to be decoded as a whole.
func snappyBlock(r io.Reader, limit int) (io.ReadCloser, error) {
	block, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	const maxRatio = 64 // a copy of 64 bytes takes two or three, so this is generous
	switch n, err := snappy.DecodedLen(block); {
	case err != nil || n > maxRatio*len(block):
		return nil, errors.Join(errors.New("snappy: the length at the beginning cannot be"), err)
	case n > limit:
		return nil, otlptest.ErrTooLarge
	}
	plain, err := snappy.Decode(nil, block)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(plain)), nil
}

// inflate decodes zlib, or deflate without zlib's header, which some clients
// send under both names.
func inflate(r io.Reader, _ int) (io.ReadCloser, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(b)
	}
	return flate.NewReader(b), nil
}
