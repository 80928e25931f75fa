package httpapi

import (
	"net/http"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// ledger is a report as JSON.
type ledger struct {
	Exports    int                               `json:"exports"`
	Batches    []batch                           `json:"batches"`
	Items      query.ItemCounts                  `json:"items"`
	Signals    map[query.Signal]query.ItemCounts `json:"signals"`
	Throughput query.Throughput                  `json:"throughput"`
	Produced   counts                            `json:"produced"` // null where nobody has said
	Lost       counts                            `json:"lost"`     // null where it is not known
}

// batch is a batch as JSON, with durations as Go writes them.
type batch struct {
	Number       int            `json:"number"`
	Signal       query.Signal   `json:"signal"`
	Items        int            `json:"items"`
	Acknowledged bool           `json:"acknowledged"`
	Deliveries   int            `json:"deliveries"`
	RepeatOf     int            `json:"repeatOf,omitempty"`
	Attempts     []query.Export `json:"attempts"`
	Gaps         []string       `json:"gaps"`
	Promised     []string       `json:"promised"`
}

// signals is what counts are of.
var signals = []query.Signal{query.Traces, query.Metrics, query.Logs}

// report is the endpoint for the ledger.
func (a *api) report(r *http.Request) (any, error) {
	p, err := parse(r, "format")
	if err != nil {
		return nil, err
	}
	format, err := p.word("format", "json", "text")
	if err != nil {
		return nil, err
	}
	if p["format"] == "" && prefersText(r.Header.Get("Accept")) {
		format = "text"
	}
	rep := a.srv.Report()
	made := a.produced.since(dropped(a.srv))
	if format == "text" {
		return text(strings.TrimRight(rep.String(), "\n") + "\n" + made.String(rep) + "\n"), nil
	}
	return ledgerOf(rep, made), nil
}

// prefersText says whether an Accept header names plain text, and JSON not
// before it.
func prefersText(accept string) bool {
	plain, inJSON := strings.Index(accept, "text/plain"), strings.Index(accept, "json")
	return plain >= 0 && (inJSON < 0 || plain < inJSON)
}

func ledgerOf(rep query.Report, made counts) ledger {
	l := ledger{
		Batches: []batch{}, Items: rep.Items(), Signals: map[query.Signal]query.ItemCounts{},
		Exports: len(rep.Transcript()), Throughput: rep.Throughput(), Produced: made, Lost: made.lost(rep),
	}
	for _, sig := range signals {
		l.Signals[sig] = rep.ItemsOf(sig)
	}
	for _, b := range rep.Batches {
		l.Batches = append(l.Batches, batchOf(b))
	}
	return l
}

func batchOf(b query.Batch) batch {
	out := batch{
		Number: b.Number, Signal: b.Signal, Items: b.Items, Acknowledged: b.Acknowledged(), Deliveries: b.Deliveries(),
		Attempts: b.Attempts(), Gaps: []string{}, Promised: []string{},
	}
	if first := b.RepeatOf(); first != nil {
		out.RepeatOf = first.Number
	}
	for _, d := range b.Gaps() {
		out.Gaps = append(out.Gaps, d.String())
	}
	for _, d := range b.Promised() {
		out.Promised = append(out.Promised, d.String())
	}
	return out
}
