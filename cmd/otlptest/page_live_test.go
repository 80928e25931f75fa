package main_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
		p.t.Logf("%d bytes over the network in %d requests, of the API %q", got, len(tab.requests("")), tab.requests("/api/v1/"))
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
