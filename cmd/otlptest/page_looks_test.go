package main_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func (p pageTest) narrow() {
	tab := p.open(p.shop, "")
	tab.look(390, false)
	for name, hash := range p.views() {
		tab.goTo(hash)
		p.settled(tab, hash)
		got := eval[[]string](tab, `document.scrollingElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + '.' + (e.getAttribute('class') ?? '')).slice(0, 10)`)
		if len(got) > 0 {
			p.t.Errorf("%s: got a page that is wider than the screen: %v", name, got)
		}
		if !eval[bool](tab, `(() => { const b = document.querySelector('nav a[aria-current=page]').getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth })()`) {
			p.t.Errorf("%s: got a bar that does not show where one is", name)
		}
		cut := eval[[]string](tab, `[...document.querySelectorAll('main button, main input, main select, main textarea')].filter((e) => { const b = e.getBoundingClientRect(); return e.checkVisibility() && b.width > 0 && !e.closest('.scroll, .sideways, .details, .list, [role=listbox]') && (b.left < -1 || b.right > innerWidth + 1) }).map((e) => e.textContent || e.id)`)
		if len(cut) > 0 {
			p.t.Errorf("%s: got what cannot be reached: %v", name, cut)
		}
	}
}

func (p pageTest) dark() {
	tab := p.open(p.shop, "")
	tab.find("option", ".")
	const brightness = `(() => { const [r, g, b] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number); return (r + g + b) / 3 })()`
	tab.look(1400, true)
	if got := eval[float64](tab, brightness); got > 60 {
		p.t.Errorf("got a ground of brightness %.0f of 255, want a dark one", got)
	}
	tab.click("button", "^Dark or light$")
	tab.until("light, as chosen", brightness+" > 200")
	eval[chromedp.Void](tab, "location.reload()")
	tab.find("option", ".")
	tab.until("still light", brightness+" > 200")
	eval[chromedp.Void](tab, "localStorage.clear()")
}

// views is the address of each view, and of its details, with data.
func (p pageTest) views() map[string]string {
	var spans, logs, points, lost struct {
		Items []struct {
			Number  int
			TraceID string `json:"traceId"`
			SpanID  string `json:"spanId"`
		}
	}
	p.get(p.shop, "spans?limit=1&q="+url.QueryEscape(`name="Charge" kind=server status=error`), &spans)
	p.get(p.shop, "logs?limit=1&q=service=%22checkout%22", &logs)
	p.get(p.shop, "points?limit=1&q="+url.QueryEscape(`name="http.server.request.duration"`), &points)
	p.get(p.shop, "exports?limit=1&q=outcome=refused", &lost)
	charge := spans.Items[0]
	number := func(n int) string { return fmt.Sprint(n) }
	return map[string]string{
		"traces": "#/traces", "trace": "#/traces/" + p.known["big"], "trace-details": address("traces/"+charge.TraceID, "span", charge.SpanID), "trace-odd": "#/traces/" + p.known["orphan"],
		"spans": "#/spans", "span": address("spans", "item", number(charge.Number)), "services": "#/services",
		"metrics": "#/metrics", "metrics-sum": address("metrics", "metric", "http.server.request.count"), "metrics-gauge": address("metrics", "metric", "cart.sessions.active"),
		"metrics-histogram": address("metrics", "metric", "http.server.request.duration"), "metrics-exponential": address("metrics", "metric", "payment.amount"),
		"metrics-summary": address("metrics", "metric", "payment.gateway.latency"), "metrics-delta": address("metrics", "metric", "cart.items.removed"),
		"metrics-point": address("metrics", "metric", "http.server.request.duration", "item", number(points.Items[0].Number)),
		"logs":          "#/logs", "log": address("logs", "item", number(logs.Items[0].Number)),
		"exports": "#/exports", "exports-own": address("exports", "scale", "own", "q", "outcome=refused"), "export": address("exports", "q", "outcome=refused", "export", number(lost.Items[0].Number)),
		"violations": "#/violations", "faults": "#/faults", "nothing": address("spans", "q", `name="none"`),
	}
}

// settled waits until a view shows what it asks for.
func (p pageTest) settled(tab *tab, hash string) {
	p.t.Helper()
	tab.until(hash, fmt.Sprintf(`location.hash === %s && document.querySelector('nav a[aria-current=page]')?.hash === location.hash.replace(/[?].*|(?<=#.[a-z]+)\/.*/, '')`, quoted(hash)))
	if strings.Contains(hash, "item=") || strings.Contains(hash, "span=") || strings.Contains(hash, "export=") {
		tab.find("complementary", ".")
	}
	tab.until(hash+" is quiet", `(() => { const stage = document.getElementById('stage'), text = stage.innerText; const quiet = stage.ariaBusy !== 'true' && text.trim() !== '' && text === window.before && !text.includes('asking the backend'); window.before = text; return quiet })()`)
}

// scenes is how the page can look.
var scenes = []struct {
	name  string
	width int64
	dark  bool
}{{"wide-light", 1400, false}, {"wide-dark", 1400, true}, {"narrow-light", 390, false}, {"narrow-dark", 390, true}}

// TestPageScreenshots writes a picture of each view, wide and narrow, light and
// dark, into the directory OTLPTEST_SCREENSHOTS.
func TestPageScreenshots(t *testing.T) {
	dir := os.Getenv("OTLPTEST_SCREENSHOTS")
	if dir == "" {
		t.Skip("OTLPTEST_SCREENSHOTS names no directory for the pictures")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx := openBrowser(t)
	s := newSite(t)
	f := s.filler(t)
	if err := f.shop(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := pageTest{t, ctx, s, f.known}
	none := newSite(t)
	for _, scene := range scenes {
		tab := p.open(s, "")
		tab.look(scene.width, scene.dark)
		for name, hash := range p.views() {
			tab.load(s, hash)
			p.settled(tab, hash)
			tab.picture(filepath.Join(dir, name+"-"+scene.name+".png"))
		}
		tab.load(none, "#/traces")
		tab.find("tab", "Go")
		tab.picture(filepath.Join(dir, "empty-"+scene.name+".png"))
	}
}
