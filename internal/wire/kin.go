package wire

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"sort"
	"sync"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// spanKey is what spans call their parents by.
type spanKey struct {
	trace query.TraceID
	span  query.SpanID
}

// valid says whether both ids are.
func (k spanKey) valid() bool { return !k.trace.IsZero() && !k.span.IsZero() }

func (k spanKey) compare(l spanKey) int {
	return cmp.Or(bytes.Compare(k.trace[:], l.trace[:]), bytes.Compare(k.span[:], l.span[:]))
}

type spanKeys map[spanKey]struct{}

func (ks spanKeys) add(k spanKey) { ks[k] = struct{}{} }

func (ks spanKeys) has(k spanKey) bool {
	_, ok := ks[k]
	return ok
}

// keys is the span's own key and its parent's, either of which may be invalid.
func (it *Item) keys() (own, parent spanKey) {
	r := read(it.raw)
	for r.next() {
		switch r.tag {
		case spanTraceID:
			own.trace = decodeTraceID(r.raw())
		case spanID:
			own.span = decodeSpanID(r.raw())
		case spanParentID:
			parent.span = decodeSpanID(r.raw())
		}
	}
	parent.trace = own.trace
	return own, parent
}

// compileRelation makes a term that holds for spans whose parent is one of
// those that the filter describes.
func (c compiler) compileRelation(e expr.Expr) term {
	m := Compile(e.Sub, c.spans)
	if len(e.Sub) == 0 || m.program.items&expr.Span == 0 {
		return never
	}
	parents := sync.OnceValue(func() spanKeys {
		matching := c.matching(m)
		if e.Op == expr.Descendant {
			c.addDescendants(matching)
		}
		return matching
	})
	return term{items: expr.Span, level: ofMetric, cost: relates, holds: func(it *Item) bool {
		_, parent := it.keys()
		return parent.valid() && parents().has(parent)
	}}
}

// among is the spans that there are.
func (c compiler) among() iter.Seq[*Item] {
	if c.spans == nil {
		return func(func(*Item) bool) {}
	}
	return c.spans
}

// matching is the keys of the spans that match.
func (c compiler) matching(m Matcher) spanKeys {
	keys := spanKeys{}
	for it := range c.among() {
		if it.Match(m) {
			if own, _ := it.keys(); own.valid() {
				keys.add(own)
			}
		}
	}
	return keys
}

// kinship is a span and its parent.
type kinship struct {
	parent spanKey
	child  query.SpanID
}

// addDescendants adds the keys of all that descend from spans in the set. It
// looks only at their traces.
func (c compiler) addDescendants(set spanKeys) {
	kin := c.kinIn(set)
	sort.Slice(kin, func(i, j int) bool { return kin[i].parent.compare(kin[j].parent) < 0 })
	var next []spanKey
	for k := range set {
		next = append(next, k)
	}
	for len(next) > 0 {
		parent := next[len(next)-1]
		next = next[:len(next)-1]
		i, _ := slices.BinarySearchFunc(kin, parent, func(k kinship, p spanKey) int { return k.parent.compare(p) })
		for ; i < len(kin) && kin[i].parent == parent; i++ {
			if child := (spanKey{parent.trace, kin[i].child}); !set.has(child) {
				set.add(child)
				next = append(next, child)
			}
		}
	}
}

// kinIn is who is whose child in the traces of the spans in a set.
func (c compiler) kinIn(set spanKeys) (kin []kinship) {
	traces := map[query.TraceID]struct{}{}
	for k := range set {
		traces[k.trace] = struct{}{}
	}
	if len(traces) == 0 {
		return nil
	}
	for it := range c.among() {
		own, parent := it.keys()
		if _, in := traces[own.trace]; in && own.valid() && parent.valid() {
			kin = append(kin, kinship{parent, own.span})
		}
	}
	return kin
}
