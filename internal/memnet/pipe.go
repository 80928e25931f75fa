package memnet

import (
	"io"
	"net"
	"sync"
	"syscall"
	"time"
)

// A pipe is one direction of a connection: a bounded buffer between the end that
// writes and the end that reads, and the way from one to the other.
type pipe struct {
	mu      sync.Mutex // guards everything below
	buf     ring       // what was written and not read
	writing bool       // a write has begun: the next waits for its turn
	eof     bool       // nothing will arrive any more
	deaf    bool       // the reader has closed, and the writer has yet to find out
	reader  end
	writer  end
	way     *way // nil if it takes no time
}

func newPipe(delay time.Duration) *pipe {
	p := new(pipe)
	p.reader.changed.L = &p.mu
	p.writer.changed.L = &p.mu
	if delay > 0 {
		p.way = newWay(p, delay)
	}
	return p
}

func (p *pipe) read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if err := p.reader.check(); err != nil {
			return 0, err
		}
		if n := p.take(b); n > 0 {
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
		n += p.put(b[n:])
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

// take reads what the reader can have.
func (p *pipe) take(b []byte) int {
	if p.way != nil {
		return p.way.take(b)
	}
	return p.buf.read(b)
}

// put writes what there is room for.
func (p *pipe) put(b []byte) int {
	if p.way != nil {
		return p.way.put(b)
	}
	n := p.buf.write(b, maxRing)
	if n > 0 {
		p.reader.changed.Broadcast()
	}
	return n
}

// closeRead closes the reader's end and drops what it has not read. Once the
// writer hears of it its calls fail with err; if it is nil they do with EPIPE,
// except that the next is lost unless one is pending. It reports false if the
// end was closed before.
func (p *pipe) closeRead(err error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reader.close() {
		return false
	}
	if p.way != nil {
		p.way.closeRead(err)
	} else {
		p.readerGone(err)
	}
	return true
}

// readerGone is closeRead for the writer.
func (p *pipe) readerGone(err error) {
	p.buf = ring{}
	switch {
	case err != nil:
		p.writer.fail(err)
	case p.writing:
		p.writer.fail(syscall.EPIPE)
	default:
		p.deaf = true
	}
}

// closeWrite closes the writer's end. When the reader hears of it its calls
// fail with err; if it is nil they return what is buffered and then io.EOF.
func (p *pipe) closeWrite(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writer.close()
	if p.way != nil {
		p.way.closeWrite(err)
	} else {
		p.writerGone(err)
	}
}

// writerGone is closeWrite for the reader.
func (p *pipe) writerGone(err error) {
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
	p.writer.fail(syscall.EPIPE)
	if p.way != nil {
		p.way.ahead.send(segment{end: true})
	} else {
		p.writerGone(nil)
	}
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
