package integration_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// C-04, C-08: the exporters wait exactly as long as they were told, since
// their own backoff is shorter. A RetryInfo keeps its fraction of a second; a
// Retry-After cannot and is rounded up.
func TestExportersWaitAsLongAsTheyAreThrottled(t *testing.T) {
	told := []time.Duration{30 * time.Second, 350 * time.Millisecond, 1001 * time.Millisecond, 10 * time.Millisecond}
	onHTTP := []time.Duration{30 * time.Second, time.Second, 2 * time.Second, time.Second}
	eachPathInBubble(t, func(t *testing.T, p path) {
		var fs []faults.Fault
		for _, d := range told {
			fs = append(fs, faults.Throttle(d))
		}
		srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(fs...)))
		if err := newExporter(t, srv, p, patient).export(t.Context()); err != nil {
			t.Fatalf("export: %v", err)
		}
		want := told
		if !p.grpc() {
			want = onHTTP
		}
		b := onlyBatch(t, srv)
		if got := b.Promised(); !slices.Equal(got, append(slices.Clone(want), 0)) {
			t.Errorf("got promised %v, want %v and 0 for the last", got, want)
		}
		if got := b.Gaps(); !slices.Equal(got, want) {
			t.Errorf("got gaps %v, want %v", got, want)
		}
		for i, e := range b.Attempts() {
			if throttled := i < len(told); e.Throttled != throttled || (e.Outcome == query.Refused) != throttled {
				t.Errorf("attempt %d: got outcome %s, throttled %t", i+1, e.Outcome, e.Throttled)
			}
		}
		if b.Deliveries() != 1 || !b.Acknowledged() || b.RepeatOf() != nil {
			t.Errorf("got %d deliveries, want 1 that was acknowledged:\n%s", b.Deliveries(), srv.Report())
		}
		wantItems(t, srv, sampleOf(p.signal))
	})
}

// A server's time before its answer is no part of the gap.
func TestAnswersThatTakeTimeAreNotCountedAsWaiting(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(
			faults.Throttle(5*time.Second).After(time.Minute),
			faults.Accept().After(9*time.Minute),
		)))
		start := time.Now()
		if err := newExporter(t, srv, p, patient).export(t.Context()); err != nil {
			t.Fatalf("export: %v", err)
		}
		if got, want := time.Since(start), 10*time.Minute+5*time.Second; got != want {
			t.Errorf("got an export of %s, want %s", got, want)
		}
		if got := onlyBatch(t, srv).Gaps(); !slices.Equal(got, []time.Duration{5 * time.Second}) {
			t.Errorf("got gaps %v, want 5s", got)
		}
	})
}

// A lost acknowledgement: the data is there twice, and legally so (C-43).
func TestAnExportThatWasStoredButRefusedIsDeliveredTwice(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(faults.Throttle(time.Second).Stored())))
		if err := newExporter(t, srv, p, patient).export(t.Context()); err != nil {
			t.Fatalf("export: %v", err)
		}
		if b := onlyBatch(t, srv); b.Deliveries() != 2 || b.RepeatOf() != nil {
			t.Errorf("got %d deliveries, want 2 of one batch:\n%s", b.Deliveries(), srv.Report())
		}
		if got, want := stored(srv, p.signal), 2*onlyBatch(t, srv).Items; got != want {
			t.Errorf("got %d items stored, want %d", got, want)
		}
	})
}

// C-02, C-03, C-06: which answers the exporters take as an invitation to come
// again. On HTTP a code stands for a status, on gRPC a status for a code.
var retriedAfter = []struct {
	fault   faults.Fault
	retried bool
}{
	{faults.Unavailable(), true},
	{faults.Throttle(0), true},
	{faults.Throttle(time.Second), true},
	{faults.Code(codes.Canceled), true},
	{faults.Code(codes.DeadlineExceeded), true},
	{faults.Code(codes.Aborted), true},
	{faults.Code(codes.OutOfRange), true},
	{faults.Code(codes.DataLoss), true},
	{faults.HTTPStatus(429), true},
	{faults.HTTPStatus(502), true},
	{faults.HTTPStatus(503), true},
	{faults.HTTPStatus(504), true},

	{faults.Reject("schema mismatch"), false},
	{faults.Code(codes.Unknown), false},
	{faults.Code(codes.InvalidArgument), false},
	{faults.Code(codes.NotFound), false},
	{faults.Code(codes.AlreadyExists), false},
	{faults.Code(codes.PermissionDenied), false},
	{faults.Code(codes.ResourceExhausted), false},
	{faults.Code(codes.FailedPrecondition), false},
	{faults.Code(codes.Unimplemented), false},
	{faults.Code(codes.Internal), false},
	{faults.Code(codes.Unauthenticated), false},
	{faults.HTTPStatus(400), false},
	{faults.HTTPStatus(401), false},
	{faults.HTTPStatus(408), false},
	{faults.HTTPStatus(413), false},
	{faults.HTTPStatus(500), false},
	{faults.HTTPStatus(501), false},
}

// C-01, C-02, C-03, C-06, C-07.
func TestExportersRetryWhatIsRetryableAndNothingElse(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		for _, test := range retriedAfter {
			t.Run(test.fault.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { retryAfter(t, p, test.fault, test.retried) })
			})
		}
	})
}

func retryAfter(t *testing.T, p path, fault faults.Fault, retried bool) {
	srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(fault)))
	err := newExporter(t, srv, p, patient).export(t.Context())
	if (err == nil) != retried {
		t.Errorf("got error %v from the exporter", err)
	}
	b := onlyBatch(t, srv)
	attempts, deliveries := 1, 0
	if retried {
		attempts, deliveries = 2, 1
	}
	if len(b.Attempts()) != attempts || b.Deliveries() != deliveries || b.Acknowledged() != retried {
		t.Errorf("want %d attempts, %d deliveries:\n%s", attempts, deliveries, srv.Report())
	}
	if got, want := stored(srv, p.signal), deliveries*b.Items; got != want {
		t.Errorf("got %d items stored, want %d", got, want)
	}
	if first := b.Attempts()[0]; first.Outcome != query.Refused || first.Status.Code == 0 || first.Status.HTTP == 0 && !p.grpc() {
		t.Errorf("got outcome %s with status %s", first.Outcome, first.Status)
	}
}

// C-12, S-08, S-10: partial success is success, but the exporter says so.
func TestPartialSuccessIsReportedAndNotRetried(t *testing.T) {
	for name, test := range map[string]struct {
		fault    faults.Fault
		rejected int64
	}{
		"one rejected":  {faults.PartialSuccess(1, "one was too old"), 1},
		"only a notice": {faults.PartialSuccess(0, "deprecated"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			eachPathInBubble(t, func(t *testing.T, p path) {
				srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(test.fault)))
				wantMention(t, newExporter(t, srv, p, patient).export(t.Context()), test.fault.Message)
				b := onlyBatch(t, srv)
				if len(b.Attempts()) != 1 || b.Deliveries() != 1 || !b.Acknowledged() {
					t.Errorf("want 1 attempt, delivered and acknowledged:\n%s", srv.Report())
				}
				e := b.Attempts()[0]
				if e.Outcome != query.Partial || e.Rejected != test.rejected || e.Stored != e.Items-int(test.rejected) {
					t.Errorf("got %s with %d rejected, %d of %d stored", e.Outcome, e.Rejected, e.Stored, e.Items)
				}
				if got := stored(srv, p.signal); got != e.Stored {
					t.Errorf("got %d items, want %d", got, e.Stored)
				}
			})
		})
	}
}
