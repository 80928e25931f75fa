package where

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// During holds for items of a window of time, ends included: spans that overlap
// it, data points whose time lies in it, and log records whose time does (where
// it is unknown, the time at which they were observed). A span of which only
// the start or only the end is known stands for that moment; an item without
// any time is in no window.
func During(from, to time.Time) query.Filter {
	return compare(expr.Expr{Key: expr.During}, [2]time.Time{from, to})
}

func window(v any) (any, error) {
	w, ok := v.([2]time.Time)
	if !ok {
		return nil, fmt.Errorf("got a value of type %T, want two times", v)
	}
	from, to := w[0].UTC(), w[1].UTC()
	for _, t := range w {
		if y := t.UTC().Year(); y < 0 || y > 9999 {
			return nil, fmt.Errorf("got a time in the year %d, want 0 to 9999", y)
		}
	}
	if to.Before(from) {
		return nil, fmt.Errorf("got a window that ends at %s, before it begins at %s", to.Format(time.RFC3339Nano), from.Format(time.RFC3339Nano))
	}
	text := from.Format(time.RFC3339Nano) + "/" + to.Format(time.RFC3339Nano)
	return expr.Label{Value: expr.Window{From: nanos(from), To: nanos(to)}, Text: text}, nil
}

// nanos is a time as the protocol has it, or the nearest that it can have.
func nanos(t time.Time) uint64 {
	const perSecond = uint64(time.Second)
	s := t.Unix()
	switch {
	case s < 0:
		return 0
	case uint64(s) > math.MaxUint64/perSecond-1:
		return math.MaxUint64
	}
	return uint64(s)*perSecond + uint64(t.Nanosecond())
}

func readWindow(word string) (any, error) {
	var w [2]time.Time
	parts := strings.Split(word, "/")
	if len(parts) != len(w) {
		return nil, fmt.Errorf("got %q, want two times with a slash between them, as in 2026-01-02T15:04:05Z/2026-01-02T15:05:00Z", word)
	}
	for i, p := range parts {
		var err error
		if w[i], err = time.Parse(time.RFC3339, p); err != nil {
			return nil, fmt.Errorf("got %q, want a time such as 2026-01-02T15:04:05.5Z", p)
		}
	}
	return window(w)
}
