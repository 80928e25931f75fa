package main_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
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
		{"zoom to a span", pageTest.zooms},
		{"search", pageTest.searches},
		{"search says what is wrong", pageTest.wrongSearch},
		{"completion by keyboard", pageTest.completes},
		{"completion with words of the grammar", pageTest.words},
		{"an address can be shared", pageTest.shares},
		{"the back button", pageTest.goesBack},
		{"copy as Go assertion", pageTest.assertions},
		{"copy as curl", pageTest.curls},
		{"services", pageTest.services},
		{"metrics", pageTest.metrics},
		{"quantiles", pageTest.estimates},
		{"large integers keep their digits", pageTest.exact},
		{"logs", pageTest.logs},
		{"ledger", pageTest.ledger},
		{"what was produced", pageTest.produces},
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

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
