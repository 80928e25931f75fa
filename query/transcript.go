package query

import "time"

// Reply is what a backend answered to one export: all that another one needs to
// do the same. It is plain data; two Replies can be compared with ==.
type Reply struct {
	Signal     Signal        `json:"signal,omitempty"`   // empty where the path named none
	Protocol   Protocol      `json:"protocol,omitempty"` // empty where the request named none
	Outcome    Outcome       `json:"outcome"`
	Status     Status        `json:"status,omitzero"`
	Throttled  bool          `json:"throttled,omitempty"`  // the answer named a delay
	RetryDelay time.Duration `json:"retryDelay,omitempty"` // that delay; in JSON nanoseconds
	Rejected   int64         `json:"rejected,omitempty"`   // items that a partial success said were refused
	Took       time.Duration `json:"took,omitempty"`       // from arrival to answer, or to the end without one; 0 while open; in JSON nanoseconds
	Stored     bool          `json:"stored,omitempty"`     // something of it was kept
	Fault      string        `json:"fault,omitempty"`      // the scripted fault that decided, in the text form of package faults
}

// Transcript is what was answered, in order of arrival: to every export,
// whether it was OTLP or not.
func (r Report) Transcript() []Reply {
	exports := r.ledger().exports
	replies := make([]Reply, len(exports))
	for i, e := range exports {
		replies[i] = Reply{
			Signal: e.Signal, Protocol: e.Protocol, Outcome: e.Outcome, Status: e.Status,
			Throttled: e.Throttled, RetryDelay: e.RetryDelay, Rejected: e.Rejected,
			Took: e.took(), Stored: e.Stored > 0, Fault: e.Fault.Text,
		}
	}
	return replies
}
