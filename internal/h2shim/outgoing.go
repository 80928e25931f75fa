package h2shim

import (
	"net"
	"slices"
	"sync"

	"golang.org/x/net/http2"
)

// outgoing follows the frames that the server writes. It belongs to whoever has
// the turn, but for replaced.
type outgoing struct {
	kept     []byte   // the beginning of a head, not yet written
	left     int      // what is to come of the frame, with its head
	drop     bool     // the frame is not for the client
	block    bool     // a header block has begun but not ended
	begun    bool     // the server has written something: its SETTINGS have to be the first
	err      error    // of a write, which may have ended anywhere
	replaced sync.Map // streams (uint32), that the server has no say in
}

// between says whether whole frames, and whole header blocks, have been written.
func (o *outgoing) between() bool { return o.begun && o.left == 0 && !o.block }

// run says how much of b to write at once and how much to drop after that. Both
// are 0 at the end and before a part of a head. It ends early between frames if
// stop says so.
func (o *outgoing) run(b []byte, stop func() bool) (write, drop int) {
	for {
		if o.left == 0 && !o.begin(b[write:]) {
			return write, 0
		}
		n := min(o.left, len(b)-write)
		o.left -= n
		if o.drop {
			return write, n
		}
		write += n
		if write == len(b) || o.between() && stop() {
			return write, 0
		}
	}
}

// begin starts a frame, unless too little of it is there to tell what it is.
func (o *outgoing) begin(b []byte) bool {
	if len(b) < headLen {
		return false
	}
	h := parseHead(b)
	o.begun = true
	o.left = headLen + int(h.Length)
	// A server may reset what it takes for closed, once per frame that comes.
	o.drop = false
	if h.Type == http2.FrameRSTStream {
		_, o.drop = o.replaced.Load(h.StreamID)
	}
	switch h.Type {
	case http2.FrameHeaders, http2.FramePushPromise, http2.FrameContinuation:
		o.block = !h.Flags.Has(http2.FlagHeadersEndHeaders)
	}
	return true
}

// insertion is frames that wait for the server to end its own.
type insertion struct {
	frames []byte
	done   chan<- error // takes one
}

// queue is the insertions that wait.
type queue struct {
	mu      sync.Mutex
	waiting []insertion
}

// add returns a channel that tells what became of the insertion.
func (q *queue) add(i insertion) <-chan error {
	done := make(chan error, 1)
	i.done = done
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, i)
	return done
}

func (q *queue) any() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting) > 0
}

func (q *queue) take() []insertion {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.waiting
	q.waiting = nil
	return w
}

// Write implements net.Conn.
func (c *Conn) Write(b []byte) (int, error) {
	select {
	case <-c.closed:
		return 0, net.ErrClosed
	case c.turn <- struct{}{}:
	}
	defer func() { <-c.turn }()
	if !c.HTTP2() {
		c.out.begun = true
		return c.Conn.Write(b)
	}
	all := b
	if len(c.out.kept) > 0 {
		all = slices.Concat(c.out.kept, b)
	}
	if err := c.writeFrames(all); err != nil {
		c.flush() // who waits gets the error, too
		return 0, err
	}
	return len(b), nil
}

// writeFrames writes b and what waits for one of its frames to end.
func (c *Conn) writeFrames(b []byte) error {
	for {
		if c.out.between() {
			c.flush()
		}
		n, drop := c.out.run(b, c.queue.any)
		if n+drop == 0 {
			c.out.kept = append(c.out.kept[:0], b...)
			return c.out.err
		}
		if err := c.send(b[:n]); err != nil {
			return err
		}
		b = b[n+drop:]
	}
}

// flush writes what waits. The server is between two frames, or writing has
// failed.
func (c *Conn) flush() {
	for _, i := range c.queue.take() {
		i.done <- c.send(i.frames)
	}
}

// send fails for good once it has failed.
func (c *Conn) send(b []byte) error {
	if c.out.err == nil && len(b) > 0 {
		_, c.out.err = c.Conn.Write(b)
	}
	return c.out.err
}
