package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/otlptest"
)

// fuzzed is a server with a span, its API, and a check that an answer is one of
// the description, no error of the server's own, and that nothing was lost.
func fuzzed(f *testing.F) (check func(t *testing.T, method, path, query, contentType, body string)) {
	f.Helper()
	srv, err := otlptest.New(otlptest.WithInMemory())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { srv.Close() })
	api := httpapi.New(srv)
	answer, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/json",
		strings.NewReader(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"kept"}]}]}]}`))
	if err != nil {
		f.Fatal(err)
	}
	answer.Body.Close()
	return func(t *testing.T, method, path, query, contentType, body string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond) // waits and streams end with their client
		defer cancel()
		req := httptest.NewRequestWithContext(ctx, method, "http://localhost"+path, strings.NewReader(body))
		req.URL.RawQuery = query
		req.Header.Set("Content-Type", contentType)
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, req)
		if err := described(method, path, rec.Code, rec.Header(), rec.Body.Bytes()); err != nil {
			t.Errorf("%s %s?%s: got %d %.300s: %v", method, path, query, rec.Code, rec.Body, err)
		}
		if rec.Code >= http.StatusInternalServerError {
			t.Errorf("%s %s?%s %q: got %d %s", method, path, query, body, rec.Code, rec.Body)
		}
		if n := srv.Spans().Len(); n != 1 {
			t.Errorf("%s %s?%s %q: got %d spans after it, want the one that was there", method, path, query, body, n)
		}
		srv.ClearFaults()
	}
}

// exampleOf makes a path of a template.
var exampleOf = strings.NewReplacer("{id}", "0af7651916cd43dd8448eb211c80319c", "{number}", "1")

func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "q=", `q=name%3D"kept"`, "q=name=&wait=1", "wait=1&timeout=0s", "wait=99999999999999999999", "wait=-1&timeout=-1s",
		"limit=1&after=1", "limit=0&after=x", "after=1.2", "after=9223372036854775807.9223372036854775807", "format=otlp", "format=protobuf&limit=1",
		"q=not+(name~%22(%22+or+root)", "q=child(child(root))", "of=exports,spans&buffer=1&after=start", "after=0.exports-1-2", "since=x&timeout=0s",
		"a;b", "q=%zz", "q=\x00", "q&q", "=", "&&&", strings.Repeat("q=1&", 100), "index=0", "format=text",
		"order=newest", "order=newest&limit=1&after=1", "order=newest&wait=1&timeout=0s", "order=oldest&format=summary", "order=newest&format=summary", "order=x",
		"of=points", "of=logs", "of=x", "points=1", "points=0&format=summary", "format=groups&limit=1", "order=newest&q=outcome=open", "q=complete&order=newest&limit=1",
	} {
		f.Add(seed)
	}
	check := fuzzed(f)
	f.Fuzz(func(t *testing.T, query string) {
		for path, operations := range document()["paths"].(map[string]any) {
			if _, reads := operations.(map[string]any)["get"]; reads {
				check(t, http.MethodGet, exampleOf.Replace(path), query, "", "")
			}
		}
	})
}

func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "[]", "null", "5", `"unavailable"`, "unavailable x2", "traces: throttle 30s x2, unavailable", `["unavailable",{"faults":[{"kind":"hang"}]}]`,
		`{"faults":[{"kind":"throttle","retryDelay":"1s"}],"where":["name=\"x\""]}`, `{"traces":1,"metrics":2,"logs":3}`, `{"traces":-1}`, `{"traces":1e400}`,
		`{"q":"name=\"x\""}`, `name="x"`, `{"q":5}`, strings.Repeat("[", 10000), `{"traces":"1"}`, "\x00\xff", `{"a":`, `{"traces":1}{"traces":1}`,
	} {
		for _, contentType := range []string{jsonType, textType, ""} {
			f.Add(contentType, seed)
		}
	}
	check := fuzzed(f)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		for _, path := range []string{"faults", "hold", "produced", "hold/1/release"} {
			check(t, http.MethodPost, "/api/v1/"+path, "", contentType, body)
		}
		check(t, http.MethodDelete, "/api/v1/hold/1", "", contentType, body)
	})
}

func FuzzOrigin(f *testing.F) {
	for _, seed := range [][2]string{
		{"localhost", ""}, {"evil.example", ""}, {"127.0.0.1:4319", "http://127.0.0.1:4319"}, {"localhost", "http://evil.example"},
		{"[::1]:1", "null"}, {"localhost@evil.example", ""}, {"127.1", ""}, {"[::ffff:127.0.0.1]", ""}, {"localhost.", "http://localhost."},
	} {
		f.Add(seed[0], seed[1])
	}
	srv, err := otlptest.New(otlptest.WithInMemory())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { srv.Close() })
	api := httpapi.New(srv)
	f.Fuzz(func(t *testing.T, host, origin string) {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", nil)
		req.Host = host
		req.Header.Set("Origin", origin)
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, req)
		own := strings.EqualFold(origin, "http://"+host) || strings.EqualFold(origin, "https://"+host)
		if rec.Code == http.StatusOK && !own && !strings.HasPrefix(strings.ToLower(origin), "http") {
			t.Errorf("host %q, origin %q: got %d", host, origin, rec.Code)
		}
		here := strings.Contains(strings.ToLower(host), "localhost") || strings.Contains(host, "127.") || strings.Contains(host, "::") || strings.Contains(host, ":1") || strings.Contains(host, "0:")
		if rec.Code == http.StatusOK && !here {
			t.Errorf("host %q: got %d", host, rec.Code)
		}
	})
}

func TestRequestsThatAreTooLarge(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("kept"))
	for _, path := range []string{"faults", "hold", "produced"} {
		large := request{"POST", "/api/v1/" + path, textType, strings.Repeat("x", 1<<20+1)}
		if got, want := detail(t, api, large, http.StatusRequestEntityTooLarge), "body: is longer than 1048576 bytes"; got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	if n := srv.Spans().Len(); n != 1 {
		t.Errorf("got %d spans, want the one that was there", n)
	}
}

func TestABodyThatIsTooLargeIsNotWaitedFor(t *testing.T) {
	_, api := start(t)
	never, _ := io.Pipe()
	for _, length := range []int64{1<<20 + 1, 1 << 40} {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/api/v1/faults", never)
		req.ContentLength = length
		rec := httptest.NewRecorder()
		if api.ServeHTTP(rec, req); rec.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("%d bytes: got %d, want 413", length, rec.Code)
		}
	}
}
