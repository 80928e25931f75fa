package main

import (
	"fmt"
	"strings"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// introduce says what is going to happen.
func (p paper) introduce(rules []faults.Rule) {
	p.line(p.paint(bold, "otlptest demo"))
	p.line()
	text := "A real OTLP backend runs in this process, on TCP. Three services of a web shop sell something " +
		"and report it through the official Go SDK: web and checkout over gRPC, payment over HTTP. " +
		"The backend answers as this script says, and accepts the rest:"
	for _, l := range wrap(text, p.width-4) {
		p.line("  ", l)
	}
	p.line()
	for _, r := range rules {
		p.line("    ", p.paint(yellow, r.String()))
	}
	p.line()
	p.line(p.paint(dim, "  It takes about three seconds, most of them spent waiting for retries."))
}

// The columns of the ledger.
const (
	numberColumn = 4
	itemsColumn  = 14
	overColumn   = 6
	answerColumn = 27
	waitColumn   = 9
)

// ledger prints every export: what it held, how it was answered, and for a
// retry how long after the answer before it came.
func (p paper) ledger(r query.Report, by map[int]string) {
	exports := 0
	for _, b := range r.Batches {
		exports += len(b.Attempts())
	}
	p.heading("ledger", fmt.Sprintf("%d batches in %d exports", len(r.Batches), exports))
	p.line("  ", p.paint(dim, right("#", numberColumn-2)+"  "+left("", serviceColumn)+left("", itemsColumn)+left("over", overColumn)+
		left("answer", answerColumn)+right("promised", waitColumn)+right("waited", waitColumn-1)))
	for _, b := range r.Batches {
		for i, e := range b.Attempts() {
			service, items, waited := by[e.Number], e.Signal.Count(e.Items), ""
			if i > 0 {
				service, items, waited = "", "╰╴again", took(b.Gaps()[i-1])
			}
			p.export(e, service, items, waited)
		}
	}
}

func (p paper) export(e query.Export, service, items, waited string) {
	over, _, _ := strings.Cut(string(e.Protocol), "/")
	told := ""
	if e.Throttled {
		told = e.RetryDelay.String()
	}
	answer := string(e.Outcome)
	if e.Outcome != query.Accepted {
		answer, _, _ = strings.Cut(e.Became(), " (")
	}
	p.line("  ", p.paint(dim, right(fmt.Sprint(e.Number), numberColumn-2)), "  ", p.service(service), left(items, itemsColumn),
		p.paint(dim, left(over, overColumn)), p.paint(answerInk(e), left(answer, answerColumn)), right(told, waitColumn), right(waited, waitColumn-1))
}

func answerInk(e query.Export) ink {
	switch {
	case e.Outcome == query.Accepted:
		return green
	case isFinal(e):
		return red
	}
	return yellow
}

// said prints what the SDK reported to the program.
func (p paper) said(reports []string) {
	p.heading("what the SDK reported", "")
	for _, r := range reports {
		for _, l := range wrap(r, p.width-2) {
			p.line("  ", l)
		}
	}
}

// verdict prints the checks.
func (p paper) verdict(checks []check) {
	ok := 0
	for _, c := range checks {
		if c.ok {
			ok++
		}
	}
	p.heading("verdict", fmt.Sprintf("%d of %d hold", ok, len(checks)))
	for _, c := range checks {
		mark := p.paint(green, "✓")
		if !c.ok {
			mark = p.paint(red, "✗")
		}
		p.line("  ", mark, " ", left(c.name, 38), p.paint(dim, c.figures))
	}
}

// farewell says where to go from here.
func (p paper) farewell() {
	p.heading("now yours", "")
	for _, way := range [][2]string{
		{"in a Go test", "srv := otlptest.Start(t)"},
		{"in any language", "otlptest serve"},
	} {
		p.line("  ", left(way[0], 17), p.paint(bold, way[1]))
	}
}
