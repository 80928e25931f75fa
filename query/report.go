package query

import (
	"iter"
	"sync"
	"time"
)

// Report is the ledger of what clients tried to deliver: every export that
// carried telemetry, grouped into batches. Exports that were not OTLP are in
// none, and one whose body was not read is in a batch of its own. It is a snapshot and safe to share. The zero Report is one of no
// exports.
type Report struct {
	Batches []Batch // in order of their first attempt
	l       *ledger
}

// ledger is what all copies of a Report share.
type ledger struct {
	Contents
	exports []Export // in order of arrival, those that are in no batch included
	items   func() accounts
}

// Contents is what a source knows beside the exports themselves. Each of its
// functions may be nil, and must be safe for concurrent use and always give
// the same answer.
type Contents struct {
	// Key is the content of the i-th export: exports of a signal with the same
	// key are equal. It is asked only where two exports could be.
	Key func(i int) string

	// Items ranges over the items of the i-th export, and whether each was
	// stored. It is asked for the first one where two exports could be equal,
	// and for all only when somebody asks for items.
	Items func(i int) iter.Seq2[ItemID, bool]

	// Opened is when a connection was accepted, and zero where that is not
	// known.
	Opened func(conn int) time.Time

	// RoundTrip is the time that the network takes to carry a request there
	// and its answer back; 0 where it is not known.
	RoundTrip time.Duration
}

// NewReport is for sources: it groups exports, which are in order of arrival
// and belong to the report from then on.
func NewReport(exports []Export, c Contents) Report {
	l := &ledger{Contents: c, exports: exports}
	l.items = sync.OnceValue(l.account)
	return Report{Batches: l.batches(), l: l}
}

// ledger is never nil.
func (r Report) ledger() *ledger {
	if r.l == nil {
		return &ledger{items: func() accounts { return accounts{} }}
	}
	return r.l
}

// telemetry says whether an export belongs to a batch.
func (e *Export) telemetry() bool { return e.Signal != "" && e.Outcome != Malformed }

// shape is what equal exports have in common at first sight.
type shape struct {
	signal Signal
	items  int
}

// look is what they have in common at second sight: a key is dear.
type look struct {
	shape
	first ItemID
}

func (e *Export) shape() shape { return shape{e.Signal, e.Items} }

// looks is how each export that could have an equal one looks, and how many
// look like that.
func (l *ledger) looks() (looks []look, alike map[look]int) {
	shapes := map[shape]int{}
	for i := range l.exports {
		shapes[l.exports[i].shape()]++
	}
	looks, alike = make([]look, len(l.exports)), make(map[look]int, len(l.exports))
	for i := range l.exports {
		e := &l.exports[i]
		looks[i].shape = e.shape()
		if !e.telemetry() || e.Unread || shapes[e.shape()] < 2 {
			continue
		}
		if l.Items != nil {
			for id := range l.Items(i) {
				looks[i].first = id
				break
			}
		}
		alike[looks[i]]++
	}
	return looks, alike
}

// batches groups the exports.
func (l *ledger) batches() []Batch {
	looks, alike := l.looks()
	earliest := earliest(l.exports)
	batches := make([]Batch, 0, len(l.exports)) // never grows: it is pointed into
	byKey := map[string]*equalBatches{}
	for i := range l.exports {
		e := &l.exports[i]
		if !e.telemetry() {
			continue
		}
		equal := new(equalBatches)
		if l.Key != nil && alike[looks[i]] > 1 {
			key := string(e.Signal) + l.Key(i)
			if known := byKey[key]; known != nil {
				equal = known
			}
			byKey[key] = equal
		}
		if b := equal.continued(e, earliest[i]); b != nil {
			b.attempts = append(b.attempts, *e)
			continue
		}
		batches = append(batches, Batch{
			Number: len(batches) + 1, Signal: e.Signal, Items: e.Items,
			attempts: l.exports[i : i+1 : i+1], repeatOf: equal.first,
		})
		equal.add(&batches[len(batches)-1])
	}
	return batches
}

// earliest is when the first one of each export and those after it arrived:
// they are in the order in which their bodies had come.
func earliest(exports []Export) []time.Time {
	times := make([]time.Time, len(exports))
	for i := len(exports) - 1; i >= 0; i-- {
		times[i] = exports[i].Arrived
		if i+1 < len(exports) && times[i+1].Before(times[i]) {
			times[i] = times[i+1]
		}
	}
	return times
}

// equalBatches is batches with the same content.
type equalBatches struct {
	first *Batch
	open  []*Batch // those that an export may continue, oldest first
	room  [1]*Batch
}

func (s *equalBatches) add(b *Batch) {
	if s.first == nil {
		s.first, s.open = b, s.room[:0]
	}
	s.open = append(s.open, b)
}

// continued is the oldest of the batches that e continues, or nil. It forgets
// those that no export can continue that arrived at or after earliest.
func (s *equalBatches) continued(e *Export, earliest time.Time) (found *Batch) {
	open := s.open[:0]
	for _, b := range s.open {
		last := &b.attempts[len(b.attempts)-1]
		if found == nil && !last.doneBy(e.Arrived) {
			found = b
		}
		if !last.doneBy(earliest) {
			open = append(open, b)
		}
	}
	s.open = open
	return found
}

// doneBy says whether the export had been acknowledged when another one
// arrived, which then does not continue it.
func (e *Export) doneBy(arrived time.Time) bool {
	return e.Acknowledged() && !e.Answered.After(arrived)
}
