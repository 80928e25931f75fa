package memnet

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// A pipe is one direction of a connection: a bounded buffer between the end that
// writes and the end that reads.
type pipe struct {
	mu      sync.Mutex // guards everything below
	buf     ring
	writing bool // a write has begun: the next waits for its turn
	eof     bool // nothing will be written any more
	deaf    bool // the reader has closed, and the writer has yet to find out
	reader  end
	writer  end
}

// An end is what a pipe knows of one of its two users.
type end struct {
	changed sync.Cond // broadcast when a waiting user of this end may go on
	err     error     // why this end cannot be used; net.ErrClosed is final
	timer   *time.Timer
	expired bool // the deadline has passed
}

func newPipe() *pipe {
	p := new(pipe)
	p.reader.changed.L = &p.mu
	p.writer.changed.L = &p.mu
	return p
}

func (p *pipe) read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if err := p.reader.check(); err != nil {
			return 0, err
		}
		if n := p.buf.read(b); n > 0 {
			p.writer.changed.Broadcast()
			return n, nil
		}
		if len(b) == 0 {
			return 0, nil
		}
		if p.eof {
			return 0, io.EOF
		}
		p.reader.changed.Wait()
	}
}

func (p *pipe) write(b []byte) (n int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.takeTurn(); err != nil {
		return 0, err
	}
	defer p.endTurn()
	for {
		if err := p.writer.check(); err != nil {
			return n, err
		}
		if p.deaf && len(b) > 0 {
			p.writer.fail(syscall.EPIPE)
			return len(b), nil
		}
		if k := p.buf.write(b[n:]); k > 0 {
			p.reader.changed.Broadcast()
			n += k
		}
		if n == len(b) {
			return n, nil
		}
		p.writer.changed.Wait()
	}
}

// takeTurn waits until no other write is under way.
func (p *pipe) takeTurn() error {
	for p.writing {
		if err := p.writer.check(); err != nil {
			return err
		}
		p.writer.changed.Wait()
	}
	p.writing = true
	return nil
}

func (p *pipe) endTurn() {
	p.writing = false
	p.writer.changed.Broadcast()
}

// closeRead closes the reader's end and drops what it has not read. The writer's
// calls fail with err from now on; if it is nil they do with EPIPE, except that
// the next is lost unless one is pending. It reports false if the end was closed
// before.
func (p *pipe) closeRead(err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reader.close() {
		return false
	}
	p.buf = ring{}
	switch {
	case err != nil:
		p.writer.fail(err)
	case p.writing:
		p.writer.fail(syscall.EPIPE)
	default:
		p.deaf = true
	}
	return true
}

// closeWrite closes the writer's end. The reader's calls fail with err from now
// on; if it is nil they return what is buffered and then io.EOF.
func (p *pipe) closeWrite(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writer.close()
	p.eof = true
	if err != nil {
		p.reader.fail(err)
		p.buf = ring{}
	}
	p.reader.changed.Broadcast()
}

// shutdown ends the writing, but leaves the writer's end open.
func (p *pipe) shutdown() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.writer.err; err != nil && err != syscall.EPIPE {
		return err
	}
	p.eof = true
	p.writer.fail(syscall.EPIPE)
	p.reader.changed.Broadcast()
	return nil
}

// setDeadline reports false if the end is closed.
func (p *pipe) setDeadline(e *end, t time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.err == net.ErrClosed {
		return false
	}
	e.stop()
	wait := time.Until(t)
	if t.IsZero() {
		return true
	}
	if wait <= 0 {
		e.expire()
		return true
	}
	var timer *time.Timer
	timer = time.AfterFunc(wait, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if e.timer == timer { // otherwise it was replaced while it fired
			e.expire()
		}
	})
	e.timer = timer
	return true
}

// check returns why the end cannot be used now, or nil.
func (e *end) check() error {
	if e.err == nil && e.expired {
		return os.ErrDeadlineExceeded
	}
	return e.err
}

// fail makes err the outcome of pending and future calls, unless the end is
// closed.
func (e *end) fail(err error) {
	if e.err != net.ErrClosed {
		e.err = err
	}
	e.changed.Broadcast()
}

// close reports false if the end was closed before.
func (e *end) close() bool {
	open := e.err != net.ErrClosed
	e.fail(net.ErrClosed)
	e.stop()
	return open
}

func (e *end) expire() {
	e.expired = true
	e.changed.Broadcast()
}

// stop takes back the deadline.
func (e *end) stop() {
	if e.timer != nil {
		e.timer.Stop()
	}
	e.timer, e.expired = nil, false
}
