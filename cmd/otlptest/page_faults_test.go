package main_test

import (
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
