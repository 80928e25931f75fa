package store

import (
	"bytes"
	"slices"
	"sync"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// attempts counts the attempts of each batch as exports come, for those who
// have to know before the answer. It is empty until somebody asks.
type attempts struct {
	mu      sync.Mutex
	log     int // entries of the store's log that are counted
	batches map[shape][]*tries
	numbers map[*Record]int
}

// shape is what equal exports have in common and is found out fast.
type shape struct {
	signal query.Signal
	items  int
	first  query.ItemID
}

// tries is the attempts of one batch so far.
type tries struct {
	last *Record
	n    int
}

// Attempt says which attempt of its batch an export is, from 1, by the rule of
// [query.Batch]. It is asked before Append, or after.
func (s *Store) Attempt(r *Record) int {
	a := s.counted()
	a.mu.Lock()
	defer a.mu.Unlock()
	log := s.snapshot()
	for _, e := range log[min(a.log, len(log)):] {
		a.count(e.rec)
	}
	a.log = len(log)
	return a.count(r)
}

// counted is the attempts of this generation.
func (s *Store) counted() *attempts {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attempts == nil {
		s.attempts = &attempts{batches: map[shape][]*tries{}, numbers: map[*Record]int{}}
	}
	return s.attempts
}

// count takes an export into account, once.
func (a *attempts) count(r *Record) int {
	if n, ok := a.numbers[r]; ok || r.body == nil && r.remains == nil {
		return n
	}
	t := a.continued(r)
	t.n++
	t.last = r
	a.numbers[r] = t.n
	return t.n
}

// continued is the batch that an export continues, which may be a new one.
// Those that are acknowledged are forgotten.
func (a *attempts) continued(r *Record) *tries {
	sh, arrived := r.shape(), r.export.Arrived
	open := slices.DeleteFunc(a.batches[sh], func(t *tries) bool {
		last := t.last.bare()
		return last.Acknowledged() && !last.OpenAt(arrived)
	})
	a.batches[sh] = open
	for _, t := range open {
		if r.body != nil && bytes.Equal(t.last.body, r.body) || t.last.key() == r.key() {
			return t
		}
	}
	t := new(tries)
	a.batches[sh] = append(open, t)
	return t
}

func (r *Record) shape() shape {
	sh := shape{signal: r.export.Signal, items: r.export.Items}
	for id := range r.identify {
		sh.first = id
		break
	}
	return sh
}

// Select is the items that match all of the filters.
func (r *Record) Select(where []query.Filter) (set wire.Set) {
	m := wire.Compile(query.Exprs(where))
	for it := range wire.Items(r.export.Signal, r.body, r, 1) {
		if it.Match(m) {
			set.Add(it.Index())
		}
	}
	return set
}
