package store_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// numbered is a source as the test of it sees it.
type numbered[T any] interface {
	query.Source[T]
	Numbered(where []query.Filter) ([]int, func([]int) []T)
}

// agrees says whether the two steps find what a scan does, and any part of it.
func agrees[T any](t *testing.T, src numbered[T], number func(T) int, filters ...query.Filter) {
	t.Helper()
	all := slices.Collect(src.Scan(filters))
	numbers, items := src.Numbered(filters)
	if len(numbers) != len(all) || !slices.IsSorted(numbers) {
		t.Fatalf("%v: got %d numbers, want %d that rise", filters, len(numbers), len(all))
	}
	for i, item := range all {
		if number(item) != numbers[i] {
			t.Fatalf("%v: item %d: got number %d, want %d", filters, i, numbers[i], number(item))
		}
	}
	for _, part := range [][2]int{{0, 0}, {0, len(all)}, {len(all) / 3, len(all) / 2}, {max(0, len(all)-1), len(all)}} {
		if got, want := items(numbers[part[0]:part[1]]), all[part[0]:part[1]]; len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%v: items %v: got %v, want %v", filters, part, got, want)
		}
	}
}

func TestNumbersLeadToTheItemsOfAScan(t *testing.T) {
	st := withTraces(t, 200, 8)
	st.Append(st.NewRecord(query.Export{Signal: query.Traces, Items: 1}, nil)) // of which nothing is stored
	span := func(s query.Span) int { return s.Ref.Number() }
	first := func(tr query.Trace) int {
		return slices.MinFunc(tr.Spans(), func(a, b query.Span) int { return a.Ref.Number() - b.Ref.Number() }).Ref.Number()
	}
	for _, fs := range [][]query.Filter{
		nil, {where.Name("rare")}, {where.Name("none")}, {where.Root()}, {where.InExport(where.AtLeast(2))}, {where.Child(where.Name("span"))},
	} {
		agrees(t, store.Spans{Source: store.SourceOf(st)}, span, fs...)
		agrees(t, store.Traces{Source: store.SourceOf(st)}, first, fs...)
	}
	for _, fs := range [][]query.Filter{{where.Complete()}, {where.MinSpans(9)}, {where.Not(where.Complete())}, {where.Complete(), where.Name("rare")}} {
		agrees(t, store.Traces{Source: store.SourceOf(st)}, first, fs...)
	}
	agrees(t, store.Logs{Source: store.SourceOf(st)}, func(l query.Log) int { return l.Ref.Number() })
	agrees(t, store.Points{Source: store.SourceOf(store.New(time.Second))}, func(p query.Point) int { return p.Ref.Number() })
}
