package store

import (
	"math"
	"slices"

	"github.com/otlptest/otlptest/query"
)

// What terms of filters ask of a record: it is a wire.Carrier.

// Protocol implements wire.Carrier.
func (r *Record) Protocol() query.Protocol { return r.export.Protocol }

// Header implements wire.Carrier.
func (r *Record) Header(name string) []string { return r.header.get(name) }

// get is the values of one field.
func (h header) get(name string) []string {
	if i := slices.IndexFunc(h.own, func(f headerField) bool { return f.name == name }); i >= 0 {
		return h.own[i].values
	}
	return h.like[name]
}

// Number implements wire.Carrier.
func (r *Record) Number() int {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	return r.export.Number
}

// Place implements wire.Carrier.
func (r *Record) Place() int64 {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	if r.place == 0 {
		return math.MaxInt64
	}
	return int64(r.place)
}

// Outcome implements wire.Carrier.
func (r *Record) Outcome() query.Outcome {
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	return r.export.Outcome
}

// Attempt implements wire.Carrier.
func (r *Record) Attempt() int { return r.store.Attempt(r) }

// Mark is after everything that was appended so far.
func (s *Store) Mark() query.Mark {
	s.mu.Lock()
	defer s.mu.Unlock()
	return query.NewMark(s.total)
}
