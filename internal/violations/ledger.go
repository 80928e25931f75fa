package violations

import (
	"fmt"
	"time"

	"github.com/otlptest/otlptest/query"
)

// The codes of gRPC that are retryable, but for RESOURCE_EXHAUSTED (C-02).
const (
	cancelled         query.Code = 1
	deadlineExceeded  query.Code = 4
	resourceExhausted query.Code = 8
	aborted           query.Code = 10
	outOfRange        query.Code = 11
	unavailable       query.Code = 14
	dataLoss          query.Code = 15
)

// ledger looks at what clients sent again, and when.
func ledger(seen []Evidence, report query.Report) []placed {
	l := ledgerChecks{at: map[int]int{}, seen: seen, last: map[int]query.Export{}}
	for i, s := range seen {
		l.at[s.Export.Number] = i
	}
	for _, b := range report.Batches {
		l.batch(b)
	}
	return l.found
}

type ledgerChecks struct {
	seen  []Evidence
	at    map[int]int          // by an export's number, which of them it is
	last  map[int]query.Export // by the number of the first of several equal batches, the last attempt of all
	found []placed
}

func (l *ledgerChecks) report(c *Check, e query.Export, got, want string) {
	l.found = append(l.found, place(l.at[e.Number], finding(c, got, want)))
}

// batch looks at each attempt and the one before.
func (l *ledgerChecks) batch(b query.Batch) {
	attempts := b.Attempts()
	first := b.Number
	if r := b.RepeatOf(); r != nil {
		first = r.Number
		if before := l.last[first]; l.again(before, attempts[0]) {
			l.repetition(before, attempts[0])
		}
	}
	for i, e := range attempts[1:] {
		if before := attempts[i]; l.again(before, e) {
			l.final(before, e)
			l.early(before, e)
		}
	}
	l.last[first] = attempts[len(attempts)-1]
}

// again says whether an export is proven to be a repetition of another one
// that had been answered: they come from one client and have a body. Where the
// clock stands still, two different exports of metrics or logs can be equal.
func (l *ledgerChecks) again(before, e query.Export) bool {
	i, known := l.at[e.Number]
	return known && l.seen[i].Found.body && clientOf(before) == clientOf(e) &&
		!before.Answered.IsZero() && !e.Arrived.Before(before.Answered) &&
		(e.Signal == query.Traces || e.Arrived.After(before.Arrived))
}

// final looks at a retry of what was refused for good.
func (l *ledgerChecks) final(before, e query.Export) {
	if before.Outcome != query.Refused {
		return
	}
	got := fmt.Sprintf("export %d again, which was refused with %s", before.Number, before.Status)
	const want = "that it is dropped"
	code := before.Status.Code
	switch status := before.Status.HTTP; {
	case before.Protocol != query.GRPC:
		if status == badRequest {
			l.report(retried400, e, got, want)
		} else if status >= 400 && !retryableHTTP(status) {
			l.report(retriedHTTP, e, got, want)
		}
	case code == resourceExhausted:
		if !before.Throttled {
			l.report(retriedQuota, e, got+" without RetryInfo", want)
		}
	case !retryable(code):
		l.report(retriedCode, e, got, want)
	}
}

func retryable(c query.Code) bool {
	switch c {
	case cancelled, deadlineExceeded, aborted, outOfRange, unavailable, dataLoss:
		return true
	}
	return false
}

func retryableHTTP(status int) bool {
	switch status {
	case tooManyRequests, badGateway, serviceUnavailable, gatewayTimeout:
		return true
	}
	return false
}

// early looks at a retry that came sooner than the client was told. Timers may
// be a little early.
func (l *ledgerChecks) early(before, e query.Export) {
	gap := e.Arrived.Sub(before.Answered)
	tolerance := min(5*time.Millisecond, before.RetryDelay/10)
	if !before.Throttled || gap >= before.RetryDelay-tolerance {
		return
	}
	c := earlyGRPC
	if e.Protocol != query.GRPC {
		c = earlyHTTP
	}
	l.report(c, e, fmt.Sprintf("a retry of export %d after %s", before.Number, query.Round(gap)), fmt.Sprintf("it after %s, as promised", before.RetryDelay))
}

// repetition looks at a batch that begins anew after an acknowledgement.
func (l *ledgerChecks) repetition(before, e query.Export) {
	populated := before.Outcome == query.Partial && (before.Rejected > 0 || before.Status.Message != "")
	switch {
	case populated:
		l.report(retriedPart, e, fmt.Sprintf("export %d again, which was answered with a partial success, %d rejected", before.Number, before.Rejected), "that it is not sent again")
	case e.Signal == query.Traces && before.Acknowledged():
		l.report(repeated, e, fmt.Sprintf("export %d again, which was answered with success", before.Number), "each span once")
	}
}
