package query

import (
	"fmt"
	"time"
)

// ReusesConnections fails if an export came by a new connection although one
// that its client had used stood idle when that was opened (C-18): the last
// export on it had been answered. A client is an exporter of one signal, told
// by protocol and User-Agent: two of the same kind look like one that does not
// reuse. A connection that the server closed looks idle, too. It has nothing to
// check where no export came after an answer to its client.
func ReusesConnections() Check {
	return func(r Report) error {
		const name = "ReusesConnections"
		l := r.ledger()
		clients := map[client]*clientConns{}
		looked := 0
		var details []string
		for _, e := range l.exports {
			if e.Conn == 0 || !e.telemetry() {
				continue
			}
			used := clients[e.client()]
			if used == nil {
				used = &clientConns{at: map[int]int{}}
				clients[e.client()] = used
			}
			if idle, ok := used.idleAt(e.Conn, l.needed(e)); ok {
				looked++
				if !e.Reused {
					details = append(details, fmt.Sprintf("export %d came by new connection %d, while connection %d was idle since export %d",
						e.Number, e.Conn, idle.Conn, idle.Number))
				}
			}
			used.add(e)
		}
		switch {
		case looked == 0:
			return nothing(name, "no export came after an answer to its client")
		case len(details) > 0:
			return failure(name, fmt.Sprintf("%d of %s on a new connection", len(details), plural(looked, "export")), "a connection that is kept (C-18)", details)
		}
		return nil
	}
}

// needed is when an export's client needed a connection for it: when it opened
// a new one.
func (l *ledger) needed(e Export) time.Time {
	if !e.Reused && l.Opened != nil {
		if opened := l.Opened(e.Conn); !opened.IsZero() {
			return opened
		}
	}
	return e.Arrived
}

// clientConns is the connections that a client has used.
type clientConns struct {
	last []Export    // on each, in the order of their first use
	at   map[int]int // by number, which of them it is
}

func (c *clientConns) add(e Export) {
	i, known := c.at[e.Conn]
	if !known {
		c.at[e.Conn] = len(c.last)
		c.last = append(c.last, e)
		return
	}
	c.last[i] = e
}

// idleAt is the last export on a connection that could have been used at a
// time: on conn itself if it was used before, and otherwise on the first one
// whose last export had been answered.
func (c *clientConns) idleAt(conn int, at time.Time) (idle Export, ok bool) {
	if i, was := c.at[conn]; was {
		return c.last[i], true
	}
	for _, e := range c.last {
		if e.answered() && !e.Answered.After(at) {
			return e, true
		}
	}
	return Export{}, false
}

// Concurrency fails if the most requests in flight at once ([Report.Peak]) are
// not between least and most, both included (C-19). It has nothing to check
// where no request was for a signal.
func Concurrency(least, most int) Check {
	return func(r Report) error {
		steps := r.InFlight()
		if len(steps) == 0 {
			return nothing("Concurrency", "no request was for a signal")
		}
		got := peak(steps)
		if got >= least && got <= most {
			return nil
		}
		i := 0
		for steps[i].Open != got {
			i++
		}
		at := steps[i].At
		want := fmt.Sprintf("%d to %d (C-19)", least, most)
		if least == most {
			want = fmt.Sprintf("%d (C-19)", least)
		}
		return failure("Concurrency", fmt.Sprintf("a peak of %s in flight, +%s, when %s came",
			plural(got, "request"), Round(at.Sub(r.start())), exportList(r.arrivedAt(at))), want, nil)
	}
}

// arrivedAt is the numbers of the exports that came at a time.
func (r Report) arrivedAt(at time.Time) (numbers []int) {
	for _, e := range r.ledger().exports {
		if e.Signal != "" && e.Arrived.Equal(at) {
			numbers = append(numbers, e.Number)
		}
	}
	return numbers
}
