package otlptest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// Traces is the traces of the spans that are there, put together across
// exports as of the moment they are looked at, in the order in which the first
// span of each was received. A filter for spans holds for a trace in which one
// span matches all such filters; where.Complete, where.MinSpans and where.Func
// of a query.Trace look at the trace as a whole. Spans without a valid trace
// id are in none.
//
// A trace grows while its spans arrive. To wait for all of it, say what all is:
//
//	otlptest.Await(t, srv.Traces(where.Complete(), where.MinSpans(3)), 1)
func (s *Server) Traces(where ...query.Filter) query.View[query.Trace] {
	return query.NewView(store.Traces{Source: s.source}, where...)
}

// HasShape waits, as [Await] does, until a trace of the view has the shape,
// and returns the first that does. It is fatal if none has come to by then,
// and shows the one that is closest beside what was wanted, line by line; and
// if the view or the shape has an error. For a trace that is there already see
// [query.SpanShape.Check].
func HasShape(t testing.TB, v query.View[query.Trace], shape query.SpanShape) query.Trace {
	t.Helper()
	if err := shape.Err(); err != nil {
		t.Fatalf("otlptest: HasShape: %v", err)
	}
	if err := v.Err(); err != nil {
		t.Fatalf("otlptest: HasShape: %v", err)
	}
	ctx, cancel := waitContext(t, waitTimeout(v))
	defer cancel()
	start := time.Now()
	for {
		changed := v.Source().Changed() // before looking, so that nothing is missed
		all := v.Slice()
		if i := slices.IndexFunc(all, shape.Fits); i >= 0 {
			return all[i]
		}
		if changed != nil && sleep(ctx, changed, time.Hour) {
			continue
		}
		text := v.Explain(len(all), time.Since(start), "one of the shape "+shape.String())
		if len(all) > 0 {
			text = fmt.Sprintf("%s\n%v", text, shape.CheckAny(all))
		}
		t.Fatalf("otlptest: HasShape: %s", text)
	}
}
