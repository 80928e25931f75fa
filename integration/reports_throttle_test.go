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

// delays are what clients are told to wait. Over HTTP they are rounded up to
// seconds.
var delays = []time.Duration{200 * time.Millisecond, time.Second, 1500 * time.Millisecond, time.Minute}

func rounded(p path, d time.Duration) time.Duration {
	if s := d.Truncate(time.Second); !p.grpc() && s < d {
		return s + time.Second
	}
	return d
}

// wantRetryAfter checks that a fault lets an exporter come again after exactly
// that time, with the same bytes, and that all is well then. The exporter's own
// backoff is a millisecond.
func wantRetryAfter(t *testing.T, p path, fault faults.Fault, delay time.Duration) {
	t.Helper()
	srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(fault)))
	start := time.Now()
	if err := p.configured(t, srv, settings{retries: patient, timeout: time.Hour}).export(t.Context()); err != nil {
		t.Errorf("%s: export: %v", fault, err)
	}
	wantItems(t, srv, sampleOf(p.signal))
	verify(t, srv, query.HonoursRetryDelay(), query.MinGap(delay), query.MaxAttempts(2), query.DeliveredOnce(), query.AllDelivered())
	if b := onlyBatch(t, srv); !slices.Equal(b.Gaps(), []time.Duration{delay}) || b.Promised()[0] != delay || time.Since(start) != delay {
		t.Errorf("%s: got %v after %v promised, want %s:\n%s", fault, b.Gaps(), b.Promised(), delay, srv.Report())
	}
	noViolations(t, srv.Violations())
}

// wantNoRetry checks that an exporter drops what such a fault refuses.
func wantNoRetry(t *testing.T, p path, fault faults.Fault) {
	t.Helper()
	srv := startInMemory(t, otlptest.WithFaults(faults.Always(fault)))
	if err := p.configured(t, srv, settings{retries: patient}).export(t.Context()); err == nil {
		t.Errorf("%s: the export succeeded", fault)
	}
	verify(t, srv, query.NotRetried())
	wantNothing(t, srv)
}

// C-03: RESOURCE_EXHAUSTED is final, unless it says when to come again.
func exhaustionIsFinalWithoutADelay(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		wantNoRetry(t, p, faults.Code(codes.ResourceExhausted))
		for _, d := range delays {
			wantRetryAfter(t, p, faults.ResourceExhausted(d), rounded(p, d))
			wantRetryAfter(t, p, faults.Code(codes.ResourceExhausted).RetryIn(d), rounded(p, d))
		}
	})
}

// C-06, C-08: each status that may be retried, with both forms of Retry-After.
// Over gRPC these are bare answers of a proxy, whose Retry-After grpc-go does
// not see: the exporters come again by their own backoff.
func retryAfterIsHonoured(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		for _, status := range []int{429, 502, 503, 504} {
			for _, d := range delays {
				fault := faults.HTTPStatus(status).RetryIn(d)
				if p.grpc() {
					wantOwnBackoff(t, p, fault)
					continue
				}
				wantRetryAfter(t, p, fault, rounded(p, d))
				wantRetryAfter(t, p, fault.AsDate(), rounded(p, d))
			}
		}
	})
}

// wantOwnBackoff checks that an exporter comes again as it likes: after a tenth
// of a second, give or take half of it.
func wantOwnBackoff(t *testing.T, p path, fault faults.Fault) {
	t.Helper()
	const initial = 100 * time.Millisecond
	srv := startInMemory(t, otlptest.WithFaults(faults.Sequence(fault)))
	e := p.configured(t, srv, settings{retries: retries{true, initial, initial, time.Hour}, timeout: time.Hour})
	if err := e.export(t.Context()); err != nil {
		t.Errorf("%s: export: %v", fault, err)
	}
	verify(t, srv, query.MinGap(initial/2), query.MaxAttempts(2), query.AllDelivered(), query.DeliveredOnce())
	if b := onlyBatch(t, srv); len(b.Gaps()) != 1 || b.Gaps()[0] > initial*3/2 {
		t.Errorf("%s: got gaps %v, want %s ± 50%%", fault, b.Gaps(), initial)
	}
}

// The unit of the delay: what is told in seconds is waited for in seconds.
func delaysKeepTheirUnit(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		for _, d := range []time.Duration{time.Second, 2 * time.Second, 30 * time.Second, 10 * time.Minute} {
			wantRetryAfter(t, p, faults.Throttle(d), d)
			wantRetryAfter(t, p, faults.Throttle(d).AsDate(), d)
		}
	})
}

// C-04: every code that may be retried can have a RetryInfo, with fractions of
// a second. Over HTTP codes stand for statuses.
func retryInfoIsHonoured(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		for _, code := range []codes.Code{codes.Canceled, codes.DeadlineExceeded, codes.Aborted, codes.OutOfRange, codes.Unavailable, codes.DataLoss} {
			for _, d := range []time.Duration{time.Millisecond * 10, 350 * time.Millisecond, 1001 * time.Millisecond} {
				wantRetryAfter(t, p, faults.Code(code).RetryIn(d), rounded(p, d))
			}
			wantOwnBackoff(t, p, faults.Code(code).RetryIn(0))
			wantOwnBackoff(t, p, faults.Code(code))
		}
		wantOwnBackoff(t, p, faults.Throttle(0))
	})
}

// C-06, C-07: what the statuses of HTTP stand for. Over gRPC they are bare
// answers of a proxy, of which grpc-go makes the codes that it documents.
func onlyGatewaysAreRetried(t *testing.T) {
	final := []int{400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 413, 415, 418, 421, 422, 425, 426, 428, 431, 451, 500, 501, 505, 507, 511, 599}
	eachPathInBubble(t, func(t *testing.T, p path) {
		for _, status := range final {
			wantNoRetry(t, p, faults.HTTPStatus(status))
		}
		for _, status := range []int{429, 502, 503, 504} {
			wantOwnBackoff(t, p, faults.HTTPStatus(status))
		}
	})
}

// The timeout bounds a whole export over gRPC, and one attempt over HTTP: there
// the retries' MaxElapsedTime ends it. (C-33 does not say which is right.)
func timeoutsBoundWhatTheyBound(t *testing.T) {
	const timeout, backoff, elapsed = 300 * time.Millisecond, 50 * time.Millisecond, 2 * time.Second
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t, otlptest.WithFaults(faults.Always(faults.Unavailable())))
		e := p.configured(t, srv, settings{retries: retries{true, backoff, backoff, elapsed}, timeout: timeout})
		start := time.Now()
		if err := e.export(t.Context()); err == nil {
			t.Error("the export succeeded")
		}
		took, attempts := time.Since(start), len(onlyBatch(t, srv).Attempts())
		verify(t, srv, query.Backoff(backoff, 1.5, backoff, 0.5))
		end, early := elapsed, 0*time.Second // the last answer comes after the end
		if p.grpc() {
			end, early = timeout, backoff*3/2 // it stops waiting when its time is over
		}
		verify(t, srv, query.StopsBy(end+backoff*3/2))
		if err := srv.Report().Verify(query.StopsBy(end - backoff*3)); err == nil {
			t.Errorf("the last attempt came before %s", end-backoff*3)
		}
		if took < end || took > end+backoff*3/2-early {
			t.Errorf("got an export of %s, want %s", took, end)
		}
		if least, most := int(end/(backoff*3/2)), 1+int(end/(backoff/2)); attempts < least || attempts > most+1 {
			t.Errorf("got %d attempts in %s, want %d to %d", attempts, took, least, most)
		}
		t.Logf("%d attempts in %s", attempts, took)
	})
}

// S-11, S-13, S-27: an overload is the transport's retryable error, from one
// script for both.
func overloadIsRetryable(t *testing.T) {
	for text, want := range map[string]struct{ grpc, http string }{
		"5 times always throttle 5s":            {"UNAVAILABLE", "503 UNAVAILABLE"},
		"5 times always exhausted 5s":           {"RESOURCE_EXHAUSTED", "429 RESOURCE_EXHAUSTED"},
		"5 times always unavailable":            {"UNAVAILABLE", "503 UNAVAILABLE"},
		"throttle 2s, unavailable, throttle 0s": {"UNAVAILABLE", "503 UNAVAILABLE"},
	} {
		t.Run(text, func(t *testing.T) {
			rules, err := faults.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			eachPathInBubble(t, func(t *testing.T, p path) {
				srv := startInMemory(t, otlptest.WithFaults(rules...))
				if err := p.configured(t, srv, settings{retries: patient, timeout: time.Hour}).export(t.Context()); err != nil {
					t.Errorf("export: %v", err)
				}
				wantOverloads(t, p, srv, want.grpc, want.http)
			})
		})
	}
	t.Run("capacity", capacityIsAnOverload)
}

func wantOverloads(t *testing.T, p path, srv *otlptest.Server, grpc, http string) {
	t.Helper()
	status := http
	if p.grpc() {
		status = grpc
	}
	attempts := onlyBatch(t, srv).Attempts()
	for _, e := range attempts[:len(attempts)-1] {
		if e.Outcome != query.Refused || e.Status.String() != status {
			t.Errorf("got %s with %s, want %s", e, e.Status, status)
		}
	}
	verify(t, srv, query.AllDelivered(), query.DeliveredOnce())
	if len(srv.Faults()) != 0 {
		t.Errorf("got %v left of the script", srv.Faults())
	}
	noViolations(t, srv.Violations())
}

// A backend that can take one item a second gets all items: of five exports of
// two items the last one has to wait for seven seconds, until no more than a
// second of work is waiting.
func capacityIsAnOverload(t *testing.T) {
	for _, protocol := range protocols {
		synctest.Test(t, func(t *testing.T) {
			srv := startInMemory(t, otlptest.WithFaults(faults.Always(faults.Capacity(1, 0))))
			e := path{query.Logs, protocol}.configured(t, srv, settings{retries: patient, timeout: time.Hour})
			start := time.Now()
			for range 5 {
				if err := e.export(t.Context()); err != nil {
					t.Errorf("export: %v", err)
				}
			}
			if took := time.Since(start); took < 7*time.Second {
				t.Errorf("got ten items in %s, want one a second", took)
			}
			otlptest.Exactly(t, srv.Logs(), 10)
			verify(t, srv, query.HonoursRetryDelay(), query.AllDelivered())
		})
	}
}
