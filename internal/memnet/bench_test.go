package memnet_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/otlptest/otlptest/internal/memnet"
)

func BenchmarkThroughput(b *testing.B) {
	for _, size := range []int{512, 4 << 10, 32 << 10, 256 << 10} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			client, server := pair(b)
			sent := start(func() error {
				out := make([]byte, size)
				for range b.N {
					if _, err := client.Write(out); err != nil {
						return err
					}
				}
				return nil
			})
			buf := make([]byte, size)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				if _, err := io.ReadFull(server, buf); err != nil {
					b.Fatal(err)
				}
			}
			if err := sent(); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	client, server := pair(b)
	go io.CopyBuffer(struct{ io.Writer }{server}, struct{ io.Reader }{server}, make([]byte, 64))
	buf := make([]byte, 64)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.Write(buf); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(client, buf); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDialAcceptClose(b *testing.B) {
	l := listen(b)
	addr := l.Addr().String()
	b.ReportAllocs()
	for b.Loop() {
		client, err := memnet.Dial(context.Background(), addr)
		if err != nil {
			b.Fatal(err)
		}
		server, err := l.Accept()
		if err != nil {
			b.Fatal(err)
		}
		client.Close()
		server.Close()
	}
}
