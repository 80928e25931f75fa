package otlptest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// family is a trace of three spans in which everything that can be random is
// decided by n.
func family(n byte) []*tracepb.Span {
	id := func(i byte) []byte { return []byte{n, 0, 0, 0, 0, 0, 0, i} }
	at := func(ms uint64) uint64 { return (uint64(n)*1000 + ms) * 1_000_000 }
	spans := []*tracepb.Span{
		{Name: "GET /pay", Kind: 2, SpanId: id(1), StartTimeUnixNano: at(0), EndTimeUnixNano: at(90)},
		{Name: "charge", Kind: 3, SpanId: id(2), ParentSpanId: id(1), StartTimeUnixNano: at(10), EndTimeUnixNano: at(50)},
		{Name: "charge", Kind: 3, SpanId: id(3), ParentSpanId: id(1), StartTimeUnixNano: at(50), EndTimeUnixNano: at(80)},
	}
	for _, s := range spans {
		s.TraceId = append(id(9), id(9)...)
	}
	spans[1].Status = &tracepb.Status{Code: 2, Message: "declined"}
	spans[1].Attributes = append(spans[1].Attributes, attr("z", 1), attr("a", "b c"), attr("request.id", fmt.Sprint("r-", n)))
	spans[2].Links = []*tracepb.Span_Link{{TraceId: spans[1].TraceId, SpanId: spans[1].SpanId}}
	spans[2].Events = []*tracepb.Span_Event{{Name: "again", TimeUnixNano: at(60)}}
	return spans
}

func TestGoldenTextsAreTheSameForEveryRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "spans.golden")
	t.Setenv("OTLPTEST_UPDATE", "1")
	for n := range byte(3) {
		srv := otlptest.Start(t)
		spans := family(n + 1)
		if n == 2 { // in another order, and in several exports
			spans[0], spans[2] = spans[2], spans[0]
		}
		for _, s := range spans {
			send(t, srv, s)
		}
		f := run(t, func(tb testing.TB) { otlptest.Golden(tb, srv.Spans(), file, otlptest.RedactAttr("request.id")) })
		if f.failed {
			t.Errorf("run %d: %s", n, f.log.String())
		}
		t.Setenv("OTLPTEST_UPDATE", "")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "golden-spans", string(text))
}

func TestGoldenTextsHaveTimesInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory())
		send(t, srv, family(1)...)
		golden(t, "golden-times", query.Stable(srv.Spans().Slice(), true))
	})
}

func TestGoldenTextsOfTraces(t *testing.T) {
	var texts []string
	for n := range byte(2) {
		srv := otlptest.Start(t)
		spans := family(n + 1)
		if n == 1 {
			spans[0], spans[2] = spans[2], spans[0]
		}
		spans[1].Attributes = spans[1].Attributes[:2]
		send(t, srv, spans...)
		send(t, srv, spans[1]) // again
		orphan := family(n + 1)[1]
		orphan.SpanId, orphan.ParentSpanId, orphan.Name, orphan.Attributes = []byte{n, 7, 0, 0, 0, 0, 0, 1}, []byte{n, 7, 7, 0, 0, 0, 0, 1}, "lost", nil
		send(t, srv, orphan)
		texts = append(texts, query.Stable(srv.Traces().Slice(), false))
	}
	if texts[0] != texts[1] {
		t.Errorf("got another text in another run:\n%s\n%s", texts[0], texts[1])
	}
	golden(t, "golden-traces", texts[0])
}

func TestGoldenTextsOfPointsAndLogs(t *testing.T) {
	srv := otlptest.Start(t)
	w := newWire(t, srv)
	w.export(query.HTTPProtobuf, full(query.Metrics))
	w.export(query.HTTPProtobuf, full(query.Logs))
	text := query.Stable(srv.Points().Slice(), true) + query.Stable(srv.Logs().Slice(), true)
	golden(t, "golden-others", text)
}

func TestGoldenSaysWhatDiffers(t *testing.T) {
	t.Setenv("OTLPTEST_UPDATE", "")
	file := filepath.Join(t.TempDir(), "f")
	srv := otlptest.Start(t)
	send(t, srv, family(1)...)
	text := query.Stable(srv.Spans().Slice(), false)
	var log string
	try := func(v query.View[query.Span], redact ...otlptest.Redactor) {
		f := run(t, func(tb testing.TB) { otlptest.Golden(tb, v, file, redact...) })
		if !f.failed {
			t.Error("Golden did not fail")
		}
		log += strings.ReplaceAll(f.log.String(), file, "FILE") + "\n"
	}
	try(srv.Spans(where.Name("GET /pay")))
	if err := os.WriteFile(file, []byte(strings.Replace(text, "declined", "refused", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	try(srv.Spans())
	try(srv.Spans(), otlptest.RedactMatch(`parent (\d)`, "child of $1"))
	try(srv.Spans(where.Name("none")))
	golden(t, "golden-failures", log)
}
