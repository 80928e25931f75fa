package faults

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
)

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
	i := slices.IndexFunc(selectors, func(s selector) bool { return s.word == p.peek() })
	if i < 0 {
		return false, nil
	}
	word := selectors[i].word
	if seen[word] && !selectors[i].many {
		return true, p.errorf("got a second %s for one rule", word)
	}
	seen[p.word()] = true
	return true, p.selectorArg(word, r)
}

// selectorArg reads what stands behind a selector's word.
func (p *parser) selectorArg(word string, r *Rule) (err error) {
	switch word {
	case "header":
		return p.header(r)
	case "connection":
		r.Connections, err = p.numbers(word)
	case "from":
		r.From, err = p.moment(word)
	case "until":
		r.Until, err = p.moment(word)
	case "attempt":
		r.Attempts, err = p.numbers(word)
	case "request":
		r.Requests, err = p.numbers(word)
	case "per":
		return p.perBatch(r)
	}
	return err
}

// moment reads a time since the start.
func (p *parser) moment(after string) (time.Duration, error) {
	p.space()
	start := p.pos
	d, err := p.duration(after)
	if err == nil && d == 0 {
		err = p.errorAt(start, "got 0 after %s, want more", after)
	}
	return d, err
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
