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
	r, _ := rowOf(f.Kind)
	for _, a := range r.args {
		if text := a.text(f); text != "" {
			words = append(words, text)
		}
	}
	for _, m := range modifiers {
		for _, text := range m.write(f) {
			words = append(words, m.word+text)
		}
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
	for _, s := range selectors {
		for _, text := range s.write(r) {
			words = append(words, s.word+text)
		}
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
	switch {
	case r.Chance != 0:
		s += fmt.Sprintf("rate %s seed %d ", decimal(r.Chance), r.Seed)
	case r.Forever:
		s += "always "
	}
	return s
}

// sequence is the faults, those in a row that are equal taken together.
func (r Rule) sequence() (parts []string) {
	last, n := "", 0
	end := func() {
		if n > 1 {
			last += " x" + strconv.Itoa(n)
		}
		if n > 0 {
			parts = append(parts, last)
		}
	}
	for _, f := range r.Faults {
		if text := f.String(); text != last || n == 0 {
			end()
			last, n = text, 0
		}
		n++
	}
	if end(); len(parts) == 0 {
		return []string{"no fault"}
	}
	return parts
}
