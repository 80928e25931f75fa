// Package browser runs the page in a browser.
package browser

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// A page of another origin exports, and sees what became of it.
func TestThePageExports(t *testing.T) {
	chromium := find(t, "chromium", "chromium-browser", "google-chrome")
	page, err := os.ReadFile("index.html")
	if err != nil {
		t.Fatal(err)
	}
	const click = `<script type="module">document.querySelector('button').click()</script>`
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(append(page, click...)) // the browser says if it is not there
	}))
	defer web.Close()
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Throttle(7*time.Second))))
	for _, want := range []string{"503, Retry-After: 7", "200, Retry-After: none"} {
		cmd := exec.CommandContext(t.Context(), chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(),
			"--virtual-time-budget=10000", "--dump-dom", web.URL+"/?otlp="+srv.HTTPEndpoint())
		dom, err := cmd.Output()
		if err != nil || !strings.Contains(string(dom), "<output>"+want+"</output>") {
			t.Errorf("got error %v, want %s in\n%s", err, want, dom)
		}
	}
	otlptest.One(t, srv.Spans(where.Service("page"), where.Name("click"), where.Header("origin", web.URL)))
}

// find is the path of one of these programs.
func find(t *testing.T, programs ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser: not with -short")
	}
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is none of ", programs)
	return ""
}
