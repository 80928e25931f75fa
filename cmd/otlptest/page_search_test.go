package main_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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

// words is about completion with what the grammar knows.
func (p pageTest) words() {
	tab := p.open(p.shop, "")
	for _, test := range []struct{ view, typed, want string }{
		{"spans", "status=err", "error"}, {"spans", "kind=", "internal server client"}, {"logs", "severity>=", "debug info warn error fatal"},
		{"traces", "comp", "complete"}, {"traces", "spans", "spans>=3"}, {"exports", "outcome=", "refused"}, {"metrics", "temporality=", "delta cumulative"},
	} {
		tab.goTo("#/" + test.view)
		p.settled(tab, "#/"+test.view)
		eval[chromedp.Void](tab, "document.getElementById('search').select()")
		tab.insert(test.typed)
		for _, word := range strings.Fields(test.want) {
			tab.until(test.typed+" offers "+word, fmt.Sprintf(`[...document.querySelectorAll('.suggestions [role=option] code')].some((c) => c.textContent.trim() === %q)`, word))
		}
		eval[chromedp.Void](tab, "document.getElementById('search').blur()")
	}
}
