package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// record makes the record of an export of spans with these names.
func record(s *store.Store, names ...string) *store.Record {
	spans := make([]*tracepb.Span, len(names))
	for i, n := range names {
		spans[i] = &tracepb.Span{Name: n}
	}
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}}}}})
	if err != nil {
		panic(err)
	}
	return s.NewRecord(query.Export{Signal: query.Traces, Items: len(names), Outcome: query.Open}, body)
}

func finish(s *store.Store, r *store.Record) {
	s.Finish(r, func(e *query.Export) { e.Outcome, e.Answered = query.Accepted, time.Now() })
}

func spans(s *store.Store, where ...query.Filter) query.View[query.Span] {
	return query.NewView(store.Spans{Source: store.SourceOf(s)}, where...)
}

func TestItemsAreNumberedInOrderOfArrival(t *testing.T) {
	s := store.New(time.Second)
	a, b, refused := record(s, "a", "b", "c"), record(s, "d"), record(s, "x", "y")
	a.Keep(1) // the first is refused by a partial success
	b.Keep(0)
	for _, r := range []*store.Record{a, refused, b} {
		s.Append(r)
	}
	var got string
	for sp := range spans(s).All() {
		got += fmt.Sprint(sp.Ref.Number(), sp.Name, sp.Ref.Export().Number, " ")
	}
	if want := "1b1 2c1 3d3 "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := a.Export().Stored; n != 2 {
		t.Errorf("got %d stored, want 2", n)
	}
}

func TestResetCarriesOverWhatIsNotAnswered(t *testing.T) {
	s := store.New(time.Second)
	done, open := record(s, "done"), record(s, "open")
	for _, r := range []*store.Record{done, open} {
		r.Keep(0)
		s.Append(r)
	}
	finish(s, done)
	before := spans(s).All()
	s.Reset()
	finish(s, open)
	after := spans(s).Slice()
	if len(after) != 1 || after[0].Name != "open" || after[0].Ref.Number() != 1 || after[0].Ref.Export().Number != 1 || after[0].Ref.Export().Outcome != query.Accepted {
		t.Errorf("got %+v after Reset, want the export that was in flight, as number 1", after)
	}
	n := 0
	for range before {
		n++
	}
	if n != 1 {
		t.Errorf("got %d spans from a range that began after Reset, want 1", n)
	}
}

func TestChangedIsNilOnceClosed(t *testing.T) {
	s := store.New(time.Second)
	changed := s.Changed()
	s.Close()
	<-changed
	if s.Changed() != nil {
		t.Error("got a channel from Changed of a closed store, want nil")
	}
}

// Appending, reading, waiting and resetting do not disturb each other; run it
// with -race.
func TestReadersWritersAndResetInParallel(t *testing.T) {
	s := store.New(time.Second)
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for w := range 4 {
		writers.Go(func() {
			for i := range 200 {
				r := record(s, "a", "b")
				r.Keep(0)
				s.Begin()
				s.Append(r)
				finish(s, r)
				s.End()
				if w == 0 && i%50 == 49 {
					s.Reset()
				}
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				for sp := range spans(s, where.Name("b")).All() {
					if n := sp.Ref.Number(); sp.Name != "b" || n%2 != 0 {
						t.Errorf("got span %d %q, want b with an even number", n, sp.Name)
					}
				}
				store.Report(s)
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				spans(s).Wait(ctx, 1<<30)
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	s.Reset()
	if n := spans(s).Len(); n != 0 {
		t.Errorf("got %d spans after everything was answered and reset, want none", n)
	}
	if open, _ := s.Quiet(); open != 0 {
		t.Errorf("got %d open requests, want none", open)
	}
}

func TestAppendAllocatesNothingForItems(t *testing.T) {
	s := store.New(time.Second)
	names := make([]string, 1000)
	records := make([]*store.Record, 0, 200)
	for range cap(records) {
		r := record(s, names...)
		r.Keep(0)
		records = append(records, r)
	}
	i := 0
	allocs := testing.AllocsPerRun(len(records)-2, func() {
		s.Append(records[i])
		i++
	})
	if allocs > 1 { // the log grows now and then
		t.Errorf("got %v allocations for an export of 1000 spans, want at most 1", allocs)
	}
}
