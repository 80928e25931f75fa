package query

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// How much the text of a trace shows at most.
const (
	maxTraceSpans   = 50
	maxTraceNotes   = 5
	maxTraceColumns = 110
	maxNameColumns  = 60
)

// String is the trees as text, indented by two spaces a level: a line about
// the whole, one for each span, and one for what does not fit: parents that
// have not come, duplicates and clocks that differ. A span has its name, its
// kind unless that is internal, its service where that is not its parent's,
// how long it took, and its error. Long lists are cut, with how much was left
// out. The text depends on nothing but the spans and their order of arrival.
func (t Trace) String() string {
	w := traceWriter{left: maxTraceSpans}
	fmt.Fprintf(&w, "%s\n", t.title())
	for _, root := range t.Roots {
		w.tree(root, nil, 1)
	}
	for i, n := range t.Orphans {
		if w.left > 0 && (i == 0 || n.ParentSpanID != t.Orphans[i-1].ParentSpanID) {
			fmt.Fprintf(&w, "  %s:\n", n.orphaned(""))
		}
		w.tree(n, nil, 2)
	}
	if w.left < 0 {
		fmt.Fprintf(&w, "  … and %d more\n", -w.left)
	}
	w.remarks("duplicate", len(t.Duplicates), func(i int) string { return t.duplicate(t.Duplicates[i]) })
	w.remarks("skew", len(t.Skew), func(i int) string { return t.Skew[i].String() })
	return w.String()
}

// title is the line about the whole.
func (t Trace) title() string {
	parts := []string{plural(t.Len(), "span"), plural(len(t.Services()), "service")}
	if d := t.Duration(); d > 0 {
		parts = append(parts, Round(d).String())
	}
	if !t.Complete() {
		parts = append(parts, "incomplete")
	}
	if text := t.wrongRoots(); text != "" {
		parts = append(parts, text)
	}
	if n := len(t.Orphans); n > 0 {
		parts = append(parts, plural(n, "orphan"))
	}
	return fmt.Sprintf("trace %s  %s", t.ID, strings.Join(parts, ", "))
}

// wrongRoots says how many roots there are where there is not one.
func (t Trace) wrongRoots() string {
	switch n := len(t.Roots); n {
	case 0:
		return "no root"
	case 1:
		return ""
	default:
		return fmt.Sprintf("%d roots", n)
	}
}

// Incomplete says in words what [Trace.Complete] is missing, with the ids of
// the first parents that have not come. It is empty for a trace that is
// complete.
func (t Trace) Incomplete() string {
	var parts []string
	if text := t.wrongRoots(); text != "" {
		parts = append(parts, text)
	}
	for i, n := range t.Orphans {
		if i == maxTraceNotes {
			parts = append(parts, "and more")
			break
		}
		if i == 0 || n.ParentSpanID != t.Orphans[i-1].ParentSpanID {
			parts = append(parts, n.orphaned(" of "+label(n.Name)))
		}
	}
	return strings.Join(parts, ", ")
}

// orphaned says what became of an orphan's parent, and whose parent that is.
func (n *Node) orphaned(of string) string {
	known := false
	n.walk(0, func(_ int, d *Node) bool {
		known = d.SpanID == n.ParentSpanID
		return !known
	})
	if known {
		return fmt.Sprintf("parent %s%s is itself below", n.ParentSpanID, of)
	}
	return fmt.Sprintf("parent %s%s has not come", n.ParentSpanID, of)
}

// duplicate says which span came again, and where the copies differ.
func (t Trace) duplicate(again Span) string {
	text := fmt.Sprintf("%s came again", label(again.Name))
	if e := again.Ref.Export().Number; e > 0 {
		text += fmt.Sprintf(" in export %d", e)
	}
	if first := t.Node(again.SpanID); first != nil {
		p := Pair[Span]{A: first.Span, B: again}
		if fields := p.fields(); len(fields) > 0 {
			text += ", with another " + strings.Join(fields, ", ")
		}
	}
	return text
}

// traceWriter writes a limited number of spans.
type traceWriter struct {
	strings.Builder
	left int // below 0: how many were left out
}

func (w *traceWriter) span(line string) {
	if w.left > 0 {
		w.WriteString(line)
	}
	w.left--
}

func (w *traceWriter) tree(n, parent *Node, depth int) {
	indent := strings.Repeat("  ", min(depth, maxNameColumns/2))
	w.span(cut(indent+strings.Join(n.fields(parent), "  "), maxTraceColumns) + "\n")
	for _, c := range n.Children {
		w.tree(c, n, depth+1)
	}
}

// fields is what the text says of a span.
func (n *Node) fields(parent *Node) []string {
	list := []string{label(n.Name)}
	if n.Kind != SpanKindUnspecified && n.Kind != SpanKindInternal {
		list = append(list, n.Kind.String())
	}
	if s := n.Resource.Service(); parent == nil && s != "" || parent != nil && s != parent.Resource.Service() {
		list = append(list, "service="+label(s))
	}
	if !n.Start.IsZero() && !n.End.IsZero() {
		list = append(list, Round(n.Duration()).String())
	}
	if n.Status.Code == StatusError {
		list = append(list, strings.TrimSpace("error "+quoted(n.Status.Message)))
	}
	return list
}

// quoted is a text in quotes, shortened, and empty for no text.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(cut(s, maxNameColumns))
}

// remarks writes the first few of n remarks of a kind.
func (w *traceWriter) remarks(kind string, n int, text func(int) string) {
	for i := range min(n, maxTraceNotes) {
		fmt.Fprintf(w, "  %s: %s\n", kind, text(i))
	}
	if n > maxTraceNotes {
		fmt.Fprintf(w, "  … and %d more of %s\n", n-maxTraceNotes, kind)
	}
}

// label is a name as a text shows it: bare where that is unambiguous, and
// shortened.
func label(s string) string {
	odd := func(r rune) bool { return r < ' ' || r == '"' || r == 0x7f || r == utf8.RuneError }
	if s == "" || strings.ContainsFunc(s, odd) || strings.TrimSpace(s) != s || strings.Contains(s, "  ") {
		return strconv.Quote(cut(s, maxNameColumns))
	}
	return cut(s, maxNameColumns)
}

// cut shortens a text to so many characters.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
