package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
)

// node is a span and what it caused.
type node struct {
	query.Span
	children []*node
}

// assemble makes trees of spans. Spans whose parent is not there are roots;
// those of one parent are in order of their beginning.
func assemble(spans []query.Span) []*node {
	nodes := map[query.SpanID]*node{}
	for _, s := range spans {
		nodes[s.SpanID] = &node{Span: s}
	}
	var roots []*node
	for _, s := range spans {
		n := nodes[s.SpanID]
		if parent := nodes[s.ParentSpanID]; parent != nil && parent != n {
			parent.children = append(parent.children, n)
		} else {
			roots = append(roots, n)
		}
	}
	byStart := func(a, b *node) int { return a.Start.Compare(b.Start) }
	slices.SortStableFunc(roots, byStart)
	for _, n := range nodes {
		slices.SortStableFunc(n.children, byStart)
	}
	return roots
}

// row is a line of the waterfall: a span, or with a note something about the
// span above.
type row struct {
	query.Span
	tree string // the lines that lead to it, and the span's name
	note string
}

// rows lays a tree out from the top to the bottom.
func (n *node) rows(lead, below string, all map[query.SpanID]query.Span) []row {
	rs := []row{{Span: n.Span, tree: lead + n.Name}}
	bar := below
	if len(n.children) > 0 {
		bar += "│  "
	} else {
		bar += "   "
	}
	for _, note := range notes(n.Span, all) {
		rs = append(rs, row{Span: n.Span, tree: bar, note: note})
	}
	for i, child := range n.children {
		if i == len(n.children)-1 {
			rs = append(rs, child.rows(below+"└─ ", below+"   ", all)...)
		} else {
			rs = append(rs, child.rows(below+"├─ ", below+"│  ", all)...)
		}
	}
	return rs
}

// notes is what there is to say about a span beside its name and time: why it
// failed, what happened in it, and what it is linked to.
func notes(s query.Span, all map[query.SpanID]query.Span) []string {
	var ns []string
	if s.Status.Code == query.StatusError {
		ns = append(ns, "✗ "+s.Status.Message)
	}
	for _, e := range s.Events {
		ns = append(ns, strings.TrimSpace(fmt.Sprintf("• %s after %s  %s", e.Name, took(e.Time.Sub(s.Start)), bare(e.Attrs))))
	}
	for _, l := range s.Links {
		to := "a span of trace " + l.TraceID.String()
		if target, ok := all[l.SpanID]; ok {
			to = fmt.Sprintf("%s, %s before", target.Name, took(s.Start.Sub(target.Start)))
		}
		ns = append(ns, "↪ linked to "+to)
	}
	return ns
}

// The column of durations.
const tookColumn = 9

// waterfall prints the traces that spans make.
func (p paper) waterfall(spans []query.Span) {
	all := map[query.SpanID]query.Span{}
	for _, s := range spans {
		all[s.SpanID] = s
	}
	for _, root := range assemble(spans) {
		rows := root.rows("", "", all)
		count, treeColumn, services := 0, 0, map[string]bool{}
		for _, r := range rows {
			if r.note == "" {
				count++
				treeColumn = max(treeColumn, utf8.RuneCountInString(r.tree))
				services[r.Resource.Service()] = true
			}
		}
		p.heading("trace", fmt.Sprintf("%s  %s, %s, %s", root.TraceID, plural(count, "span"), plural(len(services), "service"), took(root.Duration())))
		scale := newScale(root.Span, p.width-2-serviceColumn-treeColumn-tookColumn-2)
		p.line(strings.Repeat(" ", p.width-scale.columns), p.paint(dim, scale.ticks()))
		for _, r := range rows {
			p.row(r, treeColumn, scale)
		}
	}
}

func (p paper) row(r row, treeColumn int, scale scale) {
	service := r.Resource.Service()
	lead := strings.TrimSuffix(r.tree, r.Name)
	if r.note != "" {
		note := cut(r.note, p.width-2-serviceColumn-utf8.RuneCountInString(r.tree))
		p.line("  ", left("", serviceColumn), p.paint(dim, r.tree), p.paint(noteInk(r.note), note))
		return
	}
	duration, bar := took(r.Duration()), scale.bar(r.Span)
	color := serviceInks[service]
	if r.Status.Code == query.StatusError {
		duration, color = "✗ "+duration, red
	}
	name := left(r.Name, treeColumn-utf8.RuneCountInString(lead))
	p.line("  ", p.service(service), p.paint(dim, lead), name, p.paint(durationInk(r.Span), right(duration, tookColumn)), "  ", p.paint(color, bar))
}

func durationInk(s query.Span) ink {
	if s.Status.Code == query.StatusError {
		return red
	}
	return plain
}

func noteInk(note string) ink {
	if strings.HasPrefix(note, "✗") {
		return red
	}
	return dim
}

// scale puts times into columns of characters.
type scale struct {
	from    time.Time
	length  time.Duration
	columns int
}

func newScale(root query.Span, columns int) scale {
	return scale{root.Start, max(root.Duration(), 1), max(columns, 10)}
}

// half is the half column in which a time is.
func (s scale) half(t time.Time) int {
	h := int(float64(2*s.columns) * float64(t.Sub(s.from)) / float64(s.length))
	return min(max(h, 0), 2*s.columns)
}

// bar draws a span, to half a column, and at least that.
func (s scale) bar(span query.Span) string {
	from := min(s.half(span.Start), 2*s.columns-1)
	to := max(s.half(span.End), from+1)
	var b strings.Builder
	for c := range s.columns {
		first, second := 2*c >= from && 2*c < to, 2*c+1 >= from && 2*c+1 < to
		switch {
		case first && second:
			b.WriteRune('━')
		case first:
			b.WriteRune('╸')
		case second:
			b.WriteRune('╺')
		default:
			b.WriteByte(' ')
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// ticks is the scale's own line: round times, each above its column.
func (s scale) ticks() string {
	line := []rune(strings.Repeat(" ", s.columns))
	for t := time.Duration(0); t <= s.length; t += s.step() {
		at := s.half(s.from.Add(t)) / 2
		if label := []rune(t.String()); at+len(label) <= s.columns {
			copy(line[at:], label)
		}
	}
	return strings.TrimRight(string(line), " ")
}

// step is the round time between two ticks that leaves room for their labels.
func (s scale) step() time.Duration {
	const room = 9
	for unit := time.Nanosecond; ; unit *= 10 {
		for _, step := range []time.Duration{unit, 2 * unit, 5 * unit} {
			if float64(s.columns)*float64(step) >= room*float64(s.length) {
				return step
			}
		}
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// took writes a duration for the eye.
func took(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d.Abs() >= time.Second:
		return fmt.Sprintf("%.2fs", d.Seconds())
	case d.Abs() >= time.Millisecond:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(time.Microsecond).String()
}
