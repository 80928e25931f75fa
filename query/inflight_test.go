package query_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

// at makes exports of a hundred spans, from and to these milliseconds.
func (h *history) at(from, to int) {
	start := time.Unix(1000, 0)
	h.export("", func(e *query.Export) {
		e.Items, e.Stored = 100, 100
		e.Arrived = start.Add(time.Duration(from) * time.Millisecond)
		e.Answered = start.Add(time.Duration(to) * time.Millisecond)
	})
}

func TestInFlightIsEveryChange(t *testing.T) {
	h := &history{}
	h.at(0, 300)
	h.at(100, 200)
	h.at(300, 300) // came when the first was answered, and was answered at once
	h.at(300, 300)
	h.export("", func(e *query.Export) { e.Signal = "" })
	h.export("", func(e *query.Export) { e.Outcome, e.Answered = query.Open, time.Time{} })
	h.exports[5].Arrived = time.Unix(1001, 0)
	var got [][2]int
	for _, s := range h.report().InFlight() {
		got = append(got, [2]int{int(s.At.Sub(time.Unix(1000, 0)).Milliseconds()), s.Open})
	}
	want := [][2]int{{0, 1}, {100, 2}, {200, 1}, {300, 0}, {300, 1}, {300, 0}, {300, 1}, {300, 0}, {1000, 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps in milliseconds (-want +got):\n%s", diff)
	}
	if got := h.report().Peak(); got != 2 {
		t.Errorf("got a peak of %d, want 2", got)
	}
}

// The example of OTEP-0035: requests of 100 spans, a round trip of 200 ms and
// 300 ms in the server.
func TestThroughputIsThatOfTheFormula(t *testing.T) {
	for _, test := range []struct {
		inFlight int
		want     float64
	}{{1, 200}, {20, 4000}} {
		h := &history{roundTrip: 200 * time.Millisecond}
		for round := range 10 {
			for range test.inFlight {
				h.at(500*round, 500*round+300)
			}
		}
		want := query.Throughput{
			Measured: test.want, Ceiling: test.want, Peak: test.inFlight, ItemsPerExport: 100,
			ServerTime: 300 * time.Millisecond, RoundTrip: 200 * time.Millisecond,
		}
		if diff := cmp.Diff(want, h.report().Throughput()); diff != "" {
			t.Errorf("%d in flight (-want +got):\n%s", test.inFlight, diff)
		}
	}
}

func TestThroughputCountsWhatWasAcknowledged(t *testing.T) {
	h := &history{}
	h.at(0, 0)
	h.at(500, 500)
	h.at(1000, 1000)
	h.exports[1].Outcome = query.Refused
	h.exports[2].Outcome, h.exports[2].Rejected = query.Partial, 40
	if got := h.report().Throughput(); got.Measured != 60 || got.Ceiling != 0 || got.ServerTime != 0 {
		t.Errorf("got %+v, want 60 items measured in a second, and no ceiling where no time passes", got)
	}
	h.exports = h.exports[:1]
	if got := h.report().Throughput(); got.Measured != 0 || got.Peak != 1 {
		t.Errorf("got %+v of one export, want nothing measured", got)
	}
	if got := (query.Report{}).Throughput(); got != (query.Throughput{}) {
		t.Errorf("got %+v of no export", got)
	}
}

func TestTranscriptHasEveryAnswer(t *testing.T) {
	h := &history{now: time.Unix(1000, 0)}
	h.export("a", throttled(time.Second))
	h.export("a", func(e *query.Export) { e.Answered = e.Arrived.Add(300 * time.Millisecond) })
	h.export("", func(e *query.Export) { e.Outcome, e.Status.Code, e.Stored = query.Malformed, 3, 0 })
	h.export("b", partial(1))
	h.export("c", open)
	want := []query.Reply{
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Refused, Status: query.Status{Code: 14}, Throttled: true, RetryDelay: time.Second, Fault: "throttle 1s"},
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Accepted, Took: 300 * time.Millisecond, Stored: true},
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Malformed, Status: query.Status{Code: 3}},
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Partial, Rejected: 1, Stored: true},
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Open},
	}
	if diff := cmp.Diff(want, h.report().Transcript()); diff != "" {
		t.Errorf("transcript (-want +got):\n%s", diff)
	}
}
