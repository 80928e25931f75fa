package otlptest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
)

// Await waits until at least n items match and returns them all. It is fatal
// if they have not come within the server's wait timeout ([WithWaitTimeout]),
// which never outlasts the test's deadline, and if the view has an error. An n
// below 1 is fatal too, since it would always pass.
func Await[T any](t testing.TB, v query.View[T], n int) []T {
	t.Helper()
	if n < 1 {
		t.Fatalf("otlptest: Await: got n = %d, want 1 or more: it would always pass", n)
	}
	ctx, cancel := waitContext(t, waitTimeout(v))
	defer cancel()
	items, err := v.Wait(ctx, n)
	if err != nil {
		t.Fatalf("otlptest: Await: %v", err)
	}
	return items
}

// One waits, as [Await] does, until an item matches and returns it. It is
// fatal if more than one matches by then.
func One[T any](t testing.TB, v query.View[T]) T {
	t.Helper()
	ctx, cancel := waitContext(t, waitTimeout(v))
	defer cancel()
	items, err := v.Wait(ctx, 1)
	if err != nil {
		t.Fatalf("otlptest: One: %v", err)
	}
	if len(items) != 1 {
		t.Fatalf("otlptest: One: %s%s", v.Explain(len(items), 0, "exactly 1"), tooMany(items, "use Await, which returns all"))
	}
	return items[0]
}

// Exactly returns the items that match now and is fatal unless they are n. It
// does not wait: flush the provider first. An n of 0 is what the test means
// only if everything that could come has come; see [Never]. If no request has
// come at all, the test's log says so.
func Exactly[T any](t testing.TB, v query.View[T], n int) []T {
	t.Helper()
	if err := v.Err(); err != nil {
		t.Fatalf("otlptest: Exactly: %v", err)
	}
	items := v.Slice()
	if len(items) != n {
		text := v.Explain(len(items), 0, fmt.Sprintf("exactly %d", n))
		switch {
		case len(items) > n && len(items) > 1:
			text += tooMany(items, fmt.Sprintf("want %d", len(items)))
		case len(items) < n:
			text += hint("Exactly does not wait: flush the provider before, or use Await")
		}
		t.Fatalf("otlptest: Exactly: %s", text)
	}
	if n == 0 {
		vouch(t, "Exactly", v)
	}
	return items
}

// vouch is for that nothing was found: it is fatal if the server could not be
// asked, as one in another process, and says in the log if no client has sent
// anything at all, of which a test may not be aware.
func vouch[T any](t testing.TB, call string, v query.View[T]) {
	t.Helper()
	if s, ok := v.Source().(interface{ Failure() error }); ok && s.Failure() != nil {
		t.Fatalf("otlptest: %s: %v", call, s.Failure())
	}
	if s, ok := v.Source().(interface{ Reached() bool }); ok && !s.Reached() {
		t.Logf("otlptest: %s: no request has reached the server: is the exporter pointed at it, and the provider flushed?", call)
	}
}

// Never waits until no request is open and d has passed since the call and
// since the last byte arrived, and is fatal as soon as an item matches. What
// an exporter still holds back in its queue cannot be known here: flush it
// before. It is fatal too if requests are still open after the server's wait
// timeout and d. If no request has come at all, the test's log says so.
func Never[T any](t testing.TB, v query.View[T], d time.Duration) {
	t.Helper()
	if err := v.Err(); err != nil {
		t.Fatalf("otlptest: Never: %v", err)
	}
	ctx, cancel := waitContext(t, waitTimeout(v)+d)
	defer cancel()
	start := time.Now()
	for waited := time.Duration(0); ; waited = time.Since(start) {
		changed := v.Source().Changed()
		if n := v.Len(); n > 0 {
			t.Fatalf("otlptest: Never: %s", v.Explain(n, waited, "none"))
		}
		open, last := quiet(v)
		if last.Before(start) {
			last = start
		}
		left := d - time.Since(last)
		if changed == nil || open == 0 && left <= 0 {
			vouch(t, "Never", v)
			return
		}
		if open > 0 {
			left = time.Hour // until something changes
		}
		if !sleep(ctx, changed, left) {
			t.Fatalf("otlptest: Never: %s%s", v.Explain(0, time.Since(start), fmt.Sprintf("none and quiet for %s", d)),
				hint("while a request is open, or bytes keep coming, nobody knows that none will match"))
		}
	}
}

// sleep waits for d or for a change, and is false if ctx ended instead.
func sleep(ctx context.Context, changed <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	case <-ctx.Done():
		return false
	}
	return true
}

// quiet says how many requests are open and when the last byte came, where the
// view's source knows.
func quiet[T any](v query.View[T]) (open int, last time.Time) {
	if s, ok := v.Source().(interface{ Quiet() (int, time.Time) }); ok {
		return s.Quiet()
	}
	return 0, time.Time{}
}

// waitTimeout is how long waits on a view last.
func waitTimeout[T any](v query.View[T]) time.Duration {
	if s, ok := v.Source().(interface{ WaitTimeout() time.Duration }); ok {
		return s.WaitTimeout()
	}
	return newOptions(nil).waitTimeout
}

// waitContext ends after d, or with a margin before the test's deadline, so
// that the diagnosis beats the panic. It does not hang on t.Context(), which is
// over in cleanups.
func waitContext(t testing.TB, d time.Duration) (context.Context, context.CancelFunc) {
	end := time.Now().Add(d)
	if at, ok, _ := deadline(t); ok {
		margin := min(time.Second, time.Until(at)/2)
		if before := at.Add(-margin); before.Before(end) {
			end = before
		}
	}
	return context.WithDeadline(context.Background(), end)
}
