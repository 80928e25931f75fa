package h2shim_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"github.com/otlptest/otlptest/internal/h2shim"
)

// endless is a connection whose client sends first and then again and again the
// same.
type endless struct {
	net.Conn
	first, again string
	at           string
}

func (e *endless) Read(b []byte) (int, error) {
	if e.at == "" {
		e.at, e.first = e.first, ""
		if e.at == "" {
			e.at = e.again
		}
	}
	n := copy(b, e.at)
	e.at = e.at[n:]
	return n, nil
}

// BenchmarkRead reads 1 MiB of DATA frames, as a server with a buffer does.
func BenchmarkRead(b *testing.B) {
	first := string(afterPreface(headers(1, "abc", true)))
	again := strings.Repeat(string(frames(raw(http2.FrameData, 0, 1, strings.Repeat("d", 16<<10)))), 1<<20>>14)
	for _, shim := range []bool{false, true} {
		b.Run(fmt.Sprintf("copy/shim=%t", shim), func(b *testing.B) {
			benchmarkRead(b, &endless{first: first, again: again}, shim, len(again))
		})
		b.Run(fmt.Sprintf("TCP/shim=%t", shim), func(b *testing.B) {
			client, server := tcpPair(b)
			go func() {
				_, err := client.Write([]byte(first))
				for mib := []byte(again); err == nil; {
					_, err = client.Write(mib)
				}
			}()
			benchmarkRead(b, server, shim, len(again))
		})
	}
}

func benchmarkRead(b *testing.B, conn net.Conn, shim bool, size int) {
	if shim {
		conn = h2shim.New(conn)
	}
	buf := make([]byte, 32<<10)
	io.ReadFull(conn, buf[:100])
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for left := size; left > 0; {
			n, err := conn.Read(buf[:min(left, len(buf))])
			if err != nil {
				b.Fatal(err)
			}
			left -= n
		}
	}
}

// BenchmarkRequests reads 63 requests with bodies of 16 KiB.
func BenchmarkRequests(b *testing.B) {
	body := strings.Repeat("d", 16<<10)
	var all strings.Builder
	f := http2.NewFramer(&all, nil)
	for id := uint32(1); id < 127; id += 2 {
		headers(id, string(head("/a/b")), true)(f)
		raw(http2.FrameData, http2.FlagDataEndStream, id, body)(f)
	}
	for _, shim := range []bool{false, true} {
		b.Run(fmt.Sprintf("shim=%t", shim), func(b *testing.B) {
			b.ReportAllocs()
			buf := make([]byte, 32<<10)
			for b.Loop() {
				under := &endless{first: http2.ClientPreface + all.String()}
				var conn net.Conn = under
				if shim {
					conn = h2shim.New(conn)
				}
				for under.first != "" || under.at != "" {
					conn.Read(buf)
				}
			}
		})
	}
}
