package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/otlptest"
)

// api is a server's API.
type api struct {
	srv      *otlptest.Server
	rules    rules
	hub      *hub
	holds    holds
	produced produced
	streams  streams
}

// New makes the handler of a server's API. It may be mounted under a prefix
// with http.StripPrefix or by chi, and answers as long as the server's data is
// there: after Close too, except for waits and streams, which end then. What
// was produced, and holds, belong to the handler.
func New(srv *otlptest.Server, opts ...Option) http.Handler {
	a := &api{srv: srv, rules: rules{srv}, hub: newHub(srv)}
	g := guard{}
	for _, opt := range opts {
		opt(&g)
	}
	return g.wrap(rooted(a.routes().router()))
}

// rooted takes a request for exactly what the handler is mounted under for one
// for /.
func rooted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "" {
			r = r.Clone(r.Context())
			r.URL.Path = "/"
		}
		next.ServeHTTP(w, r)
	})
}

// routes is the whole API.
func (a *api) routes() routes {
	return slices.Concat(a.queries(), routes{
		{http.MethodGet, "/api/v1/report", endpoint(a.report)},
		{http.MethodGet, "/api/v1/batches", endpoint(a.batches)},
		{http.MethodGet, "/api/v1/stats", endpoint(a.stats)},
		{http.MethodGet, "/api/v1/changes", endpoint(a.changes)},
		{http.MethodGet, "/api/v1/stream", http.HandlerFunc(a.stream)},

		{http.MethodGet, "/api/v1/faults", endpoint(a.rules.list)},
		{http.MethodPost, "/api/v1/faults", endpoint(a.rules.add)},
		{http.MethodDelete, "/api/v1/faults", endpoint(a.rules.clear)},
		{http.MethodPost, "/api/v1/down", outage(a.srv.Down)},
		{http.MethodPost, "/api/v1/up", outage(a.srv.Up)},
		{http.MethodPost, "/api/v1/refuse", outage(a.srv.Refuse)},
		{http.MethodPost, "/api/v1/restart", outage(a.srv.Restart)},
		{http.MethodGet, "/api/v1/hold", endpoint(a.allHolds)},
		{http.MethodPost, "/api/v1/hold", endpoint(a.hold)},
		{http.MethodGet, "/api/v1/hold/{id}", endpoint(a.held)},
		{http.MethodPost, "/api/v1/hold/{id}/release", endpoint(a.release)},
		{http.MethodDelete, "/api/v1/hold/{id}", endpoint(a.unhold)},
		{http.MethodPost, "/api/v1/produced", endpoint(a.produce)},
		{http.MethodPost, "/api/v1/reset", endpoint(a.reset)},

		{http.MethodGet, "/", http.HandlerFunc(page)},
		{http.MethodGet, "/page/{file}", http.HandlerFunc(page)},
		{http.MethodGet, "/openapi.yaml", endpoint(description)},
		{http.MethodGet, "/healthz", endpoint(healthy)},
		{http.MethodGet, "/readyz", endpoint(a.ready)},
	})
}

// queries is the endpoints that ask views.
func (a *api) queries() routes {
	return routes{
		{http.MethodGet, "/api/v1/spans", items(spansOf(a.srv))},
		{http.MethodGet, "/api/v1/points", items(pointsOf(a.srv))},
		{http.MethodGet, "/api/v1/logs", items(logsOf(a.srv))},
		{http.MethodGet, "/api/v1/spans/{number}", item(spansOf(a.srv))},
		{http.MethodGet, "/api/v1/points/{number}", item(pointsOf(a.srv))},
		{http.MethodGet, "/api/v1/logs/{number}", item(logsOf(a.srv))},
		{http.MethodGet, "/api/v1/spans/{number}/assertion", assert(spansOf(a.srv), "Spans", spanClues)},
		{http.MethodGet, "/api/v1/points/{number}/assertion", assert(pointsOf(a.srv), "Points", pointClues)},
		{http.MethodGet, "/api/v1/logs/{number}/assertion", assert(logsOf(a.srv), "Logs", logClues)},
		{http.MethodGet, "/api/v1/traces", items(tracesOf(a.srv))},
		{http.MethodGet, "/api/v1/traces/{id}", endpoint(a.trace)},
		{http.MethodGet, "/api/v1/services", endpoint(a.services)},
		{http.MethodGet, "/api/v1/keys", endpoint(a.keys)},
		{http.MethodGet, "/api/v1/grammar", endpoint(a.grammar)},
		{http.MethodGet, "/api/v1/series", endpoint(a.series)},
		{http.MethodGet, "/api/v1/exports", items(exportsOf(a.srv))},
		{http.MethodGet, "/api/v1/exports/{number}", endpoint(a.export)},
		{http.MethodGet, "/api/v1/violations", items(violationsOf(a.srv))},
		{http.MethodGet, "/api/v1/connections", items(connectionsOf(a.srv))},
	}
}

type route struct {
	method, path string
	handler      http.Handler
}

type routes []route

// router serves the routes, and problems for everything else.
func (rs routes) router() *chi.Mux {
	r := chi.NewRouter()
	for _, route := range rs {
		r.Method(route.method, route.path, route.handler)
		if route.method == http.MethodGet {
			r.Method(http.MethodHead, route.path, route.handler)
		}
	}
	r.NotFound(endpoint(rs.notFound).ServeHTTP)
	r.MethodNotAllowed(endpoint(func(req *http.Request) (any, error) { return nil, notAllowed(r, req) }).ServeHTTP)
	return r
}

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

// notAllowed is the problem of a method that the path does not have.
func notAllowed(router *chi.Mux, r *http.Request) error {
	var methods []string
	for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete} {
		if router.Match(chi.NewRouteContext(), m, path(r)) {
			methods = append(methods, m)
		}
	}
	p := problemf(http.StatusMethodNotAllowed, "got method %s, want one of %s", r.Method, strings.Join(methods, ", "))
	p.allow = strings.Join(methods, ", ")
	return p
}

// path is the request's path below what the handler is mounted under.
func path(r *http.Request) string {
	if c := chi.RouteContext(r.Context()); c != nil && c.RoutePath != "" {
		return c.RoutePath
	}
	return r.URL.Path
}
