package wire

import (
	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// TraceID is the trace that a span belongs to, and zero for one that belongs
// to none, and for other items.
func (it *Item) TraceID() query.TraceID {
	if it.kind != expr.Span {
		return query.TraceID{}
	}
	return decodeTraceID(last(it.raw, spanTraceID))
}
