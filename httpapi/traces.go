package httpapi

import (
	"cmp"
	"net/http"
	"slices"
	"time"

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
	return before{summary{firstSpan(t), t.Len(), t.Complete(), t.Duration().String()}, shallow(t)}
}

// deepest is how deep an answer nests spans: JSON that is deeper than a few
// thousand levels can neither be written nor read.
const deepest = 1000

// shallow is a trace whose trees are not too deep to be written: all that is
// below a span at that depth are its children, in the order of the tree. Their
// parents' ids tell how they hang together.
func shallow(t query.Trace) query.Trace {
	for depth := range t.Walk() {
		if depth > deepest {
			t.Roots, t.Orphans = cropped(t.Roots, 0), cropped(t.Orphans, 0)
			break
		}
	}
	return t
}

func cropped(nodes []*query.Node, depth int) []*query.Node {
	list := make([]*query.Node, len(nodes))
	for i, n := range nodes {
		list[i] = &query.Node{Span: n.Span}
		if depth < deepest-1 {
			list[i].Children = cropped(n.Children, depth+1)
			continue
		}
		for depth, below := range (query.Trace{Roots: []*query.Node{n}}).Walk() {
			if depth > 0 {
				list[i].Children = append(list[i].Children, &query.Node{Span: below.Span})
			}
		}
	}
	return list
}

// wholeTrace is a trace with what determined how long it took, and with what
// brought its spans.
func wholeTrace(t query.Trace) any {
	more := struct {
		Received     []receipt `json:"received"`
		CriticalPath []stretch `json:"criticalPath"`
	}{[]receipt{}, []stretch{}}
	for _, s := range t.CriticalPath() {
		more.CriticalPath = append(more.CriticalPath, stretch{s.Span.SpanID, s.Start, s.End})
	}
	for _, s := range spansIn(t) {
		more.Received = append(more.Received, receipt{s.SpanID, origin{s.Ref.Number(), s.Ref.Export().Number}})
	}
	return before{flatTrace(t), more}
}

// stretch is a segment of a critical path.
type stretch struct {
	SpanID query.SpanID `json:"spanId"`
	Start  time.Time    `json:"start"`
	End    time.Time    `json:"end"`
}

// receipt is where a span of a trace came from; a duplicate has its own.
type receipt struct {
	SpanID query.SpanID `json:"spanId"`
	origin
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
	return wholeTrace(found[0]), nil
}
