package store

import (
	"fmt"

	"github.com/otlptest/otlptest/query"
)

// explainExports says what became of the exports, with a remark on each.
func (s *Store) explainExports(remark func(*Record) string) string {
	log := s.snapshot()
	if len(log) == 0 {
		return flow("exports", []string{s.none()}, "", 0) + s.explainFailures()
	}
	return flow("exports", last(s.fates(log, remark)), " | ", 0) + s.explainFailures()
}

// fates is what became of each export, of several in a row to which nothing
// happened in one text.
func (s *Store) fates(log []entry, remark func(*Record) string) (texts []string) {
	retries := retries(Report(s))
	var same run
	for _, entry := range log {
		e, text := entry.rec.Export(), remark(entry.rec)
		retry, again := retries[e.Number]
		if !again && text == "" && e.Outcome == query.Accepted && e.Fault == (query.FaultRef{}) && same.takes(e) {
			continue
		}
		texts = same.end(texts)
		switch {
		case again:
			texts = append(texts, fmt.Sprintf("%d %s %s%s", e.Number, retry, e.Became(), text))
		case text == "" && e.Outcome == query.Accepted && e.Fault == (query.FaultRef{}):
			same.takes(e)
		default:
			texts = append(texts, e.String()+text)
		}
	}
	return same.end(texts)
}

// run is exports in a row of one signal by one protocol, all accepted.
type run struct{ list []query.Export }

// takes adds an export that continues the run, or begins it.
func (r *run) takes(e query.Export) bool {
	if len(r.list) > 0 && (r.list[0].Signal != e.Signal || r.list[0].Protocol != e.Protocol) {
		return false
	}
	r.list = append(r.list, e)
	return true
}

// end adds what the run comes to, in one text if it is long, and begins another.
func (r *run) end(texts []string) []string {
	const long = 4
	if n := len(r.list); n >= long {
		first, items := r.list[0], 0
		for _, e := range r.list {
			items += e.Items
		}
		texts = append(texts, fmt.Sprintf("%d to %d %s %s %s, all accepted", first.Number, r.list[n-1].Number,
			first.Signal, first.Protocol, first.Signal.Count(items)))
		r.list = nil
	}
	for _, e := range r.list {
		texts = append(texts, e.String())
	}
	r.list = nil
	return texts
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
