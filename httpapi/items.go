package httpapi

import (
	"context"
	"fmt"
	"iter"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/query"
)

// kind is one kind of item that can be asked for.
type kind[T any] struct {
	view   func(...query.Filter) query.View[T]
	number func(T) int                               // its place among all of its kind; several may have the same
	flat   func(T) any                               // as JSON
	signal query.Signal                              // of format=otlp; empty where there is none
	otlp   func([]T) proto.Message                   // all of them as one message
	split  func(items []T) (parts []part, err error) // what format=protobuf lists
}

// list is the answer of a query.
type list struct {
	Count int    `json:"count"`
	Items []any  `json:"items"`
	Next  string `json:"next,omitempty"` // what comes after; empty at the end
}

// items is the endpoint of a kind.
func items[T any](k kind[T]) endpoint {
	names, formats := []string{"q", "wait", "timeout", "limit", "after"}, []string{"json"}
	if k.signal != "" {
		names, formats = append(names, "format"), append(formats, "otlp", "protobuf")
	}
	return func(r *http.Request) (any, error) {
		p, err := parse(r, names...)
		if err != nil {
			return nil, err
		}
		format, err := p.word("format", formats...)
		if err != nil {
			return nil, err
		}
		found, next, err := k.ask(r.Context(), p)
		if err != nil {
			return nil, err
		}
		return k.write(r, format, found, next)
	}
}

// question is what parameters ask of a view.
type question[T any] struct {
	view    query.View[T]
	filters []query.Filter
	limit   int
	after   cursor
}

func questionOf[T any](p parameters, view func(...query.Filter) query.View[T]) (q question[T], err error) {
	if q.filters, err = p.filters(); err != nil {
		return q, err
	}
	q.view = view(q.filters...)
	if err := q.view.Err(); err != nil {
		return q, invalid("q", "%v", err)
	}
	if q.limit, err = p.number("limit", 1, math.MaxInt32, math.MaxInt32); err != nil {
		return q, err
	}
	q.after, err = parseCursor(p["after"])
	return q, err
}

// ask finds the items that parameters ask for, and the next to continue with.
func (k kind[T]) ask(ctx context.Context, p parameters) (found []T, next string, err error) {
	q, err := questionOf(p, k.view)
	if err != nil {
		return nil, "", err
	}
	err = await(ctx, p, q.view.Source().Changed, func(n int) (enough bool) {
		found, next, enough = k.page(q.view.All(), q.after, q.limit, n)
		return enough
	}, func(waited time.Duration, n int) *problem {
		return q.mismatch(len(found), q.view.Explain(len(found), waited, fmt.Sprintf("at least %d", n)))
	})
	return found, next, err
}

// page takes at most limit items behind a cursor, and says whether there are
// least of them.
func (k kind[T]) page(all iter.Seq[T], after cursor, limit, least int) (found []T, next string, enough bool) {
	var at, last cursor
	count := 0
	for item := range all {
		if at = at.to(k.number(item)); !after.before(at) {
			continue
		}
		if count++; count <= limit {
			found, last = append(found, item), at
			continue
		}
		if next = last.String(); count >= least {
			break
		}
	}
	return found, next, count >= least
}

// await looks until there is enough, at once and then after every change, for as
// long as parameters say, and then explains.
func await(ctx context.Context, p parameters, changed func() <-chan struct{}, look func(n int) bool, explain func(time.Duration, int) *problem) error {
	n, timeout, err := p.waiting()
	if err != nil {
		return err
	}
	start := time.Now()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for late := false; ; {
		change := changed() // before looking, so that nothing is missed
		if look(n) {
			return nil
		}
		if change == nil {
			return explain(time.Since(start), n).closed()
		}
		if late {
			return explain(time.Since(start), n)
		}
		select {
		case <-change:
		case <-timer.C:
			late = true
		case <-ctx.Done():
			late = true
		}
	}
}

// mismatch is the problem of a wait that failed, which got so many.
func (q question[T]) mismatch(got int, text string) *problem {
	p := problemf(http.StatusConflict, "%s", text)
	p.Explanation = q.view.Source().Explain(q.filters)
	if src, ok := q.view.Source().(interface{ Missing([]query.Filter) string }); ok && got > 0 {
		p.Missing = src.Missing(q.filters)
		p.Detail += "\n" + strings.TrimRight(p.Missing, "\n")
	}
	return p
}

// write is the answer in a format.
func (k kind[T]) write(r *http.Request, format string, found []T, next string) (any, error) {
	switch format {
	case "otlp":
		a, err := otlpJSON(k.signal, k.otlp(found))
		if err == nil && next != "" {
			a.link = nextPage(r.URL, next)
		}
		return a, err
	case "protobuf":
		parts, err := k.split(found)
		return listOf(parts, func(p part) any { return p }, next), err
	}
	return listOf(found, k.flat, next), nil
}

// listOf makes a list whose items are [] rather than null where there is none.
func listOf[T any](found []T, flat func(T) any, next string) list {
	l := list{Count: len(found), Items: make([]any, len(found)), Next: next}
	for i, item := range found {
		l.Items[i] = flat(item)
	}
	return l
}

// nextPage is a Link header to what comes after, relative to the request.
func nextPage(u *url.URL, next string) string {
	values := u.Query()
	values.Set("after", next)
	return "<?" + values.Encode() + `>; rel="next"`
}
