package main_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func (p pageTest) services() {
	tab := p.open(p.shop, "#/services")
	for _, name := range []string{"web", "cart", "checkout", "payment", "inventory", "mailer"} {
		tab.text(name)
	}
	tab.find("link", "^payment")
	tab.find("table", "")
}

// plotted is how many things that can be seen a drawing has.
const plotted = `[...document.querySelectorAll('svg[role=img]')].map((s) => [...s.querySelectorAll('path, rect, circle, line, polyline')].filter((e) => { const b = e.getBoundingClientRect(); return b.width + b.height > 0 }).length)`

func (p pageTest) metrics() {
	tab := p.open(p.shop, "#/metrics")
	for name, kind := range map[string]string{
		"http.server.request.count": "sum", "http.server.request.duration": "histogram", "cart.sessions.active": "gauge",
		"cart.items.removed": "sum", "payment.amount": "exponential histogram", "payment.gateway.latency": "summary",
	} {
		tab.click("option", "^"+regexp.QuoteMeta(name)+"\\b")
		tab.find("heading", "^"+regexp.QuoteMeta(name)+"$")
		tab.text(kind)
		tab.until("it is drawn: "+name, `(() => { const n = `+plotted+`; return n.length > 0 && n.every((n) => n > 0) && Math.max(...n) > 3 })()`)
		for _, e := range eval[[]string](tab, `[...document.querySelectorAll('svg[role=img]')].map((s) => s.getAttribute('aria-label') ?? '')`) {
			if e == "" {
				p.t.Errorf("%s: got a drawing without words", name)
			}
		}
	}
	tab.click("option", `^http\.server\.request\.duration\b`)
	tab.find("heading", `^http\.server\.request\.duration$`)
	tab.click("link", "^[0-9a-f]{32}$") // an exemplar
	tab.until("the trace of an exemplar", "location.hash.startsWith('#/traces/')")
	tab.find("treegrid", ".")
	eval[chromedp.Void](tab, "history.back()")
	tab.click("option", `^http\.server\.request\.count\b`)
	tab.click("button", `^/search`)
	tab.until("only a series", `decodeURIComponent(location.hash).includes('attr.http.route="/search"')`)
	tab.find("option", `^http\.server\.request\.count\b.*1 series`)
	tab.click("button", "^Rate a second$")
	tab.until("as a rate", "location.hash.includes('as=rate')")
}

func (p pageTest) logs() {
	tab := p.open(p.shop, "#/logs")
	tab.find("option", "card declined")
	tab.search(`body*="reverse proxy"`)
	tab.find("option", "none.*plain line of a reverse proxy")
	tab.search("")
	tab.find("option", "card declined")
	tab.click("button", "^Error and above")
	tab.until("only errors", `(() => { const rows = [...document.querySelectorAll('.list .row')]; return rows.length > 0 && rows.every((r) => /error|fatal/.test(r.innerText)) })()`)
	tab.search(`service="checkout"`)
	tab.click("option", "order placed")
	tab.find("complementary", ".")
	tab.text(`"total": 129.95`)
	tab.click("link", "^[0-9a-f]{32}$")
	tab.until("its trace", "location.hash.startsWith('#/traces/')")
	tab.find("treegrid", ".")
}

func (p pageTest) ledger() {
	tab := p.open(p.shop, "#/exports")
	tab.find("option", ".")
	row := func(q, want string) {
		p.t.Helper()
		tab.goTo(address("exports", "q", q))
		tab.find("option", want)
	}
	row("outcome=refused", "not delivered: export .* INVALID_ARGUMENT")
	tab.find("option", "(?i)delivered")
	tab.find("option", "too early")
	tab.find("option", "UNAVAILABLE.*UNAVAILABLE.*accepted")
	row("outcome=partial", "partial success, 2 rejected")
	tab.goTo(address("exports", "q", "outcome=refused"))
	tab.click("option", "too early")
	tab.find("complementary", "^Batch ")
	tab.text("500ms were promised")
	tab.text("throttle 500ms")
	tab.goTo("#/exports")
	tab.click("button", "^Report$")
	tab.find("dialog", "Report")
	tab.press(kb.Escape)
	tab.gone("dialog", "Report")
}

func (p pageTest) violations() {
	tab := p.open(p.shop, "#/violations")
	tab.text("A resource names its service in the attribute service.name")
	tab.text("A span does not end before it starts.")
	tab.find("heading", "violations of .* requirements")
	tab.search(`not rule="R-02"`)
	tab.until("all but one", "!document.getElementById('main').innerText.includes('A span does not end before it starts.')")
}

// produces says how much was made, so that what did not arrive is known.
func (p pageTest) produces() {
	s := newSite(p.t)
	p.send(s, "GET /made")
	tab := p.open(s, "#/exports")
	tab.click("button", "^Produced items")
	tab.find("dialog", "produced")
	eval[chromedp.Void](tab, "document.querySelector('dialog input[name=traces]').focus()")
	tab.insert("3")
	tab.press(kb.Enter)
	tab.text("2 of 3 spans did not arrive")
}

// estimates is about quantiles of histograms.
func (p pageTest) estimates() {
	tab := p.open(p.shop, "")
	for _, test := range []struct{ counts, min, max, want string }{
		{"[10, 0, 0]", "0", "8", `{"value":4}`},
		{"[0, 10, 0]", "undefined", "undefined", `{"value":15}`},
		{"[0, 0, 10]", "undefined", "undefined", `{"value":20,"open":true}`},
		{"[0, 0, 10]", "undefined", "40", `{"value":30}`},
		{"[0, 0, 0]", "undefined", "undefined", `{"value":null}`},
	} {
		got := eval[string](tab, fmt.Sprintf(`import('./page/histogram.js').then((m) => JSON.stringify(m.quantile(0.5, m.layout([{ histogram: { bounds: [10, 20] } }]), %s, { min: %s, max: %s })))`, test.counts, test.min, test.max))
		if got != test.want {
			p.t.Errorf("median of %s with smallest %s and largest %s: got %s, want %s", test.counts, test.min, test.max, got, test.want)
		}
	}
}

// exact is about integers that a number of JavaScript has no digits for.
func (p pageTest) exact() {
	s := newSite(p.t)
	const big = "9007199254740993" // 2^53 + 1
	for signal, body := range map[string]string{
		"metrics": `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"bytes","unit":"{byte}","sum":{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[{"timeUnixNano":"1800000000000000000","asInt":"%s"}]}}]}]}]}`,
		"traces":  `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"big","startTimeUnixNano":"1800000000000000000","endTimeUnixNano":"1800000000000000001","attributes":[{"key":"size","value":{"intValue":"%s"}}]}]}]}]}`,
	} {
		resp, err := http.Post(s.HTTPEndpoint()+"/v1/"+signal, "application/json", strings.NewReader(fmt.Sprintf(body, big)))
		if err != nil || resp.StatusCode != http.StatusOK {
			p.t.Fatal(signal, resp, err)
		}
		resp.Body.Close()
	}
	tab := p.open(s, address("metrics", "metric", "bytes"))
	tab.find("option", "9,007,199,254,740,993 bytes")
	tab.goTo(address("spans", "item", "1"))
	tab.find("complementary", "big")
	tab.text(big)
}
