package faults

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// String is the fault as text, such as "throttle 30s after 200ms"; see the
// grammar at the top of this package.
func (f Fault) String() string {
	words := []string{f.name()}
	switch f.Kind {
	case KindThrottle:
		words = append(words, f.RetryDelay.String())
	case KindCode:
		words = append(words, f.Code.String())
	case KindHTTP:
		words = append(words, strconv.Itoa(f.HTTP))
	case KindPartial:
		words = append(words, strconv.FormatInt(f.Rejected, 10))
	}
	if f.Message != "" {
		words = append(words, strconv.Quote(f.Message))
	}
	if f.Delay != 0 {
		words = append(words, "after", f.Delay.String())
	}
	if f.Keep {
		words = append(words, "stored")
	}
	return strings.Join(words, " ")
}

// String is the rule as text, such as
//
//	traces grpc [name="charge"]: 2 times throttle 30s x2, unavailable
//
// [Parse] reads it back to an equal rule where [Rule.Check] is content, it has
// no more than 10,000 faults, and none of its filters is a where.Func.
func (r Rule) String() string {
	return r.selectors() + r.times() + strings.Join(r.sequence(), ", ")
}

// selectors is what stands before the faults, with the colon.
func (r Rule) selectors() string {
	var words []string
	if r.Signal != "" {
		words = append(words, string(r.Signal))
	}
	if r.Protocol != "" {
		words = append(words, string(r.Protocol))
	}
	if len(r.Filters) > 0 {
		words = append(words, "["+filterText(r.Filters)+"]")
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, " ") + ": "
}

func filterText(filters []query.Filter) string { return expr.Join(query.Exprs(filters), " ") }

func (r Rule) times() (s string) {
	switch {
	case r.Repeat == 1:
		s = "1 time "
	case r.Repeat != 0:
		s = fmt.Sprintf("%d times ", r.Repeat)
	}
	if r.Forever {
		s += "always "
	}
	return s
}

// sequence is the faults, those in a row that are equal taken together.
func (r Rule) sequence() []string {
	if len(r.Faults) == 0 {
		return []string{"no fault"}
	}
	var parts []string
	for i, n := 0, 0; i < len(r.Faults); i += n {
		text := r.Faults[i].String()
		for n = 1; i+n < len(r.Faults) && r.Faults[i+n] == r.Faults[i]; n++ {
		}
		if n > 1 {
			text += " x" + strconv.Itoa(n)
		}
		parts = append(parts, text)
	}
	return parts
}
