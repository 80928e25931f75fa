package main_test

import (
	"fmt"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// names that are more than they seem.
var hostileNames = []string{
	`<script>window.hacked=1</script>`, `<img src=x onerror="window.hacked=1">`, `"><svg onload=window.hacked=1>`, `javascript:window.hacked=1`,
	"evil\u202egnp.exe", "zero\u200bwidth", "nul\x00l", "line\nfeed\ttab", "' OR 1=1 --", "{{7*7}}${7*7}", strings.Repeat("long ", 2000), "😀 e\u0301",
}

func (p pageTest) hostile() {
	s := newSite(p.t)
	f := s.filler(p.t)
	bad := hostileNames
	var hashes []string
	story := f.story()
	for i, name := range bad {
		next := bad[(i+1)%len(bad)]
		span := story.span("web", name, server, nil, time.Now(), 20*time.Millisecond, name, next, "k"+next, []any{name, next})
		span.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: name}
		span.Events = []*tracepb.Span_Event{{Name: name, TimeUnixNano: span.StartTimeUnixNano, Attributes: attrs(name, next)}}
		span.TraceState = name
		m := spansRequest(name, span)
		m.ResourceSpans[0].ScopeSpans[0].Scope.Name = name
		m.ResourceSpans[0].SchemaUrl = name
		metric := f.sessions(time.Now())
		metric.Name, metric.Description, metric.Unit = name, name, name
		metric.GetGauge().DataPoints[0].Attributes = attrs(name, next)
		log := logRecord(name, attrs(name, next))
		if err := firstError(f.postProto(p.t.Context(), m), f.postProto(p.t.Context(), metricsRequest(name, metric)), f.postProto(p.t.Context(), logsRequest(name, log))); err != nil {
			p.t.Fatal(err)
		}
		hashes = append(hashes, address("metrics", "metric", name), address("spans", "item", fmt.Sprint(i+1)), address("logs", "item", fmt.Sprint(i+1)), address("exports", "export", fmt.Sprint(3*i+1)))
	}
	tab := p.open(s, "#/spans")
	tab.allow(`\b40[04]\b`) // of searches for what is no filter
	hashes = append(hashes, "#/traces", fmt.Sprintf("#/traces/%x", story.id), "#/services", "#/violations", "#/faults", address("spans", "q", bad[0]), address("nothing", "q", bad[1]), address("traces/"+url.PathEscape(bad[1])))
	for _, hash := range append([]string{"#/spans"}, hashes...) {
		tab.goTo(hash)
		tab.until("it is shown: "+hash[:min(len(hash), 80)], `(() => { const a = document.querySelector('nav a[aria-current=page]'); return a && document.getElementById('stage').innerText.trim() !== '' && location.hash.startsWith(a.hash) || location.hash.startsWith('#/nothing') })()`)
		got := eval[struct {
			Hacked         bool
			Foreign, Raw   []string
			Wide, Unpolicy int
		}](tab, `({
			hacked: 'hacked' in window,
			foreign: [...document.querySelectorAll('main script, main img, main [onerror], main [onload], main [onclick], a[href^="javascript:"]')].map((e) => e.tagName + ' ' + e.textContent.slice(0, 100)),
			raw: [...document.getElementById('main').textContent.matchAll(/[\u0000\u202a-\u202e\u2066-\u2069]/g)].map((m) => m[0].codePointAt(0).toString(16)),
			wide: document.documentElement.scrollWidth - innerWidth,
		})`)
		if got.Hacked || len(got.Foreign) > 0 || len(got.Raw) > 0 || got.Wide > 0 {
			p.t.Errorf("%.100s: got %+v, want that all is text, which turns no other text and makes the page no wider", hash, got)
		}
	}
	tab.goTo("#/spans")
	for _, want := range []string{`<script>window.hacked=1</script>`, `<img src=x onerror="window.hacked=1">`, `evil\u202egnp.exe`, `(10,000 characters)`} {
		tab.text(want)
	}
}

// keyboard goes through list, details and back without a mouse.
func (p pageTest) keyboard() {
	tab := p.open(p.shop, "")
	tab.find("option", ".")
	tab.press(kb.Tab)
	tab.until("the first stop is to skip the bar", "document.activeElement.matches('a.skip')")
	tab.press("2")
	tab.find("listbox", "^Spans")
	tab.find("option", ".")
	visited := map[string]bool{}
	for range 40 {
		at := tab.focused()
		if visited[at] && strings.HasPrefix(at, "listbox") {
			break
		}
		visited[at] = true
		if strings.HasPrefix(at, "listbox") {
			break
		}
		tab.press(kb.Tab)
		if !eval[bool](tab, `document.activeElement === document.body || document.activeElement.matches(':focus-visible')`) {
			p.t.Errorf("got no visible focus on %s", tab.focused())
		}
	}
	if got := tab.focused(); !strings.HasPrefix(got, "listbox") {
		p.t.Fatalf("got to %v by Tab, want to the list", visited)
	}
	tab.press(kb.ArrowDown + kb.ArrowDown + kb.ArrowDown + kb.ArrowUp)
	tab.until("the second row is chosen", `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.ariaPosInSet === '2'`)
	tab.press(kb.Enter)
	tab.find("complementary", ".")
	tab.until("the details have the focus", "document.activeElement.matches('aside.details')")
	tab.press(kb.Tab)
	tab.until("what is in the details can be reached", "document.activeElement.closest('aside.details') && document.activeElement.matches('button, a')")
	tab.press(kb.Escape)
	tab.gone("complementary", ".")
	tab.until("the focus is back", "document.activeElement.matches('.list')")
	tab.until("the same row is chosen", `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.ariaPosInSet === '2'`)
	tab.press("1")
	tab.find("listbox", "^Traces")
	eval[chromedp.Void](tab, "document.querySelector('.list').focus()")
	tab.press(kb.ArrowDown + kb.Enter)
	tab.find("treegrid", ".")
	eval[chromedp.Void](tab, "document.querySelector('[role=treegrid]').focus()")
	tab.press(kb.ArrowDown + kb.Enter)
	tab.find("complementary", ".")
	tab.press(kb.Escape)
	tab.gone("complementary", ".")
	tab.until("the focus is back in the tree", "document.activeElement.matches('[role=treegrid]')")
	tab.press("?")
	tab.find("dialog", "Keys")
	tab.press(kb.Escape)
	tab.gone("dialog", ".")
}

func (p pageTest) empty() {
	s := newSite(p.t)
	tab := p.open(s, "")
	tab.find("heading", "^No traces yet$")
	for _, language := range []string{"Go", "Node", "Python", "Java", "curl"} {
		tab.click("tab", "^"+language)
		tab.text(s.HTTPEndpoint())
	}
	command := eval[string](tab, `[...document.querySelectorAll('main pre')].map((p) => p.textContent).find((t) => t.includes('curl'))`)
	sh := exec.CommandContext(p.t.Context(), "sh", "-c", command)
	if out, err := sh.CombinedOutput(); err != nil {
		p.t.Errorf("%s: %v: %s", command, err, out)
	}
	tab.find("option", ".")
	for view, heading := range map[string]string{"metrics": "No metrics yet", "logs": "No log records yet"} {
		tab.goTo("#/" + view)
		tab.find("heading", "^"+heading)
	}
}

func (p pageTest) token() {
	s := newGuardedSite(p.t, "sesame")
	tab := p.open(s, "")
	tab.allow(`\b401\b`)
	tab.find("dialog", "asks for a token")
	tab.insert("sesame")
	tab.press(kb.Enter)
	tab.find("heading", "^No traces yet$")
	other := p.open(s, "#token=sesame")
	other.find("heading", "^No traces yet$")
	if got := eval[string](other, "location.href"); strings.Contains(got, "sesame") {
		p.t.Errorf("got the token in the address %s, which is shared", got)
	}
}
