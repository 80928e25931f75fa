package where

import (
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Kind holds for spans of that kind, or of one of several.
func Kind(kinds ...query.SpanKind) query.Filter { return oneOf(expr.Kind, kinds) }

// Status holds for spans whose status has that code, or one of several.
func Status(codes ...query.StatusCode) query.Filter { return oneOf(expr.Status, codes) }

// StatusError holds for spans that ended with an error: it is
// Status(query.StatusError).
func StatusError() query.Filter { return Status(query.StatusError) }

// Root holds for spans without a parent.
func Root() query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Exists, Key: expr.Root})
}

// Child holds for spans whose parent matches all of the filters, whichever
// export brought it. It holds neither for a root nor for an orphan: a span
// whose parent was not received. Where several received spans have the parent's
// ids, one of them has to match.
func Child(of ...query.Filter) query.Filter { return group("Child", expr.Child, of) }

// Descendant holds for spans with an ancestor that matches all of the filters:
// the parent, or its parent and so on, as far as they were received. See
// [Child].
func Descendant(of ...query.Filter) query.Filter {
	return group("Descendant", expr.Descendant, of)
}

// Duration holds for spans that lasted so long, or as a [Condition] says:
// Duration(LessThan(time.Second)). It does not hold for a span whose start or
// end is unknown.
func Duration[T time.Duration | Condition](d T) query.Filter { return field(expr.Duration, d) }

// MinDuration holds for spans that lasted at least d.
func MinDuration(d time.Duration) query.Filter { return field(expr.Duration, AtLeast(d)) }

// HasEvent holds for spans with an event of that name.
func HasEvent[T string | Condition](name T) query.Filter { return field(expr.HasEvent, name) }

// HasLink holds for spans with a link into that trace.
func HasLink(to query.TraceID) query.Filter { return field(expr.HasLink, to) }
