// Package httpapi asks and directs an otlptest server over HTTP, for tests in
// other languages. [New] makes a handler that any Go server can mount; the
// program otlptest serves it beside the backend.
//
// Every answer but an empty one is JSON.
//
// # Asking
//
//	GET /api/v1/spans        spans
//	GET /api/v1/points       metric data points
//	GET /api/v1/logs         log records
//	GET /api/v1/exports      every request that reached the backend, whatever became of it
//	GET /api/v1/violations   every departure from OTLP; q=rule="S-40" picks a rule
//	GET /api/v1/connections  every connection, with why one could not be used
//
// Each answers {"count":2,"items":[…]} with all items that match, in the order
// in which they were received. Parameters:
//
//	q=FILTERS    only items for which these filters hold, in the grammar of package query/where
//	wait=N       waits until at least N items match
//	timeout=5s   how long; 0s to 5m, 5s where it is left away
//
// A wait that fails is a 409 with the whole diagnosis in its detail: what came
// closest, where it differs, what became of every export. It is not a 408 or
// 504, since HTTP clients repeat a request after these by themselves. From a
// shell:
//
//	curl -sG --fail-with-body $API/api/v1/spans -d wait=1 --data-urlencode 'q=name="charge" status=error'
//
// # Directing
//
//	GET    /api/v1/faults  the rules that can still be met, each as far as it is not used up
//	POST   /api/v1/faults  adds rules behind those that are there
//	DELETE /api/v1/faults  drops all rules
//	POST   /api/v1/reset   drops all data and all rules
//
// GET and POST answer {"count":1,"rules":[{"text":"traces: throttle 30s","rule":{…}}]}
// with the rules that are there then, in both forms of package faults. The
// rule is missing where a Go function filters it, which only text can name.
//
// POST takes the text form as text/plain, and as application/json a rule or an
// array of rules, in place of each of which its text may stand. The type that
// curl -d sends, or none, is JSON if the body is, and text otherwise:
//
//	curl -s $API/api/v1/faults -d 'traces: throttle 30s x2, unavailable'
//
// Where one rule cannot work, none is added.
//
// # Health and errors
//
//	GET /healthz  {"status":"ok"}
//
// Errors are problem details (RFC 9457, application/problem+json). Their
// detail names the parameter, field or term, what was there, and what is
// allowed. A parameter that does not exist is an error too: a misspelt q must
// not match everything.
package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/otlptest"
)

// New makes the handler of a server's API. It may be mounted under a prefix
// with http.StripPrefix or by chi, and answers as long as the server's data is
// there: after Close too, except for waits. It has no authentication, and
// whoever reaches it can change what the backend does.
func New(srv *otlptest.Server) http.Handler {
	api := rules{srv}
	rs := routes{
		{http.MethodGet, "/api/v1/spans", items(srv.Spans)},
		{http.MethodGet, "/api/v1/points", items(srv.Points)},
		{http.MethodGet, "/api/v1/logs", items(srv.Logs)},
		{http.MethodGet, "/api/v1/exports", items(srv.Exports)},
		{http.MethodGet, "/api/v1/violations", items(srv.Violations)},
		{http.MethodGet, "/api/v1/connections", items(srv.Connections)},
		{http.MethodGet, "/api/v1/faults", api.list},
		{http.MethodPost, "/api/v1/faults", api.add},
		{http.MethodDelete, "/api/v1/faults", api.clear},
		{http.MethodPost, "/api/v1/reset", action(srv.Reset)},
		{http.MethodGet, "/healthz", healthy},
	}
	r := chi.NewRouter()
	for _, route := range rs {
		r.Method(route.method, route.path, route.endpoint)
		if route.method == http.MethodGet {
			r.Method(http.MethodHead, route.path, route.endpoint)
		}
	}
	r.NotFound(endpoint(rs.notFound).ServeHTTP)
	r.MethodNotAllowed(endpoint(rs.notAllowed).ServeHTTP)
	return r
}

// healthy answers while the process serves HTTP.
func healthy(*http.Request) (any, error) {
	return struct {
		Status string `json:"status"`
	}{"ok"}, nil
}

// action is an endpoint that does something and has nothing to say.
func action(do func()) endpoint {
	return func(r *http.Request) (any, error) {
		if _, err := parameters(r); err != nil {
			return nil, err
		}
		do()
		return nil, nil
	}
}

type route struct {
	method, path string
	endpoint     endpoint
}

type routes []route

// notFound answers requests for other paths.
func (rs routes) notFound(r *http.Request) (any, error) {
	var paths []string
	for _, route := range rs {
		if !slices.Contains(paths, route.path) {
			paths = append(paths, route.path)
		}
	}
	return nil, problemf(http.StatusNotFound, "got path %s, want one of %s", path(r), strings.Join(paths, ", "))
}

// notAllowed answers requests with a method that the path does not have.
func (rs routes) notAllowed(r *http.Request) (any, error) {
	var methods []string
	for _, route := range rs {
		if route.path == path(r) {
			methods = append(methods, route.method)
			if route.method == http.MethodGet {
				methods = append(methods, http.MethodHead)
			}
		}
	}
	p := problemf(http.StatusMethodNotAllowed, "got method %s, want one of %s", r.Method, strings.Join(methods, ", "))
	p.allow = strings.Join(methods, ", ")
	return nil, p
}

// path is the request's path below what the handler is mounted under.
func path(r *http.Request) string {
	if below := chi.RouteContext(r.Context()).RoutePath; below != "" {
		return below
	}
	return r.URL.Path
}
