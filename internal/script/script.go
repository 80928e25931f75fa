// Package script decides which fault answers an export.
package script

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/otlptest/otlptest/faults"
)

// Script is a list of rules and how far each has been used. It is safe for
// concurrent use. The first live rule that matches decides; a rule that is
// used up lets exports through to the next one.
type Script struct {
	live  atomic.Pointer[[]*rule] // nil where no rule is live; a list never changes
	mu    sync.Mutex              // guards writing live, added, start, and what changes in a rule
	added int                     // rules since the start or the last Reset
	start time.Time
}

// New makes a script without rules, which accepts everything. Windows of time
// count from now.
func New() *Script { return &Script{start: time.Now()} }

// Add puts rules behind those that are there. They have been checked.
func (s *Script) Add(rules ...faults.Rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := append([]*rule(nil), s.list()...)
	for _, r := range rules {
		s.added++
		live = append(live, newRule(s.added, s.start, r))
	}
	s.set(live)
}

// Reset drops all rules. Numbers start from 1 again, and windows of time count
// from now.
func (s *Script) Reset() {
	s.Clear()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start = time.Now()
}

// Clear drops all rules. Numbers start from 1 again.
func (s *Script) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.list() {
		r.dropped = true
	}
	s.added = 0
	s.set(nil)
}

// Begin decides, when a request's head has come, by the rules that are decided
// then. It is false where none of them decides, or where one that waits for
// the body comes before: then it is for [Request.Begun].
func (s *Script) Begin(req Request) (Decision, bool) {
	var passed []*rule
	for _, r := range s.list() {
		switch {
		case !r.heads(req) || r.needsBody():
		case !r.early:
			return Decision{passed: passed}, false
		default:
			if d, ok := s.use(r, req, 1); ok {
				return d, true
			}
			passed = append(passed, r)
		}
	}
	return Decision{passed: passed}, false
}

// Decide uses up one fault of the first live rule that matches, once the body
// has come.
func (s *Script) Decide(req Request) Decision {
	for _, r := range s.list() {
		if slices.Contains(req.Begun.passed, r) {
			continue
		}
		attempt, ok := r.matches(req)
		if !ok {
			continue
		}
		if d, ok := s.use(r, req, attempt); ok {
			return d
		}
	}
	return Decision{}
}

// use takes the rule's next fault. It is false where the rule's count or draw
// leaves this export out, where others used the rule up, or a Reset dropped it,
// while this export was being matched.
func (s *Script) use(r *rule, req Request, attempt int) (Decision, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.dropped || r.spent() || !r.counts() {
		return Decision{}, false
	}
	d, ok := r.next(attempt)
	if !ok {
		return Decision{}, false
	}
	if r.spent() {
		s.set(unspent(s.list()))
	}
	if d.Fault.Kind == faults.KindCapacity {
		s.admit(r.room, req.Items, &d)
	}
	return d, true
}

func unspent(rules []*rule) (live []*rule) {
	for _, r := range rules {
		if !r.spent() {
			live = append(live, r)
		}
	}
	return live
}

// Live says whether there are live rules. Where there are none, nothing decides.
func (s *Script) Live() bool { return s.live.Load() != nil }

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
