package query

import (
	"slices"
	"time"
)

// ItemID is the identity of an item, whatever export, batch or encoding it
// came in: of a span its trace id and span id; of a data point its series
// (resource attributes, scope name and version, metric name, unit, type and
// temporality, and its own attributes, in any order) and its time; of a log
// record, and of a span whose ids are invalid, all of its content with that of
// its resource and scope. Two ItemIDs of a signal can be compared with ==.
type ItemID struct {
	Hash [24]byte

	// Unique says that no two items have this id. Only the ids of a span are
	// such a proof: where a clock stands still, two points or log records can
	// be equal.
	Unique bool
}

// ItemCounts says how many items clients tried to deliver, and what became of
// them. Each counts once, however often it was sent and however it was batched
// then: Sent is the sum of Delivered, Refused, Lost and Unacknowledged.
//
// An item that comes again continues the one that it is equal to if that had
// not been acknowledged when it arrived. After an acknowledgement it is the
// same item only if it is a span, whose ids prove it; a point or a log record
// is then a new one.
type ItemCounts struct {
	Sent           int `json:"sent"`           // all
	Delivered      int `json:"delivered"`      // stored at least once, whatever the client was told
	Refused        int `json:"refused"`        // by a partial success, and never stored
	Lost           int `json:"lost"`           // never stored, and the last attempt got an answer: an error, or that it was accepted
	Unacknowledged int `json:"unacknowledged"` // never stored nor acknowledged, and the last attempt is open or ended without an answer

	// Acknowledged is how many items the client was told of at least once that
	// they had arrived. It counts neither those that the partial success
	// refused which said so, nor those that arrived unknown to the client.
	Acknowledged int `json:"acknowledged"`

	// LegalDuplicates is how many were stored more than once, each further
	// time after an attempt that had not been acknowledged (C-43).
	// IllegalDuplicates is how many were stored again after an acknowledgement,
	// or twice from one export: spans only.
	LegalDuplicates   int `json:"legalDuplicates"`
	IllegalDuplicates int `json:"illegalDuplicates"`
}

func (c *ItemCounts) add(d ItemCounts) {
	c.Sent += d.Sent
	c.Delivered += d.Delivered
	c.Refused += d.Refused
	c.Lost += d.Lost
	c.Unacknowledged += d.Unacknowledged
	c.Acknowledged += d.Acknowledged
	c.LegalDuplicates += d.LegalDuplicates
	c.IllegalDuplicates += d.IllegalDuplicates
}

// Items counts the items of all signals. The first call of this or ItemsOf
// looks at every body; the result is kept.
func (r Report) Items() ItemCounts {
	all := r.ledger().items()
	var c ItemCounts
	for _, sig := range all.counts {
		c.add(sig)
	}
	return c
}

// ItemsOf is Items for one signal.
func (r Report) ItemsOf(s Signal) ItemCounts { return r.ledger().items().counts[s] }

// account is what became of one item.
type account struct {
	last int // its last attempt: which of the exports
	told int // the attempt that was acknowledged first; of those that none was, the first one
	has  fate
}

// fate is a set of what happened to an item.
type fate uint8

const (
	stored fate = 1 << iota
	acknowledged
	refused
	duplicated
	repeated // duplicated, after an acknowledgement
)

func (a account) was(f fate) bool { return a.has&f != 0 }

// accounts is what became of every item.
type accounts struct {
	counts map[Signal]ItemCounts
	list   []account
}

// accounting fills accounts in, one export after the other.
type accounting struct {
	exports  []Export
	earliest []time.Time
	list     []account
	unique   map[ItemID]int // where in the list it is
	equal    map[equalTo]*chain
}

// equalTo is what equal items have in common.
type equalTo struct {
	signal Signal
	id     ItemID
}

// chain is the accounts of equal items that can be continued, oldest first.
type chain struct {
	open   []int
	export int // the one that is being looked at
	next   int // the first of open that has no item of it yet
}

func (l *ledger) account() accounts {
	a := accounting{exports: l.exports, earliest: earliest(l.exports), unique: map[ItemID]int{}, equal: map[equalTo]*chain{}}
	if l.Contents.Items != nil {
		for i, e := range l.exports {
			if !e.telemetry() {
				continue
			}
			for id, kept := range l.Contents.Items(i) {
				a.attempt(a.find(id, i), i, kept)
			}
		}
	}
	return accounts{a.counts(), a.list}
}

// find is the account that an item of export i belongs to.
func (a *accounting) find(id ItemID, i int) int {
	if id.Unique {
		at, ok := a.unique[id]
		if !ok {
			at = a.open(i)
			a.unique[id] = at
		}
		return at
	}
	key := equalTo{a.exports[i].Signal, id}
	c := a.equal[key]
	if c == nil {
		c = &chain{export: i}
		a.equal[key] = c
	} else if c.export != i {
		c.export, c.next = i, 0
		a.close(c, i)
	}
	for c.next < len(c.open) && a.done(a.list[c.open[c.next]].last, i) {
		c.next++
	}
	if c.next == len(c.open) {
		c.open = append(c.open, a.open(i))
	}
	c.next++
	return c.open[c.next-1]
}

func (a *accounting) open(i int) int {
	a.list = append(a.list, account{last: i, told: i})
	return len(a.list) - 1
}

// close takes those accounts out of a chain that neither export i nor a later
// one can continue.
func (a *accounting) close(c *chain, i int) {
	c.open = slices.DeleteFunc(c.open, func(at int) bool { return a.exports[a.list[at].last].doneBy(a.earliest[i]) })
}

// done says whether an export had been acknowledged when export i arrived.
func (a *accounting) done(before, i int) bool {
	return before != i && a.exports[before].doneBy(a.exports[i].Arrived)
}

// attempt enters that export i brought the item.
func (a *accounting) attempt(at, i int, kept bool) {
	e, acc := &a.exports[i], &a.list[at]
	if kept && acc.was(stored) {
		acc.has |= duplicated
		if acc.last == i || a.done(acc.told, i) {
			acc.has |= repeated
		}
	}
	if kept {
		acc.has |= stored
	}
	switch {
	case e.Outcome == Partial && !kept:
		acc.has |= refused
	case e.Acknowledged():
		acc.has |= acknowledged
	}
	if e.Acknowledged() && (!a.exports[acc.told].Acknowledged() || e.Answered.Before(a.exports[acc.told].Answered)) {
		acc.told = i
	}
	acc.last = i
}

func (a *accounting) counts() map[Signal]ItemCounts {
	bySignal := map[Signal]*ItemCounts{}
	for _, acc := range a.list {
		sig := a.exports[acc.last].Signal
		c := bySignal[sig]
		if c == nil {
			c = new(ItemCounts)
			bySignal[sig] = c
		}
		c.count(acc, a.exports[acc.last].answered())
	}
	counts := map[Signal]ItemCounts{}
	for sig, c := range bySignal {
		counts[sig] = *c
	}
	return counts
}

func (c *ItemCounts) count(acc account, answered bool) {
	c.Sent++
	switch {
	case acc.was(stored):
		c.Delivered++
	case acc.was(refused):
		c.Refused++
	case acc.lost(answered):
		c.Lost++
	default:
		c.Unacknowledged++
	}
	if acc.was(acknowledged) {
		c.Acknowledged++
	}
	switch {
	case acc.was(repeated):
		c.IllegalDuplicates++
	case acc.was(duplicated):
		c.LegalDuplicates++
	}
}

// lost says whether an item was lost, the last attempt of which got an answer
// or not.
func (a account) lost(answered bool) bool {
	return !a.was(stored|refused) && (answered || a.was(acknowledged))
}
