package load

import (
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/zstd"
	"google.golang.org/grpc/encoding"

	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// Encoding is how requests are compressed.
type Encoding string

// The encodings.
const (
	Identity Encoding = ""
	Gzip     Encoding = "gzip"
	Zstd     Encoding = "zstd"
)

// String is the encoding's name.
func (e Encoding) String() string {
	if e == Identity {
		return "identity"
	}
	return string(e)
}

func (e Encoding) apply(msgs [][]byte) [][]byte {
	switch e {
	case Gzip:
		return payload.Gzip(msgs)
	case Zstd:
		return payload.Zstd(msgs)
	}
	return msgs
}

// Register makes grpc-go take messages that are compressed already. It is for
// the process of the load generator only, not for those of servers.
func Register() {
	encoding.RegisterCompressor(compressed(Gzip))
	encoding.RegisterCompressor(compressed(Zstd))
}

// compressed writes what it gets, and decompresses what it reads.
type compressed Encoding

func (c compressed) Name() string { return string(c) }

func (c compressed) Compress(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil }

func (c compressed) Decompress(r io.Reader) (io.Reader, error) {
	if Encoding(c) == Gzip {
		return gzip.NewReader(r)
	}
	return zstd.NewReader(r)
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
