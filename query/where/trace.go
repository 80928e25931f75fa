package where

import (
	"fmt"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Complete holds for traces that have one root, and of every other span the
// parent ([query.Trace.Complete]). As text it is
//
//	complete
func Complete() query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Exists, Key: expr.Complete})
}

// MinSpans holds for traces with at least n spans, each id counted once. An n
// below 1 makes the view that takes it fail with an error. As text it is
//
//	spans>=3
func MinSpans(n int) query.Filter {
	e := expr.Expr{Op: expr.AtLeast, Key: expr.Spans, Arg: int64(n)}
	if n < 1 {
		e.Err = fmt.Errorf("where.MinSpans: got %d, want 1 or more: it would always hold", n)
	}
	return query.NewFilter(e)
}
