// Package store is the append-only log of what a backend received, and of who
// waits for it. Bytes are kept as they came and decoded when they are asked
// for, so that appending never waits for a reader.
package store

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/otlptest/otlptest/query"
)

// Store holds one generation of exports: those since the start or the last
// Reset. It is safe for concurrent use.
type Store struct {
	waitTimeout time.Duration
	lastByte    atomic.Int64 // Unix nanoseconds
	roundTrip   atomic.Int64 // nanoseconds
	heads       heads
	room        room
	evicting    sync.Mutex // held around all of an eviction

	mu      sync.Mutex
	log     []entry // append-only: readers keep what they have seen of it
	items   map[query.Signal]int
	total   uint64        // exports ever appended, whatever was reset
	changed chan struct{} // nil while nobody waits
	open    int           // requests that have begun and not ended
	conns   []*Conn       // in the order in which they were accepted
	dialled int           // connections ever accepted
	closed  bool

	dropped      int // exports, at the last Reset that found some
	droppedAt    time.Time
	surroundings func(query.Signal, bool) Surroundings

	selectors selectors
	attempts  *attempts // of this generation; nil until somebody asks
	twins     *twins    // likewise
}

// entry is an export in the log, with the number of its first stored item.
type entry struct {
	rec   *Record
	first int
}

// New makes an empty store. Waits on its views last for waitTimeout where
// nothing else ends them.
func New(waitTimeout time.Duration) *Store {
	return &Store{waitTimeout: waitTimeout, items: map[query.Signal]int{}}
}

// Append adds the export to the log. When it returns, views see it.
func (s *Store) Append(r *Record) {
	s.mu.Lock()
	s.append(r)
	s.wake()
	s.mu.Unlock()
	s.evict()
}

func (s *Store) append(r *Record) {
	r.export.Number = len(s.log) + 1
	if r.place == 0 {
		s.total++
		r.place = s.total
	}
	s.log = append(s.log, entry{r, s.items[r.export.Signal] + 1})
	s.items[r.export.Signal] += r.export.Stored
	s.room.kept += len(r.body)
}

// Finish notes what became of an appended export: set changes it.
func (s *Store) Finish(r *Record, set func(*query.Export)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	set(&r.export)
	s.wake()
}

// Reset begins a new generation. Exports that are not answered yet go over
// into it, with their data, and so do connections that are open.
func (s *Store) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.log
	s.log, s.items, s.attempts, s.twins, s.room.kept = nil, map[query.Signal]int{}, nil, nil, 0
	s.conns = slices.DeleteFunc(slices.Clone(s.conns), func(c *Conn) bool { return !c.conn.Closed.IsZero() })
	for _, e := range old {
		if e.rec.export.Outcome == query.Open {
			s.append(e.rec)
		}
	}
	if n := len(old) - len(s.log); n > 0 {
		s.dropped, s.droppedAt = n, time.Now()
	}
	s.wake()
}

// Close ends every wait: nothing more will come.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.wake()
}

// Begin and End stand around every request, from its headers to its answer.
func (s *Store) Begin() { s.request(1) }

// End is the counterpart of Begin.
func (s *Store) End() { s.request(-1) }

func (s *Store) request(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += n
	if n < 0 {
		s.wake()
	}
}

// Quiet says how many requests are open, and when the last byte arrived (the
// zero time: none has).
func (s *Store) Quiet() (open int, last time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.lastByte.Load(); n != 0 {
		last = time.Unix(0, n)
	}
	return s.open, last
}

// Reached says whether any request has come since the start or the last Reset.
func (s *Store) Reached() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.log) > 0 || s.open > 0
}

// Changed is closed at the next change, and nil when there can be none.
func (s *Store) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

// wake needs the lock.
func (s *Store) wake() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// snapshot is the log as it stands now; what is in it never changes.
func (s *Store) snapshot() []entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log[:len(s.log):len(s.log)]
}
