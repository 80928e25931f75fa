package httpapi

import (
	"net/http"
	"slices"

	"github.com/otlptest/otlptest/query"
)

// batches is the endpoint for what clients tried to deliver. A batch is there if
// the filters hold for one of its attempts.
func (a *api) batches(r *http.Request) (any, error) {
	p, err := parse(r, "q", "limit", "after", "order")
	if err != nil {
		return nil, err
	}
	q, err := questionOf(p, a.srv.Exports)
	if err != nil {
		return nil, err
	}
	all := slices.Values(attempted(a.srv.Report(), q))
	k := kind[query.Batch]{number: func(b query.Batch) int { return b.Number }}
	var x excerpt[query.Batch]
	if q.newest {
		x, _ = k.last(all, q.window)
		slices.Reverse(x.items)
	} else {
		x, _ = k.oldest(all, q.window, 0)
	}
	return listOf(x, x.each(toldBatch)), nil
}

// attempted is the batches of which an attempt is asked for.
func attempted(rep query.Report, q question[query.Export]) (batches []query.Batch) {
	if len(q.filters) == 0 {
		return rep.Batches
	}
	match := map[int]bool{}
	for e := range q.view.All() {
		match[e.Number] = true
	}
	for _, b := range rep.Batches {
		if slices.ContainsFunc(b.Attempts(), func(e query.Export) bool { return match[e.Number] }) {
			batches = append(batches, b)
		}
	}
	return batches
}

// toldBatch is a batch with what became of it in words, and without the headers
// of its attempts.
func toldBatch(b query.Batch) any {
	out := batchOf(b)
	out.Text = b.Summary()
	out.Attempts = slices.Clone(out.Attempts)
	for i := range out.Attempts {
		out.Attempts[i].Header = nil
	}
	return out
}
