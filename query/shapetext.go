package query

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/otlptest/otlptest/internal/expr"
)

// How much the comparison of two trees shows at most.
const (
	maxShapeColumns = 52 // of each tree
	maxShapeRows    = 40
	maxShapeWords   = 10 // differences in words
	shapeContext    = 3  // rows around those that differ
)

// shapeRow is a line of the two trees side by side.
type shapeRow struct {
	mark      byte // ' ', or '-' for missing, '+' for not wanted, '!' for different
	want, got string
}

// shapeText writes down how a trace differs from a shape.
type shapeText struct {
	*shapeMatch
	rows  []shapeRow
	words []string
	spare map[string]string // by name, below which span one is that has no pair
}

// explain is the two trees side by side, and how they differ in words.
func (m *shapeMatch) explain(want *SpanShape) string {
	w := shapeText{shapeMatch: m, spare: map[string]string{}}
	top := m.tops(want)
	w.collect(top, "")
	w.level([]*SpanShape{want}, top, nil, 0, 0)
	var b strings.Builder
	fmt.Fprintf(&b, "trace %s does not have the shape: %s\n", m.trace.ID, plural(len(w.words), "difference"))
	w.table(&b)
	for i, text := range w.words {
		if i == maxShapeWords {
			fmt.Fprintf(&b, "  … and %d more\n", len(w.words)-i)
			break
		}
		fmt.Fprintf(&b, "  %s\n", cut(text, maxTraceColumns-2))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// collect notes where the spans are that have no pair.
func (w *shapeText) collect(p shapePairs, below string) {
	for _, n := range p.extra {
		n.walk(0, func(_ int, d *Node) bool {
			if _, ok := w.spare[d.Name]; !ok {
				w.spare[d.Name] = below
			}
			return true
		})
		for _, c := range n.Children {
			w.spare[c.Name] = n.Name
		}
	}
	for _, pair := range p.pairs {
		if pair != nil {
			w.collect(pair.children, pair.got.Name)
		}
	}
}

// level writes the children of a span, or the tops.
func (w *shapeText) level(want []*SpanShape, p shapePairs, path []string, depth int, rules ShapeRule) {
	for i, pair := range p.pairs {
		if pair == nil {
			w.missing(want[i], path, depth)
			continue
		}
		w.pairRow(pair, p.after[i], path, depth)
	}
	for _, n := range p.extra {
		w.notWanted(n, path, depth, rules&AndOthers != 0)
	}
}

func (w *shapeText) say(path []string, name, format string, args ...any) {
	where := strings.Join(append(path[:len(path):len(path)], name), " > ")
	w.words = append(w.words, where+": "+fmt.Sprintf(format, args...))
}

// missing writes a shape that no span has been found for.
func (w *shapeText) missing(s *SpanShape, path []string, depth int) {
	text := "missing"
	if below, ok := w.spare[s.name]; ok && s.name != "" {
		text += "; there is one " + place(below)
	}
	w.say(path, s.title(), "%s", text)
	w.missingRows(s, depth)
}

func (w *shapeText) missingRows(s *SpanShape, depth int) {
	w.rows = append(w.rows, shapeRow{'-', shapeLine(depth, s.wanted()), ""})
	for i := range s.children {
		w.missingRows(&s.children[i], depth+1)
	}
}

func place(below string) string {
	if below == "" {
		return "at the top"
	}
	return "below " + label(below)
}

// notWanted writes a span that no shape has been found for.
func (w *shapeText) notWanted(n *Node, path []string, depth int, allowed bool) {
	mark, text := byte('+'), "not wanted"
	switch {
	case allowed:
		mark = ' '
	case w.orphan[n]:
		text = "not wanted; an orphan: " + n.orphaned("")
	case len(path) == 0:
		text = "not wanted; another root"
	}
	if !allowed {
		w.say(path, label(n.Name), "%s", text)
	}
	n.walk(depth, func(depth int, d *Node) bool {
		w.rows = append(w.rows, shapeRow{mark, "", shapeLine(depth, label(d.Name))})
		return true
	})
}

// pairRow writes a span beside its shape, and what is below both. The span
// after starts later and should not.
func (w *shapeText) pairRow(p *shapePair, after *Node, path []string, depth int) {
	row := shapeRow{' ', shapeLine(depth, p.want.wanted()), shapeLine(depth, p.found())}
	if p.own() > 0 || after != nil {
		row.mark = '!'
	}
	w.rows = append(w.rows, row)
	w.differences(p, path)
	if after != nil {
		w.say(path, label(p.got.Name), "starts %s before %s, want it after", Round(after.Start.Sub(p.got.Start)), label(after.Name))
	}
	children := make([]*SpanShape, len(p.want.children))
	for i := range children {
		children[i] = &p.want.children[i]
	}
	w.level(children, p.children, append(path[:len(path):len(path)], label(p.got.Name)), depth+1, p.want.rules)
}

// differences says how a span itself differs from its shape.
func (w *shapeText) differences(p *shapePair, path []string) {
	name := label(p.got.Name)
	if p.name {
		w.say(path, p.want.title(), "got name %q, want %q", cut(p.got.Name, maxNameColumns), p.want.name)
	}
	switch {
	case p.top && w.orphan[p.got]:
		w.say(path, name, "got an orphan, want a root: %s", p.got.orphaned(""))
	case p.top:
		w.say(path, name, "got a root, want a span whose parent has not come")
	}
	for _, e := range p.failed {
		_, value, ok := p.got.field(e)
		switch {
		case !ok:
			w.say(path, name, "does not hold: %s", e)
		case value == "" && e.Op == expr.Exists:
			w.say(path, name, "%s: missing", e.Field())
		case value == "":
			w.say(path, name, "%s: missing, want %s", e.Field(), e.Want())
		default:
			w.say(path, name, "%s: got %s, want %s", e.Field(), value, e.Want())
		}
	}
}

// wanted is a shape's own line.
func (s *SpanShape) wanted() string {
	parts := []string{s.title()}
	for _, f := range s.filters {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, "  ")
}

// found is the span's own line: what the shape asks of it.
func (p *shapePair) found() string {
	parts := []string{label(p.got.Name)}
	for _, f := range p.want.filters {
		if text, _, ok := p.got.field(f.e); ok {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "  ")
}

func shapeLine(depth int, text string) string {
	return cut(strings.Repeat("  ", min(depth, maxShapeColumns/4))+text, maxShapeColumns)
}

// table writes the rows that differ and those around them.
func (w *shapeText) table(b *strings.Builder) {
	const least = 8 // columns
	width := least
	for _, r := range w.rows {
		width = max(width, utf8.RuneCountInString(r.want))
	}
	line := func(mark byte, want, got string) {
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(want))
		b.WriteString(strings.TrimRight(fmt.Sprintf("%c %s%s | %s", mark, want, pad, got), " ") + "\n")
	}
	line(' ', "want", "got")
	left, shown := 0, 0
	for i, r := range w.rows {
		if shown == maxShapeRows || !w.near(i) {
			left++
			continue
		}
		shown++
		if left > 0 {
			line(' ', fmt.Sprintf("… %d", left), "…")
			left = 0
		}
		line(r.mark, r.want, r.got)
	}
	if left > 0 {
		line(' ', fmt.Sprintf("… %d", left), "…")
	}
}

// near says whether a row is shown: it differs, or is close to one that does.
func (w *shapeText) near(i int) bool {
	for j := max(0, i-shapeContext); j <= min(len(w.rows)-1, i+shapeContext); j++ {
		if w.rows[j].mark != ' ' {
			return true
		}
	}
	return false
}
