package httpapi

import (
	"net/http"
	"sync"

	"github.com/otlptest/otlptest/otlptest"
)

// The states that the API can bring the server into.
const (
	up       = "up"
	down     = "down"
	refusing = "refusing"
	closed   = "closed"
)

// state is what the API made of the server last.
type state struct {
	mu   sync.Mutex
	word string
}

func (s *state) get(srv *otlptest.Server) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case srv.Exports().Source().Changed() == nil:
		return closed
	case s.word == "":
		return up
	}
	return s.word
}

// outage is an endpoint that brings the server into a state.
func (a *api) outage(word string, do func() error) endpoint {
	return func(r *http.Request) (any, error) {
		if _, err := parse(r); err != nil {
			return nil, err
		}
		a.state.mu.Lock()
		defer a.state.mu.Unlock()
		if err := do(); err != nil {
			return nil, problemf(http.StatusConflict, "%v", err)
		}
		a.state.word = word
		return nil, nil
	}
}

// reset is the endpoint that starts over.
func (a *api) reset(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	a.holds.end()
	a.srv.Reset()
	a.produced.reset()
	return nil, nil
}

// health is the answer of healthz and readyz.
type health struct {
	Status string `json:"status"`
}

// healthy answers while the process serves HTTP.
func healthy(r *http.Request) (any, error) {
	_, err := parse(r)
	return health{"ok"}, err
}

// ready answers whether the backend takes exports.
func (a *api) ready(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	if s := a.state.get(a.srv); s != up {
		return nil, problemf(http.StatusServiceUnavailable, "the backend is %s", s)
	}
	return health{"ready"}, nil
}
