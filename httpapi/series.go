package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
)

// series is the endpoint for points by what they measure. A series has no number
// of its own: a cursor counts those before it.
func (a *api) series(r *http.Request) (any, error) {
	p, err := parse(r, "q", "wait", "timeout", "limit", "after", "points", "format")
	if err != nil {
		return nil, err
	}
	format, err := p.word("format", "json", "summary")
	if err != nil {
		return nil, err
	}
	points, err := p.number("points", 1, math.MaxInt32, math.MaxInt32)
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
	x := excerpt[query.Series]{items: found, total: -1}
	if len(found) > q.limit {
		x.items, x.next = found[:q.limit], strconv.Itoa(q.after.number+q.limit)
	}
	if format == "summary" {
		return listOf(x, x.each(seriesSummary)), nil
	}
	return listOf(x, x.each(func(s query.Series) any { return flatSeries(s, points) })), nil
}

// flatSeries is a series with the last of its points, each with where it came
// from.
func flatSeries(s query.Series, most int) any {
	last := s.Points[max(0, len(s.Points)-most):]
	points := make([]any, len(last))
	for i, p := range last {
		points[i] = brought(p.Ref, p)
	}
	return struct {
		query.Series
		Points []any `json:"points"`
	}{s, points}
}

// seriesInShort is a series without its points.
type seriesInShort struct {
	Name        string            `json:"name"`
	Description string            `json:"description,omitempty"`
	Unit        string            `json:"unit,omitempty"`
	Type        query.MetricType  `json:"type"`
	Temporality query.Temporality `json:"temporality,omitempty"`
	Monotonic   bool              `json:"monotonic,omitempty"`
	Attrs       query.Attrs       `json:"attributes,omitempty"`
	Resource    query.Resource    `json:"resource"`
	Scope       query.Scope       `json:"scope"`
	Count       int               `json:"count"`          // of its points
	First       time.Time         `json:"first,omitzero"` // the time of the first point
	Last        time.Time         `json:"last,omitzero"`
}

func seriesSummary(s query.Series) any {
	return seriesInShort{
		s.Name, s.Description, s.Unit, s.Type, s.Temporality, s.Monotonic, s.Attrs, s.Resource, s.Scope,
		len(s.Points), s.Points[0].Time, s.Points[len(s.Points)-1].Time,
	}
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
