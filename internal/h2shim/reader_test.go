package h2shim_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/otlptest/otlptest/internal/h2shim"
)

// started returns a connection whose server is the test itself: it has read
// what the client sent, the head of stream 1.
func started(t *testing.T, client, server net.Conn) *h2shim.Conn {
	t.Helper()
	conn := h2shim.New(server)
	t.Cleanup(func() { conn.Close() })
	client.Write(afterPreface(func(f *http2.Framer) {
		f.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: head("/"), EndHeaders: true})
	}))
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		t.Fatal(err)
	}
	if _, err := http2.NewFramer(nil, conn).ReadFrame(); err != nil {
		t.Fatal(err)
	}
	return conn
}

// settled is started with a server that has written its SETTINGS, and a client
// that has read them.
func settled(t *testing.T, client, server net.Conn) *h2shim.Conn {
	t.Helper()
	conn := started(t, client, server)
	if err := http2.NewFramer(conn, nil).WriteSettings(); err != nil {
		t.Fatal(err)
	}
	if _, err := http2.NewFramer(nil, client).ReadFrame(); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestReplaceWakesAReaderAndWaitsForItToReadOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := memPair(t)
		conn := settled(t, client, server)
		begin := time.Now()
		reads := http2.NewFramer(nil, conn)
		got, goOn := make(chan string), make(chan bool)
		go func() {
			f, err := reads.ReadFrame()
			if err != nil {
				t.Error(err)
				return
			}
			got <- describe(f)
			<-goOn
			reads.ReadFrame()
		}()
		synctest.Wait() // it sleeps
		replaced := make(chan error, 1)
		go func() { replaced <- conn.Replace(1, func(*http2.Framer) {}) }()
		if f := <-got; f != "RST_STREAM 1 CANCEL" {
			t.Errorf("the server got %s", f)
		}
		synctest.Wait()
		select {
		case err := <-replaced:
			t.Errorf("Replace returned %v before the server read on", err)
		default:
		}
		goOn <- true
		if err := <-replaced; err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != 0 {
			t.Errorf("it took %v", took)
		}
		conn.Close()
	})
}

// A client takes nothing before the server's SETTINGS, which it may write after
// a handler has begun.
func TestNothingComesBeforeTheServersSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := memPair(t)
		conn := started(t, client, server)
		inserted := make(chan error, 1)
		go func() {
			inserted <- conn.Insert(func(f *http2.Framer) { f.WriteGoAway(0, http2.ErrCodeNo, nil) })
		}()
		synctest.Wait() // it waits
		if err := http2.NewFramer(conn, nil).WriteSettings(); err != nil {
			t.Fatal(err)
		}
		if err := <-inserted; err != nil {
			t.Fatal(err)
		}
		frames := http2.NewFramer(nil, client)
		for _, want := range []string{"SETTINGS", "GOAWAY"} {
			f, err := frames.ReadFrame()
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Header().Type.String(); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		conn.Close()
	})
}

func TestServersReadDeadlineStillFires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := memPair(t)
		conn := started(t, client, server)
		begin := time.Now()
		conn.SetReadDeadline(begin.Add(time.Minute))
		go func() {
			time.Sleep(time.Second)
			conn.Replace(1, func(*http2.Framer) {})
		}()
		reads := http2.NewFramer(nil, conn)
		if f, err := reads.ReadFrame(); err != nil || describe(f) != "RST_STREAM 1 CANCEL" {
			t.Errorf("got %v, %v", f, err)
		}
		for range 2 { // nothing is lost, and it fires again
			_, err := reads.ReadFrame()
			var e net.Error
			if took := time.Since(begin); !errors.As(err, &e) || !e.Timeout() || took != time.Minute {
				t.Errorf("got %v after %v, want a time-out after 1m", err, took)
			}
		}
		conn.SetDeadline(time.Time{})
		client.Write(frames(func(f *http2.Framer) { f.WritePing(false, [8]byte{7}) }))
		if f, err := reads.ReadFrame(); err != nil || describe(f) != "PING 7" {
			t.Errorf("got %v, %v", f, err)
		}
	})
}

// deadlines is the read deadlines that were set.
type deadlines struct {
	net.Conn
	set chan time.Time
}

func (d deadlines) SetReadDeadline(t time.Time) error {
	d.set <- t
	return d.Conn.SetReadDeadline(t)
}

func TestServersDeadlineDoesNotUndoTheWaking(t *testing.T) {
	client, server := memPair(t)
	below := deadlines{server, make(chan time.Time, 9)}
	conn := started(t, client, below)
	go conn.Replace(1, func(*http2.Framer) {})
	if first := <-below.set; first.IsZero() || first.After(time.Now()) {
		t.Errorf("the reader was woken by deadline %v, want one in the past", first)
	}
	tomorrow := time.Now().Add(24 * time.Hour)
	conn.SetReadDeadline(tomorrow)
	if n := len(below.set); n != 0 {
		t.Errorf("%d deadlines were set below before the reader woke", n)
	}
	conn.Read(make([]byte, 100))
	if got := <-below.set; !got.Equal(tomorrow) {
		t.Errorf("the reader left deadline %v, want the server's", got)
	}
}

// While the client is in the middle of a frame the reader cannot hear of a
// reset, but of its own deadline.
func TestDeadlineFiresWithinAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := memPair(t)
		conn := started(t, client, server)
		client.Write(ping7[:12])
		io.ReadFull(conn, make([]byte, 12))
		go conn.Replace(1, func(*http2.Framer) {})
		synctest.Wait()
		begin := time.Now()
		conn.SetReadDeadline(begin.Add(time.Minute))
		_, err := conn.Read(make([]byte, 1))
		if took := time.Since(begin); err == nil || took != time.Minute {
			t.Errorf("got %v after %v, want a time-out after 1m", err, took)
		}
	})
}

var ping7 = frames(func(f *http2.Framer) { f.WritePing(false, [8]byte{7}) })

func TestServerHearsOfResetsBetweenFramesAndHeaderBlocks(t *testing.T) {
	block := frames(all(headers(3, string(head("/")), false), raw(http2.FrameContinuation, http2.FlagContinuationEndHeaders, 3, "")))
	sent := bytes.Join([][]byte{ping7, block, ping7}, nil)
	synctest.Test(t, func(t *testing.T) {
		for n := range len(sent) {
			client, server := memPair(t)
			conn := settled(t, client, server)
			reads := http2.NewFramer(nil, bufio.NewReaderSize(conn, 32<<10))
			reads.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
			heard := make(chan string, 9)
			go func() {
				for {
					f, err := reads.ReadFrame()
					if err != nil {
						return
					}
					heard <- describe(f)
				}
			}()
			client.Write(sent[:n])
			synctest.Wait()
			replaced := make(chan error, 1)
			go func() { replaced <- conn.Replace(1, func(*http2.Framer) {}) }()
			synctest.Wait()
			client.Write(sent[n:])
			if err := <-replaced; err != nil {
				t.Error(err)
			}
			synctest.Wait()
			var got []string
			for len(heard) > 0 {
				got = append(got, strings.Fields(<-heard)[0])
			}
			want := []string{"PING", "HEADERS", "PING"}
			switch first, second := len(ping7), len(ping7)+len(block); {
			case n < 9:
				want = slices.Insert(want, 0, "RST_STREAM")
			case n < first+9:
				want = slices.Insert(want, 1, "RST_STREAM")
			case n < second+9:
				want = slices.Insert(want, 2, "RST_STREAM")
			default:
				want = append(want, "RST_STREAM")
			}
			if !slices.Equal(got, want) {
				t.Errorf("replaced after byte %d: the server got %v, want %v", n, got, want)
			}
			conn.Close()
		}
	})
}

func TestReplaceFailsWhereThereIsNoStream(t *testing.T) {
	client, server := memPair(t)
	conn := h2shim.New(server)
	nothing := func(*http2.Framer) {}
	for _, err := range []error{conn.Replace(1, nothing), conn.Insert(nothing)} {
		if err == nil {
			t.Error("no error before the preface")
		}
	}
	conn = started(t, client, server)
	for _, stream := range []uint32{0, 2, 3} {
		if err := conn.Replace(stream, nothing); err == nil {
			t.Errorf("stream %d: no error", stream)
		}
	}
}

func TestReplaceEndsWithTheConnection(t *testing.T) {
	for name, end := range map[string]func(client net.Conn, conn *h2shim.Conn){
		"closed":             func(_ net.Conn, conn *h2shim.Conn) { conn.Close() },
		"closed below":       func(_ net.Conn, conn *h2shim.Conn) { conn.NetConn().Close() },
		"closed by the peer": func(client net.Conn, _ *h2shim.Conn) { client.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, server := memPair(t)
				conn := started(t, client, server)
				client.Write(frames(func(f *http2.Framer) { f.WritePing(false, [8]byte{}) })[:12])
				io.ReadFull(conn, make([]byte, 12)) // within a frame the reset cannot be told
				go io.Copy(io.Discard, conn)
				replaced := make(chan error, 1)
				go func() { replaced <- conn.Replace(1, func(*http2.Framer) {}) }()
				synctest.Wait()
				end(client, conn)
				if err := <-replaced; err == nil {
					t.Error("Replace returned no error")
				}
			})
		})
	}
}

func TestClosedConnIsOfNoUse(t *testing.T) {
	client, server := memPair(t)
	conn := started(t, client, server)
	conn.Close()
	for _, err := range []error{conn.Replace(1, func(*http2.Framer) {}), conn.Insert(func(*http2.Framer) {})} {
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("got %v, want that it is closed", err)
		}
	}
}
