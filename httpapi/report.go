package httpapi

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// ledger is a report as JSON.
type ledger struct {
	Exports    int                               `json:"exports"`
	Batches    []batch                           `json:"batches,omitzero"` // nil in a summary
	Items      query.ItemCounts                  `json:"items"`
	Signals    map[query.Signal]query.ItemCounts `json:"signals"`
	Throughput query.Throughput                  `json:"throughput"`
	Drops      drops                             `json:"drops"`
	Produced   counts                            `json:"produced"` // null where nobody has said
	Lost       counts                            `json:"lost"`     // null where it is not known
}

// drops is what the server itself has left out.
type drops struct {
	Refused int   `json:"refused"` // exports for which the memory limit had no room
	Dropped int   `json:"dropped"` // exports of which the data made room for others
	Unread  int64 `json:"unread"`  // items of streams that nobody read in time
}

func (a *api) drops() drops {
	m := a.srv.Memory()
	return drops{m.Refused, m.Dropped, a.streams.dropped.Load()}
}

// unread is a line of the text, where there is something to say.
func (d drops) unread() string {
	if d.Unread == 0 {
		return ""
	}
	return fmt.Sprintf("streams: %d items left out, since nobody read them in time\n", d.Unread)
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
	Text         string         `json:"text,omitempty"` // what became of it, in words; of batches only
}

// signals is what counts are of.
var signals = []query.Signal{query.Traces, query.Metrics, query.Logs}

// report is the endpoint for the ledger.
func (a *api) report(r *http.Request) (any, error) {
	p, err := parse(r, "format")
	if err != nil {
		return nil, err
	}
	format, err := p.word("format", "json", "summary", "text")
	if err != nil {
		return nil, err
	}
	if p["format"] == "" && prefersText(r.Header.Get("Accept")) {
		format = "text"
	}
	rep, left := a.srv.Report(), a.drops()
	made := a.produced.since(dropped(a.srv))
	if format == "text" {
		return text(strings.TrimRight(rep.String(), "\n") + "\n" + left.unread() + made.String(rep) + "\n"), nil
	}
	l := sums(rep, left, made)
	if format == "json" {
		l.Batches = batchesOf(rep)
	}
	return l, nil
}

// prefersText says whether an Accept header names plain text, and JSON not
// before it.
func prefersText(accept string) bool {
	plain, inJSON := strings.Index(accept, "text/plain"), strings.Index(accept, "json")
	return plain >= 0 && (inJSON < 0 || plain < inJSON)
}

// sums is a ledger without its batches.
func sums(rep query.Report, left drops, made counts) ledger {
	l := ledger{
		Items: rep.Items(), Signals: map[query.Signal]query.ItemCounts{},
		Exports: len(rep.Transcript()), Throughput: rep.Throughput(), Drops: left, Produced: made, Lost: made.lost(rep),
	}
	for _, sig := range signals {
		l.Signals[sig] = rep.ItemsOf(sig)
	}
	return l
}

func batchesOf(rep query.Report) []batch {
	list := make([]batch, len(rep.Batches))
	for i, b := range rep.Batches {
		list[i] = batchOf(b)
	}
	return list
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
