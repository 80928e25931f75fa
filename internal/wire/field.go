package wire

import (
	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// fieldOf is how to look at one of the fields that filters know, without
// decoding or allocating.
type fieldOf struct {
	items expr.Items
	level level
	cost  cost

	// value is the field's value and whether it is there. A field that is not
	// there still has the default value of the protocol, if it has one. The
	// name is an attribute's key.
	value func(it *Item, name string) (value, bool)

	// some is, of a field with several values, whether one of them passes a
	// test.
	some func(it *Item, name string, t test) bool

	// show is the value as a user sees it, if that is not the value itself.
	show func(value) query.Value
}

func (f fieldOf) term(holds func(*Item) bool) term {
	return term{items: f.items, level: f.level, cost: f.cost, holds: holds}
}

var fields = map[expr.Key]fieldOf{
	expr.Name:     {items: expr.Span | expr.Point, level: ofMetric, value: nameOf},
	expr.Service:  {items: everyItem, level: ofResource, cost: searches, value: serviceOf},
	expr.Scope:    {items: everyItem, level: ofScope, value: scopeOf},
	expr.Attr:     {items: everyItem, level: ofItem, cost: searches, value: attrOf},
	expr.Resource: {items: everyItem, level: ofResource, cost: searches, value: resourceAttrOf},
	expr.During:   {items: everyItem, level: ofItem, value: timesOf},

	expr.Kind:     {items: expr.Span, level: ofMetric, value: kindOf, show: showKind},
	expr.Status:   {items: expr.Span, level: ofMetric, value: statusOf, show: showStatus},
	expr.TraceID:  {items: expr.Span | expr.Log, level: ofMetric, value: traceOf, show: showTrace},
	expr.SpanID:   {items: expr.Span | expr.Log, level: ofMetric, value: spanOf, show: showSpan},
	expr.Root:     {items: expr.Span, level: ofMetric, value: rootOf},
	expr.Duration: {items: expr.Span, level: ofMetric, value: durationOf, show: showDuration},
	expr.HasEvent: {items: expr.Span, level: ofMetric, cost: searches, some: someEvent},
	expr.HasLink:  {items: expr.Span, level: ofMetric, cost: searches, some: someLink, show: showTrace},

	expr.Unit:        {items: expr.Point, level: ofMetric, value: unitOf},
	expr.Type:        {items: expr.Point, level: ofMetric, value: typeOf},
	expr.Temporality: {items: expr.Point, level: ofMetric, value: temporalityOf, show: showTemporality},
	expr.Monotonic:   {items: expr.Point, level: ofMetric, value: monotonicOf},

	expr.Severity: {items: expr.Log, level: ofItem, value: severityOf, show: showSeverity},
	expr.Body:     {items: expr.Log, level: ofItem, value: bodyOf},
	expr.Event:    {items: expr.Log, level: ofItem, value: eventOf},

	expr.Protocol: {items: anything, level: ofExport, value: protocolOf},
	expr.Header:   {items: anything, level: ofExport, cost: searches, some: someHeader},
	expr.InExport: {items: anything, level: ofExport, value: exportOf},
	expr.Since:    {items: anything, level: ofExport, value: placeOf},
	expr.Outcome:  {items: anything, level: ofExport, value: outcomeOf},
	expr.Attempt:  {items: anything, level: ofExport, cost: relates, value: attemptOf},
}

// Field is the value that the field on a term's left side has in the item, and
// whether it is there. An enumeration's value is its word, and always there; a
// trace is its id in hexadecimal digits; a duration and a window of time are as
// the grammar writes them; root and monotonic are bools; of several values it
// is an array.
func (it *Item) Field(e expr.Expr) (query.Value, bool) {
	f, ok := fields[e.Key]
	if !ok || f.items&it.kind == 0 {
		return query.Value{}, false
	}
	if f.some != nil {
		return f.all(it, e.Name)
	}
	v, found := f.value(it, e.Name)
	if e.Key == expr.Root || e.Key == expr.Monotonic {
		return query.BoolValue(found), true
	}
	if !found {
		return query.Value{}, false
	}
	return f.shown(v), true
}

func (f fieldOf) shown(v value) query.Value {
	if f.show != nil {
		return f.show(v)
	}
	return v.decode(maxDepth)
}

// all is the values of a field that has several.
func (f fieldOf) all(it *Item, name string) (query.Value, bool) {
	var list []query.Value
	f.some(it, name, func(v value) bool {
		list = append(list, f.shown(v))
		return false
	})
	return query.ArrayValue(list...), len(list) > 0
}

func stringValue(b []byte) (value, bool) {
	return value{kind: query.KindString, raw: b}, len(b) > 0
}

func nameOf(it *Item, _ string) (value, bool) {
	if it.kind == expr.Point {
		return stringValue(last(it.metric.raw, metricName))
	}
	return stringValue(last(it.raw, spanName))
}

func scopeOf(it *Item, _ string) (value, bool) {
	return stringValue(last(it.scopes.message(), scopeName))
}

func serviceOf(it *Item, _ string) (value, bool) {
	return resourceAttrOf(it, "service.name")
}

func resourceAttrOf(it *Item, name string) (value, bool) {
	return lookup(it.resources.message(), resourceAttrs, name)
}

func attrOf(it *Item, name string) (value, bool) {
	switch it.kind {
	case expr.Span:
		return lookup(it.raw, spanAttrs, name)
	case expr.Log:
		return lookup(it.raw, logAttrs, name)
	}
	return lookup(it.raw, it.metric.attrs(), name)
}
