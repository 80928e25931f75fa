package query

import (
	"fmt"
	"math"
	"time"
)

// retry is an attempt that followed the answer to, or the end of, the one
// before, and came from the same client.
type retry struct {
	batch  Batch
	which  int // of the batch's retries, from 0
	before Export
	Export
	gap time.Duration
}

// retries is those of all batches. Attempts that overlap are none, nor are, for
// metrics and logs, two attempts at the same instant: where the clock stands
// still, two different exports can be equal.
func (r Report) retries() (list []retry) {
	for _, b := range r.Batches {
		for i := 1; i < len(b.attempts); i++ {
			before, e := b.attempts[i-1], b.attempts[i]
			if before.Answered.IsZero() || e.Arrived.Before(before.Answered) || !sameClient(before, e) ||
				e.Signal != Traces && !e.Arrived.After(before.Arrived) {
				continue
			}
			list = append(list, retry{b, i - 1, before, e, b.gap(i)})
		}
	}
	return list
}

func sameClient(a, b Export) bool { return a.client() == b.client() }

// client is what tells one exporter from another.
type client struct {
	agent    string
	signal   Signal
	protocol Protocol
}

func (e Export) client() client { return client{e.Header.Get("user-agent"), e.Signal, e.Protocol} }

// early is by how much a timer may ring too soon: 5 ms, or a tenth of a wait
// shorter than 50 ms.
func early(wait time.Duration) time.Duration { return min(5*time.Millisecond, wait/10) }

func (r retry) String() string {
	return fmt.Sprintf("batch %d: got export %d %s after export %d", r.batch.Number, r.Number, Round(r.gap), r.before.Number)
}

// checkRetries fails if something is wrong with some of the retries that the
// check is about.
func (r Report) checkRetries(name, none, what, want string, about func(retry) bool, wrong func(retry) string) error {
	looked := 0
	var details []string
	for _, x := range r.retries() {
		if !about(x) {
			continue
		}
		looked++
		if why := wrong(x); why != "" {
			details = append(details, x.String()+", want "+why)
		}
	}
	switch {
	case looked == 0:
		return nothing(name, none)
	case len(details) > 0:
		return failure(name, fmt.Sprintf("%d of %s %s", len(details), retries(looked), what), want, details)
	}
	return nil
}

func retries(n int) string {
	if n == 1 {
		return "1 retry"
	}
	return fmt.Sprintf("%d retries", n)
}

// HonoursRetryDelay fails if an attempt came sooner than the answer before it
// had told the client to wait (RetryInfo, C-04; Retry-After, C-08). A timer may
// ring 5 ms early, or a tenth of a delay below 50 ms. It has nothing to check
// where no promise was followed by another attempt.
func HonoursRetryDelay() Check {
	return func(r Report) error {
		return r.checkRetries("HonoursRetryDelay",
			"no export was told to wait and then sent again", "too early", "each as long as promised (C-04, C-08)",
			func(x retry) bool { return x.before.Throttled },
			func(x retry) string { return x.atLeast(x.before.RetryDelay, "the %s promised") })
	}
}

// atLeast is empty if the retry waited that long, and otherwise says how long
// it should have.
func (r retry) atLeast(d time.Duration, format string) string {
	if r.gap >= d-early(d) {
		return ""
	}
	return fmt.Sprintf(format, d)
}

// MinGap fails if an attempt came sooner than d after the answer to the one
// before, or after its end where it got none. The tolerance is that of
// [HonoursRetryDelay]. It has nothing to check where nothing was sent again.
func MinGap(d time.Duration) Check {
	return func(r Report) error {
		return r.checkRetries("MinGap", "no export was sent again", "too early", fmt.Sprintf("each at least %s", d),
			func(retry) bool { return true },
			func(x retry) string { return x.atLeast(d, "at least %s") })
	}
}

// Backoff fails if the waits before further attempts do not grow exponentially
// with jitter (C-05): before the k-th retry of a batch, from 1, a client has to
// wait for
//
//	w = min(initial * factor^(k-1), limit)
//
// give or take w * jitter, where a jitter of 0.5 stands for half of it. A timer
// may ring early as in [HonoursRetryDelay], and a retry may come late by a
// tenth of w, at least 5 ms, and the network's round trip where that is known.
// Retries that were told how long to wait are left out, but counted in k. It
// has nothing to check where no other was made.
func Backoff(initial time.Duration, factor float64, limit time.Duration, jitter float64) Check {
	return func(r Report) error {
		return r.checkRetries("Backoff", "no export was sent again without having been told when", "at another time",
			fmt.Sprintf("%s, times %g up to %s, ±%g%% (C-05)", initial, factor, limit, 100*jitter),
			func(x retry) bool { return !x.before.Throttled },
			func(x retry) string {
				w := wait(initial, factor, limit, x.which)
				low, high := scaled(w, 1-jitter), scaled(w, 1+jitter)
				late := max(5*time.Millisecond, w/10) + r.ledger().RoundTrip
				if x.gap >= low-early(low) && x.gap <= high+late {
					return ""
				}
				if low == high {
					return Round(low).String()
				}
				return fmt.Sprintf("%s to %s", Round(low), Round(high))
			})
	}
}

// wait is how long to wait before a retry, from 0.
func wait(initial time.Duration, factor float64, limit time.Duration, which int) time.Duration {
	w := float64(initial) * math.Pow(factor, float64(which))
	if w >= float64(limit) {
		return limit
	}
	return time.Duration(w)
}

func scaled(d time.Duration, by float64) time.Duration {
	return time.Duration(max(0, float64(d)*by))
}
