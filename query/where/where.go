package where

import (
	"fmt"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Name holds for spans with that name, and for points of a metric with that
// name; or with one that a [Condition] says: Name(Matches("^charge")).
func Name[T string | Condition](name T) query.Filter { return field(expr.Name, name) }

// Service holds for items whose resource has that service.name.
func Service[T string | Condition](name T) query.Filter { return field(expr.Service, name) }

// ScopeName holds for items whose instrumentation scope has that name.
func ScopeName[T string | Condition](name T) query.Filter { return field(expr.Scope, name) }

// Attr holds for items with that attribute: value is a string, a bool, an
// integer, a float or a [Condition]. Numbers compare by value, integers and
// doubles alike. Of several equal keys the first counts. A value of another
// type makes the view that takes the filter fail with an error.
func Attr(key string, value any) query.Filter {
	return compare(expr.Expr{Key: expr.Attr, Name: key}, value)
}

// HasAttr holds for items that have an attribute with that key, whatever its
// value.
func HasAttr(key string) query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Exists, Key: expr.Attr, Name: key})
}

// ResourceAttr is [Attr] for the attributes of the resource.
func ResourceAttr(key string, value any) query.Filter {
	return compare(expr.Expr{Key: expr.Resource, Name: key}, value)
}

// HasResourceAttr is [HasAttr] for the attributes of the resource.
func HasResourceAttr(key string) query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Exists, Key: expr.Resource, Name: key})
}

// TraceID holds for the spans and the log records of that trace.
func TraceID(id query.TraceID) query.Filter {
	e := expr.Expr{Key: expr.TraceID, Arg: expr.Label{Value: id.String(), Text: id.String()}}
	if id.IsZero() {
		e.Err = fmt.Errorf("where.TraceID: %w", zeroID("trace"))
	}
	return query.NewFilter(e)
}

// SpanID holds for the span with that id, and for the log records that were
// written in it.
func SpanID(id query.SpanID) query.Filter {
	e := expr.Expr{Key: expr.SpanID, Arg: expr.Label{Value: id.String(), Text: id.String()}}
	if id.IsZero() {
		e.Err = fmt.Errorf("where.SpanID: %w", zeroID("span"))
	}
	return query.NewFilter(e)
}

// Rule holds for violations of the rule with that number, such as "S-40".
func Rule(number string) query.Filter {
	e := expr.Expr{Key: expr.Rule, Arg: number}
	if err := checkRule(number); err != nil {
		e.Err = fmt.Errorf("where.Rule: %w", err)
	}
	return query.NewFilter(e)
}

// checkRule says whether a rule can have that number: a letter, a hyphen and
// two digits.
func checkRule(number string) error {
	digit := func(i int) bool { return number[i] >= '0' && number[i] <= '9' }
	if len(number) == 4 && strings.Contains("SCR", number[:1]) && number[1] == '-' && digit(2) && digit(3) {
		return nil
	}
	return fmt.Errorf("got rule %q, want a number such as \"S-40\"", number)
}

// Not holds where the filter does not.
func Not(f query.Filter) query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Not, Sub: []expr.Expr{f.Expr()}})
}

// Any holds where at least one of the filters does. Without any filter it
// makes the view that takes it fail with an error.
func Any(fs ...query.Filter) query.Filter { return group("Any", expr.Any, fs) }

// Func holds for the items for which match returns true; T is query.Span,
// query.Point, query.Log, query.Export, query.Connection, query.Violation or
// query.Trace. Desc says in a few words what it looks for and stands in failure
// texts. A Func cannot be written as text and read back, so it cannot go into a
// URL or a rule's JSON. It may be called at any time by several goroutines, and
// must not wait.
func Func[T any](desc string, match func(T) bool) query.Filter {
	f := query.Func(desc, match)
	e := f.Expr()
	if e.For == 0 {
		e.Err = fmt.Errorf("where.Func(%q): got a function of %T, want one of query.Span, query.Point, query.Log, query.Export, query.Connection, query.Violation or query.Trace", desc, *new(T))
	} else if match == nil {
		e.Err = fmt.Errorf("where.Func(%q): got a nil function", desc)
	}
	return query.NewFilter(e)
}

// field is a filter for a field that needs no name.
func field(key expr.Key, want any) query.Filter { return compare(expr.Expr{Key: key}, want) }

// oneOf is a filter for a field that equals one of some values.
func oneOf[T any](key expr.Key, values []T) query.Filter {
	if len(values) == 1 {
		return field(key, values[0])
	}
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return field(key, OneOf(list...))
}

// group is a filter of at least one other.
func group(name string, op expr.Op, fs []query.Filter) query.Filter {
	e := expr.Expr{Op: op, Sub: query.Exprs(fs)}
	if len(fs) == 0 {
		e.Err = fmt.Errorf("where.%s: got no filter, want at least one", name)
	}
	return query.NewFilter(e)
}
