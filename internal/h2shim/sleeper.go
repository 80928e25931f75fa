package h2shim

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/http2"
)

// sleeper is the goroutine that reads, as the others know it: it can be woken
// with a deadline in the past, and brings the server resets of streams.
type sleeper struct {
	conn   net.Conn
	called atomic.Bool   // there are resets to tell, or a deadline to restore
	told   []reset       // the server may have yet to read them; of the reader
	err    error         // why gone is closed
	gone   chan struct{} // closed when nothing more will come
	leaves sync.Once

	mu       sync.Mutex
	waiting  []reset   // to be told
	deadline time.Time // the server's own
	woken    bool      // the deadline below is in the past, instead
}

// reset is the end of a stream that the server has yet to hear of.
type reset struct {
	stream    uint32
	forgotten chan struct{}
}

func newSleeper(c net.Conn) sleeper {
	return sleeper{conn: c, gone: make(chan struct{})}
}

// reset has the server told that the client gave up a stream. The channel is
// closed when it has taken note.
func (s *sleeper) reset(stream uint32) (forgotten <-chan struct{}, err error) {
	r := reset{stream, make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.conn.SetReadDeadline(time.Unix(1, 0)); err != nil {
		return nil, err
	}
	s.woken = true
	s.waiting = append(s.waiting, r)
	s.called.Store(true)
	return r.forgotten, nil
}

// awakened says whether a deadline that was met is not the server's.
func (s *sleeper) awakened() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.woken
}

// rest is for the reader, once it is awake: the server's deadline counts again.
func (s *sleeper) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.woken {
		return
	}
	s.woken = false
	s.conn.SetReadDeadline(s.deadline)
	s.called.Store(len(s.waiting) > 0)
}

// tell writes the resets that the server has yet to hear of.
func (s *sleeper) tell(b *bytes.Buffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := http2.NewFramer(b, nil)
	for _, r := range s.waiting {
		f.WriteRSTStream(r.stream, http2.ErrCodeCancel)
	}
	s.told = append(s.told, s.waiting...)
	s.waiting = nil
	s.called.Store(s.woken)
}

// heard is for the reader, when the server has read and handled all it was
// given.
func (s *sleeper) heard() {
	for _, r := range s.told {
		close(r.forgotten)
	}
	s.told = nil
}

// leave is for the reader, when there is nothing more to read because of err.
func (s *sleeper) leave(err error) {
	s.leaves.Do(func() {
		s.err = err
		close(s.gone)
	})
}

// SetReadDeadline implements net.Conn.
func (c *Conn) SetReadDeadline(t time.Time) error { return c.reader.setDeadline(t) }

func (s *sleeper) setDeadline(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deadline = t
	if s.woken {
		return nil // it is for the reader to set
	}
	return s.conn.SetReadDeadline(t)
}

// SetDeadline implements net.Conn.
func (c *Conn) SetDeadline(t time.Time) error {
	if err := c.SetReadDeadline(t); err != nil {
		return err
	}
	return c.SetWriteDeadline(t)
}
