package faults

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxFaults bounds how many faults a text may stand for, since texts come over
// the network and "x" makes many of few characters.
const maxFaults = 10_000

// Parse reads rules in the grammar at the top of this package; the empty text
// is no rule. Rules that cannot work ([Rule.Check]) are errors, and so are more
// than 10,000 faults in all. An error names the place, what was there and what
// is allowed.
func Parse(text string) ([]Rule, error) {
	p := parser{text: text}
	var rules []Rule
	for p.space(); p.rest() != ""; p.space() {
		if p.take(";") || p.take("\n") {
			continue
		}
		r, err := p.rule()
		if err != nil {
			return nil, fmt.Errorf("faults %q: %w", text, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func (p *parser) rule() (Rule, error) {
	var r Rule
	start := p.pos
	for _, part := range []func(*Rule) error{p.selectors, p.times, p.share, p.sequence} {
		if err := part(&r); err != nil {
			return r, err
		}
	}
	if err := r.Check(); err != nil {
		return r, p.errorAt(start, "%w", err)
	}
	return r, nil
}

// times reads "N times", if it is there.
func (p *parser) times(r *Rule) error {
	p.space()
	w := p.peek()
	if !startsWithDigit(w) {
		return nil
	}
	n, err := strconv.Atoi(w)
	if err != nil || n < 1 {
		return p.errorf("got %q times, want a number of 1 or more", w)
	}
	r.Repeat = n
	p.word()
	p.space()
	if next := p.peek(); next != "times" && next != "time" {
		return p.errorf("got %s, want times after %s", p.found(), w)
	}
	p.word()
	return nil
}

// share reads "always" or "rate 0.3 seed 7", if one of them is there.
func (p *parser) share(r *Rule) error {
	p.space()
	switch p.peek() {
	case "always":
		p.word()
		r.Forever = true
	case "rate":
		p.word()
		r.Forever = true
		return p.rate(r)
	}
	return nil
}

func (p *parser) rate(r *Rule) error {
	p.space()
	share, err := strconv.ParseFloat(p.peek(), 64)
	if err != nil || !(share > 0 && share <= 1) {
		return p.errorf("got %s after rate, want a share of more than 0, up to 1", p.found())
	}
	p.word()
	r.Chance = share
	if p.space(); p.peek() != "seed" {
		return nil
	}
	p.word()
	p.space()
	if r.Seed, err = strconv.ParseUint(p.peek(), 10, 64); err != nil {
		return p.errorf("got %s after seed, want a whole number of 0 or more", p.found())
	}
	p.word()
	return nil
}

// sequence reads faults up to the end of the rule.
func (p *parser) sequence(r *Rule) error {
	for {
		f, n, err := p.fault()
		if err != nil {
			return err
		}
		r.Faults = append(r.Faults, slices.Repeat([]Fault{f}, n)...)
		if p.rest() == "" || strings.IndexAny(p.rest(), ";\n") == 0 {
			return nil
		}
		if !p.take(",") {
			return p.errorf("got %s, want one of %s, x2, or a comma or a semicolon", p.found(), modifierNames())
		}
	}
}
