package integration_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// badDay is a backend that has one.
const badDay = `
	traces per batch: throttle 2s, unavailable after 500ms, http 502, partial 1 "too old"
	metrics: accept, hang, exhausted 3s stored, reject "no"
	logs request 2: always reset stored
	logs: always capacity 0.5/s
`

// What a backend answered can be answered again by another one: the same
// exporters, by the same settings, then get the same answers, one by one.
func TestABadDayCanBeReplayed(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script, err := faults.Parse(badDay)
				if err != nil {
					t.Fatal(err)
				}
				first := transcriptOf(t, protocol, script)
				rules, err := faults.Replay(first)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(unscripted(first), unscripted(transcriptOf(t, protocol, rules))); diff != "" {
					t.Errorf("the transcript of the replay differs (-first +replay):\n%s", diff)
				}
				wantAllSorts(t, first)
			})
		})
	}
}

// transcriptOf is what a backend answers by these rules to three exports of
// each signal, one after the other.
func transcriptOf(t *testing.T, protocol query.Protocol, rules []faults.Rule) []query.Reply {
	t.Helper()
	srv := startInMemory(t, otlptest.WithFaults(rules...), otlptest.WithUnusedFaultsAllowed())
	for _, signal := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
		e := path{signal, protocol}.configured(t, srv, settings{retries: patient})
		for range 3 {
			_ = e.export(t.Context()) // the transcript says what became of it
			time.Sleep(time.Second)
		}
	}
	synctest.Wait()
	return srv.Report().Transcript()
}

// unscripted is replies without the faults that decided: a capacity, for
// instance, is replayed as what it did.
func unscripted(replies []query.Reply) []query.Reply {
	replies = slices.Clone(replies)
	for i := range replies {
		replies[i].Fault = ""
	}
	return replies
}

// wantAllSorts checks that the transcript is worth a replay.
func wantAllSorts(t *testing.T, replies []query.Reply) {
	t.Helper()
	for _, outcome := range []query.Outcome{query.Accepted, query.Partial, query.Refused, query.Abandoned, query.Cut} {
		if !slices.ContainsFunc(replies, func(r query.Reply) bool { return r.Outcome == outcome }) {
			t.Errorf("no export was %q", outcome)
		}
	}
	capacity := func(r query.Reply) bool { return r.Fault == "capacity 0.5/s" && r.Throttled }
	if !slices.ContainsFunc(replies, capacity) {
		t.Error("no export met the limit of the capacity")
	}
}
