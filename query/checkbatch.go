package query

import (
	"fmt"
	"time"
)

// checkBatches fails if something is wrong with some of the batches that the
// check is about.
func (r Report) checkBatches(name, none, what, want string, about func(Batch) bool, wrong func(Batch) string) error {
	looked := 0
	var details []string
	for _, b := range r.Batches {
		if !about(b) {
			continue
		}
		looked++
		if why := wrong(b); why != "" {
			details = append(details, fmt.Sprintf("batch %d: got %s", b.Number, why))
		}
	}
	switch {
	case looked == 0:
		return nothing(name, none)
	case len(details) > 0:
		return failure(name, fmt.Sprintf("%d of %s %s", len(details), pluralES(looked, "batch"), what), want, details)
	}
	return nil
}

const noBatch = "no export carried telemetry"

func everyBatch(Batch) bool { return true }

func sentAgain(b Batch) bool { return len(b.attempts) > 1 }

// numbers is those of the batch's attempts.
func (b Batch) numbers() []int {
	list := make([]int, len(b.attempts))
	for i, e := range b.attempts {
		list[i] = e.Number
	}
	return list
}

// MaxAttempts fails if a batch was sent more than n times, the first time
// included. It has nothing to check where there is no batch.
func MaxAttempts(n int) Check {
	return func(r Report) error {
		return r.checkBatches("MaxAttempts", noBatch, "sent more often", fmt.Sprintf("at most %s each", plural(n, "attempt")), everyBatch, func(b Batch) string {
			if len(b.attempts) <= n {
				return ""
			}
			return fmt.Sprintf("%s: %s", plural(len(b.attempts), "attempt"), exportList(b.numbers()))
		})
	}
}

// NotRetried fails if a batch was sent more than once, or again after it had
// been acknowledged: a client must drop what was refused for good (C-01, C-06,
// C-07) and what got a partial success (C-12). It has nothing to check where
// there is no batch.
func NotRetried() Check {
	return func(r Report) error {
		return r.checkBatches("NotRetried", noBatch, "sent again", "each sent once (C-01, C-06, C-07, C-12)", everyBatch, func(b Batch) string {
			switch {
			case sentAgain(b):
				return fmt.Sprintf("%s: %s", plural(len(b.attempts), "attempt"), exportList(b.numbers()))
			case b.repeatOf != nil:
				return fmt.Sprintf("export %d, which repeats batch %d", b.attempts[0].Number, b.repeatOf.Number)
			}
			return ""
		})
	}
}

// StopsBy fails if an attempt of a batch arrived later than d after its first
// one: a client gives up some day (C-33, C-39). It has nothing to check where
// nothing was sent again.
func StopsBy(d time.Duration) Check {
	return func(r Report) error {
		return r.checkBatches("StopsBy", "no export was sent again", "sent later", fmt.Sprintf("no attempt later than %s after the first", d), sentAgain, func(b Batch) string {
			last := b.attempts[len(b.attempts)-1]
			after := last.Arrived.Sub(b.attempts[0].Arrived)
			if after <= d {
				return ""
			}
			return fmt.Sprintf("export %d %s after export %d", last.Number, Round(after), b.attempts[0].Number)
		})
	}
}
