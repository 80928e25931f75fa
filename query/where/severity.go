package where

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// perRange is how many numbers each of the ranges of severity has.
const perRange = 4

// ranges is the names that stand for a whole range, in the order of their
// numbers, from 1.
var ranges = []string{"trace", "debug", "info", "warn", "error", "fatal"}

// Severity holds for log records that are at least so severe: of
// query.SeverityError it is error (17) to fatal4 (24). A [Condition] can ask for
// more: Severity(Is(query.SeverityWarn)). A query.Severity that begins a range
// stands for all of the range, 13 to 16 for a warning; an integer is only that
// number.
func Severity[T query.Severity | Condition](least T) query.Filter {
	if s, ok := any(least).(query.Severity); ok {
		return compare(expr.Expr{Key: expr.Severity}, AtLeast(s))
	}
	return compare(expr.Expr{Key: expr.Severity}, least)
}

// severity is a range of numbers, or one of them.
func severity(v any) (any, error) {
	if s, ok := v.(query.Severity); ok {
		if s < 0 || s > 24 {
			return nil, fmt.Errorf("got %s, want 0 to 24", s)
		}
		return namedSeverity(s), nil
	}
	n, err := scalar(v)
	if i, ok := n.(int64); err == nil && ok {
		if i < 0 || i > 24 {
			return nil, fmt.Errorf("got severity %d, want 0 to 24", i)
		}
		return expr.Label{Value: expr.Range{Low: i, High: i}, Text: strconv.FormatInt(i, 10)}, nil
	}
	return nil, fmt.Errorf("got a value of type %T, want a query.Severity or an integer", v)
}

func namedSeverity(s query.Severity) expr.Label {
	r := expr.Range{Low: int64(s), High: int64(s)}
	if slices.Contains(ranges, s.String()) {
		r.High += perRange - 1
	}
	return expr.Label{Value: r, Text: s.String()}
}

func readSeverity(word string) (any, error) {
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return severity(n)
	}
	for s := range query.SeverityFatal + perRange {
		if s.String() == word {
			return namedSeverity(s), nil
		}
	}
	return nil, fmt.Errorf("got severity %q, want one of %s, one with a number of 2 to 4 behind it such as error2, unspecified, or a number", word, strings.Join(ranges, ", "))
}
