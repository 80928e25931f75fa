package store

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// How much an explanation shows at most, so that it stays readable.
const (
	maxMatches = 5
	maxClosest = 3
	maxExports = 10
	maxBroken  = 3
	maxColumns = 100
	maxValue   = 60
)

// explainItems says which items of a signal matched, which came closest and
// where they differ, and what became of the exports; and where nothing matched,
// what may be the reason.
func (s *Store) explainItems(sig query.Signal, where []query.Filter) string {
	log := s.snapshot()
	x := newExplainer(sig, query.Exprs(where), stored(log, query.Traces))
	var matches, misses lines
	for it := range stored(log, sig) {
		if it.Match(x.all) {
			matches.add(line{number: it.Number(), parts: x.describe(it, true)})
			continue
		}
		misses.add(x.miss(it))
	}
	misses.sort()
	text := matches.text("match", maxMatches) + misses.text("closest", maxClosest)
	if len(misses.list) > 0 && x.relates() {
		text += standing(log, misses.list[0].ids)
	}
	text += s.explainExports(func(r *Record) string { return r.missed(sig, x.all) })
	if len(matches.list) == 0 {
		text += s.reasons(log, x, misses.explained())
	}
	return text
}

// held is how many of the items that were not stored would have matched.
func (r *Record) held(sig query.Signal, m wire.Matcher) (n int) {
	if r.export.Signal != sig || r.export.Stored == r.export.Items {
		return 0
	}
	for it := range wire.Items(sig, r.body, r, 1) {
		if (!r.keep || r.refused.Has(it.Index())) && it.Match(m) {
			n++
		}
	}
	return n
}

// missed says what held counts.
func (r *Record) missed(sig query.Signal, m wire.Matcher) string {
	if n := r.held(sig, m); n > 0 {
		return fmt.Sprintf(" (held %s that would match)", sig.Count(n))
	}
	return ""
}

// explainer says how items stand to filters.
type explainer struct {
	sig   query.Signal
	all   wire.Matcher
	terms []explained
}

// explained is one filter, ready to be asked alone.
type explained struct {
	expr.Expr
	alone wire.Matcher
	above wire.Matcher              // of a Child: the same as a Descendant
	names func() map[spanIDs]string // of all spans
}

func newExplainer(sig query.Signal, es []expr.Expr, spans iter.Seq[*wire.Item]) explainer {
	x := explainer{sig: sig, all: wire.Compile(es, spans)}
	names := namesOf(spans)
	for _, e := range es {
		t := explained{Expr: e, alone: wire.Compile([]expr.Expr{e}, spans), names: names}
		if e.Op == expr.Child {
			t.above = wire.Compile([]expr.Expr{{Op: expr.Descendant, Sub: e.Sub}}, spans)
		}
		x.terms = append(x.terms, t)
	}
	return x
}

// asks says whether one of the filters looks at a field, or of those that are
// within others.
func (x explainer) asks(keys ...expr.Key) bool {
	return slices.ContainsFunc(x.terms, func(t explained) bool {
		_, ok := t.Find(func(e expr.Expr) bool { return e.Key != "" && slices.Contains(keys, e.Key) })
		return ok
	})
}

// relates says whether a filter looks at where a span stands in its trace.
func (x explainer) relates() bool {
	return x.sig == query.Traces && (x.asks(expr.Root, expr.TraceID, expr.SpanID) || slices.ContainsFunc(x.terms, func(t explained) bool {
		_, ok := t.Find(func(e expr.Expr) bool { return e.Op == expr.Child || e.Op == expr.Descendant })
		return ok
	}))
}

// miss is an item that does not match: one of which fewer filters fail is
// closer, and of two of which as many do the one that is more nearly right.
func (x explainer) miss(it *wire.Item) line {
	l := line{number: it.Number(), parts: x.describe(it, false)}
	if x.sig == query.Traces && x.relates() {
		l.ids = idsOf(it)
	}
	for _, t := range x.terms {
		if !it.Match(t.alone) {
			l.failed++
			if _, remark := t.stands(it, false); remark {
				l.near++
			}
			if _, found := it.Field(t.Expr); found {
				l.there++
			}
		}
	}
	return l
}

// failed is how many of the filters do not hold.
func (x explainer) failed(it *wire.Item) (n int) {
	for _, t := range x.terms {
		if !it.Match(t.alone) {
			n++
		}
	}
	return n
}

// describe writes an item's name and service, and of each term its field: of
// an item that matches as it is, and otherwise, where the term does not hold,
// against what was wanted.
func (x explainer) describe(it *wire.Item, matches bool) (parts []string) {
	if title := title(it, x.sig); title != "" {
		parts = append(parts, title)
	}
	if v, ok := it.Field(expr.Expr{Key: expr.Service}); ok && !x.tells(it, matches) {
		parts = append(parts, "service="+bare(v))
	}
	for _, t := range x.terms {
		holds := it.Match(t.alone)
		if text, _ := t.stands(it, holds); text != "" && holds == matches {
			parts = append(parts, text)
		}
	}
	return parts
}

// tells says whether a term writes the item's service anyway.
func (x explainer) tells(it *wire.Item, matches bool) bool {
	return slices.ContainsFunc(x.terms, func(t explained) bool {
		return t.Key == expr.Service && t.Op != expr.Exists && it.Match(t.alone) == matches
	})
}

// title is what an item is called: a span's or metric's name, or a log's body.
func title(it *wire.Item, sig query.Signal) string {
	if sig == query.Logs {
		l := it.Log()
		if l.Body.IsEmpty() {
			return l.EventName
		}
		return short(l.Body.String())
	}
	v, _ := it.Field(expr.Expr{Key: expr.Name})
	return bare(v)
}

// lines collects equal descriptions of items.
type lines struct {
	list []*line
	at   map[string]*line
}

// line describes an item, and how many there are of which the same is true.
type line struct {
	failed, near int // how many filters fail, and of those how many nearly hold
	there        int // of how many of those the field is there
	number, more int
	ids          spanIDs
	parts        []string
}

func (l *lines) add(n line) {
	key := fmt.Sprintf("%q", n.parts)
	if old := l.at[key]; old != nil {
		old.more++
		return
	}
	if l.at == nil {
		l.at = map[string]*line{}
	}
	l.at[key] = &n
	l.list = append(l.list, &n)
}

// sort puts the closest first.
func (l *lines) sort() {
	slices.SortStableFunc(l.list, func(x, y *line) int {
		return cmp.Or(x.failed-y.failed, y.near-x.near, y.there-x.there)
	})
}

// explained says whether of the closest everything that differs has a remark.
func (l *lines) explained() bool {
	return len(l.list) > 0 && l.list[0].near == l.list[0].failed
}

func (l *lines) text(label string, most int) (text string) {
	for i, n := range l.list {
		if i == most {
			return text + flow(label, []string{fmt.Sprintf("… and %d more", len(l.list)-most)}, "", 0)
		}
		parts := slices.Clone(n.parts)
		if len(parts) == 0 {
			parts = []string{""}
		}
		parts[0] = fmt.Sprintf("#%d %s", n.number, parts[0])
		if n.more > 0 {
			parts = append(parts, fmt.Sprintf("(and %d more like it)", n.more))
		}
		text += flow(label, parts, "  ", 3)
		label = ""
	}
	return text
}
