package query_test

import (
	"iter"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

// history makes exports of the ledger's tests, a second apart unless said
// otherwise, with the content that each carries.
type history struct {
	exports []query.Export
	content []string
	now     time.Time

	roundTrip time.Duration
}

func (h *history) export(content string, answer func(*query.Export)) {
	h.now = h.now.Add(time.Second)
	e := query.Export{
		Number: len(h.exports) + 1, Signal: query.Traces, Protocol: query.GRPC, Items: 2,
		Arrived: h.now, Answered: h.now, Outcome: query.Accepted, Stored: 2,
	}
	if answer != nil {
		answer(&e)
	}
	h.exports = append(h.exports, e)
	h.content = append(h.content, content)
}

// report takes each letter of an export's content for an item. Those that were
// not stored are the first ones.
func (h *history) report() query.Report {
	return query.NewReport(h.exports, query.Contents{
		Key:       func(i int) string { return h.content[i] },
		Items:     h.items,
		RoundTrip: h.roundTrip,
	})
}

func (h *history) items(i int) iter.Seq2[query.ItemID, bool] {
	return func(yield func(query.ItemID, bool) bool) {
		e := h.exports[i]
		for j, c := range []byte(h.content[i]) {
			id := query.ItemID{Hash: [24]byte{c}, Unique: e.Signal == query.Traces}
			if !yield(id, j >= len(h.content[i])-e.Stored) {
				return
			}
		}
	}
}

func unavailable(e *query.Export) {
	e.Outcome, e.Stored, e.Status.Code = query.Refused, 0, 14
}

func throttled(d time.Duration) func(*query.Export) {
	return func(e *query.Export) {
		unavailable(e)
		e.Throttled, e.RetryDelay = true, d
		e.Fault = query.FaultRef{Rule: 1, Fault: 1, Of: 2, Text: "throttle " + d.String()}
	}
}

func attempts(r query.Report) (numbers [][]int) {
	for _, b := range r.Batches {
		var of []int
		for _, e := range b.Attempts() {
			of = append(of, e.Number)
		}
		numbers = append(numbers, of)
	}
	return numbers
}

func TestAnExportContinuesTheOldestEqualBatchThatIsNotAcknowledged(t *testing.T) {
	tests := []struct {
		name string
		make func(*history)
		want [][]int
	}{
		{"retried until it is acknowledged", func(h *history) {
			h.export("a", unavailable)
			h.export("b", nil)
			h.export("a", unavailable)
			h.export("a", nil)
		}, [][]int{{1, 3, 4}, {2}}},
		{"acknowledged before", func(h *history) {
			h.export("a", nil)
			h.export("a", nil)
		}, [][]int{{1}, {2}}},
		{"sent again before the acknowledgement left", func(h *history) {
			h.export("a", func(e *query.Export) { e.Answered = e.Answered.Add(time.Minute) })
			h.export("a", nil)
		}, [][]int{{1, 2}}},
		{"another signal", func(h *history) {
			h.export("a", unavailable)
			h.export("a", func(e *query.Export) { e.Signal = query.Logs })
		}, [][]int{{1}, {2}}},
		{"a repeat that is refused is continued, not its first", func(h *history) {
			h.export("a", nil)
			h.export("a", unavailable)
			h.export("a", nil)
		}, [][]int{{1}, {2, 3}}},
		{"no telemetry", func(h *history) {
			h.export("", func(e *query.Export) { e.Signal = "" })
			h.export("", func(e *query.Export) { e.Outcome = query.Malformed })
		}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := &history{now: time.Unix(1000, 0)}
			test.make(h)
			if diff := cmp.Diff(test.want, attempts(h.report())); diff != "" {
				t.Errorf("attempts of each batch (-want +got):\n%s", diff)
			}
		})
	}
}

func TestContentIsAskedForOnlyWhereExportsCouldBeEqual(t *testing.T) {
	h := &history{now: time.Unix(1000, 0)}
	h.export("a", nil)
	h.export("b", func(e *query.Export) { e.Items = 3 })
	h.export("c", nil) // as many as the first one, but others
	query.NewReport(h.exports, query.Contents{
		Key: func(i int) string {
			t.Errorf("asked for the content of export %d, which is like no other", i+1)
			return ""
		},
		Items: h.items,
	})
}

func TestGapsArePairedWithWhatWasPromised(t *testing.T) {
	h := &history{now: time.Unix(1000, 0)}
	h.export("a", throttled(300*time.Millisecond))
	h.export("a", func(e *query.Export) { // open for a minute, then given up
		unavailable(e)
		e.Outcome, e.Answered = query.Abandoned, e.Answered.Add(time.Minute)
	})
	h.export("a", func(e *query.Export) { unavailable(e); e.Outcome, e.Answered = query.Open, time.Time{} })
	h.export("a", nil)
	b := h.report().Batches[0]
	if diff := cmp.Diff([]time.Duration{time.Second, -59 * time.Second, time.Second}, b.Gaps()); diff != "" {
		t.Errorf("gaps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]time.Duration{300 * time.Millisecond, 0, 0, 0}, b.Promised()); diff != "" {
		t.Errorf("promised (-want +got):\n%s", diff)
	}
	if b.Deliveries() != 1 || !b.Acknowledged() || b.RepeatOf() != nil {
		t.Errorf("got %d deliveries, acknowledged %v, repeat of %v, want 1, true, nil", b.Deliveries(), b.Acknowledged(), b.RepeatOf())
	}
}
