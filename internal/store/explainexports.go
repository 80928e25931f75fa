package store

import (
	"fmt"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// explainExports says what became of the exports, with a remark on each.
func (s *Store) explainExports(remark func(*Record) string) string {
	log := s.snapshot()
	if len(log) == 0 {
		return "  exports  " + s.none() + "\n" + s.explainFailures()
	}
	retries := retries(s.Report())
	var texts []string
	if cut := len(log) - maxExports; cut > 0 {
		texts = append(texts, fmt.Sprintf("… %d earlier", cut))
	}
	for _, entry := range log[max(0, len(log)-maxExports):] {
		e := entry.rec.Export()
		text := e.String()
		if r, ok := retries[e.Number]; ok {
			text = fmt.Sprintf("%d %s %s", e.Number, r, e.Became())
		}
		texts = append(texts, text+remark(entry.rec))
	}
	return wrap("exports", texts) + s.explainFailures()
}

// none says what there is where no export is.
func (s *Store) none() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.open > 0:
		return fmt.Sprintf("none has come whole yet; %d open", s.open)
	case len(s.conns) > 0:
		return fmt.Sprintf("none has come; connections: %d", len(s.conns))
	}
	return "none has come, and no client has connected"
}

// retries says of each export that continues a batch which one it follows and
// how long after its answer.
func retries(r query.Report) map[int]string {
	texts := map[int]string{}
	for _, b := range r.Batches {
		gaps := b.Gaps()
		for i, e := range b.Attempts() {
			if i > 0 {
				before := b.Attempts()[i-1]
				texts[e.Number] = fmt.Sprintf("retry of %d after %s", before.Number, query.Round(gaps[i-1]))
				if before.OpenAt(e.Arrived) {
					texts[e.Number] = fmt.Sprintf("the same as %d, which was open,", before.Number)
				}
			}
		}
	}
	return texts
}

// wrap sets texts side by side with bars between them, in lines that stay
// within maxColumns where the texts do.
func wrap(label string, texts []string) string {
	var b strings.Builder
	width := 0
	for i, t := range texts {
		switch {
		case i == 0:
			width, _ = fmt.Fprintf(&b, "  %-8s %s", label, t)
		case width+len(t)+3 > maxColumns:
			b.WriteByte('\n')
			width, _ = fmt.Fprintf(&b, "  %-8s %s", "", t)
		default:
			n, _ := fmt.Fprintf(&b, " | %s", t)
			width += n
		}
	}
	b.WriteByte('\n')
	return b.String()
}
