package otlptest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// maxDiffering is how many fields and values [tooMany] names.
const maxDiffering = 3

// tooMany is the hint where more items match than were wanted: in which fields
// they differ, by which a filter could tell them apart.
func tooMany[T any](items []T, instead string) string {
	fields := make([]map[string]string, len(items))
	for i, item := range items {
		if fields[i] = fieldsOf(item); fields[i] == nil {
			return ""
		}
	}
	if text := again(items); text != "" {
		return hint(text)
	}
	var texts []string
	for _, name := range keys(fields) {
		if values := distinct(fields, name); len(values) > 1 {
			texts = append(texts, fmt.Sprintf("%s (%s)", name, strings.Join(capped(values), ", ")))
		}
	}
	if len(texts) == 0 {
		return hint("they are alike but for their ids and times: " + instead)
	}
	return hint(fmt.Sprintf("they differ in %s: add a filter, or %s", strings.Join(capped(texts), ", "), instead))
}

// hint is a text below a failure.
func hint(text string) string {
	return "\n  hint     " + strings.Join(folded(text, 89), "\n             ")
}

// folded is a text in lines of at most so many characters where its words allow
// that.
func folded(text string, most int) (lines []string) {
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && len([]rune(lines[last]+" "+word)) <= most {
			lines[last] += " " + word
			continue
		}
		if len(lines) == 1 {
			most -= 2
		}
		lines = append(lines, word)
	}
	return lines
}

// capped is the first few texts.
func capped(texts []string) []string {
	if len(texts) <= maxDiffering {
		return texts
	}
	return append(slices.Clone(texts[:maxDiffering]), fmt.Sprintf("… %d more", len(texts)-maxDiffering))
}

// again says that a span came twice, if one did.
func again[T any](items []T) string {
	type ids struct {
		trace query.TraceID
		span  query.SpanID
	}
	first := map[ids]query.Span{}
	for _, item := range items {
		s, ok := any(item).(query.Span)
		if !ok || s.SpanID.IsZero() {
			return ""
		}
		old, seen := first[ids{s.TraceID, s.SpanID}]
		if seen && s.Ref.Export().Number == old.Ref.Export().Number {
			return fmt.Sprintf("export %d has two spans with the id %s", old.Ref.Export().Number, s.SpanID)
		}
		if seen {
			return fmt.Sprintf("span %s came by export %d and again by export %d: srv.Report() says why it was sent again",
				s.SpanID, old.Ref.Export().Number, s.Ref.Export().Number)
		}
		first[ids{s.TraceID, s.SpanID}] = s
	}
	return ""
}

// keys is the names of all fields, in order: those of the item first, then its
// attributes, then its resource's.
func keys(fields []map[string]string) (names []string) {
	for _, f := range fields {
		for name := range f {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	rank := func(name string) string {
		before, _, dotted := strings.Cut(name, ".")
		if !dotted {
			return "0" + name
		}
		return map[string]string{"attr": "1", "resource": "2"}[before] + name
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(rank(a), rank(b)) })
	return names
}

// distinct is the values of a field, each once.
func distinct(fields []map[string]string, name string) (values []string) {
	for _, f := range fields {
		v, ok := f[name]
		if !ok {
			v = "missing"
		}
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// fieldsOf is what filters can tell items apart by, and nil for what is no
// item.
func fieldsOf(item any) map[string]string {
	switch x := item.(type) {
	case query.Span:
		return with(x.Attrs, x.Resource, map[string]string{
			"name": fmt.Sprintf("%q", x.Name), "kind": x.Kind.String(), "status": x.Status.Code.String(), "root": fmt.Sprint(x.IsRoot()),
		})
	case query.Point:
		return with(x.Attrs, x.Resource, map[string]string{
			"name": fmt.Sprintf("%q", x.Name), "type": fmt.Sprint(x.Type), "unit": fmt.Sprintf("%q", x.Unit),
		})
	case query.Log:
		return with(x.Attrs, x.Resource, map[string]string{
			"body": shortened(x.Body.String()), "severity": x.Severity.String(),
		})
	}
	return nil
}

func with(attrs query.Attrs, resource query.Resource, fields map[string]string) map[string]string {
	for _, kv := range attrs {
		fields["attr."+kv.Key] = shortened(kv.Value.String())
	}
	for _, kv := range resource.Attrs {
		fields["resource."+kv.Key] = shortened(kv.Value.String())
	}
	return fields
}

// shortened is a value that does not fill a line.
func shortened(s string) string {
	const most = 30
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
