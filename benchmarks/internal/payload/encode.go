package payload

import (
	"bytes"
	"compress/gzip"

	"github.com/klauspost/compress/zstd"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// Gzip compresses each message at the default level.
func Gzip(in [][]byte) [][]byte {
	out := make([][]byte, len(in))
	Each(len(in), func(i int) {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(in[i]) // a Buffer takes everything
		w.Close()
		out[i] = b.Bytes()
	})
	return out
}

// Zstd compresses each message at the default level.
func Zstd(in [][]byte) [][]byte {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err) // there are no options that could be wrong
	}
	out := make([][]byte, len(in))
	Each(len(in), func(i int) { out[i] = enc.EncodeAll(in[i], nil) })
	return out
}

// JSON encodes requests of spans anew, as the Collector writes OTLP JSON.
func JSON(in [][]byte) [][]byte {
	out := make([][]byte, len(in))
	Each(len(in), func(i int) {
		td, err := new(ptrace.ProtoUnmarshaler).UnmarshalTraces(in[i])
		if err == nil {
			out[i], err = new(ptrace.JSONMarshaler).MarshalTraces(td)
		}
		if err != nil {
			panic(err) // the requests are this package's
		}
	})
	return out
}
