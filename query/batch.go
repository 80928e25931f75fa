package query

import "time"

// Batch is one piece of telemetry that a client tried to deliver, once or
// several times. An export continues the oldest batch with the same signal and
// items whose last attempt had not been acknowledged when it arrived, whatever
// the connection, protocol or compression; any other export opens a new one.
// (Metrics and logs of two different exports can be equal byte for byte, for
// instance where the clock stands still: only for spans, which have ids, is a
// repetition proven.)
type Batch struct {
	Number   int // from 1
	Signal   Signal
	Items    int // spans, data points or log records
	attempts []Export
	repeatOf *Batch
}

// Attempts is the exports that carried the batch, in order of arrival.
func (b Batch) Attempts() []Export { return b.attempts }

// RepeatOf is the first batch with the same signal and items, if this one was
// opened after that had been acknowledged, and nil otherwise.
func (b Batch) RepeatOf() *Batch { return b.repeatOf }

// Acknowledged says whether the client was told of an attempt that it had
// arrived, fully or in part.
func (b Batch) Acknowledged() bool {
	for _, e := range b.attempts {
		if e.Acknowledged() {
			return true
		}
	}
	return false
}

// Deliveries is how many attempts brought data that was kept, whatever the
// client was told.
func (b Batch) Deliveries() int {
	n := 0
	for _, e := range b.attempts {
		if e.delivered() {
			n++
		}
	}
	return n
}

// delivered says whether an export brought data that was kept.
func (e Export) delivered() bool { return e.Stored > 0 || e.Items == 0 && e.Acknowledged() }

// Gaps is how long the client waited before each further attempt: from the
// answer to the one before (its arrival where it got none) to the arrival of
// the next. It is one shorter than Attempts; Gaps()[i] belongs to what
// Promised()[i] says. A gap is negative where attempts overlapped.
func (b Batch) Gaps() []time.Duration {
	if len(b.attempts) < 2 {
		return nil
	}
	gaps := make([]time.Duration, len(b.attempts)-1)
	for i := range gaps {
		gaps[i] = b.gap(i + 1)
	}
	return gaps
}

// gap is the time between attempt i and the one before.
func (b Batch) gap(i int) time.Duration {
	from := b.attempts[i-1].Answered
	if from.IsZero() {
		from = b.attempts[i-1].Arrived
	}
	return b.attempts[i].Arrived.Sub(from)
}

// Promised is the delay that each attempt's answer told the client to wait
// (RetryInfo or Retry-After), and 0 where it named none. It is as long as
// Attempts.
func (b Batch) Promised() []time.Duration {
	ds := make([]time.Duration, len(b.attempts))
	for i, e := range b.attempts {
		ds[i] = e.RetryDelay
	}
	return ds
}

// kept is how many items the best attempt brought.
func (b Batch) kept() int {
	most := 0
	for _, e := range b.attempts {
		most = max(most, e.Stored)
	}
	return most
}
