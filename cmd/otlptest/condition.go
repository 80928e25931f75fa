package main

import (
	"cmp"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// operator compares two numbers.
type operator struct {
	sign  string
	words string // what is wanted, before the number
	holds func(order int) bool
}

var operators = []operator{
	{"==", "exactly ", func(o int) bool { return o == 0 }},
	{"!=", "any number but ", func(o int) bool { return o != 0 }},
	{">=", "at least ", func(o int) bool { return o >= 0 }},
	{">", "more than ", func(o int) bool { return o > 0 }},
	{"<=", "at most ", func(o int) bool { return o <= 0 }},
	{"<", "fewer than ", func(o int) bool { return o < 0 }},
}

// parseOperator reads one, which may stand right before its number.
func parseOperator(p *phrase) (operator, error) {
	word := p.word()
	for _, op := range operators {
		rest, ok := strings.CutPrefix(word, op.sign)
		if ok && !strings.HasPrefix(rest, "=") {
			p.pos -= len(rest)
			return op, nil
		}
	}
	var signs []string
	for _, op := range operators {
		signs = append(signs, op.sign)
	}
	return operator{}, p.errorf(word, "want one of %s", strings.Join(signs, " "))
}

// holds says whether a number is what it has to be. Two integers are compared
// exactly; NaN is nothing that anybody wants.
func (c condition) holds(got query.Value) bool {
	if got.Kind() == query.KindInt && c.want.Kind() == query.KindInt {
		return c.op.holds(cmp.Compare(got.Int(), c.want.Int()))
	}
	g, w := got.Float(), c.want.Float()
	return g == g && w == w && c.op.holds(cmp.Compare(g, w))
}

// String says in words what is wanted.
func (c condition) String() string {
	if c.op.sign == "==" && c.want.Equal(query.IntValue(0)) {
		return "none"
	}
	return c.op.words + c.text
}
