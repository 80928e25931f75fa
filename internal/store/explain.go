package store

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// How much an explanation shows at most, so that it stays readable.
const (
	maxMatches = 5
	maxClosest = 3
	maxExports = 10
	maxColumns = 100
	maxValue   = 60
)

// explainItems says which items of a signal matched, which came closest and
// where they differ, and what became of the exports.
func (s *Store) explainItems(sig query.Signal, where []query.Filter) string {
	log := s.snapshot()
	x := newExplainer(sig, query.Exprs(where), stored(log, query.Traces))
	var matches, misses lines
	for it := range stored(log, sig) {
		if it.Match(x.all) {
			matches.add(0, it.Number(), x.describe(it))
			continue
		}
		misses.add(x.failed(it), it.Number(), x.describe(it))
	}
	var b strings.Builder
	matches.write(&b, "match", maxMatches)
	misses.write(&b, "closest", maxClosest)
	b.WriteString(s.explainExports(func(r *Record) string { return r.missed(sig, x.all) }))
	return b.String()
}

// missed says how many of the items that were not stored would have matched.
func (r *Record) missed(sig query.Signal, m wire.Matcher) string {
	if r.export.Signal != sig || r.export.Stored == r.export.Items {
		return ""
	}
	n := 0
	for it := range wire.Items(sig, r.body, r, 1) {
		if (!r.keep || r.refused.Has(it.Index())) && it.Match(m) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (held %s that would match)", sig.Count(n))
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
	names func() map[spanIDs]string // of all spans
}

func newExplainer(sig query.Signal, es []expr.Expr, spans iter.Seq[*wire.Item]) explainer {
	x := explainer{sig: sig, all: wire.Compile(es, spans)}
	names := namesOf(spans)
	for _, e := range es {
		x.terms = append(x.terms, explained{e, wire.Compile([]expr.Expr{e}, spans), names})
	}
	return x
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

// describe writes an item's name and service, and each term's field: as it is
// where the term holds, against what was wanted where it does not.
func (x explainer) describe(it *wire.Item) string {
	parts := []string{}
	if title := title(it, x.sig); title != "" {
		parts = append(parts, title)
	}
	if !slices.ContainsFunc(x.terms, func(t explained) bool { return t.Key == expr.Service && t.Op != expr.Exists }) {
		if v, ok := it.Field(expr.Expr{Key: expr.Service}); ok {
			parts = append(parts, "service="+bare(v))
		}
	}
	for _, t := range x.terms {
		if text := t.stands(it, it.Match(t.alone)); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "  ")
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

// bare writes a string without quotes where that is unambiguous.
func bare(v query.Value) string {
	s := v.Str()
	if s == "" {
		return `""`
	}
	if len(s) > maxValue || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r > '~' }) {
		return short(v.String())
	}
	return s
}

// short cuts a text that is too long for a line.
func short(s string) string {
	if len(s) <= maxValue {
		return s
	}
	cut := maxValue
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut-- // not within a character
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:cut], len(s))
}

// lines collects equal descriptions of items, those with the lowest rank first.
type lines struct {
	list []*line
	at   map[string]*line
}

type line struct {
	rank, number, more int
	text               string
}

func (l *lines) add(rank, number int, text string) {
	if old := l.at[text]; old != nil {
		old.more++
		return
	}
	if l.at == nil {
		l.at = map[string]*line{}
	}
	n := &line{rank: rank, number: number, text: text}
	l.at[text] = n
	l.list = append(l.list, n)
}

func (l *lines) write(b *strings.Builder, label string, most int) {
	slices.SortStableFunc(l.list, func(x, y *line) int { return x.rank - y.rank })
	for i, n := range l.list {
		if i == most {
			fmt.Fprintf(b, "  %-8s … and %d more\n", "", len(l.list)-most)
			break
		}
		fmt.Fprintf(b, "  %-8s #%d %s", label, n.number, n.text)
		if n.more > 0 {
			fmt.Fprintf(b, "  (and %d more like it)", n.more)
		}
		b.WriteByte('\n')
		label = ""
	}
}
