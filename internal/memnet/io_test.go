package memnet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/memnet"
)

func TestDataArrivesUnchanged(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		want := make([]byte, 1<<20)
		rnd := rand.New(rand.NewPCG(1, 2))
		for i := range want {
			want[i] = byte(rnd.Uint32())
		}
		client, server := pair(t)
		echoed := start(func() error {
			if _, err := io.Copy(server, server); err != nil {
				return err
			}
			return server.CloseWrite()
		})
		sent := start(func() error {
			if _, err := io.Copy(client, bytes.NewReader(want)); err != nil {
				return err
			}
			return client.CloseWrite()
		})
		got, err := io.ReadAll(client)
		if err := errors.Join(err, sent(), echoed()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("got %d bytes that differ from the %d sent", len(got), len(want))
		}
	})
}

func TestPingPong(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		const rounds = 1000
		client, server := pair(t)
		pong := func(c *memnet.Conn) func() error {
			return func() error {
				var b [8]byte
				for {
					if _, err := io.ReadFull(c, b[:]); err != nil {
						return err
					}
					n := binary.BigEndian.Uint64(b[:]) + 1
					binary.BigEndian.PutUint64(b[:], n)
					if _, err := c.Write(b[:]); err != nil {
						return err
					}
					if n >= rounds {
						return c.CloseWrite()
					}
				}
			}
		}
		a, b := start(pong(client)), start(pong(server))
		if _, err := client.Write(make([]byte, 8)); err != nil {
			t.Fatal(err)
		}
		errA, errB := a(), b()
		if (errA != nil && errA != io.EOF) || (errB != nil && errB != io.EOF) {
			t.Errorf("client: %v, server: %v, want none or EOF", errA, errB)
		}
	})
}

func TestReadReturnsWhatThereIs(t *testing.T) {
	client, server := pair(t)
	client.Write([]byte("hello"))
	b := make([]byte, 3)
	if n, err := server.Read(b); n != 3 || err != nil || string(b) != "hel" {
		t.Errorf("first read: got %q, %v, want hel", b[:n], err)
	}
	if n, err := server.Read(b); n != 2 || err != nil || string(b[:n]) != "lo" {
		t.Errorf("second read: got %q, %v, want lo", b[:n], err)
	}
}

func TestEmptyReadAndWriteDoNotBlock(t *testing.T) {
	client, _ := pair(t)
	if n, err := client.Read(nil); n != 0 || err != nil {
		t.Errorf("read: got %d, %v, want 0, nil", n, err)
	}
	client.Write(make([]byte, bufferSize))
	if n, err := client.Write(nil); n != 0 || err != nil {
		t.Errorf("write: got %d, %v, want 0, nil", n, err)
	}
}

func TestWriteBlocksWhileTheBufferIsFull(t *testing.T) {
	eachClock(t, func(t *testing.T, settle func()) {
		client, server := pair(t)
		if n, err := client.Write(make([]byte, bufferSize)); n != bufferSize || err != nil {
			t.Fatalf("filling the buffer: %d, %v", n, err)
		}
		var mu sync.Mutex
		written := false
		wait := start(func() error {
			_, err := client.Write([]byte("x"))
			mu.Lock()
			defer mu.Unlock()
			written = true
			return err
		})
		settle()
		mu.Lock()
		if written {
			t.Error("a write to a full buffer did not block")
		}
		mu.Unlock()
		if _, err := server.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		if err := wait(); err != nil {
			t.Errorf("write after a read made room: %v", err)
		}
	})
}

func TestReadAndWriteAllocateNothing(t *testing.T) {
	client, server := pair(t)
	b := make([]byte, 1024)
	allocs := testing.AllocsPerRun(100, func() {
		client.Write(b)
		server.Read(b)
	})
	if allocs != 0 {
		t.Errorf("a write and a read make %v allocations, want 0", allocs)
	}
}

func TestDirectionsAreIndependent(t *testing.T) {
	client, server := pair(t)
	client.Write(make([]byte, bufferSize))
	if _, err := server.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if n, err := client.Read(make([]byte, 2)); n != 1 || err != nil {
		t.Errorf("read %d, %v while the other direction is full, want 1", n, err)
	}
}

func TestConcurrentWritesDoNotMix(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		const writers, size = 4, 3 * bufferSize
		client, server := pair(t)
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				if _, err := client.Write(bytes.Repeat([]byte{byte(i)}, size)); err != nil {
					t.Error(err)
				}
			})
		}
		b := make([]byte, size)
		for range writers {
			if _, err := io.ReadFull(server, b); err != nil {
				t.Fatal(err)
			}
			if bytes.Count(b, b[:1]) != size {
				t.Error("a write was interrupted by another")
			}
		}
		wg.Wait()
	})
}

func TestRacyReadsAndWritesWithDeadlines(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		client, server := pair(t)
		go io.Copy(server, server)
		var wg sync.WaitGroup
		for i := range 8 {
			reads, rnd := i%2 == 0, rand.New(rand.NewPCG(1, uint64(i)))
			wg.Go(func() {
				b := make([]byte, 1024)
				for range 20 {
					var err error
					if reads {
						client.SetReadDeadline(time.Now().Add(time.Millisecond))
						_, err = client.Read(b[:rnd.IntN(len(b))])
					} else {
						client.SetWriteDeadline(time.Now().Add(time.Millisecond))
						_, err = client.Write(b[:rnd.IntN(len(b))])
					}
					wantTimeoutOrNil(t, err)
				}
			})
		}
		wg.Wait()
	})
}

func TestConcurrentMethods(t *testing.T) {
	eachClock(t, func(t *testing.T, _ func()) {
		client, server := pair(t)
		go io.Copy(server, server)
		calls := []func(){
			func() { client.Read(make([]byte, 1024)) },
			func() { client.Write(make([]byte, 1024)) },
			func() { client.SetDeadline(time.Now().Add(10 * time.Millisecond)) },
			func() { client.SetReadDeadline(time.Now().Add(10 * time.Millisecond)) },
			func() { client.SetWriteDeadline(time.Now().Add(10 * time.Millisecond)) },
			func() { _ = fmt.Sprint(client.LocalAddr(), client.RemoteAddr()) },
		}
		var wg sync.WaitGroup
		for range 50 {
			for _, call := range calls {
				wg.Go(call)
			}
		}
		wg.Go(func() { client.CloseWrite() })
		wg.Go(func() { client.Close() })
		wg.Go(func() { client.Reset() })
		wg.Wait()
	})
}
