package h2shim_test

import (
	"fmt"
	"sync"
	"testing"

	"golang.org/x/net/http2"

	"github.com/otlptest/otlptest/internal/h2shim"
)

// on replaces the streams asked for with path by frames, and checks that the
// server has forgotten them then.
func on(t *testing.T, path string, frames func(*http2.Framer, uint32)) handler {
	return func(c call) bool {
		if c.path != path {
			return true
		}
		if err := c.conn.Replace(c.stream, func(f *http2.Framer) { frames(f, c.stream) }); err != nil {
			t.Error(err)
		}
		if c.Err() == nil {
			t.Errorf("stream %d: its context is not done after Replace", c.stream)
		}
		return false
	}
}

func badGateway(f *http2.Framer, stream uint32) {
	f.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: h2shim.Fields(":status", "502", "content-type", "text/html"), EndHeaders: true,
	})
	f.WriteData(stream, true, []byte("<html>"))
}

func TestReplacedStreamsHaveTheCallersFramesOnly(t *testing.T) {
	for _, test := range []struct {
		name   string
		frames func(*http2.Framer, uint32)
		want   []string
	}{
		{"bare 502", badGateway, []string{"HEADERS 3 :status=502 content-type=text/html", "DATA 3 END <html>"}},
		{"refused", func(f *http2.Framer, id uint32) { f.WriteRSTStream(id, http2.ErrCodeRefusedStream) },
			[]string{"RST_STREAM 3 REFUSED_STREAM"}},
		{"internal error", func(f *http2.Framer, id uint32) { f.WriteRSTStream(id, http2.ErrCodeInternal) },
			[]string{"RST_STREAM 3 INTERNAL_ERROR"}},
		{"half an answer", func(f *http2.Framer, id uint32) {
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: h2shim.Fields(":status", "200"), EndHeaders: true})
			f.WriteData(id, false, []byte("ha"))
			f.WriteRSTStream(id, http2.ErrCodeCancel)
		}, []string{"HEADERS 3 :status=200", "DATA 3 ha", "RST_STREAM 3 CANCEL"}},
		{"nothing", func(*http2.Framer, uint32) {}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			eachServer(t, func(t *testing.T, serve func(handler) *bare) {
				replaced := make(chan struct{})
				fault := on(t, "/a/fault", test.frames)
				c := serve(func(c call) bool {
					if c.path == "/a/fault" {
						defer close(replaced)
					}
					return fault(c)
				})
				c.ask(1, "/a/b")
				c.want("HEADERS 1 END :status=200*")
				c.ask(3, "/a/fault")
				c.want(test.want...)
				wait(t, "Replace", replaced)
				c.wantQuiet()
				c.ask(5, "/a/b") // the tables of HPACK are as they were
				c.want("HEADERS 5 END :status=200*")
				c.wantQuiet()
			})
		})
	}
}

func TestReplacedStreamIsQuietWhileTheClientSendsOn(t *testing.T) {
	eachServer(t, func(t *testing.T, serve func(handler) *bare) {
		c := serve(on(t, "/a/fault", badGateway))
		c.open(1, "/a/fault")
		c.WriteData(1, false, []byte("before"))
		c.want("HEADERS 1 :status=502*", "DATA 1 END <html>")
		for range 3 {
			c.WriteData(1, false, []byte("after"))
			c.wantQuiet()
		}
		c.WriteRSTStream(1, http2.ErrCodeNo)
		c.wantQuiet()
		c.ask(3, "/a/b")
		c.want("HEADERS 3 END :status=200*")
	})
}

func TestGoAwayLeavesTheServerUnaware(t *testing.T) {
	for _, last := range []uint32{0, 1, 3} {
		t.Run(fmt.Sprint("last ", last), func(t *testing.T) {
			eachServer(t, func(t *testing.T, serve func(handler) *bare) {
				c := serve(func(c call) bool {
					if c.path == "/a/fault" {
						err := c.conn.Insert(func(f *http2.Framer) { f.WriteGoAway(last, http2.ErrCodeNo, nil) })
						if err != nil {
							t.Error(err)
						}
					}
					return true
				})
				c.ask(1, "/a/b")
				c.want("HEADERS 1 END :status=200*")
				c.ask(3, "/a/fault")
				c.want(fmt.Sprintf("GOAWAY %d NO_ERROR", last), "HEADERS 3 END :status=200*")
				c.ask(5, "/a/b")
				c.want("HEADERS 5 END :status=200*")
				c.wantQuiet()
			})
		})
	}
}

func TestConcurrentStreamsAreReplacedEachByItsID(t *testing.T) {
	const streams = 100
	eachServer(t, func(t *testing.T, serve func(handler) *bare) {
		var met sync.WaitGroup // all handlers run at once
		met.Add(streams)
		refuse := on(t, "/a/fault", func(f *http2.Framer, id uint32) { f.WriteRSTStream(id, http2.ErrCodeRefusedStream) })
		c := serve(func(c call) bool {
			met.Done()
			met.Wait()
			return refuse(c)
		})
		want := map[string]bool{}
		for i := range uint32(streams) {
			id := 2*i + 1
			if i%3 == 0 {
				c.ask(id, "/a/b")
				want[fmt.Sprintf("HEADERS %d END :status=200", id)] = true
			} else {
				c.ask(id, "/a/fault")
				want[fmt.Sprintf("RST_STREAM %d REFUSED_STREAM", id)] = true
			}
		}
		for range streams {
			var got string
			f := c.next()
			for w := range want {
				if len(f) >= len(w) && f[:len(w)] == w {
					got = w
				}
			}
			if got == "" {
				t.Errorf("the client got %s, want that of another stream", f)
			}
			delete(want, got)
		}
		c.wantQuiet()
	})
}
