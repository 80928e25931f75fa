package httpapi

import (
	"iter"
	"slices"
	"sort"
	"strconv"

	"github.com/otlptest/otlptest/query"
)

// numbered is a source that finds out which items match before it decodes any:
// their numbers, which rise, and a function for those with some of these.
type numbered[T any] interface {
	Numbered(where []query.Filter) (numbers []int, items func(of []int) []T)
}

// newest takes at most limit items before a cursor, or from the end, those that
// came last first, and says whether there are least of them.
func (k kind[T]) newest(q question[T], least int) (x excerpt[T], enough bool) {
	var older int
	if src, ok := q.view.Source().(numbered[T]); ok {
		x, older = q.lastOf(src)
	} else {
		x, older = k.last(q.view.All(), q.window)
	}
	slices.Reverse(x.items)
	return x, older >= least
}

// lastOf is the last items before a cursor in the order received, and how many
// there are before it.
func (q question[T]) lastOf(src numbered[T]) (x excerpt[T], older int) {
	numbers, items := src.Numbered(q.filters)
	x.total, older = len(numbers), len(numbers)
	if q.after != (cursor{}) {
		older = sort.SearchInts(numbers, q.after.number)
	}
	shown := numbers[max(0, older-q.limit):older]
	if len(shown) < older {
		x.next = strconv.Itoa(shown[0])
	}
	x.items = items(shown)
	return x, older
}

// last is lastOf for other sources, in one pass that keeps no more items than
// it must.
func (k kind[T]) last(all iter.Seq[T], w window) (x excerpt[T], older int) {
	var at cursor
	var places []cursor
	for item := range all {
		x.total++
		if at = at.to(k.number(item)); w.after != (cursor{}) && !at.before(w.after) {
			continue
		}
		older++
		x.items, places = append(x.items, item), append(places, at)
		if cut := len(places) - w.limit; cut >= w.limit {
			x.items, places = slices.Delete(x.items, 0, cut), slices.Delete(places, 0, cut)
		}
	}
	cut := max(0, len(places)-w.limit)
	x.items, places = x.items[cut:], places[cut:]
	if len(places) < older {
		x.next = places[0].String()
	}
	return x, older
}

// numbers is those of the items that match, in the order received.
func (k kind[T]) numbers(filters ...query.Filter) (list []int) {
	v := k.view(filters...)
	if src, ok := v.Source().(numbered[T]); ok {
		list, _ = src.Numbered(filters)
		return list
	}
	for item := range v.All() {
		list = append(list, k.number(item))
	}
	return list
}
