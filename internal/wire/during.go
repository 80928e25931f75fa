package wire

import (
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// compileDuring makes a term that holds for items in a window of time.
func compileDuring(e expr.Expr) term {
	l, _ := e.Arg.(expr.Label)
	w, ok := l.Value.(expr.Window)
	if !ok || e.Op != expr.Equal {
		return never
	}
	return fields[expr.During].term(func(it *Item) bool {
		from, to := it.times()
		return from != 0 && from <= w.To && to >= w.From
	})
}

// times is from when to when an item is: 0 where that is unknown.
func (it *Item) times() (from, to uint64) {
	switch it.kind {
	case expr.Span:
		from, to = spanTimes(it.raw)
		if from == 0 {
			from = to
		}
		if to == 0 {
			to = from
		}
		return from, to
	case expr.Log:
		from = lastNum(it.raw, logTime)
		if from == 0 {
			from = lastNum(it.raw, logObserved)
		}
	default:
		from = lastNum(it.raw, pointTime)
	}
	return from, from
}

// timesOf writes the times as the grammar does.
func timesOf(it *Item, _ string) (value, bool) {
	from, to := it.times()
	if from == 0 {
		return value{}, false
	}
	text := query.Time(from).Format(time.RFC3339Nano)
	if it.kind == expr.Span {
		text += "/" + query.Time(to).Format(time.RFC3339Nano)
	}
	return stringValue([]byte(text))
}
