package faults

import (
	"strconv"
	"strings"
	"time"
)

// modifier is a word that can follow a fault, and how it is written: the texts
// behind it, one for each time that it stands there.
type modifier struct {
	word  string
	many  bool // it may be there several times
	read  func(*parser, *Fault) error
	write func(Fault) []string
}

// modifiers is every one, in the order in which they are written.
var modifiers = []modifier{
	{word: "retry", read: (*parser).retry, write: func(f Fault) []string {
		return when(f.Retry, " "+f.RetryDelay.String())
	}},
	flag("dated", func(f *Fault) *bool { return &f.Dated }),
	{word: "with", many: true, read: (*parser).with, write: Fault.with},
	{word: "detail", many: true, read: (*parser).detail, write: Fault.detail},
	flag("unread", func(f *Fault) *bool { return &f.Unread }),
	wait("read-after", func(f *Fault) *time.Duration { return &f.ReadDelay }),
	{word: "read-rate", read: (*parser).readRate, write: func(f Fault) []string {
		return when(f.ReadRate != 0, " "+strconv.FormatInt(f.ReadRate, 10))
	}},
	wait("after", func(f *Fault) *time.Duration { return &f.Delay }),
	flag("headers-first", func(f *Fault) *bool { return &f.HeadersFirst }),
	flag("closing", func(f *Fault) *bool { return &f.Closing }),
	flag("stored", func(f *Fault) *bool { return &f.Keep }),
	flag("lost", func(f *Fault) *bool { return &f.Drop }),
}

// modifierNames is what can follow a fault, for errors.
func modifierNames() string {
	names := make([]string, len(modifiers))
	for i, m := range modifiers {
		names[i] = m.word
	}
	return strings.Join(names, ", ")
}

func when(written bool, text string) []string {
	if written {
		return []string{text}
	}
	return nil
}

// flag is a modifier that is a word.
func flag(word string, at func(*Fault) *bool) modifier {
	return modifier{
		word: word,
		read: func(_ *parser, f *Fault) error {
			*at(f) = true
			return nil
		},
		write: func(f Fault) []string { return when(*at(&f), "") },
	}
}

// wait is a modifier that is a duration.
func wait(word string, at func(*Fault) *time.Duration) modifier {
	return modifier{
		word: word,
		read: func(p *parser, f *Fault) (err error) {
			*at(f), err = p.duration(word)
			return err
		},
		write: func(f Fault) []string { return when(*at(&f) != 0, " "+at(&f).String()) },
	}
}

func (f Fault) with() (texts []string) {
	for _, h := range f.Header {
		texts = append(texts, " "+h.Name+" "+strconv.Quote(h.Value))
	}
	return texts
}

func (f Fault) detail() (texts []string) {
	for _, d := range f.Details {
		texts = append(texts, " "+string(d.json()))
	}
	return texts
}

func (p *parser) retry(f *Fault) (err error) {
	f.Retry = true
	f.RetryDelay, err = p.duration("retry")
	return err
}

func (p *parser) readRate(f *Fault) (err error) {
	f.ReadRate, err = number[int64](p, "read-rate")
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
			err = m.read(p, f)
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

func modifierOf(word string) (modifier, bool) {
	for _, m := range modifiers {
		if m.word == word {
			return m, true
		}
	}
	return modifier{}, false
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
