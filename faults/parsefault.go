package faults

import (
	"fmt"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// parseFault reads the text of one fault.
func parseFault(text string) (Fault, error) {
	p := parser{text: text}
	f, n, err := p.fault()
	if err == nil && n != 1 {
		err = p.errorAt(0, "got several faults, want one")
	}
	if err == nil && p.rest() != "" {
		err = p.errorf("got %s, want one of %s or the end", p.found(), modifierNames())
	}
	if err != nil {
		return Fault{}, fmt.Errorf("%q: %w", text, err)
	}
	return f, nil
}

// fault reads one fault and how many of it stand there, up to the next thing.
func (p *parser) fault() (f Fault, n int, err error) {
	p.space()
	start := p.pos
	if f, err = p.kind(); err != nil {
		return f, 0, err
	}
	if n, err = p.modifiers(&f); err != nil {
		return f, 0, err
	}
	if err := f.Check(); err != nil {
		return f, 0, p.errorAt(start, "%w", err)
	}
	if n > maxFaults-p.count {
		return f, 0, p.errorAt(start, "got more than %d faults, want fewer: \"N times\" repeats a sequence", maxFaults)
	}
	p.count += n
	return f, n, nil
}

// kind reads a fault without what can follow every one.
func (p *parser) kind() (f Fault, err error) {
	p.space()
	f.Kind = kindOf(p.peek())
	r, ok := rowOf(f.Kind)
	if !ok || p.peek() == "" {
		return Fault{}, p.unknown()
	}
	p.word()
	for _, a := range r.args {
		if err := p.arg(a, &f); err != nil {
			return Fault{}, err
		}
	}
	return f, nil
}

// unknown is the error for what is no fault.
func (p *parser) unknown() error {
	w := p.peek()
	if w != "" && strings.HasPrefix(p.rest()[len(w):], ":") {
		return p.errorf("got selector %q, want %s", w, selectorNames())
	}
	return p.errorf("got %s, want one of %s", p.found(), kindNames())
}

// parseCode reads a code's name in any case.
func parseCode(name string) (query.Code, error) { return query.ParseCode(strings.ToUpper(name)) }
