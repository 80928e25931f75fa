package otlptest

import (
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// finish closes the server at the end of a test and judges.
func (s *Server) finish(t testing.TB) {
	t.Helper()
	for _, c := range s.leftOpen() {
		t.Logf("otlptest: %s still open: shut the exporter down", c)
	}
	if err := s.Close(); err != nil {
		t.Errorf("otlptest: %v", err)
	}
	if text := s.unused(); text != "" && !s.unusedFine && !t.Failed() {
		t.Error("otlptest: " + text)
	}
}

// noticing is how long the server may take to notice that a client, which has
// been shut down just before, closed its connections.
const noticing = 50 * time.Millisecond

// leftOpen is the connections that no client has closed, but for those that
// HTTP keeps open by design because no request is under way.
func (s *Server) leftOpen() []query.Connection {
	limit := time.NewTimer(noticing + s.roundTrip)
	defer limit.Stop()
	for {
		changed := s.store.Changed()
		var open []query.Connection
		for c := range s.connections() {
			if c.Closed.IsZero() && (c.Protocol == query.GRPC || c.Open > 0) {
				open = append(open, c)
			}
		}
		if len(open) == 0 || changed == nil {
			return open
		}
		select {
		case <-changed:
		case <-limit.C:
			return open
		}
	}
}

// unused says which faults no export met, and what came instead.
func (s *Server) unused() string {
	pending := s.PendingFaults()
	if len(pending) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("scripted faults that no export met:\n")
	for _, r := range pending {
		b.WriteString("  unmet    " + r.String() + "\n")
	}
	b.WriteString(store.Exports{Source: s.source}.Explain(nil))
	return strings.TrimRight(b.String(), "\n")
}

// deadline is the test's own, if it has one. Asking for it within a bubble of
// testing/synctest panics.
func deadline(t testing.TB) (at time.Time, ok, bubble bool) {
	test, has := t.(interface{ Deadline() (time.Time, bool) })
	if !has {
		return time.Time{}, false, false
	}
	defer func() {
		if recover() != nil {
			at, ok, bubble = time.Time{}, false, true
		}
	}()
	at, ok = test.Deadline()
	return at, ok, false
}

func inBubble(t testing.TB) bool {
	_, _, bubble := deadline(t)
	return bubble
}
