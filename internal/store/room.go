package store

import (
	"slices"

	"github.com/otlptest/otlptest/query"
)

// room is how many bytes of bodies there may be, and are.
type room struct {
	limit  int  // 0 for any number
	evicts bool // the oldest bodies make room for new ones
	kept   int  // guarded by store.mu
}

// Limit says, before the first Append, how many bytes of bodies are kept, and
// whether the oldest make room for new ones.
func (s *Store) Limit(bytes int, evict bool) { s.room.limit, s.room.evicts = bytes, evict }

// Admits says whether there is room for a body. Those that are admitted at the
// same time can exceed the limit together.
func (s *Store) Admits(bytes int) bool {
	if s.room.limit == 0 || s.room.evicts {
		return true
	}
	return s.Kept()+bytes <= s.room.limit
}

// Kept is how many bytes of bodies there are.
func (s *Store) Kept() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room.kept
}

// evict forgets the oldest bodies, and some more than needed, so that it is
// seldom done.
func (s *Store) evict() {
	if s.room.limit == 0 || !s.room.evicts {
		return
	}
	s.evicting.Lock()
	defer s.evicting.Unlock()
	fresh := map[*Record]*Record{}
	for _, r := range s.oldest() {
		fresh[r] = r.forgotten()
	}
	if len(fresh) > 0 {
		s.replace(fresh)
	}
}

// oldest is the records whose bodies have to go. Those of exports that are not
// answered yet stay.
func (s *Store) oldest() (list []*Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room.kept <= s.room.limit {
		return nil
	}
	left := s.room.kept
	for _, e := range s.log {
		if left <= s.room.limit-s.room.limit/8 {
			break
		}
		if e.rec.body != nil && e.rec.export.Outcome != query.Open {
			list = append(list, e.rec)
			left -= len(e.rec.body)
		}
	}
	return list
}

// replace puts other records in the place of some. What readers have seen of the
// log stays as it was.
func (s *Store) replace(fresh map[*Record]*Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = slices.Clone(s.log)
	for i, e := range s.log {
		if r := fresh[e.rec]; r != nil {
			s.log[i].rec = r
			s.room.kept -= len(e.rec.body)
		}
	}
	s.attempts, s.twins = nil, nil // they hold the old ones
	s.wake()
}

// remains is what stays known of the items of a body that is forgotten.
type remains struct {
	id     query.ItemID
	stored bool
}

// Forget drops, before Append, the body, but for what the ledger has to know of
// it: its key, the identity of its items, and what is wrong with it.
func (r *Record) Forget() {
	r.key()
	r.found()
	r.remains = make([]remains, 0, r.export.Items)
	for id, stored := range r.identify {
		r.remains = append(r.remains, remains{id, stored})
	}
	r.body, r.departures, r.export.Dropped = nil, nil, true
}

// forgotten is a copy of the record, of an export that has been answered,
// without its body.
func (r *Record) forgotten() *Record {
	f := &Record{
		store: r.store, header: r.header, body: r.body, keep: r.keep, refused: r.refused,
		departures: r.departures, broken: r.broken,
	}
	r.store.mu.Lock()
	f.export, f.place = r.export, r.place
	r.store.mu.Unlock()
	f.content.Store(r.content.Load())
	f.findings.Store(r.findings.Load())
	f.Forget()
	return f
}
