// Package expr is the filter tree that query/where builds, that
// internal/wire evaluates on the kept bytes, and that every text of the
// product prints in the one grammar of package where.
package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// Op says what a node of the tree does.
type Op uint8

const (
	// Equal holds when the field equals Arg. It is the zero Op.
	Equal Op = iota
	// Exists holds when the field is there, whatever its value.
	Exists
	// Not holds when its one Sub does not.
	Not
	// Any holds when at least one Sub does.
	Any
	// Func holds when the function in Func says so.
	Func
)

// Key names the field that a term looks at.
type Key string

// The fields. Attr and Resource need a Name beside them.
const (
	Name     Key = "name"
	Service  Key = "service"
	Scope    Key = "scope"
	Attr     Key = "attr"
	Resource Key = "resource"
	Kind     Key = "kind"
	Status   Key = "status"
	TraceID  Key = "trace"
	Root     Key = "root"
	Rule     Key = "rule"
)

// Items is a set of the kinds of item that a filter can apply to.
type Items uint8

// The kinds of item.
const (
	Span Items = 1 << iota
	Point
	Log
	Export
	Connection
	Violation
)

// String names the kinds in the plural, as in "spans and logs".
func (s Items) String() string {
	var names []string
	for i, n := range []string{"spans", "points", "logs", "exports", "connections", "violations"} {
		if s&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " and ")
}

// keys is what each field applies to. An export is asked about the items in
// it, so whatever applies to an item applies to an export too.
var keys = map[Key]Items{
	Name:     Span | Point,
	Service:  Span | Point | Log,
	Scope:    Span | Point | Log,
	Attr:     Span | Point | Log,
	Resource: Span | Point | Log,
	Kind:     Span,
	Status:   Span,
	TraceID:  Span | Log,
	Root:     Span,
	Rule:     Violation,
}

// Label is an enumeration's or an id's value: what it is on the wire, and how
// it is written in the grammar, bare.
type Label struct {
	Value any // int64 or string
	Text  string
}

// Expr is one node. The zero Expr is not valid; package where builds them.
type Expr struct {
	Op   Op
	Key  Key    // of Equal and Exists
	Name string // the attribute's key, for Attr and Resource
	Arg  any    // of Equal: string, bool, int64, float64 or Label
	Sub  []Expr // of Not (one) and Any
	Desc string // of Func: what it looks for, in words
	Func any    // of Func: func(T) bool
	For  Items  // of Func: what T is
	Err  error  // why the term cannot work, if it cannot
}

// Check says why the filter cannot apply to items of a kind, or nil.
func (e Expr) Check(to Items) error {
	if e.Err != nil {
		return e.Err
	}
	switch e.Op {
	case Not, Any:
		for _, s := range e.Sub {
			if err := s.Check(to); err != nil {
				return err
			}
		}
		return nil
	}
	can := e.Applies()
	if to&can == 0 && (to != Export || can&(Span|Point|Log) == 0) {
		return fmt.Errorf("filter %s applies to %s, not to %s", e, can, to)
	}
	return nil
}

// Applies is the set of items that a single term can look at. For Not and Any
// it is what all of their terms have in common.
func (e Expr) Applies() Items {
	switch e.Op {
	case Not, Any:
		all := Span | Point | Log | Export | Connection | Violation
		for _, s := range e.Sub {
			all &= s.Applies()
		}
		return all
	case Func:
		return e.For
	}
	return keys[e.Key]
}

// Field is the term's left side as the grammar writes it, like attr.http.route.
func (e Expr) Field() string {
	if e.Key != Attr && e.Key != Resource {
		return string(e.Key)
	}
	return string(e.Key) + "." + quoteKey(e.Name)
}

// String writes the filter in the grammar of package where. A Func is written
// as func("its description"), which cannot be parsed back.
func (e Expr) String() string {
	switch e.Op {
	case Not:
		if len(e.Sub) == 1 {
			return "not " + e.Sub[0].String()
		}
	case Any:
		return "(" + Join(e.Sub, " or ") + ")"
	case Func:
		return "func(" + strconv.Quote(e.Desc) + ")"
	case Exists:
		return e.Field()
	}
	return e.Field() + "=" + Literal(e.Arg)
}

// Join writes several filters with a separator between them.
func Join(es []Expr, sep string) string {
	parts := make([]string, len(es))
	for i, e := range es {
		parts[i] = e.String()
	}
	return strings.Join(parts, sep)
}

// Literal writes a value as the grammar does: quoted is a string, bare is a
// number, a bool or an enumeration's value.
func Literal(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case float64:
		s := strconv.FormatFloat(v, 'g', -1, 64)
		if strings.Trim(s, "-0123456789") == "" {
			s += ".0" // stays a float when it is read again
		}
		return s
	case Label:
		return v.Text
	}
	return fmt.Sprint(v)
}

// quoteKey leaves an attribute's key bare where the grammar can read it back.
func quoteKey(k string) string {
	for _, r := range k {
		if !BareRune(r) {
			return strconv.Quote(k)
		}
	}
	if k == "" {
		return `""`
	}
	return k
}

// BareRune says whether a rune can stand in a bare word of the grammar.
func BareRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-+/:@$", r)
}
