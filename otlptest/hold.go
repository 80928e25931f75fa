package otlptest

import (
	"context"
	"fmt"
	"time"

	"github.com/otlptest/otlptest/internal/receiver"
	"github.com/otlptest/otlptest/query"
)

// Held is answers that are kept back: exports whose data is stored, and whose
// clients wait. Its methods are safe for concurrent use.
type Held struct {
	hold    *receiver.Hold
	exports query.View[query.Export] // that it is about
	wait    time.Duration
}

// Hold keeps back the answers to exports that match every filter, from now on:
// the tool for tests of pipelining and of shutdown. An answer goes when it is
// released, and in any case when its client gives up, the server is closed, or
// after the server's hang limit.
//
//	held := srv.Hold()
//	go provider.Shutdown(ctx)
//	exports, err := held.Wait(2) // two requests are open at a time
//	held.Release(1)              // the second is answered first
//	held.ReleaseAll()
//
// In a testing/synctest bubble let time pass before the release: for the report,
// requests that are answered the instant they come are never open at a time. A
// filter that cannot apply is an error of Wait.
func (s *Server) Hold(where ...query.Filter) *Held {
	return &Held{s.recv.Hold(where), s.Exports(where...), s.waitTimeout}
}

// Wait waits until n answers have been held since the Hold began, those that
// have been released since included, and returns their exports, in the order in
// which they were held. The error says what came instead within the server's
// wait timeout ([WithWaitTimeout]), or until it was closed.
func (h *Held) Wait(n int) ([]query.Export, error) {
	ctx, cancel := context.WithTimeout(context.Background(), h.wait)
	defer cancel()
	return h.WaitContext(ctx, n)
}

// WaitContext is [Held.Wait] that lasts until ctx ends instead, which is then in
// the chain of the error; [query.ErrClosed] is where the server was closed.
func (h *Held) WaitContext(ctx context.Context, n int) ([]query.Export, error) {
	if err := h.exports.Err(); err != nil {
		return nil, fmt.Errorf("otlptest: Held.Wait: %w", err)
	}
	start := time.Now()
	for {
		exports, changed := h.hold.Exports()
		if len(exports) >= n {
			return exports, nil
		}
		select {
		case <-changed:
		case <-h.hold.Stopped():
			return exports, &heldError{fmt.Sprintf("got %d held until the server was closed, want at least %d", len(exports), n), query.ErrClosed}
		case <-ctx.Done():
			return exports, &heldError{h.exports.Explain(len(exports), time.Since(start), fmt.Sprintf("at least %d held", n)), ctx.Err()}
		}
	}
}

// heldError is why too few answers were held.
type heldError struct {
	text  string
	cause error
}

// Error implements error.
func (e *heldError) Error() string { return "otlptest: Held.Wait: " + e.text }

// Unwrap is what ended the wait.
func (e *heldError) Unwrap() error { return e.cause }

// Release lets the answer to one export go: i counts from 0 in what [Held.Wait]
// returns. To release one again does nothing.
func (h *Held) Release(i int) error {
	if h.hold.Release(i) {
		return nil
	}
	exports, _ := h.hold.Exports()
	return fmt.Errorf("otlptest: Held.Release: got index %d, want one of the %d that have been held", i, len(exports))
}

// ReleaseAll lets all answers go, and ends the hold.
func (h *Held) ReleaseAll() { h.hold.End() }
