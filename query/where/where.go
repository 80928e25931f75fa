// Package where makes the filters that views, fault rules and the HTTP API
// take:
//
//	srv.Spans(where.Name("charge"), where.Attr("http.route", "/pay"))
//
// Several filters hold together: all of them must. Each has one text form,
// which [Parse] reads back and which failure texts, URLs and the command line
// use too.
//
// # Grammar
//
// Terms stand side by side with spaces between them, and all of them must
// hold:
//
//	name="charge" attr.http.route="/pay" attr.status=500 resource.tenant="b" not kind=client
//
//	name="charge"          the span's or the metric's name
//	service="shop"         the resource's service.name
//	scope="net/http"       the instrumentation scope's name
//	attr.KEY=VALUE         an attribute of the item; attr.KEY alone: it is there, whatever its value
//	resource.KEY=VALUE     an attribute of the resource; alone: it is there
//	kind=server            unspecified, internal, server, client, producer, consumer
//	status=error           unset, ok, error
//	trace=0af7651916cd43dd8448eb211c80319c
//	root                   a span without a parent
//	rule="S-40"            the number of the rule that a violation breaks
//	not TERM               TERM does not hold
//	(TERM or TERM ...)     at least one of them holds
//
// A VALUE in double quotes is a string, with Go's escapes. A bare one is a
// number, true or false. Numbers compare by value, integers and doubles alike;
// a string never equals a number. A KEY with other characters than letters,
// digits and . _ - + / : @ $ is quoted: attr."my key"=1.
package where

import (
	"fmt"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Name holds for spans with that name, and for points of a metric with that
// name.
func Name(name string) query.Filter { return equal(expr.Name, name) }

// Service holds for items whose resource has that service.name.
func Service(name string) query.Filter { return equal(expr.Service, name) }

// ScopeName holds for items whose instrumentation scope has that name.
func ScopeName(name string) query.Filter { return equal(expr.Scope, name) }

// Attr holds for items with that attribute: value is a string, a bool, an
// integer or a float. Numbers compare by value, integers and doubles alike. Of
// several equal keys the first counts. A value of another type makes the view
// that takes the filter fail with an error.
func Attr(key string, value any) query.Filter { return attribute(expr.Attr, key, value) }

// HasAttr holds for items that have an attribute with that key, whatever its
// value.
func HasAttr(key string) query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Exists, Key: expr.Attr, Name: key})
}

// ResourceAttr is [Attr] for the attributes of the resource.
func ResourceAttr(key string, value any) query.Filter { return attribute(expr.Resource, key, value) }

// HasResourceAttr is [HasAttr] for the attributes of the resource.
func HasResourceAttr(key string) query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Exists, Key: expr.Resource, Name: key})
}

// Kind holds for spans of that kind.
func Kind(kind query.SpanKind) query.Filter {
	return equal(expr.Kind, expr.Label{Value: int64(kind), Text: kind.String()})
}

// Status holds for spans whose status has that code.
func Status(code query.StatusCode) query.Filter {
	return equal(expr.Status, expr.Label{Value: int64(code), Text: code.String()})
}

// TraceID holds for the spans and the log records of that trace.
func TraceID(id query.TraceID) query.Filter {
	e := expr.Expr{Key: expr.TraceID, Arg: expr.Label{Value: id.String(), Text: id.String()}}
	if id.IsZero() {
		e.Err = fmt.Errorf("where.TraceID: got the zero trace id, want a valid one")
	}
	return query.NewFilter(e)
}

// Root holds for spans without a parent.
func Root() query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Exists, Key: expr.Root})
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
func Any(fs ...query.Filter) query.Filter {
	e := expr.Expr{Op: expr.Any, Sub: query.Exprs(fs)}
	if len(fs) == 0 {
		e.Err = fmt.Errorf("where.Any: got no filter, want at least one")
	}
	return query.NewFilter(e)
}

// Func holds for the items for which match returns true; T is query.Span,
// query.Point, query.Log, query.Export, query.Connection or query.Violation.
// Desc says in a few words what it looks for and stands in failure texts. A
// Func cannot be written as text and read back, so it cannot go into a URL or
// a rule's JSON. It may be called at any time by several goroutines, and must
// not wait.
func Func[T any](desc string, match func(T) bool) query.Filter {
	f := query.Func(desc, match)
	e := f.Expr()
	if e.For == 0 {
		e.Err = fmt.Errorf("where.Func(%q): got a function of %T, want one of query.Span, query.Point, query.Log, query.Export, query.Connection or query.Violation", desc, *new(T))
	} else if match == nil {
		e.Err = fmt.Errorf("where.Func(%q): got a nil function", desc)
	}
	return query.NewFilter(e)
}

func equal(key expr.Key, arg any) query.Filter {
	return query.NewFilter(expr.Expr{Key: key, Arg: arg})
}

func attribute(key expr.Key, name string, value any) query.Filter {
	e := expr.Expr{Key: key, Name: name}
	e.Arg, e.Err = scalar(value)
	if e.Err != nil {
		e.Arg = fmt.Sprint(value)
		e.Err = fmt.Errorf("filter %s: %w", e, e.Err)
	}
	return query.NewFilter(e)
}

// scalar brings a value to one of the types of expr.Expr.Arg.
func scalar(value any) (any, error) {
	v, err := query.ValueOf(value)
	if err == nil {
		switch v.Kind() {
		case query.KindString, query.KindBool, query.KindInt, query.KindFloat:
			return v.Any(), nil
		}
	}
	return nil, fmt.Errorf("got a value of type %T, want a string, a bool, an integer that fits an int64, or a float", value)
}
