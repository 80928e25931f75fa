package httpapi

import (
	"context"
	"fmt"
	"iter"
	"math"
	"net/http"
	"net/url"
	"slices"
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
	other  []listing[T]                              // formats beside these
}

// listing is a way to list items.
type listing[T any] struct {
	name string
	list func([]T) []any
}

// formats is the names of all ways to list items, the usual one first.
func (k kind[T]) formats() []string {
	names := []string{"json"}
	if k.signal != "" {
		names = append(names, "otlp", "protobuf")
	}
	for _, f := range k.other {
		names = append(names, f.name)
	}
	return names
}

// list is the answer of a query.
type list struct {
	Count int    `json:"count"`
	Total *int   `json:"total,omitempty"` // with order=newest, how many match in all
	Items []any  `json:"items"`
	Next  string `json:"next,omitempty"` // what comes after; empty at the end
}

// excerpt is those items that were asked for, of all that match.
type excerpt[T any] struct {
	items []T
	next  string // where it goes on; empty at the end
	total int    // of all that match; -1 where they were not counted
}

// items is the endpoint of a kind.
func items[T any](k kind[T]) endpoint {
	names, formats := []string{"q", "wait", "timeout", "limit", "after", "order"}, k.formats()
	if len(formats) > 1 {
		names = append(names, "format")
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
		x, err := k.ask(r.Context(), p)
		if err != nil {
			return nil, err
		}
		return k.write(r, format, x)
	}
}

// question is what parameters ask of a view.
type question[T any] struct {
	view    query.View[T]
	filters []query.Filter
	window
}

// window is which of the items that match are asked for: at most limit behind a
// cursor in an order.
type window struct {
	limit  int
	after  cursor
	newest bool // the items that came last stand first
}

func questionOf[T any](p parameters, view func(...query.Filter) query.View[T]) (q question[T], err error) {
	if q.filters, err = p.filters(); err != nil {
		return q, err
	}
	q.view = view(q.filters...)
	if err := q.view.Err(); err != nil {
		return q, invalid("q", "%v", err)
	}
	q.window, err = p.window()
	return q, err
}

func (p parameters) window() (w window, err error) {
	if w.limit, err = p.number("limit", 1, math.MaxInt32, math.MaxInt32); err != nil {
		return w, err
	}
	if w.after, err = parseCursor(p["after"]); err != nil {
		return w, err
	}
	order, err := p.word("order", "oldest", "newest")
	w.newest = order == "newest"
	return w, err
}

// ask finds the items that parameters ask for.
func (k kind[T]) ask(ctx context.Context, p parameters) (x excerpt[T], err error) {
	q, err := questionOf(p, k.view)
	if err != nil {
		return x, err
	}
	err = await(ctx, p, q.view.Source().Changed, func(n int) (enough bool) {
		if q.newest {
			x, enough = k.newest(q, n)
		} else {
			x, enough = k.oldest(q.view.All(), q.window, n)
		}
		return enough
	}, func(waited time.Duration, n int) *problem {
		return q.mismatch(len(x.items), q.view.Explain(len(x.items), waited, fmt.Sprintf("at least %d", n)))
	})
	return x, err
}

// oldest takes at most limit items behind a cursor, and says whether there are
// least of them.
func (k kind[T]) oldest(all iter.Seq[T], w window, least int) (x excerpt[T], enough bool) {
	var at, last cursor
	count := 0
	x.total = -1
	for item := range all {
		if at = at.to(k.number(item)); !w.after.before(at) {
			continue
		}
		if count++; count <= w.limit {
			x.items, last = append(x.items, item), at
			continue
		}
		if x.next = last.String(); count >= least {
			break
		}
	}
	return x, count >= least
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
func (k kind[T]) write(r *http.Request, format string, x excerpt[T]) (any, error) {
	switch format {
	case "json":
		return listOf(x, x.each(k.flat)), nil
	case "otlp":
		a, err := otlpJSON(k.signal, k.otlp(x.items))
		if err == nil && x.next != "" {
			a.link = nextPage(r.URL, x.next)
		}
		return a, err
	case "protobuf":
		parts, err := k.split(x.items)
		return listOf(x, excerpt[part]{items: parts}.each(asItIs[part])), err
	}
	other := slices.IndexFunc(k.other, func(f listing[T]) bool { return f.name == format })
	return listOf(x, k.other[other].list(x.items)), nil
}

// each is the items as they are listed: [] rather than null where there is none.
func (x excerpt[T]) each(flat func(T) any) []any {
	list := make([]any, len(x.items))
	for i, item := range x.items {
		list[i] = flat(item)
	}
	return list
}

// listOf makes a list of what stands for the items of an excerpt.
func listOf[T any](x excerpt[T], items []any) list {
	l := list{Count: len(items), Items: items, Next: x.next}
	if x.total >= 0 {
		l.Total = &x.total
	}
	return l
}

// nextPage is a Link header to what comes after, relative to the request.
func nextPage(u *url.URL, next string) string {
	values := u.Query()
	values.Set("after", next)
	return "<?" + values.Encode() + `>; rel="next"`
}
