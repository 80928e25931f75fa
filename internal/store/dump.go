package store

import (
	"iter"

	"github.com/otlptest/otlptest/query"
)

// Bodies ranges over the bodies, as protobuf, of those exports of a signal of
// which items were stored and not forgotten since, in order of arrival.
func (s *Store) Bodies(sig query.Signal) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, e := range s.snapshot() {
			if e.rec.export.Signal == sig && e.rec.export.Stored > 0 && e.rec.body != nil && !yield(e.rec.body) {
				return
			}
		}
	}
}
