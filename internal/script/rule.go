package script

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// rule is a rule and how far it has been used.
type rule struct {
	faults.Rule          // never changes
	texts       []string // of its faults
	number      int      // from 1, in order of injection
	start       time.Time
	early       bool // it is decided when the head has come

	matched int        // exports that its selectors matched so far
	used    int        // those that met a fault; of a rule for each batch, the most that one batch met
	draws   *rand.Rand // of a rule with a chance
	room    *room      // of a capacity
	dropped bool
}

// newRule keeps a copy, so that what the caller does later changes nothing.
func newRule(number int, start time.Time, r faults.Rule) *rule {
	n := &rule{Rule: clone(r), number: number, start: start, early: r.Early(), room: new(room)}
	for _, f := range r.Faults {
		n.texts = append(n.texts, f.String())
	}
	if r.Chance > 0 {
		n.draws = rand.New(rand.NewPCG(r.Seed, 0))
	}
	return n
}

func clone(r faults.Rule) faults.Rule {
	r.Faults = append([]faults.Fault(nil), r.Faults...)
	r.Filters = slices.Clone(r.Filters)
	r.Headers = slices.Clone(r.Headers)
	r.Connections, r.Attempts, r.Requests = slices.Clone(r.Connections), slices.Clone(r.Attempts), slices.Clone(r.Requests)
	return r
}

// heads says whether the rule is for an export as far as its head tells. It
// reads only what never changes.
func (r *rule) heads(req Request) bool {
	if r.Signal != "" && r.Signal != req.Signal || r.Protocol != "" && r.Protocol != req.Protocol {
		return false
	}
	if len(r.Connections) > 0 && !slices.Contains(r.Connections, req.Connection) {
		return false
	}
	if r.From != 0 || r.Until != 0 {
		if since := req.Arrived.Sub(r.start); since < r.From || r.Until != 0 && since >= r.Until {
			return false
		}
	}
	for _, h := range r.Headers {
		if got, ok := req.Header.Lookup(h.Name); !ok || h.Value != "" && !slices.Contains(got, h.Value) {
			return false
		}
	}
	return true
}

// needsBody says whether the head does not tell all that the rule looks at.
func (r *rule) needsBody() bool { return len(r.Filters) > 0 || r.needsAttempt() }

func (r *rule) needsAttempt() bool { return len(r.Attempts) > 0 || r.EachBatch }

// matches says whether the rule is for an export, and which attempt that is if
// the rule looks at it.
func (r *rule) matches(req Request) (attempt int, ok bool) {
	if !r.heads(req) {
		return 0, false
	}
	attempt = 1
	if r.needsAttempt() {
		attempt = req.attempt()
		if len(r.Attempts) > 0 && !slices.Contains(r.Attempts, attempt) {
			return 0, false
		}
	}
	return attempt, len(r.Filters) == 0 || req.Match != nil && req.Match(r.Filters)
}

// counts takes a match into account, and says whether it is one that meets a
// fault.
func (r *rule) counts() bool {
	r.matched++
	if len(r.Requests) > 0 && !slices.Contains(r.Requests, r.matched) {
		return false
	}
	return r.draws == nil || r.draws.Float64() < r.Chance
}

// spent says whether the rule is used up.
func (r *rule) spent() bool { return r.Len() >= 0 && r.used >= r.Len() }

// next uses up one fault of a rule that is not spent.
func (r *rule) next(attempt int) (Decision, bool) {
	at, of := r.used, max(r.Len(), 0)
	if r.EachBatch {
		at, of = attempt-1, len(r.Faults)*max(r.Repeat, 1)
		if at >= of {
			return Decision{}, false
		}
		r.used = max(r.used, attempt)
	} else {
		r.used++
	}
	i := at % len(r.Faults)
	return Decision{
		Fault: &r.Faults[i],
		Ref:   query.FaultRef{Rule: r.number, Fault: at + 1, Of: of, Text: r.texts[i]},
	}, true
}

// remains is the rules that do what is left of a rule that is not spent.
func (r *rule) remains() []faults.Rule {
	rest := clone(r.Rule)
	if len(r.Requests) > 0 {
		if rest.Requests = r.requests(); len(rest.Requests) == 0 {
			return nil
		}
	}
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
		now := clone(rest)
		now.Faults, now.Repeat = now.Faults[len(now.Faults)-part:], 0
		rules = append(rules, now)
	}
	if rest.Repeat = left / len(r.Faults); rest.Repeat > 0 {
		rules = append(rules, once(rest))
	}
	return rules
}

// requests is those that the rule is for and that are still to come, counted
// from now.
func (r *rule) requests() (left []int) {
	for _, n := range r.Requests {
		if n > r.matched {
			left = append(left, n-r.matched)
		}
	}
	return left
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
