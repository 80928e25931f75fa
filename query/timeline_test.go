package query_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

func TestReportReadsAsATimeline(t *testing.T) {
	h := &history{now: time.Unix(1000, 0)}
	on := func(conn int, answer func(*query.Export)) func(*query.Export) {
		return func(e *query.Export) {
			if e.Conn = conn; answer != nil {
				answer(e)
			}
		}
	}
	h.export("ab", on(1, throttled(time.Second)))
	h.export("ab", on(1, nil))
	h.export("ab", on(2, func(e *query.Export) { e.Protocol = query.HTTPProtobuf }))
	h.export("cd", on(1, func(e *query.Export) { unavailable(e); e.Stored = 2 }))
	h.export("ef", on(1, func(e *query.Export) { e.Outcome, e.Answered, e.Stored = query.Open, time.Time{}, 0 }))
	h.export("ghijk", on(3, func(e *query.Export) {
		e.Signal, e.Items, e.Rejected, e.Outcome, e.Stored = query.Logs, 5, 3, query.Partial, 2
	}))
	h.export("lm", on(1, func(e *query.Export) {
		unavailable(e)
		e.Status.Message = "try later"
		e.Answered = e.Answered.Add(time.Minute)
	}))
	h.export("lm", on(4, func(e *query.Export) {
		unavailable(e)
		e.Outcome, e.Deadline = query.Abandoned, e.Arrived.Add(10*time.Second)
		e.Answered = e.Deadline
	}))
	h.now = h.now.Add(time.Minute)
	h.export("lm", on(4, func(e *query.Export) { e.Deadline = e.Arrived.Add(9998 * time.Millisecond) }))
	h.export("no", on(4, func(e *query.Export) { throttled(30 * time.Second)(e); e.Stored = 2 }))
	h.now = h.now.Add(30*time.Second - time.Second)
	h.export("no", on(4, func(e *query.Export) { throttled(time.Minute)(e); e.Deadline = e.Arrived.Add(10 * time.Second) }))
	h.now = h.now.Add(time.Minute)
	h.export("no", on(4, nil))
	h.export("", on(5, func(e *query.Export) { unavailable(e); e.Unread, e.Items, e.Outcome = true, 0, query.Cut }))
	h.export("pq", on(4, func(e *query.Export) {
		unavailable(e)
		e.Status.Message = "a long story of why this server would rather not have your spans now"
	}))
	h.export("rs", on(4, func(e *query.Export) { e.Stored = 0 }))
	golden(t, h.report().String(), `
10 batches in 15 exports: 6 delivered, 4 not delivered, 1 equal to one acknowledged before
19 items sent: 10 delivered, 3 refused by a partial success, 4 lost, 2 unacknowledged
4 items delivered more than once: 2 legally (C-43), 2 after an acknowledgement
5 connections, at most 3 requests in flight
batch 1  traces  2 spans  delivered
  export 1   +0s     conn 1  grpc  UNAVAILABLE (fault 1 of 2)  told to wait 1s
  export 2   +1s     conn 1  grpc  accepted                    came 1s after (1s promised)
batch 2  traces  2 spans  delivered, again: batch 1 was acknowledged
  export 3   +2s     conn 2  http/protobuf  accepted
batch 3  traces  2 spans  delivered, but never acknowledged
  export 4   +3s     conn 1  grpc  UNAVAILABLE
batch 4  traces  2 spans  open
  export 5   +4s     conn 1  grpc  open
batch 5  logs  5 log records  2 of 5 delivered
  export 6   +5s     conn 3  grpc  partial success, 3 rejected
batch 6  traces  2 spans  delivered
  export 7   +6s     conn 1  grpc  UNAVAILABLE: try later
  export 8   +7s     conn 4  grpc  client gave up after 10s  came while export 7 was open, deadline 10s
  export 9   +1m8s   conn 4  grpc  accepted                  came 51s after, deadline 10s
batch 7  traces  2 spans  delivered twice, legal: the acknowledgement of export 10 was lost (C-43)
  export 10  +1m9s   conn 4  grpc  UNAVAILABLE (fault 1 of 2)  told to wait 30s
  export 11  +1m39s  conn 4  grpc  UNAVAILABLE (fault 1 of 2)  came 30s after (30s promised), told to wait 1m,
             deadline 10s
  export 12  +2m40s  conn 4  grpc  accepted                    came 1m1s after (1m promised)
batch 8  traces  body not read  not delivered
  export 13  +2m41s  conn 5  grpc  cut by the server
batch 9  traces  2 spans  not delivered
  export 14  +2m42s  conn 4  grpc  UNAVAILABLE: a long story of why this server…
batch 10  traces  2 spans  not delivered, although it was accepted
  export 15  +2m43s  conn 4  grpc  accepted
`)
}

func golden(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("text (-want +got):\n%s\n%s", diff, got)
	}
	for line := range strings.Lines(got) {
		if n := utf8.RuneCountInString(line); n > 111 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}
