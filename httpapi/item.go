package httpapi

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// item is the endpoint for one item of a kind.
func item[T any](k kind[T]) endpoint {
	return func(r *http.Request) (any, error) {
		found, err := k.one(r)
		if err != nil {
			return nil, err
		}
		return k.flat(found), nil
	}
}

// one is the item that a request without parameters names in its path.
func (k kind[T]) one(r *http.Request) (found T, err error) {
	if _, err := parse(r); err != nil {
		return found, err
	}
	number, err := numberIn(r)
	if err != nil {
		return found, err
	}
	all := k.view().All()
	if src, ok := k.view().Source().(numbered[T]); ok {
		_, items := src.Numbered(nil)
		all = slices.Values(items([]int{number}))
	}
	for found := range all {
		if k.number(found) == number {
			return found, nil
		}
	}
	return found, notThere(number)
}

// numberIn is the number in a request's path.
func numberIn(r *http.Request) (int, error) {
	text := chi.URLParam(r, "number")
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, invalid("number", "got %q, want that of an item, 1 or more", text)
	}
	return n, nil
}

func notThere(number int) *problem {
	return problemf(http.StatusNotFound, "number: got %d, of which there is no item", number)
}

// delivery is where an export stands among those of its batch.
type delivery struct {
	Batch    int `json:"batch"`    // the batch's number, from 1
	Attempt  int `json:"attempt"`  // which of its attempts this is, from 1
	Attempts int `json:"attempts"` // how many it has so far
}

// export is the endpoint for one export. What is no telemetry is in no batch.
func (a *api) export(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	number, err := numberIn(r)
	if err != nil {
		return nil, err
	}
	for e := range a.srv.Exports(where.InExport(number)).All() {
		if d, ok := deliveryOf(a.srv, number); ok {
			return before{e, d}, nil
		}
		return e, nil
	}
	return nil, notThere(number)
}

func deliveryOf(srv *otlptest.Server, number int) (delivery, bool) {
	for _, b := range srv.Report().Batches {
		for i, e := range b.Attempts() {
			if e.Number == number {
				return delivery{b.Number, i + 1, len(b.Attempts())}, true
			}
		}
	}
	return delivery{}, false
}
