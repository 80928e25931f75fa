package httpapi

import (
	"bytes"
	"encoding/json"

	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

func spansOf(srv *otlptest.Server) kind[query.Span] {
	number := func(s query.Span) int { return s.Ref.Number() }
	return kind[query.Span]{
		view: srv.Spans, number: number,
		flat:   func(s query.Span) any { return brought(s.Ref, s) },
		signal: query.Traces,
		otlp:   func(ss []query.Span) proto.Message { return tracesData(ss) },
		split:  split(func(s query.Span) query.Ref { return s.Ref }, func(s query.Span) proto.Message { return tracesData([]query.Span{s}) }),
	}
}

func pointsOf(srv *otlptest.Server) kind[query.Point] {
	number := func(p query.Point) int { return p.Ref.Number() }
	return kind[query.Point]{
		view: srv.Points, number: number,
		flat:   func(p query.Point) any { return brought(p.Ref, p) },
		signal: query.Metrics,
		otlp:   func(ps []query.Point) proto.Message { return metricsData(ps) },
		split:  split(func(p query.Point) query.Ref { return p.Ref }, func(p query.Point) proto.Message { return metricsData([]query.Point{p}) }),
	}
}

func logsOf(srv *otlptest.Server) kind[query.Log] {
	number := func(l query.Log) int { return l.Ref.Number() }
	return kind[query.Log]{
		view: srv.Logs, number: number,
		flat:   func(l query.Log) any { return brought(l.Ref, l) },
		signal: query.Logs,
		otlp:   func(ls []query.Log) proto.Message { return logsData(ls) },
		split:  split(func(l query.Log) query.Ref { return l.Ref }, func(l query.Log) proto.Message { return logsData([]query.Log{l}) }),
	}
}

// tracesOf counts a trace by the first of its spans. What is split of traces is
// their spans.
func tracesOf(srv *otlptest.Server) kind[query.Trace] {
	spans := spansOf(srv)
	return kind[query.Trace]{
		view: srv.Traces, number: firstSpan,
		flat:   flatTrace,
		signal: query.Traces,
		otlp:   func(ts []query.Trace) proto.Message { return tracesData(spansIn(ts...)) },
		split:  func(ts []query.Trace) ([]part, error) { return spans.split(spansIn(ts...)) },
		other:  []listing[query.Trace]{{"summary", traceSummaries}},
	}
}

func exportsOf(srv *otlptest.Server) kind[query.Export] {
	return kind[query.Export]{view: srv.Exports, number: func(e query.Export) int { return e.Number }, flat: asItIs[query.Export]}
}

func violationsOf(srv *otlptest.Server) kind[query.Violation] {
	return kind[query.Violation]{view: srv.Violations, number: func(v query.Violation) int { return v.Export }, flat: asItIs[query.Violation], other: []listing[query.Violation]{{"groups", groupsOf}}}
}

func connectionsOf(srv *otlptest.Server) kind[query.Connection] {
	return kind[query.Connection]{view: srv.Connections, number: func(c query.Connection) int { return c.Number }, flat: asItIs[query.Connection]}
}

func asItIs[T any](item T) any { return item }

// origin is where an item came from.
type origin struct {
	Number int `json:"number"` // the item's place among all of its kind, from 1
	Export int `json:"export"` // the number of the export that brought it
}

// brought is an item as JSON, with where it came from.
func brought(ref query.Ref, item any) any {
	return before{origin{ref.Number(), ref.Export().Number}, item}
}

// before is two objects written as one.
type before struct{ first, then any }

// MarshalJSON implements json.Marshaler.
func (b before) MarshalJSON() ([]byte, error) {
	first, err := encode(b.first)
	if err != nil {
		return nil, err
	}
	then, err := encode(b.then)
	if err != nil {
		return nil, err
	}
	first, then = bytes.TrimSuffix(bytes.TrimSpace(first), []byte("}")), bytes.TrimPrefix(then, []byte("{"))
	return append(append(first, ','), then...), nil
}

var _ json.Marshaler = before{}

// part is one item of format=protobuf.
type part struct {
	origin
	Data []byte `json:"data"` // a TracesData, MetricsData or LogsData with only this item
}

// split makes parts of items.
func split[T any](ref func(T) query.Ref, message func(T) proto.Message) func([]T) ([]part, error) {
	return func(found []T) ([]part, error) {
		parts := make([]part, len(found))
		for i, item := range found {
			data, err := proto.MarshalOptions{Deterministic: true}.Marshal(message(item))
			if err != nil {
				return nil, err
			}
			parts[i] = part{origin{ref(item).Number(), ref(item).Export().Number}, data}
		}
		return parts, nil
	}
}
