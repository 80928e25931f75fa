package query

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// String is the ledger as a timeline: a few lines about the whole, one for each
// batch, and one or more for each attempt, with the time since the first export
// of the report. It looks at every item, as [Report.Items] does.
func (r Report) String() string {
	var b strings.Builder
	r.writeBatches(&b)
	r.writeItems(&b)
	r.writeDropped(&b)
	r.writeRequests(&b)
	for _, batch := range r.Batches {
		batch.write(&b, r.start())
	}
	return b.String()
}

// start is when the first export arrived.
func (r Report) start() time.Time {
	if l := r.ledger(); len(l.exports) > 0 {
		return l.exports[0].Arrived
	}
	return time.Time{}
}

func (r Report) writeBatches(b *strings.Builder) {
	exports, delivered, repeats := 0, 0, 0
	for _, batch := range r.Batches {
		exports += len(batch.attempts)
		if batch.Deliveries() > 0 {
			delivered++
		}
		if batch.repeatOf != nil {
			repeats++
		}
	}
	fmt.Fprintf(b, "%s in %s: %d delivered", pluralES(len(r.Batches), "batch"), plural(exports, "export"), delivered)
	writeMore(b, ", ", len(r.Batches)-delivered, "not delivered")
	writeMore(b, ", ", repeats, "equal to one acknowledged before")
	b.WriteByte('\n')
}

// writeMore writes a number that is worth a word only if it is not 0.
func writeMore(b *strings.Builder, before string, n int, what string) {
	if n > 0 {
		fmt.Fprintf(b, "%s%d %s", before, n, what)
	}
}

func (r Report) writeItems(b *strings.Builder) {
	c := r.Items()
	if c.Sent == 0 {
		return
	}
	fmt.Fprintf(b, "%s sent: %d delivered", r.signal().Count(c.Sent), c.Delivered)
	writeMore(b, ", ", c.Refused, "refused by a partial success")
	writeMore(b, ", ", c.Lost, "lost")
	writeMore(b, ", ", c.Unacknowledged, "unacknowledged")
	b.WriteByte('\n')
	if n := c.LegalDuplicates + c.IllegalDuplicates; n > 0 {
		fmt.Fprintf(b, "%s delivered more than once:", r.signal().Count(n))
		writeMore(b, " ", c.LegalDuplicates, "legally (C-43)")
		if c.LegalDuplicates > 0 && c.IllegalDuplicates > 0 {
			b.WriteByte(',')
		}
		writeMore(b, " ", c.IllegalDuplicates, "after an acknowledgement")
		b.WriteByte('\n')
	}
}

// writeDropped says what the server itself did not keep.
func (r Report) writeDropped(b *strings.Builder) {
	refused, dropped := 0, 0
	for _, e := range r.ledger().exports {
		switch {
		case e.Dropped && e.Outcome == Refused:
			refused++
		case e.Dropped:
			dropped++
		}
	}
	if refused+dropped > 0 {
		fmt.Fprintf(b, "memory limit of the server: %s refused, the data of %d dropped\n", plural(refused, "export"), dropped)
	}
}

// signal is the one signal of all batches, and none if there are several.
func (r Report) signal() (s Signal) {
	for _, b := range r.Batches {
		if s != "" && s != b.Signal {
			return ""
		}
		s = b.Signal
	}
	return s
}

func (r Report) writeRequests(b *strings.Builder) {
	conns := map[int]bool{}
	for _, e := range r.ledger().exports {
		if e.Conn != 0 {
			conns[e.Conn] = true
		}
	}
	peak := r.Peak()
	if peak == 0 {
		return
	}
	if len(conns) > 0 {
		fmt.Fprintf(b, "%s, ", plural(len(conns), "connection"))
	}
	fmt.Fprintf(b, "at most %s in flight\n", plural(peak, "request"))
}

func pluralES(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ses", n, what)
}

// String is a line about the batch and one or more for each attempt, each with
// its end of line. Times count from the first attempt.
func (b Batch) String() string {
	if len(b.attempts) == 0 {
		return ""
	}
	var w strings.Builder
	b.write(&w, b.attempts[0].Arrived)
	return w.String()
}

func (b Batch) write(w *strings.Builder, start time.Time) {
	what := b.Signal.Count(b.Items)
	if b.attempts[0].Unread {
		what = "body not read"
	}
	fmt.Fprintf(w, "batch %d  %s  %s  %s\n", b.Number, b.Signal, what, b.state())
	rows := make([][]string, len(b.attempts))
	for i, e := range b.attempts {
		rows[i] = []string{
			fmt.Sprintf("export %d", e.Number), "+" + brief(e.Arrived.Sub(start)),
			e.by(), string(e.Protocol), e.ended(),
		}
	}
	widths := widthsOf(rows)
	for i, row := range rows {
		line := " "
		for j, cell := range row {
			if widths[j] > 0 {
				line += " " + cell + strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)+1)
			}
		}
		writeNotes(w, line, b.notes(i))
	}
}

// widthsOf is how wide each column is: 0 where it is empty, and otherwise at
// least so wide that most batches look alike.
func widthsOf(rows [][]string) []int {
	least := []int{9, 6, 6, 4, 0}
	widths := make([]int, len(least))
	for _, row := range rows {
		for j, cell := range row {
			if cell != "" {
				widths[j] = max(widths[j], least[j], utf8.RuneCountInString(cell))
			}
		}
	}
	return widths
}

// brief is a duration rounded for reading, without zeros at its end.
func brief(d time.Duration) string {
	s := Round(d).String()
	if cut, ok := strings.CutSuffix(s, "m0s"); ok {
		s = cut + "m"
	}
	if cut, ok := strings.CutSuffix(s, "h0m"); ok {
		s = cut + "h"
	}
	return s
}

// writeNotes ends a line with as many notes as it has room for, and goes on
// below with the others.
func writeNotes(w *strings.Builder, line string, notes []string) {
	const most = 110
	for i, n := range notes {
		if i > 0 && utf8.RuneCountInString(line)+len(n)+2 > most {
			w.WriteString(strings.TrimRight(line, " ,") + ",\n")
			line = strings.Repeat(" ", 12)
		}
		line += " " + n
		if i < len(notes)-1 {
			line += ","
		}
	}
	w.WriteString(strings.TrimRight(line, " ") + "\n")
}

// by is the connection that an export came by.
func (e Export) by() string {
	if e.Conn == 0 {
		return ""
	}
	return fmt.Sprintf("conn %d", e.Conn)
}

// ended says what became of an export, for a line of the timeline.
func (e Export) ended() string {
	const most = 44
	became := e.Became()
	if took := e.took(); took > 0 && (e.Outcome == Abandoned || e.Outcome == Cut) {
		became = strings.Replace(became, string(e.Outcome), string(e.Outcome)+" after "+brief(took), 1)
	}
	text := []rune(became)
	if len(text) > most {
		text = append(text[:most], '…')
	}
	return string(text)
}

// notes is what is worth knowing about an attempt.
func (b Batch) notes(i int) (notes []string) {
	e := b.attempts[i]
	if i > 0 {
		notes = append(notes, b.wait(i))
	}
	if e.Throttled {
		notes = append(notes, "told to wait "+brief(e.RetryDelay))
	}
	if !e.Deadline.IsZero() {
		notes = append(notes, "deadline "+brief(e.Deadline.Sub(e.Arrived)))
	}
	return notes
}

// wait says how long after the one before an attempt came.
func (b Batch) wait(i int) string {
	before := b.attempts[i-1]
	if before.OpenAt(b.attempts[i].Arrived) {
		return fmt.Sprintf("came while export %d was open", before.Number)
	}
	text := fmt.Sprintf("came %s after", brief(b.gap(i)))
	if before.Throttled {
		text += fmt.Sprintf(" (%s promised)", brief(before.RetryDelay))
	}
	return text
}

// state says in words how far the batch got.
func (b Batch) state() string {
	n := b.Deliveries()
	switch {
	case n == 0 && b.attempts[len(b.attempts)-1].Outcome == Open:
		return "open" + b.repeats()
	case n == 0 && b.attempts[len(b.attempts)-1].Outcome == Accepted:
		return "not delivered, although it was accepted" + b.repeats()
	case n == 0:
		return "not delivered" + b.repeats()
	case n > 1:
		return fmt.Sprintf("delivered %s, legal: %s (C-43)", times(n), b.excuse()) + b.repeats()
	case !b.Acknowledged():
		return "delivered, but never acknowledged" + b.repeats()
	case b.kept() < b.Items:
		return fmt.Sprintf("%d of %d delivered", b.kept(), b.Items) + b.repeats()
	}
	return "delivered" + b.repeats()
}

// repeats says which batch came before that is equal. Only of spans it is
// certain that they are the same.
func (b Batch) repeats() string {
	switch {
	case b.repeatOf == nil:
		return ""
	case b.Signal == Traces:
		return fmt.Sprintf(", again: batch %d was acknowledged", b.repeatOf.Number)
	}
	return fmt.Sprintf(", equal to batch %d, which was acknowledged", b.repeatOf.Number)
}

// excuse says why a batch was sent again although it had been delivered.
func (b Batch) excuse() string {
	for i, e := range b.attempts[:len(b.attempts)-1] {
		switch {
		case !e.delivered():
		case e.OpenAt(b.attempts[i+1].Arrived):
			return fmt.Sprintf("export %d was not answered yet", e.Number)
		case !e.answered():
			return fmt.Sprintf("export %d ended without an acknowledgement", e.Number)
		default:
			return fmt.Sprintf("the acknowledgement of export %d was lost", e.Number)
		}
	}
	return ""
}

func times(n int) string {
	if n == 2 {
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
