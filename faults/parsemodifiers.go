package faults

import (
	"slices"
	"strconv"
	"strings"
)

// modifiers reads what can follow every fault, in any order, and returns how
// many of the fault there are.
func (p *parser) modifiers(f *Fault) (n int, err error) {
	seen := map[string]bool{}
	for p.space(); ; p.space() {
		start, w := p.pos, p.peek()
		again := false
		if m, ok := modifierOf(w); ok {
			p.word()
			again, seen[w] = seen[w] && !m.many, true
			err = p.modifier(w, f)
		} else if strings.HasPrefix(w, "x") {
			again = n > 0
			n, err = p.copies()
		} else {
			return max(n, 1), nil
		}
		if again {
			return 0, p.errorAt(start, "got a second %s for one fault", w)
		}
		if err != nil {
			return 0, err
		}
	}
}

func modifierOf(word string) (m modifier, ok bool) {
	i := slices.IndexFunc(modifiers, func(m modifier) bool { return m.word == word })
	if i < 0 {
		return m, false
	}
	return modifiers[i], true
}

// modifier reads what stands behind one.
func (p *parser) modifier(word string, f *Fault) (err error) {
	switch word {
	case "retry":
		f.Retry = true
		f.RetryDelay, err = p.duration(word)
	case "dated":
		f.Dated = true
	case "with":
		return p.with(f)
	case "detail":
		return p.detail(f)
	case "unread":
		f.Unread = true
	case "read-after":
		f.ReadDelay, err = p.duration(word)
	case "read-rate":
		f.ReadRate, err = number[int64](p, word)
	case "after":
		f.Delay, err = p.duration(word)
	case "headers-first":
		f.HeadersFirst = true
	case "closing":
		f.Closing = true
	case "stored":
		f.Keep = true
	case "lost":
		f.Drop = true
	}
	return err
}

func (p *parser) with(f *Fault) error {
	p.space()
	name := p.peek()
	if name == "" {
		return p.errorf("got %s after with, want the name of a header field", p.found())
	}
	p.word()
	value, err := p.quoted("the value of header field " + name)
	f.Header = append(f.Header, Field{name, value})
	return err
}

// copies reads a number behind an x.
func (p *parser) copies() (int, error) {
	n, err := strconv.Atoi(p.peek()[1:])
	if err != nil || n < 1 {
		return 0, p.errorf("got %s, want x and a number of 1 or more, as in x3", p.found())
	}
	p.word()
	return n, nil
}
