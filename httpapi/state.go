package httpapi

import (
	"net/http"

	"github.com/otlptest/otlptest/otlptest"
)

// outage is an endpoint that begins or ends one.
func outage(do func() error) endpoint {
	return func(r *http.Request) (any, error) {
		if _, err := parse(r); err != nil {
			return nil, err
		}
		if err := do(); err != nil {
			return nil, problemf(http.StatusConflict, "%v", err)
		}
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
	if s := a.srv.State(); s != otlptest.StateUp {
		return nil, problemf(http.StatusServiceUnavailable, "the backend is %s", s)
	}
	return health{"ready"}, nil
}
