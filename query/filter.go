package query

import (
	"reflect"

	"github.com/otlptest/otlptest/internal/expr"
)

// Filter is a condition on items. Package where makes them; the zero Filter is
// not valid.
type Filter struct {
	e expr.Expr
}

// NewFilter is for this module's own packages; its type is internal.
func NewFilter(e expr.Expr) Filter { return Filter{e} }

// Expr is for this module's own packages; its type is internal.
func (f Filter) Expr() expr.Expr { return f.e }

// String is the filter in the grammar that where.Parse reads.
func (f Filter) String() string { return f.e.String() }

// Equal says whether two filters are the same condition, for go-cmp. A
// function is equal to nothing.
func (f Filter) Equal(g Filter) bool { return reflect.DeepEqual(f.e, g.e) }

// Exprs is for this module's own packages; its type is internal.
func Exprs(fs []Filter) []expr.Expr {
	es := make([]expr.Expr, len(fs))
	for i, f := range fs {
		es[i] = f.e
	}
	return es
}

// itemsOf says what kind of item T is, and 0 for a type that is none.
func itemsOf[T any]() expr.Items {
	switch any(*new(T)).(type) {
	case Span:
		return expr.Span
	case Point:
		return expr.Point
	case Log:
		return expr.Log
	case Export:
		return expr.Export
	case Connection:
		return expr.Connection
	case Violation:
		return expr.Violation
	case Trace:
		return expr.Trace
	}
	return 0
}

// Func makes a filter of a function; see where.Func, which is this one.
func Func[T any](desc string, match func(T) bool) Filter {
	return Filter{expr.Expr{Op: expr.Func, Desc: desc, Func: match, For: itemsOf[T]()}}
}
