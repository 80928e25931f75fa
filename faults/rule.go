package faults

import (
	"fmt"
	"math"
	"slices"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Rule says which exports meet which faults. It is plain data: a Rule without
// selectors matches every export. Of several rules the first that matches and
// is not used up decides; an export that none decides is accepted.
type Rule struct {
	Faults   []Fault        // met one after the other, in order of arrival
	Forever  bool           // the one fault is met by every match, without end
	Repeat   int            // how often the Faults are gone through, or how many matches meet a Forever fault; 0 is once, or without end
	Signal   query.Signal   // only this signal; empty for all
	Protocol query.Protocol // only this protocol; empty for all
	Filters  []query.Filter // only exports with at least one item that matches all of them
}

// Sequence makes a rule whose faults are met one after the other by the
// exports that match, in order of arrival. When they are used up, exports fall
// through to the next rule.
func Sequence(fs ...Fault) Rule { return Rule{Faults: fs} }

// Always makes a rule whose fault is met by every export that matches.
func Always(f Fault) Rule { return Rule{Faults: []Fault{f}, Forever: true} }

// On is the rule for one signal only.
func (r Rule) On(signal query.Signal) Rule {
	r.Signal = signal
	return r
}

// Via is the rule for one protocol only.
func (r Rule) Via(protocol query.Protocol) Rule {
	r.Protocol = protocol
	return r
}

// Where is the rule for exports that hold at least one item that matches all
// of the filters, those of earlier calls included.
func (r Rule) Where(filters ...query.Filter) Rule {
	r.Filters = slices.Concat(r.Filters, filters)
	return r
}

// Times goes through the whole sequence n times; with [Always], n exports meet
// the fault.
func (r Rule) Times(n int) Rule {
	r.Repeat = n
	return r
}

// Len is how many exports the rule decides before it is used up, and -1 where
// it never is.
func (r Rule) Len() int {
	if r.Forever && r.Repeat == 0 {
		return -1
	}
	return len(r.Faults) * max(r.Repeat, 1)
}

// signalItems is the kind of item that each signal's exports hold.
var signalItems = map[query.Signal]expr.Items{query.Traces: expr.Span, query.Metrics: expr.Point, query.Logs: expr.Log}

// Check says why the rule cannot work, or nil. The error names the term.
func (r Rule) Check() error {
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
	}
	if most := math.MaxInt32 / len(r.Faults); r.Repeat < 0 || r.Repeat > most {
		return fmt.Errorf("got %d times, want 1 to %d, or 0 for no number", r.Repeat, most)
	}
	if _, ok := signalItems[r.Signal]; !ok && r.Signal != "" {
		return fmt.Errorf("got signal %q, want traces, metrics or logs", r.Signal)
	}
	switch r.Protocol {
	case "", query.GRPC, query.HTTPProtobuf, query.HTTPJSON:
	default:
		return fmt.Errorf("got protocol %q, want grpc, http/protobuf or http/json", r.Protocol)
	}
	return r.checkFilters()
}

// checkFilters finds filters that cannot hold together for any export.
func (r Rule) checkFilters() error {
	items := signalItems[r.Signal]
	if items == 0 {
		items = expr.Span | expr.Point | expr.Log
	}
	for _, e := range query.Exprs(r.Filters) {
		if err := e.Check(expr.Span | expr.Point | expr.Log | expr.Export); err != nil {
			return err
		}
		switch can := e.Applies(); {
		case can == expr.Export:
		case can == 0:
			return fmt.Errorf("filter %s has terms that apply to no item together", e)
		case items&can == 0:
			return fmt.Errorf("filter %s applies to %s: the rule is for %s", e, can, items)
		default:
			items &= can
		}
	}
	return nil
}
