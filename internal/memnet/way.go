package memnet

import "time"

// maxFlight is how much a way of some length buffers: what is on it and what has
// arrived and is unread.
const maxFlight = 16 << 20

// A way makes a pipe as long as it takes time to pass. Its methods are called
// with the pipe's mutex held.
type way struct {
	pipe    *pipe
	arrived int  // how much of what is buffered the reader can have
	ahead   line // from the writer to the reader
	back    line // from the reader to the writer, who hears only of the end
}

func newWay(p *pipe, delay time.Duration) *way {
	w := &way{pipe: p}
	w.ahead = line{delay: delay, mu: &p.mu, arrive: w.arrive}
	w.back = line{delay: delay, mu: &p.mu, arrive: func(s segment) { p.readerGone(s.err) }}
	return w
}

func (w *way) take(b []byte) int {
	n := w.pipe.buf.read(b[:min(len(b), w.arrived)])
	w.arrived -= n
	return n
}

func (w *way) put(b []byte) int {
	n := w.pipe.buf.write(b, maxFlight)
	if n > 0 {
		w.ahead.send(segment{n: n})
	}
	return n
}

func (w *way) arrive(s segment) {
	w.arrived += s.n
	if s.end {
		w.pipe.writerGone(s.err)
	} else {
		w.pipe.reader.changed.Broadcast()
	}
}

func (w *way) closeRead(err error) {
	w.ahead.end()
	w.back.send(segment{end: true, err: err})
}

func (w *way) closeWrite(err error) {
	w.back.end()
	w.ahead.send(segment{end: true, err: err})
}
