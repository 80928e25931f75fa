package store

import (
	"sort"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// behind is a log without the exports at its start that filters by number or
// mark rule out, so that who follows what arrives pays for what is new.
func behind(log []entry, where []query.Filter) []entry {
	first := 0
	for _, e := range query.Exprs(where) {
		switch n := placed(e); {
		case e.Op == expr.AtLeast && e.Key == expr.InExport:
			first = max(first, int(min(n, int64(len(log)+1)))-1)
		case e.Op == expr.Equal && e.Key == expr.Since:
			first = max(first, sort.Search(len(log), func(i int) bool { return log[i].rec.Place() > n }))
		}
	}
	return log[first:]
}

// placed is the number that a term compares with, and 0 where that is none.
func placed(e expr.Expr) int64 {
	arg := e.Arg
	if l, ok := arg.(expr.Label); ok {
		arg = l.Value
	}
	n, _ := arg.(int64)
	return n
}
