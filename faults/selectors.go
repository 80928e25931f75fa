package faults

import (
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
)

// selector is a word that can stand before the colon of a rule, and how it is
// written: the texts behind it, one for each time that it stands there.
type selector struct {
	word  string
	many  bool // it may be there several times
	read  func(*parser, *Rule) error
	write func(Rule) []string
}

// selectors is every one but for the signal, the protocol and filters, which
// begin with no such word; in the order in which they are written.
var selectors = []selector{
	{word: "header", many: true, read: (*parser).header, write: Rule.header},
	numbers("connection", func(r *Rule) *[]int { return &r.Connections }),
	moment("from", func(r *Rule) *time.Duration { return &r.From }),
	moment("until", func(r *Rule) *time.Duration { return &r.Until }),
	numbers("attempt", func(r *Rule) *[]int { return &r.Attempts }),
	numbers("request", func(r *Rule) *[]int { return &r.Requests }),
	{word: "per", read: (*parser).perBatch, write: func(r Rule) []string { return when(r.EachBatch, " batch") }},
}

// selectorNames is what can stand before the colon, for errors.
func selectorNames() string {
	names := []string{"traces, metrics, logs, grpc, http/protobuf, http/json"}
	for _, s := range selectors {
		names = append(names, s.word)
	}
	return strings.Join(names, ", ") + " batch or filters in []"
}

// numbers is a selector that is numbers with | between them.
func numbers(word string, at func(*Rule) *[]int) selector {
	return selector{
		word: word,
		read: func(p *parser, r *Rule) (err error) {
			*at(r), err = p.numbers(word)
			return err
		},
		write: func(r Rule) []string { return when(len(*at(&r)) > 0, " "+numberText(*at(&r))) },
	}
}

// moment is a selector that is a time since the start.
func moment(word string, at func(*Rule) *time.Duration) selector {
	return selector{
		word: word,
		read: func(p *parser, r *Rule) (err error) {
			p.space()
			start := p.pos
			if *at(r), err = p.duration(word); err == nil && *at(r) == 0 {
				err = p.errorAt(start, "got 0 after %s, want more", word)
			}
			return err
		},
		write: func(r Rule) []string { return when(*at(&r) != 0, " "+at(&r).String()) },
	}
}

func (r Rule) header() (texts []string) {
	for _, h := range r.Headers {
		text := " " + h.Name
		if h.Value != "" {
			text += "=" + strconv.Quote(h.Value)
		}
		texts = append(texts, text)
	}
	return texts
}

// selectors reads what stands before the colon, if there is one.
func (p *parser) selectors(r *Rule) error {
	seen := map[string]bool{}
	some := false
	for p.space(); ; p.space() {
		more, err := p.selector(r, seen)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		some = true
	}
	if some && !p.take(":") {
		return p.errorf("got %s, want a colon or one of %s", p.found(), selectorNames())
	}
	return nil
}

// selector reads one selector, if one stands here.
func (p *parser) selector(r *Rule, seen map[string]bool) (bool, error) {
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
		fs, err := p.filters()
		r.Filters = append(r.Filters, fs...)
		return true, err
	}
	return p.wordSelector(r, seen)
}

// wordSelector reads a selector that begins with its word.
func (p *parser) wordSelector(r *Rule, seen map[string]bool) (bool, error) {
	for _, s := range selectors {
		if s.word != p.peek() {
			continue
		}
		if seen[s.word] && !s.many {
			return true, p.errorf("got a second %s for one rule", s.word)
		}
		seen[p.word()] = true
		return true, s.read(p, r)
	}
	return false, nil
}

// header reads a name, and a value in quotes if there is one.
func (p *parser) header(r *Rule) (err error) {
	p.space()
	name, valued := strings.CutSuffix(p.peek(), "=")
	if name == "" || strings.Contains(name, "=") {
		return p.errorf("got %s after header, want a name such as x-tenant, or a name and a value as in x-tenant=\"a\"", p.found())
	}
	p.word()
	h := Field{Name: name}
	if valued {
		start := p.pos
		if h.Value, err = p.quoted("the value of header field " + name); err == nil && h.Value == "" {
			err = p.errorAt(start, "got an empty value of header field %s, want one, or the name alone for any", name)
		}
	}
	r.Headers = append(r.Headers, h)
	return err
}

// numbers reads numbers with | between them.
func (p *parser) numbers(after string) ([]int, error) {
	p.space()
	var ns []int
	for text := range strings.SplitSeq(p.peek(), "|") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, p.errorf("got %s after %s, want a number, or several as in 1|3", p.found(), after)
		}
		ns = append(ns, n)
	}
	p.word()
	return ns, nil
}

func (p *parser) perBatch(r *Rule) error {
	if p.space(); p.peek() != "batch" {
		return p.errorf("got %s after per, want batch", p.found())
	}
	p.word()
	r.EachBatch = true
	return nil
}
