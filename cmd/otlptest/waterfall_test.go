package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
)

var midnight = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// spanOf makes a span: its id and its parent's, and when it was in
// microseconds.
func spanOf(id, parent byte, name string, from, to int) query.Span {
	at := func(us int) time.Time { return midnight.Add(time.Duration(us) * time.Microsecond) }
	return query.Span{
		TraceID: query.TraceID{1}, SpanID: query.SpanID{id}, ParentSpanID: query.SpanID{parent},
		Name: name, Start: at(from), End: at(to),
		Resource: query.Resource{Attrs: query.Attrs{query.Attr("service.name", "web")}},
	}
}

// family is spans in the order in which a backend gets them, that is at random.
func family() []query.Span {
	failed := spanOf(4, 2, "failed", 1_500, 2_100)
	failed.Status = query.SpanStatus{Code: query.StatusError, Message: "out of " + strings.Repeat("very ", 20) + "long patience"}
	failed.Events = []query.Event{{Time: failed.End, Name: "exception", Attrs: query.Attrs{query.Attr("exception.type", "Timeout")}}}
	linked := spanOf(5, 2, "linked", 2_200, 2_900)
	linked.Links = []query.Link{{TraceID: query.TraceID{1}, SpanID: query.SpanID{4}}, {TraceID: query.TraceID{2}, SpanID: query.SpanID{9}}}
	return []query.Span{
		linked, failed,
		spanOf(2, 1, "second child", 1_000, 3_000),
		spanOf(1, 0, "root", 0, 4_000),
		spanOf(3, 1, "first child, of no length", 500, 500),
		spanOf(6, 1, "ends after its parent", 3_500, 9_000),
		spanOf(7, 0x77, "its parent is not here", 100, 90_000_000),
	}
}

func TestWaterfall(t *testing.T) {
	var b bytes.Buffer
	paper{Writer: &b, width: minWidth}.waterfall(family())
	fits(t, b.String(), minWidth)
	golden(t, "waterfall.txt", b.String())
}

func TestWaterfallInColor(t *testing.T) {
	var b bytes.Buffer
	paper{Writer: &b, width: minWidth, color: true}.waterfall(family()[1:4])
	golden(t, "waterfall-color.txt", strings.ReplaceAll(b.String(), "\x1b", "ESC"))
}

func TestAssembleSurvivesSpansThatAreTheirOwnParents(t *testing.T) {
	if roots := assemble([]query.Span{spanOf(1, 1, "own parent", 0, 1)}); len(roots) != 1 || len(roots[0].children) > 0 {
		t.Errorf("got %v, want one root without children", roots)
	}
}
