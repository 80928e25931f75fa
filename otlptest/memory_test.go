package otlptest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// identified makes a span with an id of its own.
func identified(n byte) *tracepb.Span {
	s := span(fmt.Sprintf("span %d", n))
	s.SpanId = bytes.Repeat([]byte{n}, 8)
	return s
}

// oneSpan is how many bytes an export of one identified span has.
func oneSpan(t *testing.T) int {
	t.Helper()
	srv := otlptest.Start(t)
	send(t, srv, identified(1))
	return otlptest.One(t, srv.Exports()).BodySize
}

func TestBeyondTheMemoryLimitExportsAreRefused(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMemoryLimit(2*oneSpan(t), otlptest.RefuseExports))
	var statuses []int
	for n := byte(1); n <= 3; n++ {
		statuses = append(statuses, send(t, srv, identified(n)))
	}
	if diff := cmp.Diff([]int{200, 200, 503}, statuses); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	e := otlptest.One(t, srv.Exports(where.Outcome(query.Refused)))
	if !e.Throttled || !e.Dropped || e.Items != 1 || !strings.Contains(e.String(), "memory limit") {
		t.Errorf("got %+v, want it throttled and to say that there was no room", e)
	}
	if m, want := srv.Memory(), (otlptest.Memory{Kept: 2 * oneSpan(t), Limit: 2 * oneSpan(t), Refused: 1}); m != want {
		t.Errorf("got %+v, want %+v", m, want)
	}
	srv.Reset()
	if status := send(t, srv, identified(3)); status != 200 {
		t.Errorf("got status %d after a reset, want 200", status)
	}
}

func TestTheLedgerKnowsWhatTheMemoryLimitKeptOut(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMemoryLimit(oneSpan(t), otlptest.RefuseExports))
	for _, n := range []byte{1, 2, 2, 3} {
		send(t, srv, identified(n))
	}
	report := srv.Report()
	if c := report.Items(); c.Sent != 3 || c.Lost != 2 {
		t.Errorf("got %+v, want 3 sent and 2 lost", c)
	}
	if len(report.Batches) != 3 || len(report.Batches[1].Attempts()) != 2 {
		t.Errorf("got\n%s\nwant the second batch sent twice", report)
	}
	if want := "memory limit of the server: 3 exports refused, the data of 0 dropped\n"; !strings.Contains(report.String(), want) {
		t.Errorf("got\n%s\nwant %q in it", report, want)
	}
}

func TestBeyondTheMemoryLimitTheOldestDataIsDropped(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMemoryLimit(2*oneSpan(t), otlptest.DropOldest))
	old := srv.Spans()
	for n := byte(1); n <= 4; n++ {
		if status := send(t, srv, identified(n)); status != 200 {
			t.Fatalf("got status %d, want 200", status)
		}
	}
	if diff := cmp.Diff([]string{"span 3", "span 4"}, names(srv)); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	if n := old.Slice()[0].Ref.Number(); n != 3 {
		t.Errorf("got number %d for the first span that is left, want 3", n)
	}
	if m := srv.Memory(); m.Dropped != 2 || m.Kept > m.Limit {
		t.Errorf("got %+v, want two dropped, and no more kept than the limit", m)
	}
	if err := srv.Report().Verify(query.NoLoss(), query.DeliveredOnce()); err != nil {
		t.Error(err)
	}
	if !strings.Contains(srv.Report().String(), "the data of 2 dropped\n") {
		t.Errorf("got\n%s\nwant it to say that data was dropped", srv.Report())
	}
}

func TestAttemptsAreCountedOverDataThatWasDropped(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMemoryLimit(oneSpan(t), otlptest.DropOldest),
		otlptest.WithFaults(faults.Always(faults.Unavailable()).On(query.Traces).OnAttempt(1, 2)))
	var statuses []int
	for _, n := range []byte{1, 2, 3, 1, 1} {
		statuses = append(statuses, send(t, srv, identified(n)))
	}
	if diff := cmp.Diff([]int{503, 503, 503, 503, 200}, statuses); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestViolationsOutliveTheDataThatHadThem(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithMemoryLimit(1, otlptest.DropOldest))
	send(t, srv, unclean("a"))
	send(t, srv, identified(1))
	otlptest.Exactly(t, srv.Violations(where.Rule("S-40")), 1)
}

func TestMemoryLimitsThatCannotBe(t *testing.T) {
	for want, option := range map[string]otlptest.Option{
		"WithMemoryLimit: got 0 bytes, want more than 0":               otlptest.WithMemoryLimit(0, otlptest.DropOldest),
		`WithMemoryLimit: got policy "", want "refuse" or "drop"`:      otlptest.WithMemoryLimit(1, ""),
		`WithMemoryLimit: got policy "later", want "refuse" or "drop"`: otlptest.WithMemoryLimit(1, "later"),
	} {
		if _, err := otlptest.New(option); err == nil || err.Error() != want {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}
