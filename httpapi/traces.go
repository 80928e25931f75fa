package httpapi

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// spansIn is all spans of traces in the order in which they were received.
func spansIn(traces ...query.Trace) []query.Span {
	var spans []query.Span
	for _, t := range traces {
		spans = append(append(spans, t.Spans()...), t.Duplicates...)
	}
	slices.SortStableFunc(spans, func(a, b query.Span) int { return cmp.Compare(a.Ref.Number(), b.Ref.Number()) })
	return spans
}

// firstSpan is the number of the span of a trace that was received first.
func firstSpan(t query.Trace) int {
	first := 0
	for _, s := range t.Walk() {
		if n := s.Ref.Number(); first == 0 || n < first {
			first = n
		}
	}
	return first
}

// summary is what an answer says of a trace before what is in it.
type summary struct {
	Number   int    `json:"number"` // of the span that came first
	Spans    int    `json:"spans"`  // each id counted once
	Complete bool   `json:"complete"`
	Duration string `json:"duration"` // from the first start to the last end, as Go writes it
}

func flatTrace(t query.Trace) any {
	return before{summary{firstSpan(t), t.Len(), t.Complete(), t.Duration().String()}, t}
}

// trace is the endpoint for one trace.
func (a *api) trace(r *http.Request) (any, error) {
	p, err := parse(r, "format")
	if err != nil {
		return nil, err
	}
	format, err := p.word("format", "json", "otlp", "text")
	if err != nil {
		return nil, err
	}
	id, err := query.ParseTraceID(chi.URLParam(r, "id"))
	if err != nil {
		return nil, invalid("id", "%v", err)
	}
	found := a.srv.Traces(where.TraceID(id)).Slice()
	switch {
	case len(found) == 0:
		return nil, problemf(http.StatusNotFound, "id: got %s, of which no span was received", id)
	case format == "otlp":
		return otlpJSON(query.Traces, tracesData(spansIn(found...)))
	case format == "text":
		return text(found[0].String()), nil
	}
	return flatTrace(found[0]), nil
}
