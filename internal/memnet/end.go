package memnet

import (
	"net"
	"os"
	"sync"
	"time"
)

// An end is what a pipe knows of one of its two users.
type end struct {
	changed sync.Cond // broadcast when a waiting user of this end may go on
	err     error     // why this end cannot be used; net.ErrClosed is final
	timer   *time.Timer
	expired bool // the deadline has passed
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
