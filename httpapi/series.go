package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
)

// series is the endpoint for points by what they measure. A series has no number
// of its own: a cursor counts those before it.
func (a *api) series(r *http.Request) (any, error) {
	p, err := parse(r, "q", "wait", "timeout", "limit", "after")
	if err != nil {
		return nil, err
	}
	q, err := questionOf(p, a.srv.Points)
	if err != nil {
		return nil, err
	}
	var found []query.Series
	err = await(r.Context(), p, q.view.Source().Changed, func(n int) bool {
		found = query.SeriesOf(q.view)
		found = found[min(q.after.number, len(found)):]
		return len(found) >= n
	}, func(waited time.Duration, n int) *problem {
		return q.mismatch(len(found), explainSeries(q, len(found), waited, n))
	})
	if err != nil {
		return nil, err
	}
	next := ""
	if len(found) > q.limit {
		found, next = found[:q.limit], strconv.Itoa(q.after.number+q.limit)
	}
	return listOf(found, asItIs[query.Series], next), nil
}

// explainSeries is the diagnosis of points, about series.
func explainSeries(q question[query.Point], got int, waited time.Duration, n int) string {
	text := fmt.Sprintf("got %d series", got)
	if waited > 0 {
		text += fmt.Sprintf(" in %s", query.Round(waited))
	}
	text += fmt.Sprintf(", want at least %d", n)
	if len(q.filters) > 0 {
		text += " where " + q.view.String()
	}
	return text + "\n" + strings.TrimRight(q.view.Source().Explain(q.filters), "\n")
}
