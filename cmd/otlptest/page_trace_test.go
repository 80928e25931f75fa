package main_test

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
	tab.click("button", "^Fold all$")
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
	tab.click("link", "^Log records of this span$")
	tab.until("a search for them", "location.hash.startsWith('#/logs') && /trace=[0-9a-f]{32}[+ ]span=[0-9a-f]{16}/.test(decodeURIComponent(location.hash))")
	tab.text("No log records match the search")
	eval[chromedp.Void](tab, "history.back()")
	tab.click("link", "^export ")
	tab.until("the export that brought it", "location.hash.startsWith('#/exports?export=')")
	tab.find("complementary", "^Batch ")
}

// zooms looks closer at the time of a span.
func (p pageTest) zooms() {
	tab := p.open(p.shop, "#/traces/"+p.known["big"])
	tab.click("row", "^PlaceOrder.*checkout")
	tab.click("button", "^Zoom to its time$")
	tab.until("it is in the address", "location.hash.includes('zoom=')")
	tab.until("the span is as wide as its lane", `(() => { const row = document.querySelector('.row[aria-selected=true]'), of = (c) => row.querySelector(c).getBoundingClientRect(); return Math.abs(of('.bar').width - of('.lane').width) < 2 })()`)
	tab.press(kb.Escape)
	tab.click("button", "^Show the whole time$")
	tab.until("the address is as before", "!location.hash.includes('zoom=')")
	tab.gone("button", "^Show the whole time$")
}
