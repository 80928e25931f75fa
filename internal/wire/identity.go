package wire

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// identity is the scratch memory in which identities are made.
type identity struct {
	digest
	sum [sha256.Size]byte
}

// known is a hash that all items of a group have in common.
type known struct {
	hash [24]byte
	ok   bool
}

// kinds of hash, so that no two that are made of different things are equal.
const (
	ofContent byte = iota + 1
	ofSeries
	ofBytes
)

// messages is the tables of what identities are made of.
type messages struct{ resource, scope, attr, item *table }

var messagesOf = sync.OnceValue(func() map[expr.Items]messages {
	all := map[expr.Items]messages{}
	for sig, data := range tables() {
		group, _ := data.field(dataGroups >> 3)
		resource, _ := group.sub.field(groupHead >> 3)
		scopes, _ := group.sub.field(groupItems >> 3)
		scope, _ := scopes.sub.field(groupHead >> 3)
		item, _ := scopes.sub.field(groupItems >> 3)
		attr, _ := resource.sub.field(resourceAttrs >> 3)
		all[kindOfItems(sig)] = messages{resource.sub, scope.sub, attr.sub, item.sub}
	}
	return all
})

// ID is the item's identity. Attributes may stand in any order, and be encoded
// in any way.
func (it *Item) ID() query.ItemID {
	switch it.kind {
	case expr.Span:
		if id, ok := spanIdentity(it.raw); ok {
			return query.ItemID{Hash: id, Unique: true}
		}
	case expr.Point:
		return query.ItemID{Hash: it.pointHash()}
	}
	return query.ItemID{Hash: it.contentHash()}
}

// spanIdentity is the ids of a span, if both are valid (S-40).
func spanIdentity(span []byte) (id [24]byte, ok bool) {
	trace, self := last(span, spanTraceID), last(span, spanID)
	if len(trace) != len(query.TraceID{}) || len(self) != len(query.SpanID{}) ||
		decodeTraceID(trace).IsZero() || decodeSpanID(self).IsZero() {
		return id, false
	}
	copy(id[copy(id[:], trace):], self)
	return id, true
}

// scratch is the item's scratch memory, emptied.
func (it *Item) scratch() *identity {
	if it.ident == nil {
		it.ident = &identity{digest: digest{unordered: true}}
	}
	it.ident.buf = it.ident.buf[:0]
	return it.ident
}

// end is the hash of what is in the scratch memory.
func (d *identity) end() (hash [24]byte) {
	d.sum = sha256.Sum256(d.buf)
	copy(hash[:], d.sum[:])
	return hash
}

func (d *identity) kind(k byte) { d.buf = append(d.buf, k) }

// contentHash is of all that the item is made of.
func (it *Item) contentHash() [24]byte {
	m := messagesOf()[it.kind]
	head := &it.scopes.content
	if !head.ok {
		d := it.scratch()
		d.message(m.resource, it.resources.message())
		d.message(m.scope, it.scopes.message())
		*head = known{d.end(), true}
	}
	d := it.scratch()
	d.kind(ofContent)
	d.buf = append(d.buf, head.hash[:]...)
	d.message(m.item, it.raw)
	return d.end()
}

// pointHash is of the point's series and time.
func (it *Item) pointHash() [24]byte {
	attr := messagesOf()[it.kind].attr
	head := &it.scopes.series
	if !head.ok {
		d := it.scratch()
		d.attrs(attr, it.resources.message(), resourceAttrs)
		d.text(last(it.scopes.message(), scopeName))
		d.text(last(it.scopes.message(), scopeVersion))
		*head = known{d.end(), true}
	}
	m := &it.metric
	if !m.series.ok {
		d := it.scratch()
		d.buf = append(d.buf, head.hash[:]...)
		d.text(last(m.raw, metricName))
		d.text(last(m.raw, metricUnit))
		d.number(m.tag)
		d.number(m.temporality())
		m.series = known{d.end(), true}
	}
	d := it.scratch()
	d.kind(ofSeries)
	d.buf = append(d.buf, m.series.hash[:]...)
	d.buf = binary.LittleEndian.AppendUint64(d.buf, lastNum(it.raw, pointTime))
	d.attrs(attr, it.raw, m.attrs())
	return d.end()
}

// temporality is 0 for the metrics that have none.
func (m *metric) temporality() uint64 {
	switch m.tag {
	case metricSum, metricHistogram, metricExponential:
		return lastNum(m.data, dataTemporality)
	}
	return 0
}

// attrs writes the attributes that a message has under a tag, in an order of
// their own.
func (d *identity) attrs(attr *table, message []byte, tag uint64) {
	base := len(d.starts)
	d.number(uint64(count(message, 0, tag)))
	for r := read(message); r.next(); {
		if r.tag == tag {
			d.starts = append(d.starts, len(d.buf))
			d.message(attr, r.raw())
		}
	}
	d.sort(base)
}

// Bytes stands for the item's bytes: its own message, its resource's, its
// scope's with their schema URLs, and what its metric has beside points.
func (it *Item) Bytes() [24]byte {
	head := &it.scopes.bytes
	if !head.ok {
		d := it.scratch()
		for _, g := range []*group{&it.resources, &it.scopes} {
			d.text(g.message())
			d.text(last(g.raw, groupSchema))
		}
		*head = known{d.end(), true}
	}
	d := it.scratch()
	d.kind(ofBytes)
	d.buf = append(d.buf, head.hash[:]...)
	d.text(it.raw)
	if it.kind == expr.Point {
		d.rest(&it.metric)
	}
	return d.end()
}

// rest writes the fields of a metric, and of its data, that are no points.
func (d *identity) rest(m *metric) {
	d.others(m.data, dataPoints)
	d.others(m.raw, m.tag)
}

// others writes the fields of a message that have another tag.
func (d *identity) others(message []byte, tag uint64) {
	for r := read(message); r.next(); {
		if r.tag != tag {
			d.number(r.tag)
			d.text(r.raw())
		}
	}
	d.number(0)
}
