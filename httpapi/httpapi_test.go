package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
)

func TestReadyOnlyWhileTheBackendTakesExports(t *testing.T) {
	srv, api := start(t)
	ready := func(status int, want string) {
		t.Helper()
		if got, body := ask(t, api, get("/readyz")); got != status || !strings.Contains(body, want) {
			t.Errorf("got %d %s, want %d %s", got, body, status, want)
		}
	}
	ready(http.StatusOK, `{"status":"ready"}`)
	for _, step := range []struct {
		path   string
		status int
		want   string
	}{
		{"down", http.StatusServiceUnavailable, "the backend is down"},
		{"up", http.StatusOK, "ready"},
		{"refuse", http.StatusServiceUnavailable, "the backend is refusing"},
		{"restart", http.StatusOK, "ready"},
	} {
		if status, body := ask(t, api, request{method: "POST", target: "/api/v1/" + step.path}); status != http.StatusNoContent {
			t.Errorf("%s: got %d %s", step.path, status, body)
		}
		ready(step.status, step.want)
	}
	for _, step := range []struct {
		do     func() error
		status int
		want   string
	}{
		{srv.Down, http.StatusServiceUnavailable, "the backend is down"},
		{srv.Up, http.StatusOK, "ready"},
		{srv.Refuse, http.StatusServiceUnavailable, "the backend is refusing"},
		{srv.Restart, http.StatusOK, "ready"},
		{srv.Close, http.StatusServiceUnavailable, "the backend is closed"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		ready(step.status, step.want)
	}
}

func TestHealth(t *testing.T) {
	_, api := start(t)
	for method, want := range map[string]string{http.MethodGet: `{"status":"ok"}` + "\n", http.MethodHead: `{"status":"ok"}` + "\n"} {
		// It is net/http's server that leaves the body of an answer to HEAD away.
		if status, body := ask(t, api, request{method: method, target: "/healthz"}); status != http.StatusOK || body != want {
			t.Errorf("%s: got %d %s, want %s", method, status, body, want)
		}
	}
}

func TestReset(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("charge"))
	ask(t, api, request{method: "POST", target: "/api/v1/faults", body: "unavailable"})
	if status, body := ask(t, api, request{method: "POST", target: "/api/v1/reset"}); status != http.StatusNoContent || body != "" {
		t.Errorf("got %d %q, want 204", status, body)
	}
	if spans, rules := srv.Spans().Len(), len(srv.Faults()); spans > 0 || rules > 0 {
		t.Errorf("got %d spans and %d rules after a reset, want none", spans, rules)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	_, api := start(t)
	const paths = "/api/v1/spans, /api/v1/points, /api/v1/logs, /api/v1/spans/{number}, /api/v1/points/{number}, /api/v1/logs/{number}, " +
		"/api/v1/spans/{number}/assertion, /api/v1/points/{number}/assertion, /api/v1/logs/{number}/assertion, " +
		"/api/v1/traces, /api/v1/traces/{id}, /api/v1/services, /api/v1/keys, /api/v1/grammar, /api/v1/series, " +
		"/api/v1/exports, /api/v1/exports/{number}, /api/v1/violations, /api/v1/connections, /api/v1/report, /api/v1/batches, /api/v1/stats, /api/v1/changes, " +
		"/api/v1/stream, /api/v1/faults, /api/v1/down, /api/v1/up, /api/v1/refuse, /api/v1/restart, /api/v1/hold, " +
		"/api/v1/hold/{id}, /api/v1/hold/{id}/release, /api/v1/produced, /api/v1/reset, /, /page/{file}, /openapi.yaml, /healthz, /readyz"
	for _, test := range []struct {
		request
		status int
		want   string
	}{
		{get("/api/v1/span"), http.StatusNotFound, "got path /api/v1/span, want one of " + paths},
		{get("/api/v1/spans/"), http.StatusNotFound, "got path /api/v1/spans/, want one of " + paths},
		{get("/page/"), http.StatusNotFound, "got path /page/, want one of " + paths},
		{request{method: "POST", target: "/api/v1/spans"}, http.StatusMethodNotAllowed, "got method POST, want one of GET, HEAD"},
		{request{method: "PUT", target: "/api/v1/faults"}, http.StatusMethodNotAllowed, "got method PUT, want one of GET, HEAD, POST, DELETE"},
		{get("/api/v1/reset"), http.StatusMethodNotAllowed, "got method GET, want one of POST"},
		{request{method: "POST", target: "/api/v1/reset?all=1"}, http.StatusBadRequest, `query: got parameter "all", want none`},
		{request{method: "DELETE", target: "/api/v1/faults?rule=1"}, http.StatusBadRequest, `query: got parameter "rule", want none`},
		{get("/api/v1/faults?q=x"), http.StatusBadRequest, `query: got parameter "q", want none`},
	} {
		if got := detail(t, api, test.request, test.status); got != test.want {
			t.Errorf("%s %s: got\n%s\nwant\n%s", test.method, test.target, got, test.want)
		}
	}
}

func TestAllowNamesTheMethods(t *testing.T) {
	_, api := start(t)
	rec := httptest.NewRecorder()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "http://localhost/api/v1/faults", nil)
	api.ServeHTTP(rec, req)
	if got, want := rec.Header().Get("Allow"), "GET, HEAD, POST, DELETE"; got != want {
		t.Errorf("got Allow %q, want %q", got, want)
	}
}

func TestItCanBeMountedBelowAPrefix(t *testing.T) {
	_, api := start(t)
	mux := http.NewServeMux()
	mux.Handle("/otlp/", http.StripPrefix("/otlp", api))
	router := chi.NewRouter()
	router.Mount("/otlp", api)
	for name, mounted := range map[string]http.Handler{"net/http": mux, "chi": router} {
		if status, body := ask(t, mounted, get("/otlp/api/v1/spans")); status != http.StatusOK {
			t.Errorf("%s: got %d %s", name, status, body)
		}
		if got := detail(t, mounted, get("/otlp/api/v1/span"), http.StatusNotFound); !strings.HasPrefix(got, "got path /api/v1/span, want one of /api/v1/spans, ") {
			t.Errorf("%s: got %s", name, got)
		}
		put := request{method: "PUT", target: "/otlp/api/v1/spans"}
		if got, want := detail(t, mounted, put, http.StatusMethodNotAllowed), "got method PUT, want one of GET, HEAD"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
