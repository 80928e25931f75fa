package query

import (
	"fmt"
	"strings"
	"time"
)

// Report is the ledger of what clients tried to deliver: every export that
// carried telemetry, grouped into batches. Exports that were not OTLP are in
// none. It is a snapshot and safe to share.
type Report struct {
	Batches []Batch // in order of their first attempt
}

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
		if e.Stored > 0 || e.Items == 0 && e.Acknowledged() {
			n++
		}
	}
	return n
}

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

// NewReport is for sources: it groups exports, which are in order of arrival,
// by the content that key tells of each. Key is asked only where two exports
// could be equal.
func NewReport(exports []Export, key func(i int) string) Report {
	type shape struct {
		signal Signal
		items  int
	}
	alike := map[shape]int{}
	for _, e := range exports {
		alike[shape{e.Signal, e.Items}]++
	}
	var batches []*Batch
	byKey := map[string][]*Batch{}
	for i, e := range exports {
		if e.Signal == "" || e.Outcome == Malformed {
			continue
		}
		content := fmt.Sprint("export ", i)
		if alike[shape{e.Signal, e.Items}] > 1 {
			content = string(e.Signal) + key(i)
		}
		b := continued(byKey[content], e)
		if b == nil {
			b = &Batch{Number: len(batches) + 1, Signal: e.Signal, Items: e.Items}
			if equal := byKey[content]; len(equal) > 0 {
				b.repeatOf = equal[0]
			}
			batches = append(batches, b)
			byKey[content] = append(byKey[content], b)
		}
		b.attempts = append(b.attempts, e)
	}
	r := Report{Batches: make([]Batch, len(batches))}
	for i, b := range batches {
		r.Batches[i] = *b
	}
	return r
}

// continued is the oldest of some equal batches that e continues, or nil.
func continued(equal []*Batch, e Export) *Batch {
	for _, b := range equal {
		last := b.attempts[len(b.attempts)-1]
		if !last.Acknowledged() || last.OpenAt(e.Arrived) {
			return b
		}
	}
	return nil
}

// String is the ledger as text: a line for the whole, one for each batch, and
// one for each attempt.
func (r Report) String() string {
	var b strings.Builder
	exports, delivered, repeats := 0, 0, 0
	for _, batch := range r.Batches {
		exports += len(batch.attempts)
		if batch.Deliveries() > 0 {
			delivered++
		}
		if batch.repeatOf != nil {
			repeats++
		}
	}
	fmt.Fprintf(&b, "%s in %s: %d delivered", pluralES(len(r.Batches), "batch"), plural(exports, "export"), delivered)
	if n := len(r.Batches) - delivered; n > 0 {
		fmt.Fprintf(&b, ", %d not delivered", n)
	}
	if repeats > 0 {
		fmt.Fprintf(&b, ", %d repeated after an acknowledgement", repeats)
	}
	b.WriteByte('\n')
	for _, batch := range r.Batches {
		b.WriteString(batch.String())
	}
	return b.String()
}

func pluralES(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ses", n, what)
}

// String is a line about the batch and one for each attempt, each with its end
// of line.
func (b Batch) String() string {
	var w strings.Builder
	fmt.Fprintf(&w, "batch %d  %s  %s  %s", b.Number, b.Signal, b.Signal.Count(b.Items), b.state())
	if b.repeatOf != nil {
		fmt.Fprintf(&w, ", repeats batch %d", b.repeatOf.Number)
	}
	w.WriteByte('\n')
	became := make([]string, len(b.attempts))
	wide := 0
	for i, e := range b.attempts {
		became[i] = e.Became()
		wide = max(wide, len(became[i]))
	}
	for i, e := range b.attempts {
		line := fmt.Sprintf("  export %-3d %-13s %-*s", e.Number, e.Protocol, wide, became[i])
		if e.Throttled {
			line += fmt.Sprintf("  told to wait %s", e.RetryDelay)
		}
		if i > 0 {
			before := b.attempts[i-1]
			if before.OpenAt(e.Arrived) {
				line += "  came while the one before was open"
			} else {
				line += fmt.Sprintf("  came %s after", Round(b.gap(i)))
			}
			if before.Throttled {
				line += fmt.Sprintf(", %s promised", before.RetryDelay)
			}
		}
		w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return w.String()
}

// state says in words how far the batch got.
func (b Batch) state() string {
	n := b.Deliveries()
	switch {
	case n == 0 && b.attempts[len(b.attempts)-1].Outcome == Open:
		return "open"
	case n == 0:
		return "not delivered"
	case n > 1:
		return fmt.Sprintf("delivered %d times", n)
	case !b.Acknowledged():
		return "delivered, but never acknowledged"
	case b.kept() < b.Items:
		return fmt.Sprintf("%d of %d delivered", b.kept(), b.Items)
	}
	return "delivered"
}

// kept is how many items the best attempt brought.
func (b Batch) kept() int {
	most := 0
	for _, e := range b.attempts {
		most = max(most, e.Stored)
	}
	return most
}
