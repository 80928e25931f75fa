package faults

import (
	"fmt"
	"slices"
	"time"

	"github.com/otlptest/otlptest/query"
)

// Replay makes rules by which a backend answers as another one did, from a
// transcript of every answer in order of arrival ([query.Report.Transcript]):
//
//	rules, err := faults.Replay(other.Report().Transcript())
//	srv := otlptest.Start(t, otlptest.WithFaults(rules...))
//
// There is a [Sequence] for each signal, or for each protocol of a signal that
// came by several. An answer that was scripted becomes the same fault, but for
// [Capacity], which becomes what it did; any other becomes the fault that does
// the same, refusals of the server's own included, such as a 401. What took time
// takes as long again, in whole milliseconds ([Fault.After]): less than half of
// one is what a server takes anyway. What was stored is stored, and what was lost
// is lost. Accepted exports at the end of a sequence are left away, since what no
// rule decides is accepted.
//
// A reply that no fault reproduces is an error that names it, counting from 1:
// one that is still open, one of no signal, and one without a protocol where
// others of its signal have one.
func Replay(replies []query.Reply) ([]Rule, error) {
	several := severalProtocols(replies)
	var rules []Rule
	for n, reply := range replies {
		r := Rule{Signal: reply.Signal}
		if several[reply.Signal] {
			r.Protocol = reply.Protocol
		}
		f, err := replayed(reply)
		if err == nil && several[reply.Signal] && reply.Protocol == "" {
			err = fmt.Errorf("got no protocol, want one, as others of its signal have")
		}
		if err == nil {
			rules, err = follow(rules, r, f.on(r.Protocol))
		}
		if err != nil {
			return nil, fmt.Errorf("reply %d: %w", n+1, err)
		}
	}
	return trimmed(rules), nil
}

// severalProtocols says which signals came by more than one protocol.
func severalProtocols(replies []query.Reply) map[query.Signal]bool {
	last, several := map[query.Signal]query.Protocol{}, map[query.Signal]bool{}
	for _, r := range replies {
		if p, ok := last[r.Signal]; ok && p != r.Protocol {
			several[r.Signal] = true
		}
		last[r.Signal] = r.Protocol
	}
	return several
}

// follow adds a fault to the rule for what r selects, and r where there is none
// yet.
func follow(rules []Rule, r Rule, f Fault) ([]Rule, error) {
	r.Faults = []Fault{f}
	if err := r.Check(); err != nil {
		return nil, err
	}
	same := func(other Rule) bool { return other.Signal == r.Signal && other.Protocol == r.Protocol }
	if i := slices.IndexFunc(rules, same); i >= 0 {
		rules[i].Faults = append(rules[i].Faults, f)
		return rules, nil
	}
	return append(rules, r), nil
}

// trimmed is the rules without what is accepted at their ends.
func trimmed(rules []Rule) (some []Rule) {
	for _, r := range rules {
		for n := len(r.Faults); n > 0 && r.Faults[n-1].Equal(Accept()); n-- {
			r.Faults = r.Faults[:n-1]
		}
		if len(r.Faults) > 0 {
			some = append(some, r)
		}
	}
	return some
}

// replayed is the fault that does what a reply says.
func replayed(r query.Reply) (Fault, error) {
	if r.Signal == "" {
		return Fault{}, fmt.Errorf("got no signal, want traces, metrics or logs")
	}
	f, err := scripted(r)
	if err != nil || f.Kind == KindHang || f.Kind == KindBlackhole {
		return f, err
	}
	if !f.Early() && f.Delay == 0 {
		f.Delay = r.Took.Round(time.Millisecond)
	}
	return f, nil
}

// scripted is the fault that decided, or one that does the same where none did.
func scripted(r query.Reply) (Fault, error) {
	if r.Fault == "" {
		return unscripted(r)
	}
	f, err := parseFault(r.Fault)
	if err != nil || f.Kind != KindCapacity {
		return f, err
	}
	if r.Outcome == query.Accepted {
		f.Kind, f.ItemsPerSecond, f.MaxInFlight = KindAccept, 0, 0
		return f, nil
	}
	r.Status.Message = "" // of the backend's own
	return unscripted(r)
}

// unscripted is the fault that has a reply's outcome.
func unscripted(r query.Reply) (f Fault, err error) {
	switch r.Outcome {
	case query.Accepted:
		f = Accept()
	case query.Partial:
		f = PartialSuccess(r.Rejected, r.Status.Message)
	case query.Refused, query.Malformed:
		f = refusalOf(r)
	case query.Abandoned:
		f = Hang()
	case query.Cut:
		f = Close()
	default:
		return Fault{}, fmt.Errorf("got outcome %q, want one of an export that is over", r.Outcome)
	}
	f.Keep = r.Stored && !f.Accepts()
	f.Drop = !r.Stored && f.Accepts()
	return f, nil
}

// on is the fault without what changes nothing on a protocol.
func (f Fault) on(p query.Protocol) Fault {
	switch p {
	case "":
	case query.GRPC:
		f.Dated = false
		if f.Kind == KindHTTP {
			f.Details = nil
		}
	default:
		f.HeadersFirst = false
	}
	return f
}
