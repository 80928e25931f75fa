package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// pageTest is a person's way through the page.
type pageTest struct {
	t       *testing.T
	browser context.Context
	shop    *site // with the data of the filler, which tests only read
	known   map[string]string
}

// TestPage drives the page in one browser, each test in a tab of its own. What
// it does wrong in the console, to its policy or on the network fails the test.
func TestPage(t *testing.T) {
	ctx := openBrowser(t)
	shop := newSite(t)
	f := shop.filler(t)
	if err := f.shop(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		run  func(pageTest)
	}{
		{"loads", pageTest.loads},
		{"first view of 50,000 spans is one small query", pageTest.firstView},
		{"50,000 spans can be scrolled to the end", pageTest.scrolls},
		{"a span that comes later appears", pageTest.live},
		{"an update does not move what one looks at", pageTest.stays},
		{"works while 1,000 spans a second come", pageTest.stream},
		{"a waterfall of 60 spans", pageTest.waterfall},
		{"what does not fit in a trace", pageTest.oddTraces},
		{"details of a span", pageTest.spanDetails},
		{"search", pageTest.searches},
		{"search says what is wrong", pageTest.wrongSearch},
		{"completion by keyboard", pageTest.completes},
		{"an address can be shared", pageTest.shares},
		{"the back button", pageTest.goesBack},
		{"copy as Go assertion", pageTest.assertions},
		{"copy as curl", pageTest.curls},
		{"services", pageTest.services},
		{"metrics", pageTest.metrics},
		{"logs", pageTest.logs},
		{"ledger", pageTest.ledger},
		{"violations", pageTest.violations},
		{"a fault that is scripted", pageTest.scripts},
		{"a fault that is wrong", pageTest.scriptsWrong},
		{"hold and release", pageTest.holds},
		{"outage", pageTest.outage},
		{"hostile names are text", pageTest.hostile},
		{"keyboard only", pageTest.keyboard},
		{"nothing there yet", pageTest.empty},
		{"token", pageTest.token},
		{"narrow screen", pageTest.narrow},
		{"dark", pageTest.dark},
		{"accessible", pageTest.accessible},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(pageTest{t, ctx, shop, f.known}) })
	}
}

func (p pageTest) open(s *site, hash string) *tab {
	p.t.Helper()
	return openTab(p.browser, p.t, s, hash)
}

// address is that of a view with a search.
func address(view string, kv ...string) string {
	params := url.Values{}
	for i := 0; i < len(kv); i += 2 {
		params.Set(kv[i], kv[i+1])
	}
	if len(params) == 0 {
		return "#/" + view
	}
	return "#/" + view + "?" + params.Encode()
}

// span sends one, of service web.
func (p pageTest) send(s *site, name string) {
	p.t.Helper()
	f := s.filler(p.t)
	story := f.story()
	f.source.Seed([32]byte{byte(time.Now().UnixNano()), byte(len(name))})
	story.id = f.id(16)
	span := story.span("web", name, server, nil, time.Now(), 20*time.Millisecond, "http.route", "/x")
	if err := f.send(p.t.Context(), spansRequest("web", span)); err != nil {
		p.t.Fatal(err)
	}
}

func (p pageTest) loads() {
	tab := p.open(p.shop, "")
	tab.find("listbox", "^Traces")
	tab.find("option", "POST /checkout")
	tab.find("heading", "^Traces$")
	tab.until("the link of the view is marked", `document.querySelector('nav a[aria-current=page]').textContent === 'Traces'`)
	tab.until("it says that it is live", `document.querySelector('#bar [role=status]').textContent === 'live'`)
	if got := eval[string](tab, "document.title"); !strings.HasPrefix(got, "Traces") {
		p.t.Errorf("got title %q", got)
	}
	for _, asked := range tab.requests("") {
		if !strings.HasPrefix(asked, "GET "+p.shop.url+"/") && !strings.Contains(asked, "about:blank") {
			p.t.Errorf("got %s, want only what is served with the page", asked)
		}
	}
}

func (p pageTest) much() *site {
	p.t.Helper()
	s := newSite(p.t)
	if err := s.filler(p.t).bulk(p.t.Context(), 50_000); err != nil {
		p.t.Fatal(err)
	}
	return s
}

func (p pageTest) firstView() {
	const most = 200_000
	s := p.much()
	tab := p.open(s, "")
	tab.find("option", "GET /bulk")
	if asked := tab.requests(`/api/v1/`); len(asked) == 0 || len(slices.DeleteFunc(slices.Clone(asked), func(r string) bool { return strings.Contains(r, "/changes") })) != 1 {
		p.t.Errorf("got %q, want one query, and to wait for changes", asked)
	}
	tab.eventually("it waits for changes", func(context.Context) error {
		if len(tab.requests("/changes")) < 2 {
			return fmt.Errorf("got %q", tab.requests("/api/v1/"))
		}
		return nil
	})
	if got := tab.transferred(); got > most || got < 10_000 {
		p.t.Errorf("got %d bytes over the network, want at most %d", got, most)
	} else {
		p.t.Logf("%d bytes over the network in %d requests", got, len(tab.requests("")))
	}
}

// rowsDrawn is how many rows of a list are in the document.
const rowsDrawn = `document.querySelectorAll('.list .row').length`

func (p pageTest) scrolls() {
	s := p.much()
	tab := p.open(s, "#/spans")
	tab.find("option", ".")
	eval[chromedp.Void](tab, "document.querySelector('.list').focus()")
	begun := time.Now()
	tab.patience = time.Minute
	tab.eventually("the last of 50,000", func(ctx context.Context) error {
		if err := chromedp.Do(ctx, chromedp.KeyEvent(kb.End)); err != nil {
			return err
		}
		at, err := chromedp.Run(ctx, chromedp.Evaluate[string](`[...document.querySelectorAll('.list .row')].at(-1).ariaPosInSet`))
		if err == nil && at != "50000" {
			err = fmt.Errorf("got to %s", at)
		}
		return err
	})
	p.t.Logf("the end of 50,000 in %s", time.Since(begun).Round(time.Millisecond))
	if got := eval[int](tab, rowsDrawn); got > 200 {
		p.t.Errorf("got %d rows in the document, want only those in sight", got)
	}
	tab.press(kb.Home)
	tab.until("the first is back", `[...document.querySelectorAll('.list .row')][0].ariaPosInSet === '1'`)
}

func (p pageTest) live() {
	s := newSite(p.t)
	p.send(s, "GET /early")
	tab := p.open(s, "")
	tab.find("option", "GET /early")
	p.send(s, "GET /late")
	tab.find("option", "GET /late")
	tab.click("button", "^Pause$")
	p.send(s, "GET /paused")
	p.send(s, "GET /paused/too")
	tab.click("button", "^Resume$")
	tab.find("option", "GET /paused/too")
}

// stays is about one who has scrolled, and has details open.
func (p pageTest) stays() {
	s := newSite(p.t)
	if err := s.filler(p.t).bulk(p.t.Context(), 3_000); err != nil {
		p.t.Fatal(err)
	}
	tab := p.open(s, "#/spans")
	tab.find("option", ".")
	eval[chromedp.Void](tab, "document.querySelector('.list').scrollTop = 3000")
	tab.until("it is scrolled", "[...document.querySelectorAll('.list .row')][0].ariaPosInSet > 50")
	seen := eval[string](tab, "document.querySelector('.list').innerText")
	p.send(s, "GET /late")
	tab.find("button", "New data")
	if got := eval[string](tab, "document.querySelector('.list').innerText"); got != seen {
		p.t.Errorf("got other rows after an update")
	}
	if got := eval[int](tab, "document.querySelector('.list').scrollTop"); got != 3000 {
		p.t.Errorf("got scrolled to %d, want 3000", got)
	}
	tab.click("button", "New data")
	tab.find("option", "GET /late")
	tab.gone("button", "New data")
}

// stream is about a page that is used while much comes.
func (p pageTest) stream() {
	s := newSite(p.t)
	p.send(s, "GET /first")
	ctx, stop := context.WithCancel(p.t.Context())
	ended := make(chan error, 1)
	f := s.filler(p.t)
	go func() { ended <- f.stream(ctx, 1000) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			p.t.Error(err)
		}
	}()
	tab := p.open(s, "")
	tab.find("option", "GET /cart")
	eval[chromedp.Void](tab, `(() => { let last = performance.now(); window.longest = 0; const tick = () => { const now = performance.now(); window.longest = Math.max(longest, now - last); last = now; requestAnimationFrame(tick) }; tick() })()`)
	before := len(tab.requests("/traces"))
	tab.eventually("some updates", func(context.Context) error {
		if n := len(tab.requests("/traces")) - before; n < 3 {
			return fmt.Errorf("got %d", n)
		}
		return nil
	})
	for _, view := range []string{"Spans", "Services", "Exports"} {
		tab.click("link", "^"+view+"$")
		tab.find("heading", "(?i)"+map[string]string{"Exports": "batch"}[view])
	}
	if got := eval[float64](tab, "longest"); got > 1500 {
		p.t.Errorf("got a frame that took %.0f ms while spans came, want that it stays usable", got)
	} else {
		p.t.Logf("the longest frame took %.0f ms, with %d spans", got, s.Spans().Len())
	}
}

// tall makes room for all rows of a trace.
func tall(tab *tab) {
	tab.must(chromedp.Do(tab.ctx, chromedp.EmulateViewport(1400, 2400)))
}

func (p pageTest) waterfall() {
	tab := p.open(p.shop, "")
	tall(tab)
	tab.goTo("#/traces/" + p.known["big"])
	tab.find("treegrid", "Spans")
	tab.text("60 spans")
	tab.until("60 rows", rowsDrawn+" === 60")
	got := eval[struct {
		Bars, Critical, Levels int
		Overlapping, Outside   []string
	}](tab, `(() => {
		const rows = [...document.querySelectorAll('.list .row')], bars = rows.map((r) => r.querySelector('.bar'));
		const lane = rows[0].querySelector('.lane').getBoundingClientRect();
		return { bars: bars.filter((b) => b?.getBoundingClientRect().width > 0).length, critical: document.querySelectorAll('.critical').length, levels: Math.max(...rows.map((r) => Number(r.ariaLevel))),
			outside: bars.filter((b) => b.getBoundingClientRect().left < lane.left - 1 || b.getBoundingClientRect().right > lane.right + 1).map((b) => b.title) };
	})()`)
	if got.Bars != 60 || got.Critical < 10 || got.Levels < 6 || len(got.Outside) > 0 {
		p.t.Errorf("got %+v, want a bar for each of 60 spans inside of its lane, six levels, and a critical path", got)
	}
	tab.click("button", "^Critical path$")
	tab.until("it is not shown", `[...document.querySelectorAll('.critical')].every((c) => !c.checkVisibility({ opacityProperty: true }))`)
	tab.click("button", "^Fold$")
	tab.until("fewer rows", rowsDrawn+" < 60")
	tab.click("button", "^Unfold all$")
	tab.until("60 rows again", rowsDrawn+" === 60")
}

func (p pageTest) oddTraces() {
	tab := p.open(p.shop, "#/traces/"+p.known["failed"])
	tab.until("rows that failed", `[...document.querySelectorAll('.list .row')].filter((r) => r.innerText.includes('error')).length >= 3`)
	tab.goTo("#/traces/" + p.known["orphan"])
	tab.text("never came")
	tab.text("orphan")
	tab.goTo("#/traces/" + p.known["twice"])
	tab.text("came 2 times")
	tab.goTo("#/traces/" + p.known["skewed"])
	tab.text("1 thing does not fit")
	tab.click("DisclosureTriangle", "not fit")
	tab.text("their clocks differ")
	tab.goTo("#/traces/" + p.known["linked"])
	tab.click("link", "^link$")
	tab.until("the trace that it links to", fmt.Sprintf("location.hash.includes(%q)", p.known["big"]))
	tab.find("complementary", "orders publish")
	tab.goTo("#/traces/" + strings.Repeat("ab", 16))
	tab.allow(strings.Repeat("ab", 16) + ".*404|404.*" + strings.Repeat("ab", 16))
	tab.find("heading", "No span of this trace")
}

func (p pageTest) spanDetails() {
	tab := p.open(p.shop, address("spans", "q", `name="Charge" kind=server status=error`))
	tab.click("option", "Charge")
	tab.find("complementary", "Charge")
	for _, want := range []string{
		"payment.amount", "129.95", "payment.card", `{"brand":"visa","last4":"4242"}`, "rpc.service", "card declined: insufficient funds",
		"exception", "exception.stacktrace", "Gateway.java:118", "deployment.environment.name", "example.com/shop/payment", "attempt 1 of batch", "grpc",
	} {
		tab.text(want)
	}
	tab.click("link", "^export ")
	tab.until("the export that brought it", "location.hash.startsWith('#/exports?export=')")
	tab.find("complementary", "^Batch ")
}

func (p pageTest) searches() {
	tab := p.open(p.shop, "#/spans")
	tab.find("option", ".")
	tab.search(`name="POST /checkout" status=error`)
	tab.until("only what matches", `(() => { const rows = [...document.querySelectorAll('.list .row')]; return rows.length > 0 && rows.length < 10 && rows.every((r) => r.innerText.includes('POST /checkout')) })()`)
	if got := tab.hash(); !strings.Contains(got, "q=") {
		p.t.Errorf("got address %s, want the search in it", got)
	}
	tab.search(`name="nothing has this name"`)
	tab.find("heading", "match the search")
	tab.click("button", "^Clear the search$")
	tab.find("option", ".")
	tab.goTo("#/traces")
	tab.search(`service="payment" status=error`)
	tab.until("only traces that failed", `(() => { const rows = [...document.querySelectorAll('.list .row')]; return rows.length > 0 && rows.every((r) => r.innerText.includes('error')) })()`)
}

func (p pageTest) wrongSearch() {
	tab := p.open(p.shop, "#/spans")
	tab.allow(`\b400\b`)
	tab.find("option", ".")
	for _, q := range []string{`nme="x"`, `name="x`, `(name="x"`} {
		want := strings.TrimPrefix(p.detail(p.shop, "spans", q), "q: ")
		tab.search(q)
		tab.eventually("what is wrong stands under the box", func(ctx context.Context) error {
			got, err := chromedp.Run(ctx, chromedp.Evaluate[string]("document.querySelector('#search-problem:not([hidden])')?.textContent ?? ''"))
			if err == nil && got != want {
				err = fmt.Errorf("got %q, want %q", got, want)
			}
			return err
		})
		if e := tab.find("combobox", "^Search$"); e.properties["invalid"] != "true" {
			p.t.Errorf("%s: got %v, want a box that says that it is wrong", q, e.properties)
		}
		if got := eval[string](tab, "document.getElementById('search').value"); got != q {
			p.t.Errorf("got %q in the box, want %q, to be mended", got, q)
		}
	}
	tab.search("")
	tab.until("nothing is wrong any more", "document.getElementById('search-problem').hidden")
}

// detail is what the API says of a search that is wrong.
func (p pageTest) detail(s *site, of, q string) string {
	p.t.Helper()
	var problem struct{ Detail string }
	p.get(s, of+"?q="+url.QueryEscape(q), &problem)
	if problem.Detail == "" {
		p.t.Fatalf("%s is not wrong", q)
	}
	return problem.Detail
}

func (p pageTest) get(s *site, path string, into any) {
	p.t.Helper()
	resp, err := http.Get(s.url + "/api/v1/" + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	if raw, ok := into.(*[]byte); ok {
		*raw, err = io.ReadAll(resp.Body)
	} else {
		err = json.NewDecoder(resp.Body).Decode(into)
	}
	http.DefaultClient.CloseIdleConnections()
	if err != nil {
		p.t.Fatalf("%s: %v", path, err)
	}
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// completes chooses a key that was seen and one of its values with the arrow
// keys, and one by Tab.
func (p pageTest) completes() {
	tab := p.open(p.shop, "#/spans")
	tab.find("option", ".")
	tab.press("/")
	tab.until("the box has the focus", "document.activeElement.id === 'search'")
	tab.press("http.ro")
	tab.find("option", `^attr\.http\.route=`)
	tab.press(kb.ArrowDown)
	tab.until("one is chosen", "document.getElementById('search').getAttribute('aria-activedescendant')")
	tab.press(kb.Enter)
	tab.until("the key is there", `document.getElementById('search').value === 'attr.http.route='`)
	tab.find("option", `^"/checkout"`)
	tab.press(`"/che`)
	tab.until("one suggestion", `document.querySelectorAll('.suggestions [role=option]').length === 1`)
	tab.press(kb.Tab)
	tab.until("the value is there", `document.getElementById('search').value.trim() === 'attr.http.route="/checkout"'`)
	tab.press("stat")
	tab.find("option", "^status=")
	tab.press(kb.Escape)
	tab.until("no suggestions", `document.querySelector('.suggestions').hidden && document.activeElement.id === 'search'`)
	tab.press("us=error" + kb.Enter)
	tab.until("it is asked", `decodeURIComponent(location.hash.replaceAll('+', ' ')).includes('attr.http.route="/checkout" status=error')`)
	tab.until("only what matches", `(() => { const rows = [...document.querySelectorAll('.list .row')]; return rows.length > 0 && rows.length < 10 && rows.every((r) => r.innerText.includes('POST /checkout')) })()`)
}

// shown is what a view shows, without what changes by itself.
const shown = `document.getElementById('search').value + '\n' + document.getElementById('stage').innerText.replace(/asking the backend…/g, '')`

func (p pageTest) shares() {
	for _, hash := range []string{
		address("spans", "q", `service="payment" status=error`), address("logs", "q", "severity>=warn"), address("exports", "q", "outcome=refused"),
		"#/traces/" + p.known["failed"],
	} {
		tab := p.open(p.shop, hash)
		role := "option"
		if strings.HasPrefix(hash, "#/traces/") {
			role = "row"
		}
		tab.click(role, ".")
		tab.find("complementary", ".")
		tab.until("all is there", "!document.body.innerText.includes('asking the backend')")
		there := tab.hash()
		if there == hash {
			p.t.Errorf("%s: got the same address with details open", hash)
		}
		want := eval[string](tab, shown)
		other := p.open(p.shop, there)
		other.find("complementary", ".")
		other.eventually("the same in another tab", func(ctx context.Context) error {
			got, err := chromedp.Run(ctx, chromedp.Evaluate[string](shown))
			if err == nil && got != want {
				err = fmt.Errorf("%s: got\n%s\nwant\n%s", there, got, want)
			}
			return err
		})
		other.close()
		tab.close()
	}
}

func (p pageTest) goesBack() {
	tab := p.open(p.shop, "")
	tab.find("option", ".")
	tab.click("link", "^Spans$")
	tab.find("listbox", "^Spans")
	tab.search("status=error")
	tab.until("the search", "location.hash.includes('status')")
	tab.click("option", ".")
	tab.find("complementary", ".")
	for _, check := range []func(){
		func() { tab.gone("complementary", ".") },
		func() { tab.until("no search", "document.getElementById('search').value === ''") },
		func() { tab.find("listbox", "^Traces") },
	} {
		eval[chromedp.Void](tab, "history.back()")
		check()
	}
	eval[chromedp.Void](tab, "history.forward()")
	tab.find("listbox", "^Spans")
}

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
	tab.click("button", "(?i)^error")
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

// scripts makes a rule in the panel, which the next export meets.
func (p pageTest) scripts() {
	s := newSite(p.t)
	f := s.filler(p.t)
	tab := p.open(s, "#/faults")
	tab.click("combobox", "^Rules$")
	tab.press("traces: rej")
	tab.find("option", "reject")
	tab.press(kb.ArrowDown + kb.Enter)
	tab.until("it is completed", `document.getElementById('rules').value.startsWith('traces: reject')`)
	eval[chromedp.Void](tab, "document.getElementById('rules').select()")
	tab.insert(`traces: reject "closed for lunch"`)
	tab.press(kb.Escape)
	tab.click("button", "^Add$")
	tab.until("it is in the list", `[...document.querySelectorAll('main li')].some((li) => li.innerText.includes('closed for lunch'))`)
	if rules := s.PendingFaults(); len(rules) != 1 {
		p.t.Fatalf("got rules %v, want one", rules)
	}
	refused := f.send(p.t.Context(), spansRequest("web", f.story().span("web", "GET /lunch", server, nil, time.Now(), time.Millisecond)))
	if refused == nil || !strings.Contains(refused.Error(), "closed for lunch") {
		p.t.Errorf("got %v, want that the export is refused", refused)
	}
	tab.until("which rule met which request", `[...document.querySelectorAll('main tr')].some((tr) => tr.innerText.includes('closed for lunch') && tr.innerText.includes('export 1'))`)
	tab.until("no rule is left", `![...document.querySelectorAll('main li')].some((li) => li.innerText.includes('closed for lunch'))`)
	if err := f.send(p.t.Context(), spansRequest("web", f.story().span("web", "GET /dinner", server, nil, time.Now(), time.Millisecond))); err != nil {
		p.t.Errorf("got %v for the export after it, want success", err)
	}
}

func (p pageTest) scriptsWrong() {
	s := newSite(p.t)
	tab := p.open(s, "#/faults")
	tab.allow(`\b400\b`)
	tab.click("combobox", "^Rules$")
	tab.insert("traces: throttel 1s")
	tab.press(kb.Escape)
	tab.click("button", "^Add$")
	tab.find("alert", "")
	tab.until("what is wrong", `document.querySelector('main [role=alert]:not([hidden]), #rules-problem:not([hidden])') && document.getElementById('main').innerText.includes('throttel')`)
	if rules := s.PendingFaults(); len(rules) != 0 {
		p.t.Errorf("got rules %v, want none", rules)
	}
}

func (p pageTest) holds() {
	s := newSite(p.t)
	f := s.filler(p.t)
	tab := p.open(s, "#/faults")
	tab.click("combobox", "^Filters$")
	tab.insert(`service="web"`)
	tab.press(kb.Escape)
	tab.click("button", "^Start$")
	tab.text("No export has come that it fits.")
	answered := make(chan error, 1)
	go func() {
		answered <- f.send(p.t.Context(), spansRequest("web", f.story().span("web", "GET /held", server, nil, time.Now(), time.Millisecond)))
	}()
	tab.find("button", "^Release export 1$")
	select {
	case err := <-answered:
		p.t.Fatalf("got an answer that should be held: %v", err)
	default:
	}
	tab.click("button", "^Release export 1$")
	select {
	case err := <-answered:
		if err != nil {
			p.t.Errorf("got %v, want success", err)
		}
	case <-time.After(patience):
		p.t.Error("got no answer after the release")
	}
	tab.text("All answers that were kept back have gone.")
	tab.click("button", "^End$")
	tab.text("No answer is held.")
}

func (p pageTest) outage() {
	s := newSite(p.t)
	f := s.filler(p.t)
	send := func() error {
		return f.send(p.t.Context(), spansRequest("web", f.story().span("web", "GET /x", server, nil, time.Now(), time.Millisecond)))
	}
	tab := p.open(s, "#/faults")
	tab.click("button", "^Down$")
	tab.text("new ones are refused")
	if err := send(); err == nil {
		p.t.Error("got an answer of a backend that is down")
	}
	tab.click("button", "^Up$")
	tab.text("Clients reach the backend.")
	again := s.filler(p.t)
	if err := again.send(p.t.Context(), spansRequest("web", again.story().span("web", "GET /x", server, nil, time.Now(), time.Millisecond))); err != nil {
		p.t.Errorf("got %v, want success once it is up", err)
	}
	tab.click("button", "^Reset everything")
	tab.click("button", "^Reset$")
	tab.until("it says so", "document.getElementById('notes').innerText.includes('gone')")
	if got := s.Spans().Len(); got != 0 {
		p.t.Errorf("got %d spans after a reset, want none", got)
	}
}

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
	tab.until(hash+" is quiet", `(() => { const text = document.getElementById('stage').innerText; const quiet = text.trim() !== '' && text === window.before && !text.includes('asking the backend'); window.before = text; return quiet })()`)
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

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
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
