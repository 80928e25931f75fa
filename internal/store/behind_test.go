package store

import (
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// Who follows what arrives does not go over what came before, a Reset
// included.
func TestWhatCameBeforeIsNotGoneOver(t *testing.T) {
	s := New(time.Second)
	var marks []query.Mark
	add := func(outcomes ...query.Outcome) {
		for _, o := range outcomes {
			marks = append(marks, s.Mark())
			s.Append(s.NewRecord(query.Export{Signal: query.Traces, Outcome: o}, nil))
		}
	}
	check := func(f query.Filter, want int) {
		t.Helper()
		log := s.snapshot()
		if got := behind(log, []query.Filter{where.Name("x"), f}); len(got) != want || want > 0 && got[want-1] != log[len(log)-1] {
			t.Errorf("%s: got %d of %d exports, want the last %d", f, len(got), len(log), want)
		}
	}
	add(query.Open, query.Accepted, query.Accepted, query.Open, query.Accepted, query.Accepted)
	check(where.Since(marks[0]), 6)
	check(where.Since(marks[4]), 2)
	check(where.Since(s.Mark()), 0)
	check(where.InExport(where.AtLeast(1)), 6)
	check(where.InExport(where.AtLeast(6)), 1)
	check(where.InExport(where.AtLeast(8)), 0)
	check(where.InExport(where.MoreThan(6)), 6) // which the filter says by itself
	check(where.Not(where.Since(marks[4])), 6)
	check(where.Any(where.Since(marks[4]), where.Name("y")), 6)
	s.Reset() // the first and the fourth are open, and now the first and the second
	add(query.Accepted)
	check(where.Since(marks[0]), 3)
	check(where.Since(marks[1]), 2)
	check(where.Since(marks[6]), 1)
	check(where.InExport(where.AtLeast(2)), 2)
}
