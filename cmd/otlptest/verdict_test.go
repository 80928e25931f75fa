package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
)

// export makes an export of one span that arrived and was answered then, in
// milliseconds.
func export(number, arrived int, outcome query.Outcome, code codes.Code) query.Export {
	at := midnight.Add(time.Duration(arrived) * time.Millisecond)
	e := query.Export{
		Number: number, Signal: query.Traces, Protocol: query.GRPC, Items: 1,
		Arrived: at, Answered: at, Outcome: outcome, Status: query.Status{Code: query.Code(code)},
	}
	if e.Acknowledged() {
		e.Stored = 1
	}
	return e
}

// throttled is export 1, at midnight.
func throttled() query.Export {
	e := export(1, 0, query.Refused, codes.Unavailable)
	e.Throttled, e.RetryDelay = true, time.Second
	return e
}

// reportOf makes a report of exports, those with the same content as one batch.
func reportOf(content string, exports ...query.Export) query.Report {
	return query.NewReport(exports, query.Contents{Key: func(i int) string { return content[i : i+1] }})
}

// good is evidence for which every check holds.
func good() evidence {
	return evidence{
		sent: tally{spans: 1, points: 1, logs: 2}, refused: 1, reports: []string{"OTLP: too much"},
		script: []faults.Rule{faults.Sequence(faults.Throttle(time.Second)), faults.Sequence(faults.Reject("too much"))},
		spans:  []query.Span{spanOf(1, 0, "root", 0, 1)},
		points: []query.Point{{Name: "orders"}},
		logs:   []query.Log{{}},
		report: reportOf("aab", throttled(), export(2, 1000, query.Accepted, 0), export(3, 0, query.Refused, codes.InvalidArgument)),
	}
}

func TestVerdict(t *testing.T) {
	if checks := good().judge(); !passed(checks) {
		t.Fatalf("got %v, want that all hold", checks)
	}
	for _, test := range []struct {
		what  string
		spoil func(*evidence)
		want  string // the checks that fail, with their figures
	}{
		{"nothing came", func(e *evidence) { *e = evidence{sent: e.sent, refused: 1, script: e.script, unmet: e.script} }, `
every span arrived, as one tree: 0 of 1 in 0 trees
every data point arrived: 0 of 1
every log record not refused arrived: 0 of 1, 1 refused
nothing was delivered twice: 0 batches, 0 twice
retries waited as long as promised: 0 throttled, want 1
no final refusal was sent again: 0 of 1, each sent once
the SDK reported each final refusal: 0 of 1
every fault of the script was met: 0 of 2`},
		{"a span twice", func(e *evidence) { e.spans = append(e.spans, e.spans[0]); e.sent.spans = 2 }, `
every span arrived, as one tree: 1 of 2 in 2 trees`},
		{"a torn trace", func(e *evidence) { e.spans = append(e.spans, spanOf(2, 9, "lost", 0, 1)); e.sent.spans = 2 }, `
every span arrived, as one tree: 2 of 2 in 2 trees`},
		{"impatience", func(e *evidence) {
			e.report = reportOf("aab", throttled(), export(2, 400, query.Accepted, 0), export(3, 0, query.Refused, codes.InvalidArgument))
		}, `
retries waited as long as promised: 400ms < 1s`},
		{"despair", func(e *evidence) {
			e.report = reportOf("ab", throttled(), export(2, 0, query.Refused, codes.InvalidArgument))
		}, `
retries waited as long as promised: never ≥ 1s`},
		{"obstinacy", func(e *evidence) {
			e.report = reportOf("aabb", throttled(), export(2, 1000, query.Accepted, 0),
				export(3, 0, query.Refused, codes.InvalidArgument), export(4, 9, query.Accepted, 0))
		}, `
no final refusal was sent again: export 3 was`},
		{"a repetition", func(e *evidence) {
			e.report = reportOf("aaab", throttled(), export(2, 1000, query.Accepted, 0), export(3, 2000, query.Accepted, 0),
				export(4, 0, query.Refused, codes.InvalidArgument))
		}, `
nothing was delivered twice: 3 batches, 1 twice`},
		{"silence", func(e *evidence) { e.reports = nil }, `
the SDK reported each final refusal: 0 of 1`},
		{"a fault that nothing met", func(e *evidence) { e.unmet = e.script[:1] }, `
every fault of the script was met: 1 of 2`},
	} {
		e := good()
		test.spoil(&e)
		checks := e.judge()
		if got := failures(checks); got != test.want || passed(checks) {
			t.Errorf("%s: got %s\nwant %s", test.what, got, test.want)
		}
	}
}

func failures(checks []check) string {
	var b strings.Builder
	for _, c := range checks {
		if !c.ok {
			fmt.Fprintf(&b, "\n%s: %s", c.name, c.figures)
		}
	}
	return b.String()
}
