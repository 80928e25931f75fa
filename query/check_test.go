package query_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
)

// after lets time pass between two exports, a second less than it says.
func (h *history) after(d time.Duration) { h.now = h.now.Add(d - time.Second) }

// on is an export by a connection, which had been used before or not.
func on(conn int, reused bool) func(*query.Export) {
	return func(e *query.Export) { e.Conn, e.Reused = conn, reused }
}

// checkRow is what a check says of a history: nil for an empty want.
type checkRow struct {
	name  string
	check query.Check
	make  func(*history)
	want  string
}

var checkRows = []checkRow{
	{"no loss", query.NoLoss(), func(h *history) {
		h.export("ab", unavailable)
		h.export("ab", nil)
		h.export("cd", open)
		h.export("ef", partial(1))
	}, ``},
	{"loss", query.NoLoss(), func(h *history) {
		h.export("ab", nil)
		h.export("cd", unavailable)
		h.export("de", unavailable)
		h.export("fg", logs(unavailable))
	}, `NoLoss: got 5 of 7 items lost, last in exports 2, 3, 4, want none`},
	{"no item", query.NoLoss(), func(h *history) { h.export("", nil) }, `NoLoss: nothing to check: no item was sent`},

	{"all delivered", query.AllDelivered(), func(h *history) { h.export("ab", nil) }, ``},
	{"some not delivered", query.AllDelivered(), func(h *history) {
		h.export("ab", partial(1))
		h.export("cd", open)
	}, `AllDelivered: got 3 of 4 spans not delivered, last in exports 1, 2, want each of them stored`},
	{"nothing sent", query.AllDelivered(), func(h *history) { h.export("", nil) }, `AllDelivered: nothing to check: no item was sent`},

	{"legal duplicates", query.NoDuplicates(), func(h *history) {
		h.export("ab", but(2, unavailable))
		h.export("ab", nil)
	}, ``},
	{"a duplicate", query.NoDuplicates(), func(h *history) {
		h.export("ab", nil)
		h.export("bc", nil)
	}, `NoDuplicates: got 1 of 3 spans stored again after an acknowledgement, last in export 2, want each once`},
	{"no span", query.NoDuplicates(), func(h *history) { h.export("ab", logs(nil)) },
		`NoDuplicates: nothing to check: no span was sent, and only spans have ids that prove a duplicate`},

	{"once", query.DeliveredOnce(), func(h *history) { h.export("ab", unavailable); h.export("ab", nil) }, ``},
	{"legally twice", query.DeliveredOnce(), func(h *history) {
		h.export("ab", logs(but(2, unavailable)))
		h.export("ab", logs(nil))
	}, `DeliveredOnce: got 2 of 2 log records stored more than once, last in export 2, want each once`},
	{"never", query.DeliveredOnce(), func(h *history) { h.export("ab", unavailable) }, `DeliveredOnce: nothing to check: no item was delivered`},

	{"patient", query.HonoursRetryDelay(), func(h *history) {
		h.export("a", throttled(time.Second))
		h.after(996 * time.Millisecond) // a timer may be early
		h.export("a", nil)
	}, ``},
	{"early", query.HonoursRetryDelay(), func(h *history) {
		h.export("a", throttled(30*time.Second))
		h.after(30 * time.Second)
		h.export("a", throttled(2*time.Second))
		h.export("a", nil)
		h.export("b", throttled(20*time.Millisecond))
		h.after(17 * time.Millisecond)
		h.export("b", nil)
	}, `HonoursRetryDelay: got 2 of 3 retries too early, want each as long as promised (C-04, C-08)
  batch 1: got export 3 1s after export 2, want the 2s promised
  batch 2: got export 5 17ms after export 4, want the 20ms promised`},
	{"no promise was followed", query.HonoursRetryDelay(), func(h *history) {
		h.export("a", unavailable)
		h.export("a", throttled(time.Minute))
		h.export("b", nil)
	}, `HonoursRetryDelay: nothing to check: no export was told to wait and then sent again`},
	{"another client, an overlap", query.HonoursRetryDelay(), func(h *history) {
		h.export("a", func(e *query.Export) { throttled(time.Minute)(e); e.Answered = e.Arrived.Add(time.Hour) })
		h.export("a", throttled(time.Minute))
		h.export("a", func(e *query.Export) { e.Header = query.Header{"user-agent": {"another"}} })
	}, `HonoursRetryDelay: nothing to check: no export was told to wait and then sent again`},

	{"far apart", query.MinGap(time.Second), func(h *history) { h.export("a", unavailable); h.export("a", nil) }, ``},
	{"close together", query.MinGap(5 * time.Second), func(h *history) { h.export("a", unavailable); h.export("a", nil) },
		`MinGap: got 1 of 1 retry too early, want each at least 5s
  batch 1: got export 2 1s after export 1, want at least 5s`},
	{"no gap", query.MinGap(time.Second), func(h *history) { h.export("a", unavailable) }, `MinGap: nothing to check: no export was sent again`},

	{"few attempts", query.MaxAttempts(2), func(h *history) { h.export("a", unavailable); h.export("a", nil) }, ``},
	{"many attempts", query.MaxAttempts(1), func(h *history) {
		for _, content := range []string{"a", "b", "c", "d", "e"} {
			h.export(content, unavailable)
			h.export(content, nil)
		}
	}, `MaxAttempts: got 5 of 5 batches sent more often, want at most 1 attempt each
  batch 1: got 2 attempts: exports 1, 2
  batch 2: got 2 attempts: exports 3, 4
  batch 3: got 2 attempts: exports 5, 6
  … and 2 more`},
	{"no attempt", query.MaxAttempts(1), func(h *history) { h.export("a", func(e *query.Export) { e.Signal = "" }) },
		`MaxAttempts: nothing to check: no export carried telemetry`},

	{"sent once", query.NotRetried(), func(h *history) { h.export("a", unavailable) }, ``},
	{"sent again", query.NotRetried(), func(h *history) {
		h.export("a", unavailable)
		h.export("a", nil)
		h.export("a", nil)
	}, `NotRetried: got 2 of 2 batches sent again, want each sent once (C-01, C-06, C-07, C-12)
  batch 1: got 2 attempts: exports 1, 2
  batch 2: got export 3, which repeats batch 1`},
	{"nothing to retry", query.NotRetried(), func(h *history) { h.export("a", func(e *query.Export) { e.Outcome = query.Malformed }) },
		`NotRetried: nothing to check: no export carried telemetry`},

	{"stops", query.StopsBy(2 * time.Second), func(h *history) {
		h.export("a", unavailable)
		h.export("a", unavailable)
		h.export("a", unavailable)
	}, ``},
	{"goes on", query.StopsBy(time.Minute), func(h *history) {
		h.export("a", unavailable)
		h.after(time.Hour)
		h.export("a", unavailable)
	}, `StopsBy: got 1 of 1 batch sent later, want no attempt later than 1m0s after the first
  batch 1: got export 2 1h0m0s after export 1`},
	{"never began", query.StopsBy(time.Minute), func(h *history) { h.export("a", unavailable) }, `StopsBy: nothing to check: no export was sent again`},

	{"grows", query.Backoff(time.Second, 2, 5*time.Second, 0.5), func(h *history) {
		h.export("a", unavailable)
		for _, gap := range []time.Duration{495 * time.Millisecond, 3100 * time.Millisecond, 2 * time.Second, 7500 * time.Millisecond} {
			h.after(gap)
			h.export("a", unavailable)
		}
	}, ``},
	{"does not grow", query.Backoff(time.Second, 2, 5*time.Second, 0.1), func(h *history) {
		h.export("a", unavailable)
		h.export("a", throttled(time.Minute)) // the second one is left out, but counts
		h.after(time.Minute)
		h.export("a", unavailable)
		h.after(4 * time.Second)
		h.export("a", unavailable)
		h.after(6100 * time.Millisecond)
		h.export("a", nil)
		h.export("b", unavailable)
		h.after(100 * time.Millisecond)
		h.export("b", nil)
	}, `Backoff: got 2 of 4 retries at another time, want 1s, times 2 up to 5s, ±10% (C-05)
  batch 1: got export 5 6.1s after export 4, want 4.5s to 5.5s
  batch 2: got export 7 100ms after export 6, want 900ms to 1.1s`},
	{"without jitter", query.Backoff(4*time.Second, 1, time.Minute, 0), func(h *history) { h.export("a", unavailable); h.export("a", nil) },
		`Backoff: got 1 of 1 retry at another time, want 4s, times 1 up to 1m0s, ±0% (C-05)
  batch 1: got export 2 1s after export 1, want 4s`},
	{"only throttled", query.Backoff(time.Second, 2, time.Minute, 0), func(h *history) { h.export("a", throttled(time.Second)); h.export("a", nil) },
		`Backoff: nothing to check: no export was sent again without having been told when`},

	{"one connection", query.ReusesConnections(), func(h *history) {
		h.export("a", on(1, false))
		h.export("b", on(1, true))
	}, ``},
	{"as many connections as requests", query.ReusesConnections(), func(h *history) {
		h.export("a", func(e *query.Export) { e.Conn, e.Answered = 1, e.Arrived.Add(time.Hour) })
		h.export("b", on(2, false))
		h.export("c", on(2, true))
	}, ``},
	{"a connection each", query.ReusesConnections(), func(h *history) {
		h.export("a", on(1, false))
		h.export("b", on(2, false))
		h.export("c", on(2, true))
		h.export("d", on(3, false))
	}, `ReusesConnections: got 2 of 3 exports on a new connection, want a connection that is kept (C-18)
  export 2 came by new connection 2, while connection 1 was idle since export 1
  export 4 came by new connection 3, while connection 1 was idle since export 1`},
	{"one export of each client", query.ReusesConnections(), func(h *history) {
		h.export("a", on(1, false))
		h.export("b", logs(on(2, false)))
	}, `ReusesConnections: nothing to check: no export came after an answer to its client`},

	{"some in flight", query.Concurrency(1, 3), func(h *history) { h.at(0, 300); h.at(100, 200) }, ``},
	{"too many in flight", query.Concurrency(1, 1), func(h *history) { h.at(0, 300); h.at(100, 200); h.at(1000, 1100) },
		`Concurrency: got a peak of 2 requests in flight, +100ms, when export 2 came, want 1 (C-19)`},
	{"too few in flight", query.Concurrency(2, 4), func(h *history) { h.at(0, 300) },
		`Concurrency: got a peak of 1 request in flight, +0s, when export 1 came, want 2 to 4 (C-19)`},
	{"none in flight", query.Concurrency(0, 1), func(h *history) { h.export("", func(e *query.Export) { e.Signal = "" }) },
		`Concurrency: nothing to check: no request was for a signal`},
}

func TestChecks(t *testing.T) {
	for _, row := range checkRows {
		t.Run(row.name, func(t *testing.T) {
			h := &history{now: time.Unix(1000, 0)}
			row.make(h)
			err := h.report().Verify(row.check)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != row.want {
				t.Errorf("got %s\nwant %s", got, row.want)
			}
			if nothing := strings.Contains(row.want, "nothing to check"); errors.Is(err, query.ErrNothingToCheck) != nothing {
				t.Errorf("got an error of which errors.Is says %v, want %v", !nothing, nothing)
			}
		})
	}
}

func TestChecksOfNothingFail(t *testing.T) {
	all := map[string]query.Check{}
	for _, row := range checkRows {
		all[row.name] = row.check
	}
	for name, check := range all {
		for _, r := range []query.Report{{}, (&history{}).report()} {
			if err := r.Verify(check); !errors.Is(err, query.ErrNothingToCheck) {
				t.Errorf("%s: got %v of a report without exports, want nothing to check", name, err)
			}
			if err := check(r); !errors.Is(err, query.ErrNothingToCheck) {
				t.Errorf("%s: got %v of the check alone, want nothing to check", name, err)
			}
		}
	}
	h := &history{now: time.Unix(1000, 0)}
	h.export("a", nil)
	if err := h.report().Verify(); !errors.Is(err, query.ErrNothingToCheck) {
		t.Errorf("got %v without a check, want nothing to check", err)
	}
}

func TestVerifyJoinsAllErrors(t *testing.T) {
	h := &history{now: time.Unix(1000, 0)}
	h.export("ab", unavailable)
	h.export("ab", unavailable)
	own := errors.New("of a check of one's own")
	err := h.report().Verify(query.NoLoss(), query.MaxAttempts(2), query.NotRetried(), func(query.Report) error { return own })
	const want = `NoLoss: got 2 of 2 spans lost, last in export 2, want none
NotRetried: got 1 of 1 batch sent again, want each sent once (C-01, C-06, C-07, C-12)
  batch 1: got 2 attempts: exports 1, 2
of a check of one's own`
	if !errors.Is(err, own) || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestAConnectionOpenedBeforeAnotherStoodIdleIsNeeded(t *testing.T) {
	h := &history{now: time.Unix(1000, 0)}
	h.export("a", on(1, false))
	h.export("b", on(2, false))
	r := query.NewReport(h.exports, query.Contents{Opened: func(conn int) time.Time { return time.Unix(1000, 0) }})
	if err := r.Verify(query.ReusesConnections()); !errors.Is(err, query.ErrNothingToCheck) {
		t.Errorf("got %v, want that the second connection was opened before the first could be used", err)
	}
}
