package script

import (
	"slices"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// rule is a rule and how far it has been used.
type rule struct {
	faults.Rule     // never changes
	number      int // from 1, in order of injection
	used        int // matches so far
	dropped     bool
}

// newRule keeps a copy, so that what the caller does later changes nothing.
func newRule(number int, r faults.Rule) *rule { return &rule{Rule: clone(r), number: number} }

func clone(r faults.Rule) faults.Rule {
	r.Faults = slices.Clone(r.Faults)
	r.Filters = slices.Clone(r.Filters)
	return r
}

// matches says whether the rule is for that export. It reads only what never
// changes.
func (r *rule) matches(req Request) bool {
	if r.Signal != "" && r.Signal != req.Signal || r.Protocol != "" && r.Protocol != req.Protocol {
		return false
	}
	return len(r.Filters) == 0 || req.Match != nil && req.Match(r.Filters)
}

// spent says whether the rule is used up.
func (r *rule) spent() bool { return r.Len() >= 0 && r.used >= r.Len() }

// next uses up one fault of a rule that is not spent.
func (r *rule) next() (faults.Fault, query.FaultRef) {
	f := r.Faults[r.used%len(r.Faults)]
	r.used++
	return f, query.FaultRef{Rule: r.number, Fault: r.used, Of: max(r.Len(), 0), Text: f.String()}
}

// remains is the rules that do what is left of a rule that is not spent.
func (r *rule) remains() []faults.Rule {
	rest := clone(r.Rule)
	if r.used == 0 || r.Len() < 0 {
		return []faults.Rule{rest}
	}
	left := r.Len() - r.used
	if rest.Forever {
		rest.Repeat = left
		return []faults.Rule{rest}
	}
	var rules []faults.Rule
	if part := left % len(r.Faults); part > 0 {
		now := clone(r.Rule)
		now.Faults, now.Repeat = now.Faults[len(now.Faults)-part:], 0
		rules = append(rules, now)
	}
	if rest.Repeat = left / len(r.Faults); rest.Repeat > 0 {
		rules = append(rules, once(rest))
	}
	return rules
}

// once leaves "1 time" away.
func once(r faults.Rule) faults.Rule {
	if r.Repeat == 1 {
		r.Repeat = 0
	}
	return r
}

// unmet is the rule with only those of its faults that no export has met.
func (r *rule) unmet() (faults.Rule, bool) {
	u := clone(r.Rule)
	if r.used == 0 {
		return u, true
	}
	if r.used >= len(u.Faults) {
		return faults.Rule{}, false
	}
	u.Faults, u.Repeat = u.Faults[r.used:], 0
	return u, true
}
