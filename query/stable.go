package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Stable writes spans, points, log records or traces as a text that is the same
// for every run which does the same: what differs between runs is numbered, left
// away, or told relative to something.
//
//   - Trace and span ids are numbered in order of appearance.
//   - Items are sorted by their text, with times by their time first; attributes
//     are sorted by key.
//   - Times are told relative to the earliest, with times; otherwise they are
//     left away, since on a real clock they differ from run to run.
//   - Resource attributes that tell of the machine, the process or the SDK are
//     left away: those that begin with host., process., os., container., k8s. or
//     telemetry., and service.instance.id.
//
// Of another type it writes each item's String, in order of arrival.
func Stable[T any](items []T, times bool) string {
	w := stable{times: times, traces: map[TraceID]int{}, spans: map[SpanID]int{}}
	for _, it := range items {
		w.begin(any(it))
	}
	keys, order := make([]string, len(items)), make([]int, len(items))
	for i, it := range items {
		order[i], keys[i] = i, w.item(any(it), false)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if times {
			if c := when(any(items[a])).Compare(when(any(items[b]))); c != 0 {
				return c
			}
		}
		return cmp.Compare(keys[a], keys[b])
	})
	var b strings.Builder
	for _, i := range order {
		b.WriteString(w.item(any(items[i]), true))
	}
	return b.String()
}

// stable writes items. Ids are numbered as they are written.
type stable struct {
	times  bool
	zero   time.Time // the earliest
	traces map[TraceID]int
	spans  map[SpanID]int
}

// when is the time by which an item is sorted.
func when(item any) time.Time {
	switch it := item.(type) {
	case Span:
		return it.Start
	case Point:
		return it.Time
	case Log:
		if it.Time.IsZero() {
			return it.ObservedTime
		}
		return it.Time
	case Trace:
		return it.Start()
	}
	return time.Time{}
}

// begin takes the times of an item into account.
func (w *stable) begin(item any) {
	t := when(item)
	if p, ok := item.(Point); ok && !p.Start.IsZero() {
		t = p.Start
	}
	if !t.IsZero() && (w.zero.IsZero() || t.Before(w.zero)) {
		w.zero = t
	}
}

// item is the lines of one item, without what is numbered unless ids is set.
func (w *stable) item(item any, ids bool) string {
	switch it := item.(type) {
	case Span:
		return w.span(it, ids)
	case Point:
		return w.point(it, ids)
	case Log:
		return w.log(it, ids)
	case Trace:
		return w.trace(it)
	case fmt.Stringer:
		return it.String() + "\n"
	}
	return fmt.Sprintf("%v\n", item)
}

func (w *stable) span(s Span, ids bool) string {
	head := fmt.Sprintf("span %q %s", s.Name, s.Kind)
	if s.Status != (SpanStatus{}) {
		head += " " + s.Status.Code.String()
	}
	if s.Status.Message != "" {
		head += fmt.Sprintf(" %q", s.Status.Message)
	}
	lines := []string{head + w.at(s.Start)}
	if w.times && !s.End.IsZero() {
		lines[0] += " for " + s.Duration().String()
	}
	if ids {
		lines = append(lines, w.place(s.TraceID, s.SpanID, s.ParentSpanID))
	}
	lines = append(lines, origin(s.Resource, s.Scope), attrs(s.Attrs))
	for _, e := range s.Events {
		lines = append(lines, fmt.Sprintf("event %q%s%s", e.Name, w.at(e.Time), listed(e.Attrs)))
	}
	for _, l := range s.Links {
		link := "link" + listed(l.Attrs)
		if ids {
			link = "link to " + w.place(l.TraceID, l.SpanID, SpanID{}) + listed(l.Attrs)
		}
		lines = append(lines, link)
	}
	return indented(lines)
}

// place is ids as their numbers.
func (w *stable) place(trace TraceID, span, parent SpanID) string {
	s := fmt.Sprintf("trace %d", number(w.traces, trace))
	if !parent.IsZero() {
		s += fmt.Sprintf(" parent %d", number(w.spans, parent))
	}
	if !span.IsZero() {
		s += fmt.Sprintf(" span %d", number(w.spans, span))
	}
	return s
}

func number[K comparable](known map[K]int, id K) int {
	if known[id] == 0 {
		known[id] = len(known) + 1
	}
	return known[id]
}

// at is a time relative to the earliest, with times.
func (w *stable) at(t time.Time) string {
	if !w.times || t.IsZero() {
		return ""
	}
	return " +" + t.Sub(w.zero).String()
}

// trace writes the trees, in which ids say nothing more.
func (w *stable) trace(t Trace) string {
	text := "trace of " + plural(t.Len(), "span") + w.at(t.Start()) + "\n"
	text += w.trees(t.Roots, "  ")
	if len(t.Orphans) > 0 {
		text += "  without their parents\n" + w.trees(t.Orphans, "    ")
	}
	if len(t.Duplicates) > 0 {
		text += "  again " + plural(len(t.Duplicates), "span") + "\n"
	}
	return text
}

// trees are in their order with times, and otherwise sorted by their text.
func (w *stable) trees(nodes []*Node, indent string) string {
	texts := make([]string, len(nodes))
	for i, n := range nodes {
		span := strings.TrimSuffix(w.span(n.Span, false), "\n")
		texts[i] = indent + strings.ReplaceAll(span, "\n", "\n"+indent) + "\n" + w.trees(n.Children, indent+"    ")
	}
	if !w.times {
		slices.Sort(texts)
	}
	return strings.Join(texts, "")
}

func (w *stable) log(l Log, ids bool) string {
	head := "log " + l.Severity.String()
	if l.SeverityText != "" {
		head += fmt.Sprintf(" %q", l.SeverityText)
	}
	if l.EventName != "" {
		head += fmt.Sprintf(" event %q", l.EventName)
	}
	lines := []string{head + w.at(when(l))}
	if !l.Body.IsEmpty() {
		lines = append(lines, "body "+l.Body.String())
	}
	if ids && !l.TraceID.IsZero() {
		lines = append(lines, w.place(l.TraceID, l.SpanID, SpanID{}))
	}
	return indented(append(lines, origin(l.Resource, l.Scope), attrs(l.Attrs)))
}

func (w *stable) point(p Point, ids bool) string {
	head := fmt.Sprintf("point %q %s", p.Name, p.Type)
	if p.Temporality != TemporalityUnspecified {
		head += " " + p.Temporality.String()
	}
	if p.Monotonic {
		head += " monotonic"
	}
	if p.Unit != "" {
		head += fmt.Sprintf(" in %q", p.Unit)
	}
	lines := []string{head + w.at(p.Time)}
	if w.times && !p.Start.IsZero() {
		lines[0] += " since" + w.at(p.Start)
	}
	lines = append(lines, values(p)...)
	lines = append(lines, origin(p.Resource, p.Scope), attrs(p.Attrs))
	for _, e := range p.Exemplars {
		line := "exemplar " + e.Value.String() + w.at(e.Time) + listed(e.Attrs)
		if ids && !e.TraceID.IsZero() {
			line += " of " + w.place(e.TraceID, e.SpanID, SpanID{})
		}
		lines = append(lines, line)
	}
	return indented(lines)
}

// values is a point's value in a line or two.
func values(p Point) []string {
	switch {
	case p.NoRecordedValue():
		return []string{"no recorded value"}
	case p.Histogram != nil:
		h := p.Histogram
		return []string{distribution(h.Count, h.Sum, h.Min, h.Max), fmt.Sprintf("buckets %v by bounds %v", h.Counts, h.Bounds)}
	case p.Exponential != nil:
		h := p.Exponential
		return []string{
			distribution(h.Count, h.Sum, h.Min, h.Max),
			fmt.Sprintf("scale %d zero %d positive %v from %d negative %v from %d", h.Scale, h.ZeroCount, h.Positive.Counts, h.Positive.Offset, h.Negative.Counts, h.Negative.Offset),
		}
	case p.Summary != nil:
		return []string{fmt.Sprintf("count %d sum %v quantiles %v", p.Summary.Count, p.Summary.Sum, p.Summary.Quantiles)}
	}
	return []string{"value " + p.Value.String()}
}

func distribution(count uint64, sum, least, most Value) string {
	s := fmt.Sprintf("count %d", count)
	for _, v := range []struct {
		name  string
		value Value
	}{{"sum", sum}, {"min", least}, {"max", most}} {
		if !v.value.IsEmpty() {
			s += " " + v.name + " " + v.value.String()
		}
	}
	return s
}

// origin is what produced an item.
func origin(r Resource, s Scope) string {
	kept := slices.DeleteFunc(slices.Clone(r.Attrs), func(kv KeyValue) bool { return volatile(kv.Key) })
	line := "resource" + listed(kept)
	if s.Name != "" {
		line += fmt.Sprintf(" scope %q", s.Name)
	}
	return line + listed(s.Attrs)
}

// volatile says whether a resource attribute tells of the machine, the process
// or the SDK.
func volatile(key string) bool {
	namespace, _, _ := strings.Cut(key, ".")
	return key == "service.instance.id" || slices.Contains([]string{"host", "process", "os", "container", "k8s", "telemetry"}, namespace)
}

func attrs(as Attrs) string {
	if len(as) == 0 {
		return ""
	}
	return "attributes" + listed(as)
}

// listed is attributes sorted by key, each with a space before it.
func listed(as Attrs) string {
	sorted := slices.SortedStableFunc(slices.Values(as), func(a, b KeyValue) int { return cmp.Compare(a.Key, b.Key) })
	var b strings.Builder
	for _, kv := range sorted {
		fmt.Fprintf(&b, " %s=%s", kv.Key, kv.Value)
	}
	return b.String()
}

// indented is lines, those but the first indented, without empty ones.
func indented(lines []string) string {
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
	return strings.Join(lines, "\n  ") + "\n"
}
