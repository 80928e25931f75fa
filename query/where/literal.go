package where

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
)

// operators are the comparisons, those that begin with another one before it.
var operators = []expr.Op{expr.AtLeast, expr.AtMost, expr.Contains, expr.Equal, expr.More, expr.Less, expr.Matches}

// comparison reads an operator and what the field is compared with.
func (p *parser) comparison(e expr.Expr) (expr.Expr, error) {
	if !p.operator(&e) {
		return e, p.errorf("got %s after %s, want %s", p.found(), e.Field(), alternatives(e.Key.Signs()))
	}
	var err error
	if e.Op == expr.Equal && takes(e.Key, expr.OneOf) && p.take("(") {
		e.Op = expr.OneOf
		e.Arg, err = p.list(e)
	} else {
		e.Arg, err = p.literal(e)
	}
	if err != nil {
		return e, err
	}
	return e, p.ended()
}

// operator reads one that the field takes.
func (p *parser) operator(e *expr.Expr) bool {
	for _, op := range operators {
		if strings.HasPrefix(p.rest(), op.Sign()) {
			e.Op = op
			return takes(e.Key, op) && p.take(op.Sign())
		}
	}
	return false
}

func takes(k expr.Key, op expr.Op) bool { return slices.Contains(k.Takes(), op) }

// list reads the rest of "(VALUE,VALUE ...)".
func (p *parser) list(e expr.Expr) (any, error) {
	var list []any
	for {
		p.space()
		v, err := p.literal(e)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		p.space()
		if p.take(")") {
			return list, nil
		}
		if !p.take(",") {
			return nil, p.errorf("got %s, want \",\" or \")\"", p.found())
		}
	}
}

// literal reads one value.
func (p *parser) literal(e expr.Expr) (any, error) {
	at, d := *p, domainOf(e)
	var arg any
	var err error
	switch {
	case !strings.HasPrefix(p.rest(), `"`):
		arg, err = p.bare(e, d)
	case d.quoted == nil:
		return nil, p.errorf("got a string, want a bare word, as in %s%s%s", e.Field(), e.Op.Sign(), d.example)
	default:
		var s string
		if s, err = p.quoted(); err != nil {
			return nil, err
		}
		arg, err = s, d.quoted(s)
	}
	if err == nil {
		err = check(e.Op, arg)
	}
	if err != nil {
		return nil, at.errorf("%w", err)
	}
	return arg, nil
}

// bare reads a bare word.
func (p *parser) bare(e expr.Expr, d domain) (any, error) {
	word := p.peekWord()
	if word == "" {
		return nil, fmt.Errorf("got %s, want a value for %s", p.found(), e.Field())
	}
	if d.read == nil {
		return nil, fmt.Errorf("got %s, want a string in double quotes, as in %s%s%s", p.found(), e.Field(), e.Op.Sign(), d.example)
	}
	word = p.enumWord(word)
	arg, err := d.read(word)
	p.pos += len(word)
	return arg, err
}

// enumWord also takes the form that an unknown number has, as kind(9).
func (p *parser) enumWord(word string) string {
	if digits, ok := strings.CutPrefix(p.rest(), word+"("); ok {
		if i := strings.IndexByte(digits, ')'); i >= 0 {
			return p.rest()[:len(word)+2+i]
		}
	}
	return word
}

func (p *parser) quoted() (string, error) {
	q, err := strconv.QuotedPrefix(p.rest())
	if err != nil || q[0] != '"' {
		return "", p.errorf("got a string that does not end, or an escape that is none, want \"…\"")
	}
	s, err := strconv.Unquote(q)
	p.pos += len(q)
	return s, err
}

// number reads a bare value: a bool or a number.
func number(word string) (any, error) {
	switch word {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	if i, err := strconv.ParseInt(word, 10, 64); err == nil {
		return i, nil
	}
	// Not everything that ParseFloat takes: hexadecimal and underscores are
	// no numbers here, and "infinity" is a word like any other.
	if f, err := strconv.ParseFloat(word, 64); err == nil && plainNumber(word, f) {
		return f, nil
	}
	return nil, fmt.Errorf("got %q, want a string in double quotes, a number, true or false", word)
}

func plainNumber(word string, f float64) bool {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return word == "NaN" || word == "+Inf" || word == "-Inf"
	}
	return !strings.ContainsAny(word, "xXpP_")
}
