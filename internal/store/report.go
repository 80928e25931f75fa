package store

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// SetRoundTrip says how long the network takes to carry a request there and its
// answer back.
func (s *Store) SetRoundTrip(d time.Duration) { s.roundTrip.Store(int64(d)) }

// Report groups the exports into batches.
func Report(s *Store) query.Report {
	log := s.snapshot()
	return s.reportOf(log, exportsOf(log))
}

// exportsOf is the exports in a log as they stand now.
func exportsOf(log []entry) []query.Export {
	exports := make([]query.Export, len(log))
	for i, e := range log {
		exports[i] = e.rec.Export()
	}
	return exports
}

func (s *Store) reportOf(log []entry, exports []query.Export) query.Report {
	equals := s.equals()
	return query.NewReport(exports, query.Contents{
		Key:       func(i int) string { return equals.key(log[i].rec) },
		Items:     func(i int) iter.Seq2[query.ItemID, bool] { return log[i].rec.identify },
		Opened:    s.opened(),
		RoundTrip: time.Duration(s.roundTrip.Load()),
	})
}

// opened says when each of the connections that there are now was accepted.
func (s *Store) opened() func(conn int) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	conns := s.conns[:len(s.conns):len(s.conns)]
	return func(conn int) time.Time {
		i, ok := slices.BinarySearchFunc(conns, conn, func(c *Conn, n int) int { return cmp.Compare(c.Number(), n) })
		if !ok {
			return time.Time{}
		}
		return conns[i].conn.Opened
	}
}

// identify ranges over the items, and whether each was stored.
func (r *Record) identify(yield func(query.ItemID, bool) bool) {
	for _, it := range r.remains {
		if !yield(it.id, it.stored) {
			return
		}
	}
	var it wire.Item
	it.Scan(r.export.Signal, r.body, r, 1, func(it *wire.Item) bool {
		return yield(it.ID(), r.keep && !r.refused.Has(it.Index()))
	})
}
