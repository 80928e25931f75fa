package h2shim

import (
	"bytes"
	"strconv"
	"sync/atomic"

	"golang.org/x/net/http2"
)

// incoming follows what the client sends and adds the fields. It belongs to the
// goroutine that reads, but for what is atomic.
type incoming struct {
	http2 atomic.Bool
	last  atomic.Uint32 // the highest stream that the client opened
	ready bytes.Buffer  // for the server, before all else
	raw   bytes.Buffer  // has come, but pass has not seen it
	seen  int           // how much of the preface has come
	plain bool          // this is not HTTP/2, or it has ended
	left  int           // what the frame has before field, or before its end
	field []byte        // to be added after left, if any
	pad   int           // what the frame has after field
	block uint32        // the stream whose header block has begun but not ended
	opens bool          // that block opens the stream
}

// between says whether whole frames, and whole header blocks, have been passed.
func (s *incoming) between() bool {
	return s.http2.Load() && !s.plain && s.left == 0 && s.block == 0
}

// pass says how much of b the server can have now. The rest is to be passed
// again: after what is ready, or with more behind it if that is nothing. It
// changes heads of frames in b, and ends between two frames if stop is true.
func (s *incoming) pass(b []byte, stop *atomic.Bool) int {
	n := s.preface(b)
	for n < len(b) {
		if s.left == 0 && !s.begin(b[n:]) {
			break
		}
		k := min(s.left, len(b)-n)
		s.left -= k
		n += k
		if s.left == 0 && len(s.field) > 0 {
			s.ready.Write(s.field)
			s.left, s.pad, s.field = s.pad, 0, s.field[:0]
			break
		}
		if stop.Load() && s.between() {
			break
		}
	}
	return n
}

// preface says how much of b is no frame.
func (s *incoming) preface(b []byte) int {
	if s.plain {
		return len(b)
	}
	want := http2.ClientPreface[s.seen:]
	n := min(len(want), len(b))
	if string(b[:n]) != want[:n] {
		s.plain = true
		return len(b)
	}
	s.seen += n
	if n > 0 && n == len(want) {
		s.http2.Store(true)
	}
	return n
}

// begin starts a frame, unless too little of it has come to tell what it is.
func (s *incoming) begin(b []byte) bool {
	if len(b) < headLen {
		return false
	}
	h := parseHead(b)
	padded := h.Type == http2.FrameHeaders && h.Flags.Has(http2.FlagHeadersPadded) && h.Length > 0
	if padded && len(b) == headLen {
		return false
	}
	s.left = headLen + int(h.Length)
	if s.endsRequestHead(h) {
		if pad, ok := padding(h, b); ok {
			s.extend(h, b, pad)
		}
	}
	return true
}

// endsRequestHead follows header blocks: it is true for the frame that ends one
// that opens a stream.
func (s *incoming) endsRequestHead(h http2.FrameHeader) bool {
	switch {
	case h.Type == http2.FrameHeaders:
		s.opens = h.StreamID%2 == 1 && h.StreamID > s.last.Load()
		if s.opens {
			s.last.Store(h.StreamID)
		}
	case h.Type != http2.FrameContinuation || h.StreamID != s.block || s.block == 0:
		s.block = 0
		return false
	}
	if !h.Flags.Has(http2.FlagHeadersEndHeaders) {
		s.block = h.StreamID
		return false
	}
	s.block = 0
	return s.opens
}

// padding is what follows the header block within its frame; it is not ok if
// the frame is too short for what it should have.
func padding(h http2.FrameHeader, b []byte) (pad int, ok bool) {
	if h.Type != http2.FrameHeaders {
		return 0, true
	}
	need := 0
	if h.Flags.Has(http2.FlagHeadersPadded) {
		if h.Length == 0 {
			return 0, false
		}
		pad = int(b[headLen])
		need = 1 + pad
	}
	if h.Flags.Has(http2.FlagHeadersPriority) {
		need += 5
	}
	return pad, need <= int(h.Length)
}

// extend makes room for the field in the frame, or for a frame of its own.
func (s *incoming) extend(h http2.FrameHeader, b []byte, pad int) {
	s.field = appendField(s.field[:0], Header, strconv.FormatUint(uint64(h.StreamID), 10))
	size := len(s.field)
	if longer := h.Length + uint32(size); longer <= maxFrame {
		setLength(b, longer)
		s.left -= pad
		s.pad = pad
		return
	}
	const end = http2.FlagHeadersEndHeaders
	b[4] &^= byte(end)
	s.field = append(appendHead(nil, size, http2.FrameContinuation, end, h.StreamID), s.field...)
}
