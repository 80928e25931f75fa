package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
)

// SpanShape is what a span and the spans below it should look like. [Shape]
// makes one; the zero SpanShape is any span without children. SpanShapes never
// change and are safe to share.
type SpanShape struct {
	name     string // "" for any
	filters  []Filter
	children []SpanShape
	rules    ShapeRule
}

// ShapePart is what a [Shape] is made of: a [SpanShape] is a child, a [Filter]
// must hold for the span itself, and a [ShapeRule] changes what is compared.
type ShapePart interface{ addTo(*SpanShape) }

// ShapeRule changes what a shape compares. The zero ShapeRule changes nothing.
type ShapeRule uint8

// The rules.
const (
	// InOrder wants the children in the order in which they stand: none may
	// start before the one that stands before it. Without it they may come in
	// any order.
	InOrder ShapeRule = 1 << iota

	// AndOthers allows children of the span that are not among those that
	// stand there. Without it they are an error.
	AndOthers

	// RemoteParent wants a span, at the top of the shape, that is not a root
	// but one whose parent has not come: the test itself made the traceparent
	// of a request. Without it the top must be a root.
	RemoteParent
)

func (s SpanShape) addTo(parent *SpanShape) { parent.children = append(parent.children, s) }
func (f Filter) addTo(s *SpanShape)         { s.filters = append(s.filters, f) }
func (r ShapeRule) addTo(s *SpanShape)      { s.rules |= r }

// Shape is a span with that name ("" is any name), for which every [Filter]
// holds, and whose children are the [SpanShape] values among the parts, in any
// order and no others:
//
//	query.Shape("checkout",
//		query.Shape("charge", where.Attr("currency", "EUR")),
//		query.Shape("ship"))
//
// Children that are not written down are not there: query.Shape("ship") has
// none. [InOrder], [AndOthers] and [RemoteParent] change that for the span
// that they are a part of. The filters are those that look at the span itself;
// one that cannot be asked is an error of [SpanShape.Check].
func Shape(name string, parts ...ShapePart) SpanShape {
	s := SpanShape{name: name}
	for _, p := range parts {
		p.addTo(&s)
	}
	return s
}

// String is the shape in one line, such as
//
//	checkout{charge[attr.currency="EUR"], ship}
//
// In order it is {charge then ship}, with others {charge, ...}; a remote parent
// is an arrow before it, and * is any name.
func (s SpanShape) String() string {
	var b strings.Builder
	if s.rules&RemoteParent != 0 {
		b.WriteString("-> ")
	}
	b.WriteString(s.title())
	if len(s.filters) > 0 {
		b.WriteString("[" + expr.Join(Exprs(s.filters), " ") + "]")
	}
	sep := ", "
	if s.rules&InOrder != 0 {
		sep = " then "
	}
	var parts []string
	for _, c := range s.children {
		parts = append(parts, c.String())
	}
	text := strings.Join(parts, sep)
	if s.rules&AndOthers != 0 {
		text = strings.TrimPrefix(text+", ...", ", ")
	}
	if text != "" {
		b.WriteString("{" + text + "}")
	}
	return b.String()
}

// title is the name as a text shows it.
func (s SpanShape) title() string {
	if s.name == "" {
		return "*"
	}
	return label(s.name)
}

// size is how many spans the shape has.
func (s SpanShape) size() int {
	n := 1
	for _, c := range s.children {
		n += c.size()
	}
	return n
}

// Err says why a filter cannot be asked of a span, or that a rule stands where
// it means nothing, and is nil otherwise.
func (s SpanShape) Err() error {
	for _, f := range s.filters {
		if err := askable(f.e); err != nil {
			return fmt.Errorf("shape %s: %w", s, err)
		}
	}
	for _, c := range s.children {
		if err := c.Err(); err != nil {
			return err
		}
	}
	if i := slices.IndexFunc(s.children, func(c SpanShape) bool { return c.rules&RemoteParent != 0 }); i >= 0 {
		return fmt.Errorf("shape %s: RemoteParent is a rule for the top of a shape, got it below", s.children[i])
	}
	return nil
}
