package httpapi_test

import (
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/httpapi"
)

// load asks for a file of the page, as a browser does.
func load(t *testing.T, api http.Handler, target string, header ...string) (resp *http.Response, body string) {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	req.Host = "127.0.0.1:4319"
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	api.ServeHTTP(rec, req)
	resp = rec.Result()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

// pageSources is the files of the page by their names.
func pageSources(t *testing.T) map[string]string {
	t.Helper()
	entries, err := os.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(path.Join("page", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

func TestThePageIsServedAsItIsWritten(t *testing.T) {
	_, api := start(t)
	types := map[string]string{".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
	for name, want := range pageSources(t) {
		targets := []string{"/page/" + name}
		if name == "index.html" {
			targets = append(targets, "/", "/?x=1")
		}
		for _, target := range targets {
			resp, body := load(t, api, target)
			if resp.StatusCode != http.StatusOK || body != want {
				t.Errorf("%s: got %d and %d bytes, want 200 and the %d bytes of %s", target, resp.StatusCode, len(body), len(want), name)
			}
			if got, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err != nil || got != types[path.Ext(name)] {
				t.Errorf("%s: got Content-Type %q, want %q", target, resp.Header.Get("Content-Type"), types[path.Ext(name)])
			}
		}
	}
}

// What stands in the page comes from other programs: should a mistake make
// markup of it, the policy still keeps it from running.
func TestNothingButThePageItselfRunsInIt(t *testing.T) {
	_, api := start(t)
	for _, target := range []string{"/", "/page/app.js"} {
		resp, _ := load(t, api, target)
		policy := map[string]string{}
		for directive := range strings.SplitSeq(resp.Header.Get("Content-Security-Policy"), ";") {
			name, sources, _ := strings.Cut(strings.TrimSpace(directive), " ")
			policy[name] = sources
		}
		for name, want := range map[string]string{
			"default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "connect-src": "'self'", "img-src": "'self'",
			"base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'",
		} {
			if policy[name] != want {
				t.Errorf("%s: got %s %q in the Content-Security-Policy, want %q", target, name, policy[name], want)
			}
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"} {
			if got := resp.Header.Get(name); got != want {
				t.Errorf("%s: got %s %q, want %q", target, name, got, want)
			}
		}
	}
}

func TestABrowserKeepsThePageUntilItChanges(t *testing.T) {
	_, api := start(t)
	for _, target := range []string{"/", "/page/style.css"} {
		resp, _ := load(t, api, target)
		tag := resp.Header.Get("ETag")
		if tag == "" || resp.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: got ETag %q and Cache-Control %q, want a tag that is asked for each time", target, tag, resp.Header.Get("Cache-Control"))
		}
		if resp, body := load(t, api, target, "If-None-Match", tag); resp.StatusCode != http.StatusNotModified || body != "" {
			t.Errorf("%s with its tag: got %d and %d bytes, want 304 and none", target, resp.StatusCode, len(body))
		}
		if resp, _ := load(t, api, target, "If-None-Match", `"other"`); resp.StatusCode != http.StatusOK {
			t.Errorf("%s with another tag: got %d, want 200", target, resp.StatusCode)
		}
	}
}

func TestThereIsNothingBesideThePage(t *testing.T) {
	_, api := start(t)
	for _, target := range []string{"/page/none.js", "/page/", "/page/..%2fpage.go", "/page/%2e%2e%2fpage.go", "/app.js", "/index.html"} {
		if resp, body := load(t, api, target); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: got %d %.100s, want 404", target, resp.StatusCode, body)
		}
	}
}

// The page asks for the token, so it is there without it; the data is not.
func TestThePageNeedsNoTokenButItsDataDoes(t *testing.T) {
	srv, _ := start(t)
	api := httpapi.New(srv, httpapi.WithToken("secret"))
	for target, want := range map[string]int{
		"/": http.StatusOK, "/page/app.js": http.StatusOK,
		"/api/v1/traces": http.StatusUnauthorized, "/openapi.yaml": http.StatusUnauthorized, "/page/../api/v1/traces": http.StatusNotFound,
	} {
		if resp, body := load(t, api, target); resp.StatusCode != want {
			t.Errorf("%s: got %d %.100s, want %d", target, resp.StatusCode, body, want)
		}
	}
}

func TestThePageWorksUnderAPrefix(t *testing.T) {
	srv, api := start(t)
	stripped := http.NewServeMux()
	stripped.Handle("/otlp/", http.StripPrefix("/otlp", api))
	stripped.Handle("/otlp", http.StripPrefix("/otlp", api))
	mounted := chi.NewRouter()
	mounted.Mount("/otlp", httpapi.New(srv))
	for name, h := range map[string]http.Handler{"StripPrefix": stripped, "chi": mounted} {
		for _, target := range []string{"/otlp/", "/otlp/page/app.js", "/otlp/api/v1/traces"} {
			if resp, body := load(t, h, target); resp.StatusCode != http.StatusOK {
				t.Errorf("%s: %s: got %d %.100s, want 200", name, target, resp.StatusCode, body)
			}
		}
		resp, _ := load(t, h, "/otlp")
		to, err := (&url.URL{Path: "/otlp"}).Parse(resp.Header.Get("Location"))
		if resp.StatusCode/100 != 3 || err != nil || to.Path != "/otlp/" {
			t.Errorf("%s: /otlp: got %d to %q, want a redirect to /otlp/: what the page loads is below it", name, resp.StatusCode, resp.Header.Get("Location"))
		}
	}
}

// Modules import by names that no compiler sees.
func TestWhatTheModulesOfThePageImportIsThere(t *testing.T) {
	files := pageSources(t)
	imports := regexp.MustCompile(`(?m)^(?:import|export)\b[^;]*?\bfrom\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)`)
	exported := regexp.MustCompile(`(?m)^export (?:default )?(?:async )?(?:function\*?|const|let|class) ([\w$]+)`)
	named := regexp.MustCompile(`(?s)import\s*\{([^}]*)\}\s*from\s*'\./([^']+)'`)
	for name, text := range files {
		if path.Ext(name) != ".js" {
			continue
		}
		for _, m := range imports.FindAllStringSubmatch(text, -1) {
			file, ok := strings.CutPrefix(m[1]+m[2]+m[3], "./")
			if _, there := files[file]; !ok || !there {
				t.Errorf("%s imports %q, want ./ and a file of the page", name, m[0])
			}
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			has := map[string]bool{}
			for _, e := range exported.FindAllStringSubmatch(files[m[2]], -1) {
				has[e[1]] = true
			}
			for _, list := range regexp.MustCompile(`(?s)^export\s*\{([^}]*)\}`).FindAllStringSubmatch(files[m[2]], -1) {
				for what := range strings.SplitSeq(list[1], ",") {
					has[strings.TrimSpace(what)] = true
				}
			}
			for what := range strings.SplitSeq(m[1], ",") {
				what, _, _ = strings.Cut(strings.TrimSpace(what), " as ")
				if what != "" && !has[what] {
					t.Errorf("%s imports %s from %s, which does not export it", name, what, m[2])
				}
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"#]+)"`).FindAllStringSubmatch(files["index.html"], -1) {
		file, ok := strings.CutPrefix(m[1], "page/")
		if _, there := files[file]; !ok || !there {
			t.Errorf("index.html loads %q, want page/ and a file of the page", m[1])
		}
	}
}

// What telemetry says is text. A module that never parses HTML cannot make
// markup of it, and needs no escaping.
func TestNoModuleOfThePageParsesHTMLOrCode(t *testing.T) {
	parses := regexp.MustCompile(`\b(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe|DOMParser|createContextualFragment|srcdoc)\b|document\.write|\beval\(|new Function\(|javascript:|(?i:\bset(?:Timeout|Interval)\(\s*['"` + "`" + `])`)
	for name, text := range pageSources(t) {
		if found := parses.FindString(text); found != "" {
			t.Errorf("%s has %q, want only text nodes and attributes that dom.js sets", name, found)
		}
		if path.Ext(name) == ".html" && regexp.MustCompile(`<style|\sstyle=|\son\w+=|<script(?: [^>]*)?>[^<]`).MatchString(text) {
			t.Errorf("%s has script or style in it, which the policy forbids", name)
		}
	}
}

// The page has no build step: nothing is made small later.
func TestThePageIsSmall(t *testing.T) {
	const (
		most = 40_000  // of one file: a module has one topic
		all  = 300_000 // of which the first view needs but a part
	)
	sum := 0
	for name, text := range pageSources(t) {
		sum += len(text)
		if len(text) > most {
			t.Errorf("%s has %d bytes, want at most %d", name, len(text), most)
		}
	}
	if sum > all {
		t.Errorf("got %d bytes in all, want at most %d", sum, all)
	}
}
