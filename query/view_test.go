package query_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// source is a source of spans that understands filters by name.
type source struct {
	mu      sync.Mutex
	spans   []query.Span
	changed chan struct{} // nil once it is closed
}

func newSource(names ...string) *source {
	s := &source{changed: make(chan struct{})}
	s.add(names...)
	return s
}

func (s *source) add(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		s.spans = append(s.spans, query.Span{Name: name})
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *source) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = nil
}

func (s *source) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *source) Scan(filters []query.Filter) iter.Seq[query.Span] {
	return func(yield func(query.Span) bool) {
		s.mu.Lock()
		spans := s.spans
		s.mu.Unlock()
		for _, span := range spans {
			if named(span, filters) && !yield(span) {
				return
			}
		}
	}
}

func named(span query.Span, filters []query.Filter) bool {
	for _, f := range filters {
		if f.String() != where.Name(span.Name).String() {
			return false
		}
	}
	return true
}

func (s *source) Explain(filters []query.Filter) string {
	if len(filters) == 0 {
		return ""
	}
	return "  closest  something else\n"
}

func names(spans []query.Span) string {
	var list []string
	for _, s := range spans {
		list = append(list, s.Name)
	}
	return strings.Join(list, " ")
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %s\nwant %s", what, got, want)
	}
}

func TestViewsAreLive(t *testing.T) {
	src := newSource("a", "b", "a")
	all := query.NewView(src)
	as := all.Where(where.Name("a"))
	want(t, "all", names(all.Slice()), "a b a")
	want(t, "a", names(as.Slice()), "a a")
	src.add("a")
	if got := as.Len(); got != 3 {
		t.Errorf("got %d, want 3", got)
	}
	want(t, "a and b", names(as.Where(where.Name("b")).Slice()), "")
	want(t, "text", as.Where(where.Name("b")).String(), `name="a" name="b"`)
	if all.Source() != query.Source[query.Span](src) {
		t.Error("the view has another source")
	}
}

func TestViewsDoNotShareFilters(t *testing.T) {
	filters := []query.Filter{where.Name("a")}
	v := query.NewView(newSource("a", "b"), filters...)
	filters[0] = where.Name("b")
	want(t, "text", v.String(), `name="a"`)
	left, right := v.Where(where.Name("x")), v.Where(where.Name("y"))
	want(t, "left", left.String(), `name="a" name="x"`)
	want(t, "right", right.String(), `name="a" name="y"`)
}

func TestAllIsASnapshotAndReusable(t *testing.T) {
	src := newSource("a", "b")
	all := query.NewView(src).All()
	var seen []query.Span
	for s := range all {
		src.add("late")
		seen = append(seen, s)
	}
	want(t, "first", names(seen), "a b")
	want(t, "second", names(slices.Collect(all)), "a b late late")
	for s := range all {
		want(t, "broken off", s.Name, "a")
		break
	}
	want(t, "after it", names(slices.Collect(all)), "a b late late")
}

func TestErrorsOfViews(t *testing.T) {
	src := newSource("a")
	for _, c := range []struct {
		filter query.Filter
		want   string
	}{
		{where.Attr("k", struct{}{}), `filter attr.k="{}": got a value of type struct {}, want a string, a bool, an integer that fits an int64, or a float`},
		{where.Func("x", func(query.Log) bool { return true }), `filter func("x") applies to logs, not to spans`},
		{where.Not(where.Func("x", func(query.Export) bool { return true })), `filter func("x") applies to exports, not to spans`},
	} {
		v := query.NewView(src, where.Name("a"), c.filter)
		err := v.Err()
		if err == nil {
			t.Errorf("%s: got no error, want %s", c.filter, c.want)
			continue
		}
		want(t, "error", err.Error(), c.want)
		if n := v.Len(); n != 0 {
			t.Errorf("%s: got %d items, want none", c.filter, n)
		}
		if _, werr := v.Wait(t.Context(), 1); werr == nil || werr.Error() != c.want {
			t.Errorf("%s: Wait: got %v, want %s", c.filter, werr, c.want)
		}
	}
	want(t, "logs", query.NewView[query.Log](nil, where.Name("a")).Err().Error(), `filter name="a" applies to spans and points, not to logs`)
	want(t, "points", query.NewView[query.Point](nil, where.Root()).Err().Error(), `filter root applies to spans, not to points`)
	if err := query.NewView[query.Export](nil, where.Root(), where.Name("a")).Err(); err != nil {
		t.Errorf("exports: got %v", err)
	}
}

func TestWaitReturnsWhatIsThere(t *testing.T) {
	v := query.NewView(newSource("a", "b"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for n := range 3 {
		got, err := v.Wait(ended, n)
		if err != nil || len(got) != 2 {
			t.Errorf("Wait for %d: got %v, %v, want both", n, got, err)
		}
	}
}

func TestWaitReturnsAsSoonAsThereIsEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src, start := newSource(), time.Now()
		go func() {
			for _, name := range []string{"a", "x", "a", "a"} {
				time.Sleep(time.Minute)
				src.add(name)
			}
		}()
		got, err := query.NewView(src, where.Name("a")).Wait(t.Context(), 2)
		if err != nil {
			t.Error(err)
		}
		want(t, "got", names(got), "a a")
		want(t, "after", time.Since(start).String(), "3m0s")
		time.Sleep(time.Minute)
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := newSource("a", "b")
		ctx, cancel := context.WithTimeout(t.Context(), 1234567*time.Microsecond)
		defer cancel()
		got, err := query.NewView(src, where.Name("a")).Wait(ctx, 2)
		want(t, "got", names(got), "a")
		want(t, "error", err.Error(), "got 1 span in 1.23s, want at least 2 where name=\"a\"\n  closest  something else")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error("the context's error is not in the chain")
		}
	})
}

func TestWaitTakesWhatCameWithTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := newSource()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			time.Sleep(time.Second)
			src.mu.Lock()
			src.spans = append(src.spans, query.Span{Name: "a"}) // and tells nobody
			src.mu.Unlock()
			cancel()
		}()
		got, err := query.NewView(src).Wait(ctx, 1)
		if err != nil {
			t.Error(err)
		}
		want(t, "got", names(got), "a")
	})
}

func TestWaitEndsWithTheBackend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := newSource("a", "a")
		go func() {
			time.Sleep(2 * time.Second)
			src.close()
		}()
		v := query.NewView(src)
		const text = ", want at least 3\n  the backend is closed: nothing more can arrive"
		for _, waited := range []string{" in 2s", ""} {
			got, err := v.Wait(t.Context(), 3)
			want(t, "got", names(got), "a a")
			want(t, "error", err.Error(), "got 2 spans"+waited+text)
			if !errors.Is(err, query.ErrClosed) {
				t.Error("ErrClosed is not in the chain")
			}
		}
		if got, err := v.Wait(t.Context(), 2); err != nil || len(got) != 2 {
			t.Errorf("got %v, %v, want what is there", got, err)
		}
	})
}

func TestViewsAreSafeForConcurrentUse(t *testing.T) {
	src := newSource()
	v := query.NewView(src, where.Name("a"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				src.add("a", "b")
				v.Where(where.Name("b")).Len()
			}
		})
		wg.Go(func() {
			if got, err := v.Wait(t.Context(), 400); err != nil {
				t.Errorf("got %d spans, %v", len(got), err)
			}
		})
	}
	wg.Wait()
}

func TestRound(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                             "0s",
		999:                           "999ns",
		1234567:                       "1.23ms",
		-1234567:                      "-1.23ms",
		12345:                         "12.35µs",
		time.Second + 2*time.Hour + 1: "2h0m1s",
	} {
		if got := query.Round(d).String(); got != want {
			t.Errorf("Round(%d): got %s, want %s", d, got, want)
		}
	}
}
