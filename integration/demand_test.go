package integration_test

import (
	"fmt"
	"net/http"
	"time"

	"github.com/otlptest/otlptest/query"
)

// demand is what OTLP wants of a client that met a fault.
type demand struct {
	rule  string
	unmet func(met, path) string // empty if it is met, and otherwise how it is not
}

// isTaken is an export that succeeded at the first attempt.
func isTaken(rule string) demand {
	return demand{rule, func(m met, _ path) string {
		switch {
		case len(m.attempts) != 1:
			return "sent again after a success"
		case m.err != nil:
			return "an error after a success"
		}
		return ""
	}}
}

// isSentOnce is one that is not sent again, whatever the client says of it.
func isSentOnce(rule string) demand {
	return demand{rule, func(m met, _ path) string {
		if len(m.attempts) != 1 {
			return "sent again"
		}
		return ""
	}}
}

// isFinal is one that is not sent again, and whose failure is told (C-13).
func isFinal(rule string) demand {
	return demand{rule, func(m met, _ path) string {
		switch {
		case len(m.attempts) != 1:
			return "sent again"
		case m.err == nil:
			return "no error told"
		}
		return ""
	}}
}

// isResent is one that is sent again until it is acknowledged.
func isResent(rule string) demand {
	return demand{rule, func(m met, _ path) string {
		switch {
		case len(m.attempts) < 2:
			return "not sent again"
		case m.err != nil || !m.acknowledged():
			return "never acknowledged"
		}
		return ""
	}}
}

// isDelayed is one that is sent again, but never before it was told to.
func isDelayed(rule string) demand {
	return demand{rule, func(m met, p path) string {
		for i, e := range m.attempts[:len(m.attempts)-1] {
			if gap := m.gap(i); gap < e.RetryDelay {
				return fmt.Sprintf("came after %s, told to wait %s", gap, e.RetryDelay)
			}
		}
		return isResent(rule).unmet(m, p)
	}}
}

// isDelayedMore is isDelayed, longer each time that it is told so again.
func isDelayedMore(rule string) demand {
	return demand{rule, func(m met, p path) string {
		for i := range len(m.attempts) - 2 {
			if m.gap(i+1) <= m.gap(i) {
				return "waits no longer the next time"
			}
		}
		return isDelayed(rule).unmet(m, p)
	}}
}

// gap is how long the client waited after attempt i, from 0.
func (m met) gap(i int) time.Duration { return m.attempts[i+1].Arrived.Sub(m.attempts[i].Answered) }

// isOver is one of which each attempt ends in 10 seconds, the timeout: whether
// that is for all attempts together is not clear (specification#4138). It fails
// or is acknowledged.
func isOver(rule string) demand {
	return demand{rule, func(m met, _ path) string {
		for _, e := range m.attempts {
			if took := e.Answered.Sub(e.Arrived); e.Answered.IsZero() || took > 10*time.Second {
				return fmt.Sprintf("attempt open for %s", took)
			}
		}
		if (m.err == nil) != m.acknowledged() {
			return "no error told"
		}
		return ""
	}}
}

// isFollowed is one that comes again as it was.
func isFollowed(rule string) demand {
	return demand{rule, func(m met, p path) string {
		if len(m.attempts) > 1 && m.attempts[1].Method != http.MethodPost {
			return "became " + m.attempts[1].Method
		}
		return isResent(rule).unmet(m, p)
	}}
}

// logsAreFinal is what a server that knows no logs has to be met with.
func logsAreFinal(rule string) demand {
	return demand{rule, func(m met, p path) string {
		if p.signal == query.Logs {
			return isFinal(rule).unmet(m, p)
		}
		return isTaken(rule).unmet(m, p)
	}}
}
