package otlptest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// waiting is the assertions that wait, each for what does not come.
var waiting = map[string]func(testing.TB, *otlptest.Server){
	"Await":    func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Spans(where.Name("charge")), 1) },
	"One":      func(t testing.TB, srv *otlptest.Server) { otlptest.One(t, srv.Spans(where.Name("charge"))) },
	"HasShape": func(t testing.TB, srv *otlptest.Server) { otlptest.HasShape(t, srv.Traces(), query.Shape("charge")) },
	"Never": func(t testing.TB, srv *otlptest.Server) {
		otlptest.Never(t, srv.Spans(where.Name("charge")), 5*time.Second)
	},
}

// explained says that a wait has failed with the diagnosis of all that came.
func explained(t *testing.T, call string, f *fakeTB) {
	t.Helper()
	if text := f.log.String(); !f.failed || !strings.Contains(text, call+": got ") || !strings.Contains(text, "  exports  1 traces ") {
		t.Errorf("%s: failed %t with %q, want it to fail with what became of the export", call, f.failed, text)
	}
}

// opened sends an export that is answered only when the server is closed, so that Never
// waits too.
func opened(t testing.TB, srv *otlptest.Server) {
	srv.Hold()
	go ask(t, srv, traces(made("refund", 2, 0)), nothingChanges)
	if _, err := srv.Exports().Wait(context.Background(), 1); err != nil {
		panic(err)
	}
}

func TestWaitsEndBeforeTheTestsDeadline(t *testing.T) {
	for call, wait := range waiting {
		t.Run(call, func(t *testing.T) {
			start := time.Now()
			explained(t, call, run(t, func(tb testing.TB) {
				srv := otlptest.Start(tb)
				opened(tb, srv)
				wait(withDeadline{tb, time.Now().Add(400 * time.Millisecond)}, srv)
			}))
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("it took %s, want it to end before the deadline, after 200ms", d)
			}
		})
	}
}

func TestADeadlineThatIsOverEndsAWaitAtOnce(t *testing.T) {
	explained(t, "Await", run(t, func(tb testing.TB) {
		srv := otlptest.Start(tb)
		opened(tb, srv)
		waiting["Await"](withDeadline{tb, time.Now().Add(-time.Second)}, srv)
	}))
}

// In a bubble no test can be asked for its deadline: the server's timeout ends
// waits there, exactly.
func TestWaitsEndByTheServersTimeout(t *testing.T) {
	for call, wait := range waiting {
		t.Run(call, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var took time.Duration
				explained(t, call, run(t, func(tb testing.TB) {
					srv := otlptest.Start(tb, otlptest.WithInMemory(), otlptest.WithWaitTimeout(time.Minute))
					opened(tb, srv)
					defer func() { took = time.Since(start) }()
					wait(tb, srv)
				}))
				want := time.Minute
				if call == "Never" {
					want += 5 * time.Second // the quiet that it asks for
				}
				if took != want {
					t.Errorf("it took %s, want %s", took, want)
				}
			})
		})
	}
}

func TestWaitsEndWithAContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		send(t, srv, span("refund"))
		cause := map[error]func() (context.Context, context.CancelFunc){
			context.DeadlineExceeded: func() (context.Context, context.CancelFunc) {
				return context.WithTimeout(t.Context(), time.Hour)
			},
			context.Canceled: func() (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Hour, cancel)
				return ctx, cancel
			},
		}
		for want, make := range cause {
			start := time.Now()
			ctx, cancel := make()
			_, err := srv.Spans(where.Name("charge")).Wait(ctx, 1)
			cancel()
			if d := time.Since(start); d != time.Hour || !errors.Is(err, want) || !strings.Contains(err.Error(), "got 0 spans in 1h0m0s, want at least 1") ||
				!strings.Contains(err.Error(), "closest  #1 refund") {
				t.Errorf("after %s: got %v, want the diagnosis after 1h, and %v in its chain", d, err, want)
			}
		}
	})
}

type withDeadline struct {
	testing.TB
	at time.Time
}

func (d withDeadline) Deadline() (time.Time, bool) { return d.at, true }
