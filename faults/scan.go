package faults

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// delimiters end a word.
const delimiters = " \t\r\n,;:[]{}\""

// parser reads a text from front to back.
type parser struct {
	text  string
	pos   int
	count int // faults so far
}

func (p *parser) rest() string { return p.text[p.pos:] }

// space skips white space but for the end of a line, which ends a rule.
func (p *parser) space() {
	p.pos = len(p.text) - len(strings.TrimLeft(p.rest(), " \t\r"))
}

// take consumes s if it stands at the current place.
func (p *parser) take(s string) bool {
	if strings.HasPrefix(p.rest(), s) {
		p.pos += len(s)
		return true
	}
	return false
}

// peek is the word at the current place, if there is one.
func (p *parser) peek() string {
	if i := strings.IndexAny(p.rest(), delimiters); i >= 0 {
		return p.rest()[:i]
	}
	return p.rest()
}

// word goes to the next word, past it, and returns it.
func (p *parser) word() string {
	p.space()
	w := p.peek()
	p.pos += len(w)
	return w
}

// found is what stands at the current place, for errors.
func (p *parser) found() string {
	if p.rest() == "" {
		return "the end"
	}
	if w := p.peek(); w != "" {
		return strconv.Quote(w)
	}
	return strconv.Quote(p.rest()[:1]) // a delimiter, so one byte
}

func (p *parser) errorf(format string, args ...any) error {
	return p.errorAt(p.pos, format, args...)
}

func (p *parser) errorAt(pos int, format string, args ...any) error {
	return fmt.Errorf("at character %d: %w", utf8.RuneCountInString(p.text[:pos])+1, fmt.Errorf(format, args...))
}

// number reads a whole number.
func number[T int | int64](p *parser, after string) (T, error) {
	p.space()
	n, err := strconv.ParseInt(p.peek(), 10, 64)
	if err != nil || int64(T(n)) != n {
		return 0, p.errorf("got %s after %s, want a number", p.found(), after)
	}
	p.word()
	return T(n), nil
}

func (p *parser) duration(after string) (time.Duration, error) {
	p.space()
	d, err := time.ParseDuration(p.peek())
	if err != nil {
		return 0, p.errorf("got %s after %s, want a duration such as 1.5s or 200ms", p.found(), after)
	}
	p.word()
	return d, nil
}

// quoted reads a text in quotes.
func (p *parser) quoted(what string) (string, error) {
	p.space()
	if !strings.HasPrefix(p.rest(), `"`) {
		return "", p.errorf("got %s, want %s in quotes", p.found(), what)
	}
	quoted, err := strconv.QuotedPrefix(p.rest())
	if err != nil {
		return "", p.errorf("got %s that does not end, or an escape that is none, want \"…\"", what)
	}
	s, err := strconv.Unquote(quoted)
	p.pos += len(quoted)
	return s, err
}
