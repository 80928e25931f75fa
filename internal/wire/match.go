package wire

import (
	"iter"
	"sort"

	"github.com/otlptest/otlptest/internal/expr"
)

// Matcher is filters made ready to be evaluated on the bytes, all of which
// must hold. The zero Matcher has none and matches every item. It never
// changes and is safe to share.
type Matcher struct {
	program *program
}

// Empty says whether there is no filter.
func (m Matcher) Empty() bool { return m.program == nil || m.program.empty }

// level is which message decides a term: it is evaluated once for all items
// in that message.
type level uint8

const (
	ofExport level = iota // the whole body, and an export itself
	ofResource
	ofScope
	ofMetric // a data point's metric, and any other item itself
	ofItem
	levels
)

type program struct {
	items expr.Items // what it can match
	empty bool       // it has no terms
	terms [levels][]term
}

// Compile makes a Matcher of filters. Where one of them cannot apply to an
// item, or cannot work at all, the Matcher does not match it, whatever stands
// around the term: kind=client and not kind=client both match no log record.
//
// A span's parents are looked for among the spans that a range gives, once,
// when a term first asks for one. Without such a range there are none.
func Compile(es []expr.Expr, among ...iter.Seq[*Item]) Matcher {
	var c compiler
	if len(among) > 0 {
		c.spans = among[0]
	}
	terms, all := c.compileAll(es)
	p := &program{items: all.items, empty: len(es) == 0}
	for _, t := range terms {
		p.terms[t.level] = append(p.terms[t.level], t)
	}
	for _, ts := range p.terms {
		sort.SliceStable(ts, func(i, j int) bool { return ts[i].cost < ts[j].cost })
	}
	return Matcher{p}
}

// verdict is what is known about the terms of a level.
type verdict uint8

const (
	unknown verdict = iota
	holds
	fails
)

// Match says whether all of the matcher's filters hold for the item. It
// allocates nothing, unless there is a function among them. What it found out
// about the resource, the scope and the metric it keeps for the next items of
// the same, as long as the Matcher is the same one.
func (it *Item) Match(m Matcher) bool {
	p := m.program
	if p == nil {
		return true
	}
	if p.items&it.kind == 0 {
		return false
	}
	if it.judge != p {
		it.judge = p
		it.forget(ofExport)
	}
	for l := range ofItem {
		if !it.judged(p, l) {
			return false
		}
	}
	return it.allHold(p.terms[ofItem])
}

// Holds says whether one filter holds for the item: [Item.Match] for a matcher
// of only that one.
func (it *Item) Holds(e expr.Expr) bool {
	t := compiler{}.compile(e)
	return t.items&it.kind != 0 && t.holds(it)
}

// judged says whether the terms of a level hold.
func (it *Item) judged(p *program, l level) bool {
	v := &it.verdicts[l]
	if *v == unknown {
		*v = fails
		if it.allHold(p.terms[l]) {
			*v = holds
		}
	}
	return *v == holds
}

// forget drops the verdicts of a level and of those inside it.
func (it *Item) forget(l level) { clear(it.verdicts[l:]) }

func (it *Item) allHold(ts []term) bool {
	for i := range ts {
		if !ts[i].holds(it) {
			return false
		}
	}
	return true
}
