package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/httpapi"
)

// from asks for the spans as a client at a host does, with header fields.
func from(t *testing.T, api http.Handler, target, host string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	req.Host = host
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	api.ServeHTTP(rec, req)
	if err := described(http.MethodGet, target, rec.Code, rec.Header(), rec.Body.Bytes()); err != nil {
		t.Errorf("%s at %s: %v", target, host, err)
	}
	return rec
}

func TestOnlyRequestsForThisMachineAreAnswered(t *testing.T) {
	srv, api := start(t)
	more := httpapi.New(srv, httpapi.WithHosts("Backend", "[fd00::1]"))
	anyHost := httpapi.New(srv, httpapi.WithHosts("*"))
	for host, want := range map[string][3]int{
		"127.0.0.1:4319": {200, 200, 200}, "127.0.0.1": {200, 200, 200}, "127.8.9.1:1": {200, 200, 200},
		"localhost": {200, 200, 200}, "LOCALHOST:80": {200, 200, 200}, "[::1]:4319": {200, 200, 200}, "[::1]": {200, 200, 200},
		"backend:4319": {403, 200, 200}, "[fd00::1]:1": {403, 200, 200},
		"evil.example": {403, 403, 200}, "localhost.evil.example": {403, 403, 200}, "127.0.0.1.evil.example:4319": {403, 403, 200},
		"": {403, 403, 200}, "10.0.0.1": {403, 403, 200}, "[::]": {403, 403, 200}, "0.0.0.0": {403, 403, 200}, "localhost:80:80": {403, 403, 200},
	} {
		for i, h := range []http.Handler{api, more, anyHost} {
			if got := from(t, h, "/api/v1/spans", host).Code; got != want[i] {
				t.Errorf("host %q, handler %d: got %d, want %d", host, i, got, want[i])
			}
		}
	}
}

func TestOnlyPagesOfTheSameOriginAreAnswered(t *testing.T) {
	_, api := start(t)
	for origin, want := range map[string]int{
		"http://127.0.0.1:4319":  200,
		"https://127.0.0.1:4319": 200,
		"http://127.0.0.1":       403,
		"http://localhost:4319":  403,
		"http://evil.example":    403,
		"null":                   403,
		"":                       403,
		"file://127.0.0.1:4319":  403,
		"%zz":                    403,
	} {
		if got := from(t, api, "/api/v1/spans", "127.0.0.1:4319", "Origin", origin).Code; got != want {
			t.Errorf("origin %q: got %d, want %d", origin, got, want)
		}
	}
	if got := from(t, api, "/api/v1/spans", "127.0.0.1", "Origin", "http://127.0.0.1", "Origin", "http://evil.example").Code; got != 403 {
		t.Errorf("two origins: got %d, want 403", got)
	}
}

func TestARefusedRequestChangesNothing(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("charge"))
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/v1/reset", nil)
	req.Header.Set("Origin", "http://evil.example")
	req.Host = "127.0.0.1:4319"
	rec := httptest.NewRecorder()
	api.ServeHTTP(rec, req)
	const want = `"detail":"Origin: got [\"http://evil.example\"], want none or that of 127.0.0.1:4319: other web pages may not use the API"`
	if rec.Code != http.StatusForbidden || !strings.Contains(rec.Body.String(), want) || srv.Spans().Len() != 1 {
		t.Errorf("got %d %s and %d spans, want 403 and the span", rec.Code, rec.Body, srv.Spans().Len())
	}
}

func TestTheTokenIsWanted(t *testing.T) {
	srv, _ := start(t)
	api := httpapi.New(srv, httpapi.WithToken("secret"))
	for value, want := range map[string]int{
		"": 401, "secret": 401, "Bearer": 401, "Bearer ": 401, "Bearer secre": 401, "Bearer secrets": 401, "Basic secret": 401,
		"Bearer secret": 200, "bearer secret": 200,
	} {
		rec := from(t, api, "/api/v1/spans", "localhost", "Authorization", value)
		challenge := rec.Header().Get("WWW-Authenticate")
		if rec.Code != want || (challenge == "Bearer") != (want == 401) {
			t.Errorf("%q: got %d with challenge %q, want %d", value, rec.Code, challenge, want)
		}
	}
	for _, target := range []string{"/healthz", "/readyz"} {
		if got := from(t, api, target, "localhost").Code; got != http.StatusOK {
			t.Errorf("%s: got %d without the token, want 200", target, got)
		}
	}
	for _, target := range []string{"/openapi.yaml", "/api/v1/stream", "/api/v1/traces/healthz", "/x/healthz"} {
		if got := from(t, api, target, "localhost").Code; got != http.StatusUnauthorized {
			t.Errorf("%s: got %d without the token, want 401", target, got)
		}
	}
}

func TestHealthNeedsNoTokenBelowAPrefixEither(t *testing.T) {
	srv, _ := start(t)
	api := httpapi.New(srv, httpapi.WithToken("secret"))
	router := chi.NewRouter()
	router.Mount("/otlp", api)
	for name, h := range map[string]http.Handler{"net/http": http.StripPrefix("/otlp", api), "chi": router} {
		for target, want := range map[string]int{"/otlp/healthz": 200, "/otlp/readyz": 200, "/otlp/api/v1/stats": 401} {
			req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+target, nil)
			rec := httptest.NewRecorder()
			if h.ServeHTTP(rec, req); rec.Code != want {
				t.Errorf("%s: %s: got %d, want %d", name, target, rec.Code, want)
			}
		}
	}
}
