package store_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// Exports repeat each other if and only if their bodies have the same content
// key, whatever they look like at first sight: equal and different in their
// first item, in their number, in others, and in their encoding.
func TestEqualExportsAreThoseOfTheSameKey(t *testing.T) {
	var bodies [][]byte
	for _, ids := range [][]int{{1, 2}, {1, 3}, {2, 1}, {1}, {1, 2, 3}, {}} {
		bodies = append(bodies, bodyOf(t, ids...))
	}
	for which := range 2 {
		bodies = append(bodies, oneSpan(t, which, false), oneSpan(t, which, true))
	}
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := store.New(time.Second)
		now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		first := map[[32]byte]int{}
		for n := range 60 {
			body := bodies[r.IntN(len(bodies))]
			items, err := wire.Validate(query.Traces, body)
			if err != nil {
				t.Fatal(err)
			}
			now = now.Add(time.Second)
			rec := s.NewRecord(query.Export{Signal: query.Traces, Items: items, Arrived: now}, body)
			rec.KeepAll()
			if r.IntN(10) == 0 {
				rec.Forget()
			}
			s.Append(rec)
			s.Finish(rec, func(e *query.Export) { e.Outcome, e.Answered = query.Accepted, now.Add(time.Millisecond) })
			key := wire.Key(query.Traces, body)
			if first[key] == 0 {
				first[key] = n + 1
			}
			batches := store.Report(s).Batches
			if len(batches) != n+1 {
				t.Fatalf("seed %d: got %d batches of %d exports, want one for each", seed, len(batches), n+1)
			}
			got := n + 1
			if of := batches[n].RepeatOf(); of != nil {
				got = of.Number
			}
			if got != first[key] {
				t.Fatalf("seed %d: export %d repeats %d, want %d", seed, n+1, got, first[key])
			}
		}
	}
}
