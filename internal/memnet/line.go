package memnet

import (
	"sync"
	"time"
)

// A line brings what is sent on it to its other end: after a delay, in order, and
// as far apart in time as it was sent.
type line struct {
	delay  time.Duration
	mu     *sync.Mutex   // callers hold it
	arrive func(segment) // called with mu held
	flying []segment     // in order of arrival; the timer waits for the first
	timer  *time.Timer
	ended  bool
}

// A segment is what arrives at a time: some of what the line is for, the end of
// it, or both.
type segment struct {
	at  time.Time
	n   int
	end bool
	err error // why it is the end; nil for an orderly one
}

func (l *line) send(s segment) {
	if l.ended {
		return
	}
	s.at = time.Now().Add(l.delay)
	if last := len(l.flying) - 1; last >= 0 && l.flying[last].at.Equal(s.at) {
		s.n += l.flying[last].n
		l.flying[last] = s
		return
	}
	l.flying = append(l.flying, s)
	if len(l.flying) == 1 {
		l.wait()
	}
}

// wait has deliver called when the first segment arrives.
func (l *line) wait() {
	d := time.Until(l.flying[0].at)
	if l.timer == nil {
		l.timer = time.AfterFunc(d, l.deliver)
		return
	}
	l.timer.Reset(d)
}

func (l *line) deliver() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.flying) > 0 && time.Until(l.flying[0].at) <= 0 {
		s := l.flying[0]
		l.flying = l.flying[1:]
		l.arrive(s)
	}
	if len(l.flying) > 0 {
		l.wait()
	}
}

// end drops what is on its way and all that will be sent, as nobody is left
// to receive it. It leaves no timer behind.
func (l *line) end() {
	l.flying, l.ended = nil, true
	if l.timer != nil {
		l.timer.Stop()
	}
}
