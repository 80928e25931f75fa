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
	expr.Kind:     {items: expr.Span, level: ofMetric, value: kindOf, show: showKind},
	expr.Status:   {items: expr.Span, level: ofMetric, value: statusOf, show: showStatus},
	expr.TraceID:  {items: expr.Span | expr.Log, level: ofMetric, value: traceOf, show: showTrace},
	expr.Root:     {items: expr.Span, level: ofMetric, value: rootOf},
}

// Field is the value that the field on a term's left side has in the item, and
// whether it is there. A kind and a status are always there, as their words; a
// trace is its id in hexadecimal digits; root is a bool.
func (it *Item) Field(e expr.Expr) (query.Value, bool) {
	f, ok := fields[e.Key]
	if !ok || f.items&it.kind == 0 {
		return query.Value{}, false
	}
	v, found := f.value(it, e.Name)
	if e.Key == expr.Root {
		return query.BoolValue(found), true
	}
	if !found {
		return query.Value{}, false
	}
	if f.show != nil {
		return f.show(v), true
	}
	return v.decode(maxDepth), true
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

func enumValue(n uint64) value {
	return value{kind: query.KindInt, num: uint64(int64(int32(n)))}
}

func kindOf(it *Item, _ string) (value, bool) {
	return enumValue(lastNum(it.raw, spanKind)), true
}

func showKind(v value) query.Value { return query.StringValue(query.SpanKind(int32(v.num)).String()) }

func statusOf(it *Item, _ string) (value, bool) {
	return enumValue(lastNum(merged(it.raw, spanStatus), statusCode)), true
}

func showStatus(v value) query.Value {
	return query.StringValue(query.StatusCode(int32(v.num)).String())
}

// traceOf does not find an id that has not 16 bytes.
func traceOf(it *Item, _ string) (value, bool) {
	tag := spanTraceID
	if it.kind == expr.Log {
		tag = logTraceID
	}
	id := last(it.raw, tag)
	return value{kind: query.KindBytes, raw: id}, len(id) == len(query.TraceID{})
}

func showTrace(v value) query.Value { return query.StringValue(decodeTraceID(v.raw).String()) }

// rootOf finds a root where the parent's id is none.
func rootOf(it *Item, _ string) (value, bool) {
	root := decodeSpanID(last(it.raw, spanParentID)).IsZero()
	return boolValue(root), root
}
