package where

import (
	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Body holds for log records with that body: a string, a bool, an integer, a
// float or a [Condition], such as Body(Contains("refused")), as for [Attr].
func Body(value any) query.Filter { return field(expr.Body, value) }

// EventName holds for log records that are an event of that name.
func EventName[T string | Condition](name T) query.Filter { return field(expr.Event, name) }
