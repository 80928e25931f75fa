package where

import (
	"fmt"
	"slices"
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
	switch p.peekWord() {
	case "not":
		p.pos += len("not")
		p.space()
		sub, err := p.term(depth + 1)
		return expr.Expr{Op: expr.Not, Sub: []expr.Expr{sub}}, err
	case "child":
		return p.relation(expr.Child, "child", depth)
	case "descendant":
		return p.relation(expr.Descendant, "descendant", depth)
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

// relation reads "WORD(TERM TERM ...)".
func (p *parser) relation(op expr.Op, word string, depth int) (expr.Expr, error) {
	e := expr.Expr{Op: op}
	p.pos += len(word)
	if !p.take("(") {
		return e, p.errorf("got %s after %s, want a term in parentheses, as in %s(name=\"charge\")", p.found(), word, word)
	}
	for p.space(); len(e.Sub) == 0 || !p.take(")"); p.space() {
		sub, err := p.term(depth + 1)
		if err != nil {
			return e, err
		}
		e.Sub = append(e.Sub, sub)
	}
	return e, p.ended()
}

// fieldNames is what a term can begin with.
const fieldNames = "name, service, scope, attr.KEY, resource.KEY, during, kind, status, trace, span, root, duration, has_event, has_link, " +
	"child(, descendant(, unit, type, temporality, monotonic, severity, body, event, " +
	"protocol, header.NAME, export, since, outcome, attempt, complete, spans, rule, not, ("

func (p *parser) field() (expr.Expr, error) {
	word := p.peekWord()
	key, name, dotted := strings.Cut(word, ".")
	k := expr.Key(key)
	switch {
	case k.HasName() && !dotted:
		return expr.Expr{}, p.errorf("got %s, want a key after it, as in %s.%s", p.found(), key, exampleKey(k))
	case k.HasName():
		return p.named(k, name)
	case k.Takes() != nil && word == key:
		p.pos += len(word)
		return p.rightSide(expr.Expr{Key: k})
	case word == "func":
		return expr.Expr{}, p.errorf("a func cannot be given as text")
	}
	return expr.Expr{}, p.errorf("got %s, want one of %s", p.found(), fieldNames)
}

func exampleKey(k expr.Key) string {
	if k == expr.Header {
		return "x-tenant"
	}
	return "http.route"
}

// named reads what follows "attr.", "resource." or "header.".
func (p *parser) named(k expr.Key, name string) (expr.Expr, error) {
	p.pos += len(k) + 1
	at := *p
	switch {
	case name != "":
		p.pos += len(name)
	case strings.HasPrefix(p.rest(), `"`):
		var err error
		if name, err = p.quoted(); err != nil {
			return expr.Expr{}, err
		}
	default:
		return expr.Expr{}, p.errorf("got %s, want %s", p.found(), whatKey(k))
	}
	if k == expr.Header {
		if err := checkHeader(name); err != nil {
			return expr.Expr{}, at.errorf("%w", err)
		}
		name = strings.ToLower(name)
	}
	return p.rightSide(expr.Expr{Key: k, Name: name})
}

func whatKey(k expr.Key) string {
	if k == expr.Header {
		return "the name of a header field"
	}
	return "an attribute's key"
}

// rightSide reads what stands behind a field: nothing where it may stand alone,
// or a comparison.
func (p *parser) rightSide(e expr.Expr) (expr.Expr, error) {
	takes := e.Key.Takes()
	if slices.Contains(takes, expr.Exists) {
		switch {
		case strings.IndexAny(p.rest(), "=<>!~*") != 0:
			e.Op = expr.Exists
			return e, p.ended()
		case len(takes) == 1:
			return e, p.errorf("%s takes no value", e.Key)
		}
	}
	return p.comparison(e)
}

// ended checks that a term ends here.
func (p *parser) ended() error {
	if p.rest() == "" || strings.ContainsAny(p.rest()[:1], " \t\r\n)") {
		return nil
	}
	return p.errorf("got %s, want a space before the next term", p.found())
}
