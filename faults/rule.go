package faults

import (
	"math"
	"slices"
	"time"

	"github.com/otlptest/otlptest/query"
)

// Rule says which exports meet which faults. It is plain data: a Rule without
// selectors matches every export. Of several rules the first that matches and
// is not used up decides; an export that none decides is accepted.
//
// Most rules are decided when the body has come. One with a fault that begins
// before that ([Fault.Early]) is decided when the head has come, before the
// rules that look at items or attempts, which are not known yet.
type Rule struct {
	Faults    []Fault // met one after the other, in order of arrival
	Forever   bool    // the one fault is met by every match, without end
	Repeat    int     // how often the Faults are gone through, or how many matches meet a Forever fault; 0 is once, or without end
	EachBatch bool    // every batch goes through the Faults by itself, an attempt each
	Chance    float64 // of a Forever fault: the share of matches that meet it, by draws that Seed decides; 0 for all
	Seed      uint64

	// Which exports match: those for which all of these hold.
	Signal      query.Signal   // only this signal; empty for all
	Protocol    query.Protocol // only this protocol; empty for all
	Headers     []Field        // only requests with these header fields; an empty value is any
	Connections []int          // only on these connections, which count from 1
	From, Until time.Duration  // only what arrives then, counted from the server's start or its last reset; 0 for no end
	Attempts    []int          // only these attempts of a batch, which count from 1
	Filters     []query.Filter // only exports with at least one item that matches all of them
	Requests    []int          // of the exports for which all of the above holds only these, which count from 1
}

// Sequence makes a rule whose faults are met one after the other by the
// exports that match, in order of arrival. When they are used up, exports fall
// through to the next rule.
func Sequence(fs ...Fault) Rule { return Rule{Faults: fs} }

// Always makes a rule whose fault is met by every export that matches.
func Always(f Fault) Rule { return Rule{Faults: []Fault{f}, Forever: true} }

// Rate makes a rule whose fault is met by a share of the exports that match,
// more than 0 and up to 1: the k-th match meets it or not by the k-th draw, which
// the seed decides. Those that do not meet it fall through to the next rule. A
// share of 0 is kept as NaN, since a Chance of 0 is no chance at all but every
// match; [Rule.Check] refuses it.
func Rate(share float64, seed uint64, f Fault) Rule {
	return Rule{Faults: []Fault{f}, Forever: true, Chance: chance(share), Seed: seed}
}

func chance(share float64) float64 {
	if share == 0 {
		return math.NaN()
	}
	return share
}

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
// of the filters, those of earlier calls included. Filters about exports, such
// as where.Header and where.Attempt, are asked of the export itself. What is not
// known before the answer is an error: where.Outcome, where.InExport,
// where.Child and where.Descendant.
func (r Rule) Where(filters ...query.Filter) Rule {
	r.Filters = slices.Concat(r.Filters, filters)
	return r
}

// OnHeader is the rule for requests with a header field only, whatever the case
// of its name. An empty value is any.
func (r Rule) OnHeader(name, value string) Rule {
	r.Headers = slices.Concat(r.Headers, []Field{{name, value}})
	return r
}

// OnConnection is the rule for connections with these numbers only, which count
// from 1 in the order in which they were accepted.
func (r Rule) OnConnection(numbers ...int) Rule {
	r.Connections = slices.Concat(r.Connections, numbers)
	return r
}

// OnAttempt is the rule for these attempts of a batch only: 1 for the first
// time that a client sends it, 2 for the first retry. (What a batch is, package
// query says with Batch.)
func (r Rule) OnAttempt(numbers ...int) Rule {
	r.Attempts = slices.Concat(r.Attempts, numbers)
	return r
}

// OnRequest is the rule for some of the exports that match it otherwise: 1 for
// the first, 2 for the second.
func (r Rule) OnRequest(numbers ...int) Rule {
	r.Requests = slices.Concat(r.Requests, numbers)
	return r
}

// Between is the rule for what arrives in a window of time only, which is
// counted from the server's start or its last reset. An until of 0 is no end.
func (r Rule) Between(from, until time.Duration) Rule {
	r.From, r.Until = from, until
	return r
}

// PerBatch lets every batch go through the faults by itself, its first attempt
// the first and so on. Attempts that come after the last fall through to the
// next rule.
func (r Rule) PerBatch() Rule {
	r.EachBatch = true
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
	if r.EachBatch || r.Forever && r.Repeat == 0 {
		return -1
	}
	return len(r.Faults) * max(r.Repeat, 1)
}

// Early says whether the rule is decided when a request's head has come.
func (r Rule) Early() bool { return slices.ContainsFunc(r.Faults, Fault.Early) }
