package h2shim_test

import (
	"bytes"
	"io"
	"net"
	"testing"
	"testing/synctest"

	"golang.org/x/net/http2"

	"github.com/otlptest/otlptest/internal/h2shim"
)

// written is what comes of writes in this order, with a GOAWAY inserted while
// the nth has been done.
func written(t *testing.T, n int, writes ...[]byte) []byte {
	t.Helper()
	under := &scripted{chunks: [][]byte{afterPreface(headers(1, "", true))}}
	conn := h2shim.New(under)
	io.ReadAll(conn)
	inserted := make(chan error, 1)
	for i, w := range writes {
		if _, err := conn.Write(w); err != nil {
			t.Fatal(err)
		}
		if i == n {
			go func() { inserted <- conn.Insert(goAway) }()
			synctest.Wait()
		}
	}
	if err := <-inserted; err != nil {
		t.Error(err)
	}
	return bytes.Join(under.wrote, nil)
}

func goAway(f *http2.Framer) { f.WriteGoAway(0, http2.ErrCodeNo, nil) }

func TestFramesAreInsertedAtTheNextBoundary(t *testing.T) {
	block := frames(all(headers(1, "abc", false), raw(http2.FrameContinuation, 0, 1, "def"), raw(http2.FrameContinuation, http2.FlagContinuationEndHeaders, 1, "g")))
	data := frames(raw(http2.FrameData, 0, 1, "12345"))
	push := frames(all(raw(http2.FramePushPromise, 0, 1, "1234"), raw(http2.FrameContinuation, http2.FlagContinuationEndHeaders, 1, "g")))
	server := bytes.Join([][]byte{block, data, push}, nil)
	synctest.Test(t, func(t *testing.T) {
		for n := range len(server) {
			at := len(server)
			switch {
			case n <= len(block): // nothing comes before the server's first frame
				at = len(block)
			case n <= len(block)+len(data):
				at = len(block) + len(data)
			}
			// A head that has begun is held back: the client does not see it cut.
			for _, begun := range []int{len(block), len(block) + len(data)} {
				if n > begun && n < begun+9 {
					at = begun
				}
			}
			want := bytes.Join([][]byte{server[:at], frames(goAway), server[at:]}, nil)
			if got := written(t, 0, server[:n], server[n:]); !bytes.Equal(got, want) {
				t.Errorf("inserted after byte %d: got\n%q, want\n%q", n, got, want)
			}
		}
	})
}

func TestServersResetsOfAReplacedStreamAreDropped(t *testing.T) {
	data := frames(raw(http2.FrameData, 0, 3, "12345"))
	resets := frames(all(
		func(f *http2.Framer) { f.WriteRSTStream(1, http2.ErrCodeStreamClosed) },
		func(f *http2.Framer) { f.WriteRSTStream(1, http2.ErrCodeStreamClosed) },
	))
	other := frames(func(f *http2.Framer) { f.WriteRSTStream(3, http2.ErrCodeStreamClosed) })
	server := bytes.Join([][]byte{data, resets, other}, nil)
	want := bytes.Join([][]byte{frames(goAway), data, other}, nil)
	synctest.Test(t, func(t *testing.T) {
		for n := range len(server) {
			client, c := memPair(t)
			conn := settled(t, client, c)
			go io.Copy(io.Discard, conn)
			if err := conn.Replace(1, goAway); err != nil {
				t.Fatal(err)
			}
			conn.Write(server[:n])
			conn.Write(server[n:])
			conn.Close()
			if got, _ := io.ReadAll(client); !bytes.Equal(got, want) {
				t.Errorf("written in two at %d: got\n%q, want\n%q", n, got, want)
			}
		}
	})
}

// Nobody waits for a lock: the bubble knows that all are blocked.
func TestFullConnBlocksInsertAndWriteUntilItIsReadOrClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe() // buffers nothing
		conn := h2shim.New(server)
		go client.Write(afterPreface(headers(1, "", true)))
		io.ReadFull(conn, make([]byte, len(http2.ClientPreface)))
		data := frames(raw(http2.FrameData, 0, 1, "12345"))
		results := make(chan error, 3)
		go func() { _, err := conn.Write(data[:10]); results <- err }()
		synctest.Wait()
		go func() { results <- conn.Insert(goAway) }()
		synctest.Wait()
		go func() { _, err := conn.Write(data[10:]); results <- err }()
		synctest.Wait()
		got := make([]byte, len(data)+len(frames(goAway)))
		if _, err := io.ReadFull(client, got); err != nil {
			t.Fatal(err)
		}
		if want := bytes.Join([][]byte{data, frames(goAway)}, nil); !bytes.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		for range 3 {
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		for range 3 {
			go func() { results <- conn.Insert(goAway) }()
		}
		synctest.Wait()
		conn.Close()
		for range 3 {
			if err := <-results; err == nil {
				t.Error("Insert returned no error after Close")
			}
		}
	})
}

func TestFailedWriteEndsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := memPair(t)
		conn := settled(t, client, server)
		conn.Write([]byte{0, 0, 5, 0, 0, 0, 0, 0, 1, 'd'}) // within a frame
		inserted := make(chan error, 1)
		go func() { inserted <- conn.Insert(goAway) }()
		synctest.Wait()
		conn.NetConn().Close()
		if _, err := conn.Write([]byte("ata!")); err == nil {
			t.Error("Write returned no error")
		}
		if err := <-inserted; err == nil {
			t.Error("Insert returned no error")
		}
		if err := conn.Insert(goAway); err == nil {
			t.Error("Insert after that returned no error")
		}
	})
}
