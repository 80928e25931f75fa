package wire

import (
	"iter"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Item is one span, data point or log record of a body that is being scanned.
// It is valid until the scan goes on; what its methods return stays valid.
type Item struct {
	kind   expr.Items // Span, Point or Log
	origin query.Origin
	first  int    // the number of the body's first item
	index  int    // which item of the body it is
	raw    []byte // the item's own message

	resources group // the ResourceSpans, ResourceMetrics or ResourceLogs
	resource  query.Resource
	scopes    group // the ScopeSpans, ScopeMetrics or ScopeLogs
	scope     query.Scope
	metric    metric
	header    query.Point // what the metric's points share

	ident    *identity // where identities are made; nil before the first
	judge    *program  // which matcher the verdicts are of
	verdicts [ofItem]verdict
}

// group is a message that holds items of one resource or one scope.
type group struct {
	raw     []byte
	head    []byte // the resource's or scope's own message
	found   bool   // head is known
	decoded bool   // so is the decoded form

	content, series, bytes known // of a scope
}

// message is the resource's or scope's own message.
func (g *group) message() []byte {
	if !g.found {
		g.head, g.found = merged(g.raw, groupHead), true
	}
	return g.head
}

// kindOfItems is what the items of a signal are, and 0 for no signal.
func kindOfItems(sig query.Signal) expr.Items {
	switch sig {
	case query.Traces:
		return expr.Span
	case query.Metrics:
		return expr.Point
	case query.Logs:
		return expr.Log
	}
	return 0
}

// Items ranges over the spans, data points or log records of a body in the
// order in which the official message has them. The numbers count from first.
func Items(sig query.Signal, body []byte, origin query.Origin, first int) iter.Seq[*Item] {
	return func(yield func(*Item) bool) {
		new(Item).Scan(sig, body, origin, first, yield)
	}
}

// Number is the item's place, from 1, among all items of its kind: the number
// that the scan began with, and its [Item.Index].
func (it *Item) Number() int { return it.first + it.index }

// Skip takes the item out of the count, which then goes on with the next one:
// it has no number.
func (it *Item) Skip() { it.first-- }

// Index is the item's place in its body, from 0.
func (it *Item) Index() int { return it.index }

// Span decodes the item, which must be a span; it is the zero Span otherwise.
// Spans of one scope share their Resource and Scope.
func (it *Item) Span() query.Span {
	if it.kind != expr.Span {
		return query.Span{}
	}
	s := decodeSpan(it.raw)
	s.Resource, s.Scope = it.decodedResource(), it.decodedScope()
	s.Ref = query.NewRef(it.origin, it.Number(), it.raw, 0)
	return s
}

// Log is Span for log records.
func (it *Item) Log() query.Log {
	if it.kind != expr.Log {
		return query.Log{}
	}
	l := decodeLog(it.raw)
	l.Resource, l.Scope = it.decodedResource(), it.decodedScope()
	l.Ref = query.NewRef(it.origin, it.Number(), it.raw, 0)
	return l
}

// Point is Span for data points. Points of one metric share its Metadata.
func (it *Item) Point() query.Point {
	if it.kind != expr.Point {
		return query.Point{}
	}
	p := it.decodedHeader()
	it.metric.decodePoint(&p, it.raw)
	p.Resource, p.Scope = it.decodedResource(), it.decodedScope()
	p.Ref = query.NewRef(it.origin, it.Number(), it.metric.raw, it.metric.index)
	return p
}

func (it *Item) decodedResource() query.Resource {
	if g := &it.resources; !g.decoded {
		it.resource, g.decoded = decodeResource(g.message()), true
		it.resource.SchemaURL = str(last(g.raw, groupSchema))
	}
	return it.resource
}

func (it *Item) decodedScope() query.Scope {
	if g := &it.scopes; !g.decoded {
		it.scope, g.decoded = decodeScope(g.message()), true
		it.scope.SchemaURL = str(last(g.raw, groupSchema))
	}
	return it.scope
}

func (it *Item) decodedHeader() query.Point {
	if m := &it.metric; !m.decoded {
		it.header, m.decoded = m.decodeHeader(), true
	}
	return it.header
}

func (it *Item) export() query.Export {
	if it.origin == nil {
		return query.Export{}
	}
	return it.origin.Export()
}
