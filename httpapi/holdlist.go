package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"

	"github.com/otlptest/otlptest/query"
)

// holdState is how far a hold is.
type holdState struct {
	ID      string `json:"id"`
	Q       string `json:"q"`       // the filters; empty for all exports
	Held    int    `json:"held"`    // exports so far
	Waiting int    `json:"waiting"` // those of them that are not answered yet
}

// allHolds is the endpoint for the holds that there are, in the order in which
// they began.
func (a *api) allHolds(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	x := excerpt[holdState]{total: -1}
	for id, held := range a.holds.all() {
		exports, err := held.Wait(0)
		if err != nil {
			return nil, err
		}
		s := holdState{ID: id, Q: held.q, Held: len(exports)}
		for _, e := range exports {
			if e.Outcome == query.Open {
				s.Waiting++
			}
		}
		x.items = append(x.items, s)
	}
	slices.SortFunc(x.items, func(a, b holdState) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID)) // they are numbers
	})
	return listOf(x, x.each(asItIs[holdState])), nil
}

// all is those that there are.
func (h *holds) all() map[string]begun {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.list)
}
