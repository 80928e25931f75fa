package httpapi

import (
	"time"

	"github.com/otlptest/otlptest/query"
)

// traceSummary is a line about a trace.
type traceSummary struct {
	Number     int           `json:"number"` // of the span that came first
	TraceID    query.TraceID `json:"traceId"`
	Name       string        `json:"name"`     // of the first root, or else of the earliest orphan, as is service
	Service    string        `json:"service"`  // "" where it has none
	Services   []string      `json:"services"` // of all spans
	Start      time.Time     `json:"start,omitzero"`
	Duration   string        `json:"duration"` // from the first start to the last end
	Spans      int           `json:"spans"`    // each id counted once
	Errors     int           `json:"errors"`   // spans with the status error
	Orphans    int           `json:"orphans"`
	Duplicates int           `json:"duplicates"`
	Complete   bool          `json:"complete"`
}

func traceSummaries(traces []query.Trace) []any {
	list := make([]any, len(traces))
	for i, t := range traces {
		list[i] = summaryOf(t)
	}
	return list
}

func summaryOf(t query.Trace) traceSummary {
	s := traceSummary{
		Number: firstSpan(t), TraceID: t.ID, Services: t.Services(), Start: t.Start(), Duration: t.Duration().String(),
		Orphans: len(t.Orphans), Duplicates: len(t.Duplicates), Complete: t.Complete(),
	}
	for _, n := range t.Walk() {
		if s.Spans++; s.Spans == 1 { // roots stand before orphans
			s.Name, s.Service = n.Name, n.Resource.Service()
		}
		if n.Status.Code == query.StatusError {
			s.Errors++
		}
	}
	return s
}
