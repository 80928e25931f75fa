// Package script decides which fault answers an export.
package script

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// Request is what a rule can look at.
type Request struct {
	Signal   query.Signal
	Protocol query.Protocol

	// Match says whether any item of the export matches all of the filters.
	// It is asked only by rules that have filters, without any lock held, and
	// may wait. A nil Match matches nothing.
	Match func([]query.Filter) bool
}

// Script is a list of rules and how far each has been used. It is safe for
// concurrent use. The first live rule that matches decides; a rule that is
// used up lets exports through to the next one.
type Script struct {
	live  atomic.Pointer[[]*rule] // nil where no rule is live; a list never changes
	mu    sync.Mutex              // guards writing live, added, and what changes in a rule
	added int                     // rules since the start or the last Reset
}

// New makes a script without rules, which accepts everything.
func New() *Script { return &Script{} }

// Add puts rules behind those that are there. They have been checked.
func (s *Script) Add(rules ...faults.Rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := slices.Clone(s.list())
	for _, r := range rules {
		s.added++
		live = append(live, newRule(s.added, r))
	}
	s.set(live)
}

// Reset drops all rules. Numbers start from 1 again.
func (s *Script) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.list() {
		r.dropped = true
	}
	s.added = 0
	s.set(nil)
}

// Decide uses up one fault of the first live rule that matches, and says which
// it was. Where none matches it is the fault that accepts, and the zero
// FaultRef.
func (s *Script) Decide(req Request) (faults.Fault, query.FaultRef) {
	for _, r := range s.list() {
		if !r.matches(req) {
			continue
		}
		if f, ref, ok := s.use(r); ok {
			return f, ref
		}
	}
	return faults.Fault{}, query.FaultRef{}
}

// use takes the rule's next fault. It is false where others used the rule up,
// or a Reset dropped it, while this export was being matched.
func (s *Script) use(r *rule) (faults.Fault, query.FaultRef, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.dropped || r.spent() {
		return faults.Fault{}, query.FaultRef{}, false
	}
	f, ref := r.next()
	if r.spent() {
		s.set(slices.DeleteFunc(slices.Clone(s.list()), (*rule).spent))
	}
	return f, ref, true
}

// Rules is the live rules in order of injection, as they stand: each is what
// remains of it. A sequence in the middle of one of several repetitions takes
// two rules to say so: the rest of this repetition, and the repetitions to
// come.
func (s *Script) Rules() []faults.Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rules []faults.Rule
	for _, r := range s.list() {
		rules = append(rules, r.remains()...)
	}
	return rules
}

// Unmet is the rules with faults that no export has met yet, in order of
// injection. A rule that no export has met is there as it was added; of a
// sequence that is under way it is the faults that come for the first time.
func (s *Script) Unmet() []faults.Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rules []faults.Rule
	for _, r := range s.list() {
		if u, ok := r.unmet(); ok {
			rules = append(rules, u)
		}
	}
	return rules
}

func (s *Script) list() []*rule {
	if live := s.live.Load(); live != nil {
		return *live
	}
	return nil
}

func (s *Script) set(live []*rule) {
	if len(live) == 0 {
		s.live.Store(nil)
		return
	}
	s.live.Store(&live)
}
