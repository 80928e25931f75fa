package where

import (
	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Unit holds for points of a metric with that unit.
func Unit[T string | Condition](unit T) query.Filter { return field(expr.Unit, unit) }

// Type holds for points of a metric of that type, or of one of several.
func Type(types ...query.MetricType) query.Filter { return oneOf(expr.Type, types) }

// Temporality holds for points of a sum or histogram with that aggregation
// temporality, or one of several. That of a gauge or summary is unspecified.
func Temporality(ts ...query.Temporality) query.Filter { return oneOf(expr.Temporality, ts) }

// Monotonic holds for points of a monotonic sum.
func Monotonic() query.Filter {
	return query.NewFilter(expr.Expr{Op: expr.Exists, Key: expr.Monotonic})
}
