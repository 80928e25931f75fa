package otlptest

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/otlptest/otlptest/internal/port"
)

// State is whether clients reach a [Server].
type State string

// The states.
const (
	StateUp       State = "up"
	StateDown     State = "down"     // by Down, or by a scripted outage
	StateRefusing State = "refusing" // by Refuse: connections that are open stay
	StateClosed   State = "closed"   // by Close
)

// State is whether clients reach the server now.
func (s *Server) State() State {
	select {
	case <-s.recv.Stopped():
		return StateClosed
	default:
		return s.outages.is()
	}
}

// outages says what keeps a server down: the test, or scripted outages.
type outages struct {
	mu       sync.Mutex
	asked    bool  // by Down or Refuse
	scripted int   // that are under way
	state    State // empty is up
}

// ask notes what the test wants.
func (o *outages) ask(down bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = down
}

// become notes the state that the server has come to.
func (o *outages) become(s State) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state = s
}

func (o *outages) is() State {
	o.mu.Lock()
	defer o.mu.Unlock()
	return cmp.Or(o.state, StateUp)
}

// script counts an outage that begins, or ends, and says whether nothing keeps
// the server down any more.
func (o *outages) script(n int) (over bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.scripted += n
	return o.scripted == 0 && !o.asked
}

// Down takes the server down: it closes every connection and refuses new ones,
// as if its process had ended, until [Server.Up]. Data stays, and the addresses
// are kept. An error names the listener that cannot be opened again, which is
// one of [WithListeners] that is neither TCP nor a Unix socket; then nothing has
// happened.
func (s *Server) Down() error {
	err := s.goDown()
	if err == nil {
		s.outages.ask(true)
	}
	return err
}

func (s *Server) goDown() error { return s.reach(StateDown, (*port.Listener).Down) }

// Refuse refuses new connections until [Server.Up]. Those that are open stay.
func (s *Server) Refuse() error {
	err := s.reach(StateRefusing, (*port.Listener).Down)
	if err == nil {
		s.outages.ask(true)
	}
	return err
}

// Up is there again, at the same addresses, after [Server.Down] or
// [Server.Refuse], and in a scripted outage.
func (s *Server) Up() error {
	s.outages.ask(false)
	return s.goUp()
}

func (s *Server) goUp() error { return s.reach(StateUp, (*port.Listener).Up) }

// reach brings the server to a state by what it does with both listeners, which
// may be one. One of HTTP that is opened later begins in that state.
func (s *Server) reach(state State, do func(*port.Listener) error) error {
	s.overHTTP.mu.Lock()
	defer s.overHTTP.mu.Unlock()
	if state == StateUp {
		s.recv.Up() // before anybody can connect
	}
	err := do(s.grpcListener)
	if l := s.overHTTP.port; err == nil && l != nil && l != s.grpcListener {
		if err = do(l); err != nil && state != StateUp {
			err = errors.Join(err, s.grpcListener.Up()) // as if nothing had happened
		}
	}
	if err != nil {
		return fmt.Errorf("otlptest: %w", err)
	}
	if state == StateDown {
		s.recv.Down()
	}
	s.outages.become(state)
	return nil
}

// Restart is Down and Up at once: connections are closed, and new ones taken.
func (s *Server) Restart() error { return errors.Join(s.Down(), s.Up()) }

// outage is a scripted one: Down for a while, and longer where the test or
// another one wants that.
func (s *Server) outage(d time.Duration) {
	s.outages.script(1)
	err := s.goDown()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		if s.outages.script(-1) {
			err = errors.Join(err, s.goUp())
		}
	case <-s.recv.Stopped():
	}
	if err != nil && !(errors.Is(err, net.ErrClosed) && s.State() == StateClosed) {
		s.outageErr.Store(&err)
	}
}
