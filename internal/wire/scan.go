package wire

import (
	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Scan is [Items] that reuses an Item, whatever it was used for before: a
// query over many bodies then allocates one. It reports whether yield always
// was true.
func (it *Item) Scan(sig query.Signal, body []byte, origin query.Origin, first int, yield func(*Item) bool) bool {
	it.kind, it.origin, it.first, it.index, it.judge = kindOfItems(sig), origin, first, -1, nil
	if it.kind == 0 {
		return true
	}
	r := read(body)
	for r.next() {
		if r.tag == dataGroups && !it.scanResource(r.raw(), yield) {
			return false
		}
	}
	return true
}

func (it *Item) scanResource(raw []byte, yield func(*Item) bool) bool {
	it.resources = group{raw: raw}
	it.forget(ofResource)
	r := read(raw)
	for r.next() {
		if r.tag == groupItems && !it.scanScope(r.raw(), yield) {
			return false
		}
	}
	return true
}

func (it *Item) scanScope(raw []byte, yield func(*Item) bool) bool {
	it.scopes = group{raw: raw}
	it.forget(ofScope)
	r := read(raw)
	for r.next() {
		if r.tag == groupItems && !it.scanItem(r.raw(), yield) {
			return false
		}
	}
	return true
}

// scanItem visits a span or a log record, or a metric's points.
func (it *Item) scanItem(raw []byte, yield func(*Item) bool) bool {
	it.forget(ofMetric)
	if it.kind == expr.Point {
		return it.scanMetric(raw, yield)
	}
	it.raw = raw
	it.index++
	return yield(it)
}

func (it *Item) scanMetric(raw []byte, yield func(*Item) bool) bool {
	it.metric = newMetric(raw)
	r := read(it.metric.data)
	for r.next() {
		if r.tag != dataPoints {
			continue
		}
		it.raw = r.raw()
		it.index++
		it.metric.index++
		if !yield(it) {
			return false
		}
	}
	return true
}
