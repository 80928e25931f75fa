package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Missing is what a view asks where some items match and more are wanted: what
// may keep the others away.
func (s Spans) Missing(where []query.Filter) string { return s.store.missing(query.Traces, where) }

// Missing is that of [Spans].
func (s Points) Missing(where []query.Filter) string { return s.store.missing(query.Metrics, where) }

// Missing is that of [Spans].
func (s Logs) Missing(where []query.Filter) string { return s.store.missing(query.Logs, where) }

func (s *Store) missing(sig query.Signal, where []query.Filter) string {
	log := s.snapshot()
	hints, troubled := s.remedies(log, newExplainer(sig, query.Exprs(where), stored(log, query.Traces)))
	if len(hints) == 0 && !troubled {
		hints = []string{patience[sig]}
	}
	return listed("hint", hints, maxHints)
}

// maxHints is how many hints there are at most.
const maxHints = 4

// reasons is why no item may match, apart from how those that are there differ,
// which may explain it already.
func (s *Store) reasons(log []entry, x explainer, explained bool) string {
	if len(log) == 0 {
		return s.nothing(x.sig)
	}
	hints, troubled := s.remedies(log, x)
	hints = append(hints, otherSignals(log, x.sig)...)
	hints = append(hints, s.forgotten()...)
	if len(hints) == 0 && !troubled && !explained && !x.named(log) {
		hints = []string{patience[x.sig]}
	}
	text := s.broken(x)
	if astray(log) {
		text += s.listening(x.sig, true).text()
	}
	return text + listed("hint", hints, maxHints)
}

// astray says whether an export came to the wrong place.
func astray(log []entry) bool {
	return slices.ContainsFunc(log, func(e entry) bool {
		s := e.rec.Export()
		return s.Outcome == query.Refused && s.Status.Code == unimplemented && s.Encoding == "" && s.Fault == (query.FaultRef{})
	})
}

// patience is what has to happen before an item of a signal is here.
var patience = map[query.Signal]string{
	query.Traces:  "a span comes once it was sampled, has ended and its batch is exported: end it, and ForceFlush its provider first",
	query.Metrics: "a point comes once its instrument was used and the reader has collected: ForceFlush the meter provider first",
	query.Logs:    "a log record comes once its batch is exported: ForceFlush the logger provider first",
}

// named says whether there is an item that is called what is asked for, so that
// it has come and only the rest of it differs.
func (x explainer) named(log []entry) bool {
	called := func(t explained) bool { return t.Key == expr.Name || t.Key == expr.Body || t.Key == expr.Event }
	for it := range stored(log, x.sig) {
		if !slices.ContainsFunc(x.terms, func(t explained) bool { return called(t) && !it.Match(t.alone) }) {
			return true
		}
	}
	return false
}

// otherSignals says what came where nothing of a signal did.
func otherSignals(log []entry, sig query.Signal) []string {
	counts := map[query.Signal]int{}
	for _, e := range log {
		counts[e.rec.export.Signal] += e.rec.export.Items
	}
	var others []string
	for _, other := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
		if counts[other] > 0 {
			others = append(others, other.Count(counts[other]))
		}
	}
	if counts[sig] > 0 || len(others) == 0 {
		return nil
	}
	what := strings.TrimPrefix(sig.Count(0), "0 ")
	return []string{fmt.Sprintf("no %s have come, only %s: is there a provider with an exporter for %s, and is it flushed?", what, strings.Join(others, " and "), sig)}
}

// forgotten says what Reset has dropped.
func (s *Store) forgotten() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dropped == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Reset, %s ago, dropped %s that had come before", query.Round(time.Since(s.droppedAt)), CountExports(s.dropped))}
}

// explains is the rules that may explain why an item does not match that is
// asked for these fields; those without fields always may.
var explains = map[string][]expr.Key{
	"S-32": nil, "S-33": nil, "S-35": nil, "S-36": nil, "S-37": nil,
	"S-40": {expr.TraceID, expr.SpanID, expr.Root},
	"S-44": {expr.Temporality},
	"S-48": {expr.TraceID, expr.SpanID},
	"S-49": {expr.Attr, expr.Resource},
	"R-01": {expr.Service},
	"R-02": {expr.Duration, expr.During},
	"R-05": {expr.Name},
	"R-06": {expr.Kind, expr.Status, expr.Type},
}

// broken is the violations that may explain why nothing matches.
func (s *Store) broken(x explainer) string {
	var texts []string
	for _, v := range s.violations() {
		keys, may := explains[v.Rule]
		if !may || v.Signal != x.sig || len(keys) == 0 && v.Level != query.LevelError || s.malformed(v.Export) {
			continue
		}
		if len(keys) == 0 || x.asks(keys...) || v.Rule == "S-40" && x.relates() {
			texts = append(texts, v.String())
		}
	}
	return listed("violated", texts, maxBroken)
}

// malformed says whether an export's own line has what is wrong with it.
func (s *Store) malformed(number int) bool {
	log := s.snapshot()
	return number > 0 && number <= len(log) && log[number-1].rec.Export().Outcome == query.Malformed
}
