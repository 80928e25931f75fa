package httpapi

import (
	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/otlptest"
)

// RouterOf is the router behind a server's handler.
func RouterOf(srv *otlptest.Server) chi.Routes {
	a := &api{srv: srv, rules: rules{srv}, hub: newHub(srv)}
	return a.routes().router()
}
