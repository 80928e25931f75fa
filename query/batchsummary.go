package query

import (
	"fmt"
	"strings"
)

// Summary says in a line what became of the batch: how far it got, why where
// nothing of it was delivered, and how long the client waited where it had been
// told to, as in
//
//	delivered; export 2 came 500ms after export 1, too early (2s promised)
//
// It is empty for the zero Batch.
func (b Batch) Summary() string {
	if len(b.attempts) == 0 {
		return ""
	}
	text := b.state()
	if last := b.attempts[len(b.attempts)-1]; b.Deliveries() == 0 && last.Outcome != Open && last.Outcome != Accepted {
		text += fmt.Sprintf(": export %d %s", last.Number, last.Became())
	}
	parts := []string{text}
	for i, before := range b.attempts[:len(b.attempts)-1] {
		if before.Throttled {
			parts = append(parts, b.obeyed(i+1))
		}
	}
	return strings.Join(parts, "; ")
}

// obeyed says how long after the one before attempt i came, where that had
// named a delay.
func (b Batch) obeyed(i int) string {
	before, e := b.attempts[i-1], b.attempts[i]
	if before.OpenAt(e.Arrived) {
		return fmt.Sprintf("export %d came while export %d was open", e.Number, before.Number)
	}
	much := ""
	if d := before.RetryDelay; b.gap(i) < d-early(d) {
		much = ", too early"
	}
	return fmt.Sprintf("export %d came %s after export %d%s (%s promised)", e.Number, brief(b.gap(i)), before.Number, much, brief(before.RetryDelay))
}
