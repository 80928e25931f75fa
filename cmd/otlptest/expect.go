package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// expectation is something that has to hold once the command has ended.
//
//	EXPECTATION = VIEW FILTERS "|" [MEASURE] OPERATOR NUMBER
//	            | CHECK
//	VIEW        = spans, points, logs, traces, exports, violations, connections
//	FILTERS     = terms of package query/where, which may be none
//	MEASURE     = count (of the items, and what is meant without one); of points
//	              also total, latest, observations, sum
//	OPERATOR    = "==", "!=", ">=", ">", "<=", "<"
//	CHECK       = one of checks, with its arguments
type expectation struct {
	text  string
	judge func(*trial) error // why it does not hold, or nil
}

// parseExpectation reads one. An error names the place, counted in characters
// from 1, what was there, and what is allowed.
func parseExpectation(text string) (expectation, error) {
	e := expectation{text: strings.TrimSpace(text)}
	p := phrase{text: text}
	var err error
	if head, bar := p.bar(); bar {
		e.judge, err = parseCounted(&p, head)
	} else {
		e.judge, err = parseCheck(&p)
	}
	if err != nil {
		return e, fmt.Errorf("expectation %q: %w", e.text, err)
	}
	return e, nil
}

// readExpectations reads a file of them, one a line. Empty lines and those that
// begin with # do not count.
func readExpectations(file string) (list []expectation, err error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for n, line := range numberedLines(string(content)) {
		e, err := parseExpectation(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		list = append(list, e)
	}
	return list, nil
}

// parseCounted reads "VIEW FILTERS | MEASURE OPERATOR NUMBER".
func parseCounted(p *phrase, bar int) (func(*trial) error, error) {
	name := p.word()
	kind, ok := views[name]
	if !ok {
		return nil, p.errorf(name, "want one of %s", strings.Join(viewNames, ", "))
	}
	filters, err := where.Parse(strings.TrimSpace(p.text[p.pos:bar]))
	if err == nil {
		err = kind.check(filters)
	}
	if err != nil {
		return nil, err
	}
	p.pos = bar + 1
	m, err := parseMeasure(p, name)
	if err != nil {
		return nil, err
	}
	c, err := parseCondition(p, m.whole)
	if err != nil {
		return nil, err
	}
	return func(t *trial) error { return m.judge(kind, filters, c, t) }, nil
}

// phrase is a text that is read word by word.
type phrase struct {
	text string
	pos  int
}

// bar is where the first | is that is not in a quoted string.
func (p *phrase) bar() (at int, ok bool) {
	quoted := false
	for i := 0; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '|' && !quoted:
			return i, true
		}
	}
	return 0, false
}

// word takes the next word, which is empty at the end.
func (p *phrase) word() string {
	p.pos = len(p.text) - len(strings.TrimLeft(p.text[p.pos:], " \t"))
	rest := p.text[p.pos:]
	end := strings.IndexAny(rest, " \t|")
	if end < 0 {
		end = len(rest)
	}
	p.pos += end
	return rest[:end]
}

// peek is the next word, which stays.
func (p *phrase) peek() string { return (&phrase{p.text, p.pos}).word() }

// errorf is an error about a word that was just taken.
func (p *phrase) errorf(word, want string, args ...any) error {
	got := strconv.Quote(word)
	if word == "" {
		got = "the end"
	}
	at := utf8.RuneCountInString(p.text[:p.pos-len(word)]) + 1
	return fmt.Errorf("at character %d: got %s, "+want, append([]any{at, got}, args...)...)
}

// end is an error if something is left.
func (p *phrase) end() error {
	if word := p.word(); word != "" {
		return p.errorf(word, "want the end")
	}
	return nil
}

// condition is what a number has to be.
type condition struct {
	op   operator
	text string // of the number
	want query.Value
}

// parseCondition reads "OPERATOR NUMBER", where a whole number counts something
// and a condition on it has to be one that can fail, and can hold.
func parseCondition(p *phrase, whole bool) (c condition, err error) {
	c.op, err = parseOperator(p)
	if err != nil {
		return c, err
	}
	c.text = p.word()
	if i, err := strconv.ParseInt(c.text, 10, 64); err == nil {
		c.want = query.IntValue(i)
	} else if f, err := strconv.ParseFloat(c.text, 64); err == nil && !whole {
		c.want = query.FloatValue(f)
	} else if whole {
		return c, p.errorf(c.text, "want a whole number")
	} else {
		return c, p.errorf(c.text, "want a number")
	}
	if whole && (c.want.Int() < 0 || c.want.Int() == 0 && (c.op.sign == ">=" || c.op.sign == "<")) {
		return c, p.errorf(c.text, "want more: a number of items is always at least 0")
	}
	return c, p.end()
}
