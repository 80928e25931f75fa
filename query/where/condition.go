package where

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Condition is what a filter wants of a field where that is not to be equal to
// a value: where.Attr("http.response.status_code", where.AtLeast(500)). A
// field that does not take it, or a value that cannot be, makes the view fail
// with an error. The zero Condition is not valid.
type Condition struct {
	op   expr.Op
	args []any
}

// Is is to be equal to a value, as the value itself is.
func Is(value any) Condition { return Condition{expr.Equal, []any{value}} }

// OneOf is to be equal to at least one of several values.
func OneOf(values ...any) Condition { return Condition{expr.OneOf, slices.Clone(values)} }

// Matches is to be a string in which a regular expression (package regexp)
// matches somewhere: ^ and $ tie it to the ends.
func Matches(pattern string) Condition { return Condition{expr.Matches, []any{pattern}} }

// Contains is to be a string that has text in it.
func Contains(text string) Condition { return Condition{expr.Contains, []any{text}} }

// AtLeast is to be a number of that value or more, or likewise a duration or a
// severity. Integers and doubles compare by value; a string is never a number.
func AtLeast(value any) Condition { return Condition{expr.AtLeast, []any{value}} }

// AtMost is to be that value or less; see [AtLeast].
func AtMost(value any) Condition { return Condition{expr.AtMost, []any{value}} }

// MoreThan is to be more than the value; see [AtLeast].
func MoreThan(value any) Condition { return Condition{expr.More, []any{value}} }

// LessThan is to be less than the value; see [AtLeast].
func LessThan(value any) Condition { return Condition{expr.Less, []any{value}} }

// compare makes a filter of a field and what is wanted of it: a value or a
// Condition.
func compare(e expr.Expr, want any) query.Filter {
	c, ok := want.(Condition)
	if !ok {
		c = Is(want)
	}
	e.Op = c.op
	arg, err := argument(e, c.args)
	if err != nil {
		e.Arg = unusable(e.Op, c.args)
		err = fmt.Errorf("filter %s: %w", e, err)
	} else {
		e.Arg = arg
	}
	e.Err = errors.Join(e.Err, err)
	return query.NewFilter(e)
}

// unusable is an argument only to be shown.
func unusable(op expr.Op, args []any) any {
	texts := make([]any, len(args))
	for i, a := range args {
		texts[i] = fmt.Sprint(a)
	}
	if op != expr.OneOf && len(texts) == 1 {
		return texts[0]
	}
	return texts
}

// argument brings Go values to the form that they have in a filter's tree.
func argument(e expr.Expr, args []any) (any, error) {
	if !takes(e.Key, e.Op) {
		return nil, fmt.Errorf("%s takes only %s", e.Field(), alternatives(e.Key.Signs()))
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("got no value, want at least one")
	}
	list := make([]any, len(args))
	for i, a := range args {
		v, err := domainOf(e).of(a)
		if err == nil {
			err = check(e.Op, v)
		}
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	if e.Op == expr.OneOf {
		return list, nil
	}
	return list[0], nil
}

// domainOf is the values that a comparison takes.
func domainOf(e expr.Expr) domain {
	if e.Op == expr.Matches || e.Op == expr.Contains {
		return texts
	}
	return domains[e.Key]
}

// check says why nothing can be compared so with a value.
func check(op expr.Op, arg any) error {
	switch op {
	case expr.Matches:
		if _, err := regexp.Compile(arg.(string)); err != nil {
			return fmt.Errorf("got %q, want a regular expression: %w", arg, err)
		}
	case expr.Less, expr.AtMost, expr.AtLeast, expr.More:
		switch a := arg.(type) {
		case float64:
			if math.IsNaN(a) {
				return fmt.Errorf("got NaN, want a number: none is more or less than NaN")
			}
		case string, bool:
			return fmt.Errorf("got %s, want a number", expr.Literal(a))
		}
	}
	return nil
}

// alternatives is a list of words in words: "=, ~ or *=".
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
