package where

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Parse reads filters in the grammar at the top of this package. It is the
// inverse of query.Filter's String for every filter but Func. The empty text
// is no filter. An error names the place, what was there and what is allowed.
func Parse(text string) ([]query.Filter, error) {
	p := parser{text: text}
	var fs []query.Filter
	for p.space(); p.rest() != ""; p.space() {
		e, err := p.term(0)
		if err != nil {
			return nil, fmt.Errorf("filter %q: %w", text, err)
		}
		fs = append(fs, query.NewFilter(e))
	}
	return fs, nil
}

// maxDepth bounds how deep terms may nest, since texts come over the network.
const maxDepth = 100

type parser struct {
	text string
	pos  int
}

func (p *parser) rest() string { return p.text[p.pos:] }

func (p *parser) space() {
	p.pos = len(p.text) - len(strings.TrimLeft(p.rest(), " \t\r\n"))
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("at character %d: %w", utf8.RuneCountInString(p.text[:p.pos])+1, fmt.Errorf(format, args...))
}

// found is what stands at the current place, for errors.
func (p *parser) found() string {
	if p.rest() == "" {
		return "the end"
	}
	if w := p.peekWord(); w != "" {
		return strconv.Quote(w)
	}
	r, _ := utf8.DecodeRuneInString(p.rest())
	return strconv.Quote(string(r))
}

// peekWord is the bare word at the current place, if there is one.
func (p *parser) peekWord() string {
	rest := p.rest()
	if i := strings.IndexFunc(rest, func(r rune) bool { return !expr.BareRune(r) }); i >= 0 {
		return rest[:i]
	}
	return rest
}

// take consumes s if it stands at the current place.
func (p *parser) take(s string) bool {
	if strings.HasPrefix(p.rest(), s) {
		p.pos += len(s)
		return true
	}
	return false
}

func (p *parser) term(depth int) (expr.Expr, error) {
	if depth > maxDepth {
		return expr.Expr{}, p.errorf("terms are nested more than %d deep", maxDepth)
	}
	if p.take("(") {
		return p.any(depth)
	}
	if p.peekWord() == "not" {
		p.pos += len("not")
		p.space()
		sub, err := p.term(depth + 1)
		return expr.Expr{Op: expr.Not, Sub: []expr.Expr{sub}}, err
	}
	return p.field()
}

// any reads the rest of "(TERM or TERM ...)".
func (p *parser) any(depth int) (expr.Expr, error) {
	e := expr.Expr{Op: expr.Any}
	for {
		p.space()
		sub, err := p.term(depth + 1)
		if err != nil {
			return e, err
		}
		e.Sub = append(e.Sub, sub)
		p.space()
		if p.take(")") {
			return e, p.ended()
		}
		if p.peekWord() != "or" {
			return e, p.errorf("got %s, want \"or\" or \")\"", p.found())
		}
		p.pos += len("or")
	}
}

func (p *parser) field() (expr.Expr, error) {
	word := p.peekWord()
	key, name, dotted := strings.Cut(word, ".")
	switch k := expr.Key(key); k {
	case expr.Attr, expr.Resource:
		if !dotted {
			return expr.Expr{}, p.errorf("got %s, want a key after it, as in %s.http.route", p.found(), key)
		}
		return p.attribute(k, name)
	case expr.Root:
		if word == key {
			p.pos += len(word)
			return expr.Expr{Op: expr.Exists, Key: k}, p.noValue(k)
		}
	case expr.Name, expr.Service, expr.Scope, expr.Kind, expr.Status, expr.TraceID, expr.Rule:
		if word == key {
			p.pos += len(word)
			return p.value(expr.Expr{Key: k})
		}
	case "func":
		return expr.Expr{}, p.errorf("a func cannot be given as text")
	}
	return expr.Expr{}, p.errorf("got %s, want one of name, service, scope, attr.KEY, resource.KEY, kind, status, trace, root, rule, not, (", p.found())
}

// attribute reads what follows "attr." or "resource.".
func (p *parser) attribute(k expr.Key, name string) (expr.Expr, error) {
	p.pos += len(k) + 1
	switch {
	case name != "":
		p.pos += len(name)
	case strings.HasPrefix(p.rest(), `"`):
		var err error
		if name, err = p.quoted(); err != nil {
			return expr.Expr{}, err
		}
	default:
		return expr.Expr{}, p.errorf("got %s, want an attribute's key", p.found())
	}
	e := expr.Expr{Key: k, Name: name}
	if !strings.HasPrefix(p.rest(), "=") && !p.operator() {
		e.Op = expr.Exists
		return e, p.ended()
	}
	return p.value(e)
}

// operator says whether a comparison that does not exist stands here.
func (p *parser) operator() bool { return strings.IndexAny(p.rest(), "=<>!~") == 0 }

// ended checks that a term ends here.
func (p *parser) ended() error {
	if p.rest() == "" || strings.ContainsAny(p.rest()[:1], " \t\r\n)") {
		return nil
	}
	return p.errorf("got %s, want a space before the next term", p.found())
}

func (p *parser) noValue(k expr.Key) error {
	if p.operator() {
		return p.errorf("%s takes no value", k)
	}
	return p.ended()
}

// value reads "=VALUE" for a field.
func (p *parser) value(e expr.Expr) (expr.Expr, error) {
	if !p.take("=") {
		return e, p.errorf("got %s after %s, want =", p.found(), e.Field())
	}
	arg, err := p.literal(e)
	if err != nil {
		return e, err
	}
	e.Arg = arg
	return e, p.ended()
}

func (p *parser) literal(e expr.Expr) (any, error) {
	if strings.HasPrefix(p.rest(), `"`) {
		return p.stringFor(e)
	}
	word := p.peekWord()
	if word == "" {
		return nil, p.errorf("got %s, want a value for %s", p.found(), e.Field())
	}
	var arg any
	var err error
	switch e.Key {
	case expr.Kind:
		var k query.SpanKind
		word = p.enumWord(word)
		k, err = query.ParseSpanKind(word)
		arg = expr.Label{Value: int64(k), Text: k.String()}
	case expr.Status:
		var c query.StatusCode
		word = p.enumWord(word)
		c, err = query.ParseStatusCode(word)
		arg = expr.Label{Value: int64(c), Text: c.String()}
	case expr.TraceID:
		var id query.TraceID
		if id, err = query.ParseTraceID(word); err == nil && id.IsZero() {
			err = fmt.Errorf("got the zero trace id, want a valid one")
		}
		arg = expr.Label{Value: id.String(), Text: id.String()}
	case expr.Attr, expr.Resource:
		arg, err = number(word)
	default:
		err = fmt.Errorf("got %s, want a string in double quotes, as in %s=%q", p.found(), e.Key, example(e.Key))
	}
	if err != nil {
		return nil, p.errorf("%w", err)
	}
	p.pos += len(word)
	return arg, nil
}

// example is a value for a field that takes a string.
func example(k expr.Key) string {
	if k == expr.Rule {
		return "S-40"
	}
	return "charge"
}

// stringFor reads a quoted string for a field that takes one.
func (p *parser) stringFor(e expr.Expr) (any, error) {
	switch e.Key {
	case expr.Kind, expr.Status, expr.TraceID:
		return nil, p.errorf("got a string, want a bare word, as in kind=client")
	}
	at := *p
	s, err := p.quoted()
	if err == nil && e.Key == expr.Rule {
		if err = checkRule(s); err != nil {
			err = at.errorf("%w", err)
		}
	}
	return s, err
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
