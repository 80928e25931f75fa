package faults

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// signalItems is the kind of item that each signal's exports hold.
var signalItems = map[query.Signal]expr.Items{query.Traces: expr.Span, query.Metrics: expr.Point, query.Logs: expr.Log}

// Check says why the rule cannot work, or nil: it can never fire, a part of it
// contradicts another or says nothing, or a value is none. The error names the
// term.
func (r Rule) Check() error {
	checks := []func(Rule) error{
		Rule.checkFaults, Rule.checkRepeat, Rule.checkChance, Rule.checkBatches, Rule.checkSignal, Rule.checkProtocol,
		Rule.checkHeaders, Rule.checkNumbers, Rule.checkWindow, Rule.checkFilters, Rule.checkEarly, Rule.checkReach,
	}
	for _, check := range checks {
		if err := check(r); err != nil {
			return err
		}
	}
	return nil
}

func (r Rule) checkFaults() error {
	if len(r.Faults) == 0 {
		return fmt.Errorf("the rule has no fault")
	}
	if r.Forever && len(r.Faults) != 1 {
		return fmt.Errorf("got %d faults for a rule without end, want 1", len(r.Faults))
	}
	for _, f := range r.Faults {
		if err := f.Check(); err != nil {
			return err
		}
		if f.Kind == KindCapacity && !r.Forever {
			return fmt.Errorf("capacity: got it in a sequence, want it in a rule without end: always")
		}
	}
	return nil
}

func (r Rule) checkRepeat() error {
	if most := math.MaxInt32 / len(r.Faults); r.Repeat < 0 || r.Repeat > most {
		return fmt.Errorf("got %d times, want 1 to %d, or 0 for no number", r.Repeat, most)
	}
	return nil
}

// checkChance refuses NaN, too.
func (r Rule) checkChance() error {
	switch {
	case r.Chance == 0 && r.Seed != 0:
		return fmt.Errorf("seed: got %d without a rate, want both", r.Seed)
	case r.Chance == 0:
		return nil
	case r.Chance != r.Chance:
		return fmt.Errorf("rate: got 0 or no number, want more than 0, up to 1")
	case r.Chance < 0 || r.Chance > 1:
		return fmt.Errorf("rate: got %v, want more than 0, up to 1", r.Chance)
	case !r.Forever:
		return fmt.Errorf("rate: got it for a sequence, want it for a rule without end")
	}
	return nil
}

func (r Rule) checkBatches() error {
	if r.EachBatch && r.Forever {
		return fmt.Errorf("per batch: got it for a rule without end, which is the same for every batch")
	}
	return nil
}

func (r Rule) checkSignal() error {
	if _, ok := signalItems[r.Signal]; !ok && r.Signal != "" {
		return fmt.Errorf("got signal %q, want traces, metrics or logs", r.Signal)
	}
	return nil
}

func (r Rule) checkProtocol() error {
	switch r.Protocol {
	case "":
		return nil
	case query.GRPC, query.HTTPProtobuf, query.HTTPJSON:
	default:
		return fmt.Errorf("got protocol %q, want grpc, http/protobuf or http/json", r.Protocol)
	}
	for _, f := range r.Faults {
		if term := f.without(r.Protocol); term != "" {
			return fmt.Errorf("%s: %s changes nothing on %s, which the rule is for", f.name(), term, r.Protocol)
		}
	}
	return nil
}

// without is what in the fault a protocol does not have.
func (f Fault) without(p query.Protocol) string {
	switch grpc := p == query.GRPC; {
	case grpc && f.Dated:
		return "dated"
	case grpc && f.Kind == KindHTTP && len(f.Details) > 0:
		return "detail"
	case !grpc && f.HeadersFirst:
		return "headers-first"
	}
	return ""
}

func (r Rule) checkHeaders() error {
	for _, h := range r.Headers {
		if err := h.check(); err != nil {
			return err
		}
	}
	return nil
}

func (r Rule) checkNumbers() error {
	for _, s := range []struct {
		term    string
		numbers []int
	}{{"connection", r.Connections}, {"attempt", r.Attempts}, {"request", r.Requests}} {
		for i, n := range s.numbers {
			if n < 1 {
				return fmt.Errorf("%s: got %d, want 1 or more", s.term, n)
			}
			if slices.Contains(s.numbers[:i], n) {
				return fmt.Errorf("%s: got %d twice, want each number once", s.term, n)
			}
		}
	}
	return nil
}

func (r Rule) checkWindow() error {
	if r.From < 0 {
		return fmt.Errorf("from: got %s, want 0 or more", r.From)
	}
	if r.Until != 0 && r.Until <= r.From {
		return fmt.Errorf("until: got %s, want more than from, which is %s, or 0 for no end", r.Until, r.From)
	}
	return nil
}

// checkFilters finds filters that cannot hold together for any export, the
// rule's own and those of its faults.
func (r Rule) checkFilters() error {
	items := signalItems[r.Signal]
	if items == 0 {
		items = allItems
	}
	items, err := narrow("rule", items, r.Filters, allItems|expr.Export)
	for i := 0; err == nil && i < len(r.Faults); i++ {
		if _, err = narrow("rule", items, r.Faults[i].Filters, allItems); err != nil {
			err = fmt.Errorf("%s: %w", r.Faults[i].name(), err)
		}
	}
	return err
}

// narrow is the kinds of item, of those given, that filters can hold for. They
// may look at some kinds only, and stand in what errors call of.
func narrow(of string, items expr.Items, filters []query.Filter, may expr.Items) (expr.Items, error) {
	for _, e := range query.Exprs(filters) {
		if err := e.Check(may); err != nil {
			return 0, err
		}
		if err := known(e); err != nil {
			return 0, err
		}
		switch can := e.Among(); {
		case can == 0:
			return 0, fmt.Errorf("filter %s has terms that apply to no item together", e)
		case items&can == 0:
			return 0, fmt.Errorf("filter %s applies to %s: the %s is for %s", e, can, of, items)
		default:
			items &= can
		}
	}
	return items, nil
}

// known finds what is not known before the answer.
func known(e expr.Expr) error {
	for _, u := range []struct {
		why string
		is  func(expr.Expr) bool
	}{
		{"an outcome is not known before the answer", func(e expr.Expr) bool { return e.Key == expr.Outcome }},
		{"an export has no number before it is decided", func(e expr.Expr) bool { return e.Key == expr.InExport }},
		{"a span's parent may come later", func(e expr.Expr) bool { return e.Op == expr.Child || e.Op == expr.Descendant }},
	} {
		if term, ok := e.Find(u.is); ok {
			return fmt.Errorf("filter %s: %s", term, u.why)
		}
	}
	return nil
}

// checkEarly is for rules that are decided before the body is there.
func (r Rule) checkEarly() error {
	i := slices.IndexFunc(r.Faults, Fault.Early)
	if i < 0 {
		return nil
	}
	unknown := ""
	switch {
	case len(r.Filters) > 0:
		unknown = "[" + filterText(r.Filters) + "]"
	case len(r.Attempts) > 0:
		unknown = "attempt " + numberText(r.Attempts)
	case r.EachBatch:
		unknown = "per batch"
	default:
		return nil
	}
	return fmt.Errorf("%s: %s begins before the body is read, and %s is not known before", r.Faults[i].name(), r.Faults[i].early(), unknown)
}

// early is what makes the fault begin before the body is read.
func (f Fault) early() string {
	switch {
	case f.Unread:
		return "unread"
	case f.ReadDelay > 0:
		return "read-after"
	}
	return "read-rate"
}

// checkReach finds more faults than there can be exports that meet them.
func (r Rule) checkReach() error {
	most, term := 0, ""
	switch {
	case len(r.Requests) > 0 && !r.EachBatch:
		most, term = len(r.Requests), "request "+numberText(r.Requests)
	case len(r.Attempts) > 0 && r.EachBatch:
		most, term = len(r.Attempts), "attempt "+numberText(r.Attempts)
	default:
		return nil
	}
	if n := len(r.Faults) * max(r.Repeat, 1); n > most && !(r.Forever && r.Repeat == 0) {
		return fmt.Errorf("%s: got %d faults for it, want %d or fewer: the others are never met", term, n, most)
	}
	return nil
}

// numberText is numbers as the grammar writes them.
func numberText(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", "|"), "[]")
}
