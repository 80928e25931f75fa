package query_test

import (
	"iter"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

func logs(answer func(*query.Export)) func(*query.Export) {
	return func(e *query.Export) {
		e.Signal = query.Logs
		if answer != nil {
			answer(e)
		}
	}
}

// ended is an export that got no answer within a minute.
func ended(e *query.Export) {
	e.Outcome, e.Stored, e.Answered = query.Abandoned, 0, e.Arrived.Add(time.Minute)
}

func open(e *query.Export) { e.Outcome, e.Stored, e.Answered = query.Open, 0, time.Time{} }

// but is an export with all stored whatever the answer.
func but(stored int, answer func(*query.Export)) func(*query.Export) {
	return func(e *query.Export) {
		answer(e)
		e.Stored = stored
	}
}

func partial(refused int) func(*query.Export) {
	return func(e *query.Export) {
		e.Outcome, e.Rejected, e.Stored = query.Partial, int64(refused), e.Items-refused
	}
}

func TestEachItemCountsOnce(t *testing.T) {
	type counts = query.ItemCounts
	for _, test := range []struct {
		name string
		make func(*history)
		want counts
	}{
		{"delivered", func(h *history) { h.export("ab", nil) }, counts{Sent: 2, Delivered: 2, Acknowledged: 2}},
		{"retried", func(h *history) {
			h.export("ab", unavailable)
			h.export("ab", nil)
		}, counts{Sent: 2, Delivered: 2, Acknowledged: 2}},
		{"split and batched anew", func(h *history) {
			h.export("ab", but(2, unavailable))
			h.export("cd", unavailable)
			h.export("bd", nil)
			h.export("ac", nil)
		}, counts{Sent: 4, Delivered: 4, Acknowledged: 4, LegalDuplicates: 2}},
		{"refused for good", func(h *history) { h.export("ab", unavailable) }, counts{Sent: 2, Lost: 2}},
		{"told accepted but not stored", func(h *history) { h.export("ab", but(0, func(*query.Export) {})) }, counts{Sent: 2, Lost: 2, Acknowledged: 2}},
		{"refused by a partial success", func(h *history) { h.export("ab", partial(1)) }, counts{Sent: 2, Delivered: 1, Refused: 1, Acknowledged: 1}},
		{"refused by a partial success, then delivered", func(h *history) {
			h.export("ab", partial(1))
			h.export("ab", nil)
		}, counts{Sent: 2, Delivered: 2, Acknowledged: 2, IllegalDuplicates: 1}},
		{"open", func(h *history) { h.export("ab", open) }, counts{Sent: 2, Unacknowledged: 2}},
		{"given up", func(h *history) {
			h.export("ab", unavailable)
			h.export("ab", ended)
		}, counts{Sent: 2, Unacknowledged: 2}},
		{"given up, then refused", func(h *history) {
			h.export("ab", ended)
			h.now = h.now.Add(time.Hour)
			h.export("ab", unavailable)
		}, counts{Sent: 2, Lost: 2}},
		{"stored, but the client never knew", func(h *history) { h.export("ab", but(2, ended)) }, counts{Sent: 2, Delivered: 2}},
		{"sent again after an acknowledgement", func(h *history) {
			h.export("ab", nil)
			h.export("ab", nil)
		}, counts{Sent: 2, Delivered: 2, Acknowledged: 2, IllegalDuplicates: 2}},
		{"sent again before the answer", func(h *history) {
			h.export("ab", func(e *query.Export) { e.Answered = e.Arrived.Add(time.Minute) })
			h.export("ab", nil)
		}, counts{Sent: 2, Delivered: 2, Acknowledged: 2, LegalDuplicates: 2}},
		{"again and not stored again", func(h *history) {
			h.export("ab", nil)
			h.export("ab", unavailable)
		}, counts{Sent: 2, Delivered: 2, Acknowledged: 2}},
		{"twice in one export", func(h *history) { h.export("aa", nil) }, counts{Sent: 1, Delivered: 1, Acknowledged: 1, IllegalDuplicates: 1}},

		{"equal logs after an acknowledgement are others", func(h *history) {
			h.export("ab", logs(nil))
			h.export("ab", logs(nil))
		}, counts{Sent: 4, Delivered: 4, Acknowledged: 4}},
		{"equal logs in one export are others", func(h *history) {
			h.export("aa", logs(unavailable))
			h.export("aa", logs(nil))
		}, counts{Sent: 2, Delivered: 2, Acknowledged: 2}},
		{"equal logs that are split", func(h *history) {
			h.export("aa", logs(but(2, unavailable)))
			h.export("a", logs(func(e *query.Export) { e.Items, e.Stored = 1, 1 }))
			h.export("a", logs(func(e *query.Export) { e.Items, e.Stored = 1, 1 }))
		}, counts{Sent: 2, Delivered: 2, Acknowledged: 2, LegalDuplicates: 2}},
		{"not OTLP", func(h *history) {
			h.export("a", func(e *query.Export) { e.Outcome = query.Malformed })
			h.export("a", func(e *query.Export) { e.Signal = "" })
		}, counts{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := &history{now: time.Unix(1000, 0)}
			test.make(h)
			got := h.report().Items()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
			if got.Sent != got.Delivered+got.Refused+got.Lost+got.Unacknowledged {
				t.Errorf("the parts of %+v are not what was sent", got)
			}
		})
	}
}

func TestItemsOfOneSignal(t *testing.T) {
	h := &history{now: time.Unix(1000, 0)}
	h.export("ab", nil)
	h.export("ab", logs(unavailable))
	r := h.report()
	if got, want := r.ItemsOf(query.Logs), (query.ItemCounts{Sent: 2, Lost: 2}); got != want {
		t.Errorf("got logs %+v, want %+v", got, want)
	}
	if got := r.ItemsOf(query.Metrics); got != (query.ItemCounts{}) {
		t.Errorf("got metrics %+v, want none", got)
	}
	if got := (query.Report{}).Items(); got != (query.ItemCounts{}) {
		t.Errorf("got %+v of no report, want none", got)
	}
}

func TestItemsAreLookedAtOnceAndOnlyWhenAskedFor(t *testing.T) {
	h := &history{now: time.Unix(1000, 0)}
	h.export("ab", nil)
	asked := 0
	r := query.NewReport(h.exports, query.Contents{Items: func(int) iter.Seq2[query.ItemID, bool] {
		asked++
		return func(func(query.ItemID, bool) bool) {}
	}})
	r.Peak()
	r.Throughput()
	r.Transcript()
	if asked != 0 {
		t.Errorf("asked %d times for items that nobody wanted", asked)
	}
	same := r
	r.Items()
	same.ItemsOf(query.Traces)
	if asked != 1 {
		t.Errorf("asked %d times for the items of one export, want once", asked)
	}
}
