package query

import (
	"cmp"
	"slices"
	"time"
)

// Step is a moment at which the number of requests in flight changed.
type Step struct {
	At   time.Time `json:"at"`
	Open int       `json:"open"` // from then on
}

// InFlight is how many requests were in flight, from the arrival of each to
// its answer, or to its end without one: every change, in order of time.
// Requests that were answered the moment they arrived came one after the
// other. Requests for none of the signals do not count.
func (r Report) InFlight() []Step {
	type change struct {
		at    time.Time
		order int // at one time: ends, then what begins and ends at once, then what begins
		by    int
	}
	var changes []change
	for _, e := range r.ledger().exports {
		switch {
		case e.Signal == "":
		case e.Answered.IsZero():
			changes = append(changes, change{e.Arrived, 2, 1})
		case !e.Answered.After(e.Arrived):
			changes = append(changes, change{e.Arrived, 1, 1}, change{e.Arrived, 1, -1})
		default:
			changes = append(changes, change{e.Arrived, 2, 1}, change{e.Answered, 0, -1})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.order, b.order))
	})
	steps := make([]Step, len(changes))
	open := 0
	for i, c := range changes {
		open += c.by
		steps[i] = Step{c.at, open}
	}
	return steps
}

// Peak is the most requests that were in flight at once.
func (r Report) Peak() int { return peak(r.InFlight()) }

func peak(steps []Step) int {
	most := 0
	for _, s := range steps {
		most = max(most, s.Open)
	}
	return most
}

// Throughput is how fast items were delivered, and how fast they could have
// been. Rates are items a second.
type Throughput struct {
	// Measured is how many items were acknowledged after the first answer that
	// acknowledged any, divided by the time from that answer to the last one:
	// what the first took to get under way does not count. It is 0 where all
	// acknowledgements came at one time.
	Measured float64 `json:"measured"`

	// Ceiling is what a client with as many requests in flight can reach, by
	// the formula of OTEP-0035: max_concurrent_requests * max_request_size /
	// (network_latency + server_response_time), in which the size is
	// ItemsPerExport, the latency is RoundTrip and the response time is
	// ServerTime. It is 0 where no time passed at all, and too high where the
	// round trip is not known.
	Ceiling float64 `json:"ceiling"`

	Peak           int           `json:"peak"`           // requests in flight
	ItemsPerExport float64       `json:"itemsPerExport"` // the mean of exports that carried telemetry
	ServerTime     time.Duration `json:"serverTime"`     // from arrival to answer, the mean of those that got one; in JSON nanoseconds
	RoundTrip      time.Duration `json:"roundTrip"`      // of the network; 0 where it is not known; in JSON nanoseconds
}

// Throughput measures. It is the zero Throughput where there is no export, but
// for the round trip.
func (r Report) Throughput() Throughput {
	l := r.ledger()
	t := Throughput{Measured: measured(l.exports), Peak: r.Peak(), RoundTrip: l.RoundTrip}
	carried, items, answered := 0, 0, 0
	var took time.Duration
	for _, e := range l.exports {
		if !e.telemetry() {
			continue
		}
		carried++
		items += e.Items
		if e.answered() {
			answered++
			took += e.took()
		}
	}
	if carried > 0 {
		t.ItemsPerExport = float64(items) / float64(carried)
	}
	if answered > 0 {
		t.ServerTime = took / time.Duration(answered)
	}
	if each := t.RoundTrip + t.ServerTime; each > 0 {
		t.Ceiling = float64(t.Peak) * t.ItemsPerExport * float64(time.Second) / float64(each)
	}
	return t
}

// measured is the items acknowledged after the first acknowledgement, a
// second.
func measured(exports []Export) float64 {
	var first, last time.Time
	for _, e := range exports {
		if !e.delivers() {
			continue
		}
		if first.IsZero() || e.Answered.Before(first) {
			first = e.Answered
		}
		if e.Answered.After(last) {
			last = e.Answered
		}
	}
	items := int64(0)
	for _, e := range exports {
		if e.delivers() && e.Answered.After(first) {
			items += int64(e.Items) - e.Rejected
		}
	}
	if !last.After(first) {
		return 0
	}
	return float64(items) * float64(time.Second) / float64(last.Sub(first))
}

// delivers says whether an export's answer acknowledged items.
func (e Export) delivers() bool {
	return e.telemetry() && e.Acknowledged() && int64(e.Items) > e.Rejected && !e.Answered.IsZero()
}
