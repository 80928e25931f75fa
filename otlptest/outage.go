package otlptest

import (
	"errors"
	"fmt"
	"time"

	"github.com/otlptest/otlptest/internal/port"
)

// Down takes the server down: it closes every connection and refuses new ones,
// as if its process had ended, until [Server.Up]. Data stays, and the addresses
// are kept. An error names the listener that cannot be opened again, which is
// one of [WithListeners] that is neither TCP nor a Unix socket; then nothing has
// happened.
func (s *Server) Down() error {
	if err := s.Refuse(); err != nil {
		return err
	}
	s.recv.Down()
	return nil
}

// Refuse refuses new connections until [Server.Up]. Those that are open stay.
func (s *Server) Refuse() error {
	return s.each((*port.Listener).Down)
}

// Up is there again, at the same addresses, after [Server.Down] or
// [Server.Refuse].
func (s *Server) Up() error {
	s.recv.Up()
	return s.each((*port.Listener).Up)
}

// each does something with both listeners, which may be one.
func (s *Server) each(do func(*port.Listener) error) error {
	err := do(s.grpcListener)
	if err == nil && s.httpListener != s.grpcListener {
		err = do(s.httpListener)
	}
	if err != nil {
		return fmt.Errorf("otlptest: %w", err)
	}
	return nil
}

// Restart is Down and Up at once: connections are closed, and new ones taken.
func (s *Server) Restart() error { return errors.Join(s.Down(), s.Up()) }

// outage is Down for a while.
func (s *Server) outage(d time.Duration) {
	err := s.Down()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		err = errors.Join(err, s.Up())
	case <-s.recv.Stopped():
	}
	if err != nil {
		s.outageErr.Store(&err)
	}
}
