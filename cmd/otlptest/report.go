package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
)

// How many lines of a text are shown at most.
const (
	maxWhy    = 13 // with the line above it and one below, less than 15
	whyTail   = 2  // where a hint stands
	maxLedger = 40
)

// report writes the report in a format.
func (t *trial) report(format string, w io.Writer) error {
	switch format {
	case "json":
		return t.writeJSON(w)
	case "junit":
		return t.writeJUnit(w)
	case "text":
		return t.writeText(w)
	}
	return nil
}

func (t *trial) writeText(w io.Writer) error {
	var b strings.Builder
	b.WriteString("otlptest: what the backend saw\n")
	for _, line := range clip(t.srv.Report().String(), maxLedger, 0) {
		b.WriteString("  " + line + "\n")
	}
	b.WriteString(t.lossText() + t.costText())
	switch {
	case reached(t.srv):
	case t.srv.Mark() != query.Mark{}:
		b.WriteString("warning: the command has reset the backend, and nothing has come since\n")
	default:
		b.WriteString("warning: no request has reached the backend: does the command export to where OTEL_EXPORTER_OTLP_ENDPOINT says, and flush before it ends?\n")
	}
	if t.open > 0 {
		fmt.Fprintf(&b, "warning: %s had not ended when the waiting did\n", plural(t.open, "request"))
	}
	t.complain(&b)
	if n := len(t.results); n > 0 {
		fmt.Fprintf(&b, "%d of %d expectations hold\n", t.held(), n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// complain says why expectations do not hold.
func (t *trial) complain(w io.Writer) {
	for _, r := range t.results {
		if r.OK {
			continue
		}
		fmt.Fprintf(w, "otlptest: expectation does not hold: %s\n", r.Text)
		for _, line := range clip(r.Why, maxWhy, whyTail) {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
}

// lossText says what is lost, as far as that is known.
func (t *trial) lossText() string {
	c := t.cost()
	text := ""
	for _, sig := range signals {
		if made, known := t.loss.Produced[sig]; known {
			text += fmt.Sprintf("lost       %d of %s produced\n", t.loss.Lost[sig], sig.Count(int(made)))
		}
	}
	if text == "" {
		text = "lost       not known, since nobody has said how many items were produced (--produced)\n"
	}
	if c.OrphanSpans > 0 {
		text += fmt.Sprintf("orphans    %s in %s, whose parent has not come\n", query.Traces.Count(c.OrphanSpans), plural(c.OrphanedTraces, "trace"))
	}
	return text
}

// costText says what it took.
func (t *trial) costText() string {
	text := fmt.Sprintf("command    status %d after %s, %.2f s of CPU", t.child.status, query.Round(t.child.took), t.child.cpu.Seconds())
	if t.child.peak > 0 {
		text += fmt.Sprintf(", at most %s of memory", t.child.peak)
	}
	if c := t.cost(); c.Items > 0 {
		text += fmt.Sprintf("\nan item    %.1f bytes as sent, %.1f decompressed\n", c.WireBytes, c.BodyBytes)
		return text
	}
	return text + "\n"
}

// jsonReport is the report as JSON.
type jsonReport struct {
	Command      []string        `json:"command"`
	Status       int             `json:"status"` // of the command
	ExitStatus   int             `json:"exitStatus"`
	Took         string          `json:"took"`
	CPUSeconds   float64         `json:"cpuSeconds"`
	PeakBytes    int64           `json:"peakBytes,omitempty"`
	Cost         cost            `json:"exports"`
	Expectations []result        `json:"expectations"`
	Ledger       json.RawMessage `json:"report"` // as GET /api/v1/report has it
}

func (t *trial) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(jsonReport{
		Command: t.child.command, Status: t.child.status, ExitStatus: t.status(),
		Took: t.child.took.Round(time.Millisecond).String(), CPUSeconds: t.child.cpu.Seconds(), PeakBytes: int64(t.child.peak),
		Cost: t.cost(), Expectations: append([]result{}, t.results...), Ledger: t.ledger,
	})
}
