package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/otlptest/otlptest/query"
)

// metrics prints data points, those of a service together.
func (p paper) metrics(points []query.Point) {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b query.Point) int {
		return cmp.Or(
			cmp.Compare(rank(a.Resource), rank(b.Resource)),
			cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Attrs.String(), b.Attrs.String()))
	})
	p.heading("metrics", plural(len(points), "point"))
	for i, pt := range points {
		name, kind := pt.Name, string(pt.Type)
		if pt.Monotonic {
			kind = "counter"
		}
		if i > 0 && points[i-1].Name == name {
			name, kind = "", ""
		}
		p.line("  ", p.service(pt.Resource.Service()), left(name, nameColumn), p.paint(dim, left(kind, kindColumn)), amount(pt), p.paint(dim, bare(pt.Attrs)))
		if h := pt.Histogram; h != nil {
			p.line(left("", 2+serviceColumn), sparkline(h.Counts), p.paint(dim, fmt.Sprintf("  mean of %d, %s to %s", h.Count, number(h.Min.Float()), number(h.Max.Float()))))
		}
	}
}

// The columns of metrics.
const (
	nameColumn = 30
	kindColumn = 10
)

// rank orders services as the requests go through them.
func rank(r query.Resource) int {
	return slices.Index([]string{"web", "checkout", "payment"}, r.Service())
}

// amount is a point's value, of a histogram the mean, with its unit.
func amount(pt query.Point) string {
	value := pt.Value.Float()
	if h := pt.Histogram; h != nil {
		value = h.Sum.Float() / float64(max(h.Count, 1))
	}
	return right(number(value), 5) + " " + left(strings.Trim(pt.Unit, "{}"), 7)
}

// number is a number with at most three decimals.
func number(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 3, 64), "0"), ".")
}

// sparkline draws the buckets of a histogram.
func sparkline(counts []uint64) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	most := max(slices.Max(append([]uint64{1}, counts...)), 1)
	var b strings.Builder
	for _, c := range counts {
		b.WriteRune(levels[c*uint64(len(levels)-1)/most])
	}
	return b.String()
}

// bare is attributes as key=value, strings without quotes.
func bare(as query.Attrs) string {
	parts := make([]string, len(as))
	for i, kv := range as {
		value := kv.Value.String()
		if kv.Value.Kind() == query.KindString {
			value = kv.Value.Str()
		}
		parts[i] = kv.Key + "=" + value
	}
	return strings.Join(parts, " ")
}

// logs prints log records in order of their time, each with the span that it
// was written in.
func (p paper) logs(logs []query.Log, spans []query.Span) {
	logs = slices.Clone(logs)
	slices.SortStableFunc(logs, func(a, b query.Log) int { return a.Time.Compare(b.Time) })
	names := map[query.SpanID]string{}
	began := map[query.TraceID]query.Span{}
	for _, s := range spans {
		names[s.SpanID] = s.Name
		if s.IsRoot() {
			began[s.TraceID] = s
		}
	}
	bodyColumn := 0
	for _, l := range logs {
		bodyColumn = max(bodyColumn, utf8.RuneCountInString(l.Body.Str()))
	}
	bodyColumn = min(bodyColumn, p.width-50)
	p.heading("logs", plural(len(logs), "record"))
	for _, l := range logs {
		at := ""
		if root, ok := began[l.TraceID]; ok {
			at = "+" + took(l.Time.Sub(root.Start))
		}
		p.line("  ", p.service(l.Resource.Service()), right(at, 6), "  ",
			p.paint(severityInk(l.Severity), left(strings.ToUpper(l.Severity.String()), 6)),
			left(l.Body.Str(), bodyColumn), "  ", p.paint(dim, "in "+names[l.SpanID]))
	}
}

func severityInk(s query.Severity) ink {
	switch {
	case s >= query.SeverityError:
		return red
	case s >= query.SeverityWarn:
		return yellow
	}
	return plain
}
