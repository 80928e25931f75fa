package httpapi

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// How long a wait lasts where the request does not say, and at most.
const (
	defaultTimeout = 5 * time.Second
	maxTimeout     = 5 * time.Minute
)

// list is the answer of a query.
type list[T any] struct {
	Count int `json:"count"`
	Items []T `json:"items"`
}

// listOf makes a list whose items are [] rather than null where there is none.
func listOf[T any](items []T) list[T] {
	if items == nil {
		items = []T{}
	}
	return list[T]{len(items), items}
}

// items is the endpoint that asks one of a server's views.
func items[T any](view func(...query.Filter) query.View[T]) endpoint {
	return func(r *http.Request) (any, error) {
		p, err := parameters(r, "q", "wait", "timeout")
		if err != nil {
			return nil, err
		}
		filters, err := where.Parse(p["q"])
		if err != nil {
			return nil, invalid("q", "%v", err)
		}
		v := view(filters...)
		if err := v.Err(); err != nil {
			return nil, invalid("q", "%v", err)
		}
		n, timeout, err := waiting(p)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return listOf(v.Slice()), nil
		}
		return wait(r.Context(), v, n, timeout)
	}
}

// wait waits until n items match.
func wait[T any](ctx context.Context, v query.View[T], n int, timeout time.Duration) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	items, err := v.Wait(ctx, n)
	switch {
	case errors.Is(err, query.ErrClosed):
		return nil, problemf(http.StatusServiceUnavailable, "%v", err)
	case err != nil:
		return nil, problemf(http.StatusConflict, "%v", err)
	}
	return listOf(items), nil
}

// waiting reads how many items are waited for, 0 for none, and how long.
func waiting(p map[string]string) (n int, timeout time.Duration, err error) {
	text, given := p["wait"]
	if !given {
		if _, given := p["timeout"]; given {
			return 0, 0, invalid("timeout", "is given without wait, want wait=N beside it")
		}
		return 0, 0, nil
	}
	if n, err = strconv.Atoi(text); err != nil || n < 1 {
		return 0, 0, invalid("wait", "got %q, want a number of items, 1 or more", text)
	}
	if text, given = p["timeout"]; !given {
		return n, defaultTimeout, nil
	}
	if timeout, err = time.ParseDuration(text); err != nil || timeout < 0 || timeout > maxTimeout {
		return 0, 0, invalid("timeout", "got %q, want a duration of 0s to 5m, such as 30s", text)
	}
	return n, timeout, nil
}

// parameters reads the query of a URL, in which only these names may stand,
// each once.
func parameters(r *http.Request, names ...string) (map[string]string, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, invalid("query", "got %q: %v", r.URL.RawQuery, err)
	}
	p := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(names) == 0 {
			return nil, invalid("query", "got parameter %q, want none", name)
		}
		if !slices.Contains(names, name) {
			return nil, invalid("query", "got parameter %q, want one of %s", name, strings.Join(names, ", "))
		}
		if n := len(values[name]); n > 1 {
			return nil, invalid(name, "is given %d times, want it once", n)
		}
		p[name] = values.Get(name)
	}
	return p, nil
}
