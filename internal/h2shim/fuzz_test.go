package h2shim_test

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/http2"

	"github.com/otlptest/otlptest/internal/h2shim"
)

// shuffled cuts b into chunks of random sizes, small ones mostly.
func shuffled(b []byte, rnd *rand.Rand) (chunks [][]byte) {
	for len(b) > 0 {
		n := min(len(b), 1+rnd.IntN(1<<(1+rnd.IntN(12))))
		chunks = append(chunks, b[:n])
		b = b[n:]
	}
	return chunks
}

func FuzzRead(f *testing.F) {
	big := strings.Repeat("b", 16384)
	for _, w := range []func(*http2.Framer){
		all(headers(1, "abc", true), raw(http2.FrameData, 0, 1, "body"), headers(1, "trailer", true)),
		all(headers(1, "abc", false), raw(http2.FrameContinuation, http2.FlagContinuationEndHeaders, 1, "def"), headers(3, big, true)),
		raw(http2.FrameHeaders, http2.FlagHeadersPadded|http2.FlagHeadersEndHeaders|http2.FlagHeadersPriority, 5, "\x0212345abc\x00\x00"),
		raw(http2.FrameHeaders, http2.FlagHeadersPadded|http2.FlagHeadersEndHeaders, 5, ""),
	} {
		f.Add(frames(w), true, uint64(1))
		f.Add(afterPreface(w), false, uint64(2))
	}
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"), false, uint64(3))
	f.Fuzz(func(t *testing.T, in []byte, preface bool, seed uint64) {
		if preface {
			in = append([]byte(http2.ClientPreface), in...)
		}
		rnd := rand.New(rand.NewPCG(seed, 0))
		got := through(t, shuffled(in, rnd), 1+rnd.IntN(1<<(1+rnd.IntN(12))))
		if want := withFields(in); !bytes.Equal(got, want) {
			t.Errorf("got\n%q, want\n%q", got, want)
		}
	})
}

// withFields is what the server should read when the client sends in.
func withFields(in []byte) []byte {
	frames, ok := bytes.CutPrefix(in, []byte(http2.ClientPreface))
	if !ok {
		return in
	}
	m := model{out: []byte(http2.ClientPreface)}
	for len(frames) >= 9 {
		n := min(len(frames), 9+int(frames[0])<<16+int(frames[1])<<8+int(frames[2]))
		m.frame(bytes.Clone(frames[:n]))
		frames = frames[n:]
	}
	return append(m.out, frames...)
}

// model adds fields to frames that it has at once.
type model struct {
	out   []byte
	last  uint32
	block uint32 // the stream whose block that opens it is under way
}

// frame takes a frame, which may have been cut off behind its head.
func (m *model) frame(f []byte) {
	length := int(f[0])<<16 + int(f[1])<<8 + int(f[2])
	kind, flags := f[3], f[4]
	id := uint32(f[5]&0x7f)<<24 | uint32(f[6])<<16 | uint32(f[7])<<8 | uint32(f[8])
	switch {
	case kind == 1 && id%2 == 1 && id > m.last:
		m.last, m.block = id, id
	case kind != 9 || id != m.block:
		m.block = 0
	}
	pad, ok := 0, m.block != 0 && flags&4 != 0
	if ok && kind == 1 {
		fixed := 0
		if flags&8 != 0 {
			if len(f) == 9 {
				ok = false
			} else {
				pad, fixed = int(f[9]), 1
			}
		}
		if flags&32 != 0 {
			fixed += 5
		}
		ok = ok && fixed+pad <= length
	}
	if flags&4 != 0 {
		m.block = 0
	}
	if ok {
		f = extended(f, id, length, pad)
	}
	m.out = append(m.out, f...)
}

func extended(f []byte, id uint32, length, pad int) []byte {
	field := h2shim.Fields(h2shim.Header, strconv.Itoa(int(id)))
	if n := length + len(field); n <= 16384 {
		f[0], f[1], f[2] = byte(n>>16), byte(n>>8), byte(n)
		if at := 9 + length - pad; len(f) >= at {
			f = bytes.Join([][]byte{f[:at], field, f[at:]}, nil)
		}
		return f
	}
	f[4] &^= 4
	if len(f) == 9+length {
		f = append(f, frames(raw(http2.FrameContinuation, 4, id, string(field)))...)
	}
	return f
}

// What a server writes reaches the client, but for a part of a head at the end.
func FuzzWrite(f *testing.F) {
	f.Add(frames(all(headers(1, "abc", false), raw(http2.FrameContinuation, http2.FlagContinuationEndHeaders, 1, "def"), goAway)), uint64(1))
	f.Fuzz(func(t *testing.T, out []byte, seed uint64) {
		under := &scripted{chunks: [][]byte{[]byte(http2.ClientPreface)}}
		conn := h2shim.New(under)
		conn.Read(make([]byte, len(http2.ClientPreface)))
		for _, chunk := range shuffled(out, rand.New(rand.NewPCG(seed, 0))) {
			if n, err := conn.Write(chunk); n != len(chunk) || err != nil {
				t.Fatalf("wrote %d of %d, %v", n, len(chunk), err)
			}
		}
		if got := bytes.Join(under.wrote, nil); !bytes.HasPrefix(out, got) || len(out)-len(got) >= 9 {
			t.Errorf("the client got\n%q of\n%q", got, out)
		}
	})
}
