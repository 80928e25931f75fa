package integration_test

import (
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

const yes, no = true, false

// retryTable is whether a client of gRPC may send again what got a code: in the
// design of 2019 (the table of OTEP-0035), and today (C-02, C-03); they differ
// in one row. Attempts are those of the official exporters, all signals alike,
// of a backend that refuses four times.
var retryTable = []struct {
	fault         faults.Fault
	in2019, today bool
	attempts      int
}{
	{faults.Code(codes.Canceled), yes, yes, 5},
	{faults.Code(codes.Unknown), no, no, 1},
	{faults.Code(codes.InvalidArgument), no, no, 1},
	{faults.Code(codes.DeadlineExceeded), yes, yes, 5},
	{faults.Code(codes.NotFound), no, no, 1},
	{faults.Code(codes.AlreadyExists), no, no, 1},
	{faults.Code(codes.PermissionDenied), no, no, 1},
	{faults.Code(codes.Unauthenticated), no, no, 1},
	{faults.Code(codes.ResourceExhausted), yes, no, 1},
	{faults.ResourceExhausted(30 * time.Second), yes, yes, 5},
	{faults.Code(codes.FailedPrecondition), no, no, 1},
	{faults.Code(codes.Aborted), yes, yes, 5},
	{faults.Code(codes.OutOfRange), yes, yes, 5},
	{faults.Code(codes.Unimplemented), no, no, 1},
	{faults.Code(codes.Internal), no, no, 1},
	{faults.Code(codes.Unavailable), yes, yes, 5},
	{faults.Code(codes.DataLoss), yes, yes, 5},
}

func TestTheRetryTableOf2019AndOfToday(t *testing.T) {
	for _, row := range retryTable {
		if row.today != (row.attempts > 1) {
			t.Errorf("%s: got %d attempts in the table, want what it says of today", row.fault, row.attempts)
		}
		if bare := row.fault.Equal(faults.Code(codes.ResourceExhausted)); (row.in2019 != row.today) != bare {
			t.Errorf("%s: got %t in 2019 and %t today, want only the bare RESOURCE_EXHAUSTED to differ", row.fault, row.in2019, row.today)
		}
		for _, signal := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
			t.Run(row.fault.String()+" "+string(signal), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { refusedFourTimes(t, signal, row.fault, row.attempts) })
			})
		}
	}
	if got := len(retryTable); got != 17 {
		t.Errorf("got %d rows, want one for each of 16 codes and RESOURCE_EXHAUSTED once more", got)
	}
}

// refusedFourTimes exports with a backoff that is never as long as the 30
// seconds that one of the rows promises.
func refusedFourTimes(t *testing.T, signal query.Signal, fault faults.Fault, attempts int) {
	t.Helper()
	srv := startInMemory(t, otlptest.WithUnusedFaultsAllowed(),
		otlptest.WithFaults(faults.Sequence(fault, fault, fault, fault)))
	const first, longest = 5 * time.Second, 20 * time.Second
	e := path{signal, query.GRPC}.configured(t, srv, settings{
		retries: retries{Enabled: true, InitialInterval: first, MaxInterval: longest}, timeout: time.Hour,
	})
	err := e.export(t.Context())
	b := onlyBatch(t, srv)
	if retried := attempts > 1; (err == nil) != retried || b.Acknowledged() != retried {
		t.Errorf("got %v, acknowledged %t, want an error only where it is final", err, b.Acknowledged())
	}
	if got := len(b.Attempts()); got != attempts {
		t.Errorf("got %d attempts, want %d:\n%s", got, attempts, srv.Report())
	}
	switch {
	case attempts == 1:
		verify(t, srv, query.NotRetried())
	case fault.RetryDelay > 0:
		verify(t, srv, query.HonoursRetryDelay(), query.DeliveredOnce(), query.StopsBy(4*fault.RetryDelay))
	default:
		verify(t, srv, query.Backoff(first, 1.5, longest, 0.5), query.DeliveredOnce())
	}
}
