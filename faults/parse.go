package faults

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
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
	for _, part := range []func(*Rule) error{p.selectors, p.times, p.sequence} {
		if err := part(&r); err != nil {
			return r, err
		}
	}
	if err := r.Check(); err != nil {
		return r, p.errorAt(start, "%w", err)
	}
	return r, nil
}

// selectors reads what stands before the colon, if there is one.
func (p *parser) selectors(r *Rule) error {
	some := false
	for p.space(); ; p.space() {
		more, err := p.selector(r)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		some = true
	}
	if some && !p.take(":") {
		return p.errorf("got %s, want a signal, a protocol, filters in [] or a colon", p.found())
	}
	return nil
}

// selector reads one selector, if one stands here.
func (p *parser) selector(r *Rule) (bool, error) {
	switch w := p.peek(); w {
	case string(query.Traces), string(query.Metrics), string(query.Logs):
		if r.Signal != "" {
			return true, p.errorf("got a second signal, %s, want one, or none for all", w)
		}
		r.Signal = query.Signal(p.word())
		return true, nil
	case string(query.GRPC), string(query.HTTPProtobuf), string(query.HTTPJSON):
		if r.Protocol != "" {
			return true, p.errorf("got a second protocol, %s, want one, or none for all", w)
		}
		r.Protocol = query.Protocol(p.word())
		return true, nil
	}
	if strings.HasPrefix(p.rest(), "[") {
		return true, p.filters(r)
	}
	return false, nil
}

// filters reads filters in square brackets.
func (p *parser) filters(r *Rule) error {
	n := closing(p.rest())
	if n < 0 {
		return p.errorf("got filters that do not end, want a closing bracket")
	}
	fs, err := where.Parse(p.rest()[1:n])
	if err != nil {
		return p.errorAt(p.pos+1, "%w", err)
	}
	r.Filters = append(r.Filters, fs...)
	p.pos += n + 1
	return nil
}

// closing is where the bracket that s begins with is closed: brackets within
// quotes do not count. It is negative where it is not.
func closing(s string) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted:
			i++
		case c == ']' && !quoted:
			return i
		}
	}
	return -1
}

// times reads "N times" and "always", each if it is there.
func (p *parser) times(r *Rule) error {
	p.space()
	if w := p.peek(); w != "" && w[0] >= '0' && w[0] <= '9' {
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
	}
	p.space()
	if p.peek() == "always" {
		p.word()
		r.Forever = true
	}
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
			return p.errorf("got %s, want after, stored, x2, a comma or a semicolon", p.found())
		}
	}
}
