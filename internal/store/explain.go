package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// How much an explanation shows at most, so that it stays readable.
const (
	maxMatches = 5
	maxClosest = 3
	maxExports = 10
	maxColumns = 100
	maxValue   = 60
)

// explainItems says which items of a signal matched, which came closest and
// where they differ, and what became of the exports.
func (s *Store) explainItems(sig query.Signal, where []query.Filter) string {
	es := query.Exprs(where)
	m := wire.Compile(es)
	var matches, misses lines
	for it := range s.stored(sig) {
		if it.Match(m) {
			matches.add(0, it.Number(), describe(it, sig, es))
			continue
		}
		failed := 0
		for _, e := range es {
			if !it.Holds(e) {
				failed++
			}
		}
		misses.add(failed, it.Number(), describe(it, sig, es))
	}
	var b strings.Builder
	matches.write(&b, "match", maxMatches)
	misses.write(&b, "closest", maxClosest)
	b.WriteString(s.explainExports(func(r *Record) string { return r.missed(sig, m) }))
	return b.String()
}

// missed says how many of the items that were not stored would have matched.
func (r *Record) missed(sig query.Signal, m wire.Matcher) string {
	if r.export.Signal != sig || r.export.Stored == r.export.Items {
		return ""
	}
	n := 0
	for it := range wire.Items(sig, r.body, r, 1) {
		if (!r.keep || r.refused.Has(it.Index())) && it.Match(m) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (held %s that would match)", sig.Count(n))
}

// describe writes an item's name and service, and each term's field: as it is
// where the term holds, against what was wanted where it does not.
func describe(it *wire.Item, sig query.Signal, es []expr.Expr) string {
	parts := []string{}
	if title := title(it, sig); title != "" {
		parts = append(parts, title)
	}
	service := expr.Expr{Key: expr.Service}
	if !slices.ContainsFunc(es, func(e expr.Expr) bool { return e.Key == expr.Service && e.Op == expr.Equal }) {
		if v, ok := it.Field(service); ok {
			parts = append(parts, "service="+bare(v))
		}
	}
	for _, e := range es {
		if t := term(it, e); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, "  ")
}

// title is what an item is called: a span's or metric's name, or a log's body.
func title(it *wire.Item, sig query.Signal) string {
	if sig == query.Logs {
		l := it.Log()
		if l.Body.IsEmpty() {
			return l.EventName
		}
		return short(l.Body.String())
	}
	v, _ := it.Field(expr.Expr{Key: expr.Name})
	return bare(v)
}

// term says how an item stands to one term. It is empty where the item's
// title says it already.
func term(it *wire.Item, e expr.Expr) string {
	if e.Op != expr.Equal && e.Op != expr.Exists {
		if it.Holds(e) {
			return e.String()
		}
		return "does not hold: " + e.String()
	}
	got, found := it.Field(e)
	switch {
	case it.Holds(e) && e.Key == expr.Name:
		return ""
	case it.Holds(e) && e.Key == expr.Root:
		return "root"
	case it.Holds(e):
		return e.Field() + "=" + shown(e, got)
	case e.Key == expr.Root:
		return "root: it has a parent"
	case !found && e.Op == expr.Exists:
		return e.Field() + ": missing" + elsewhere(it, e)
	case !found:
		return fmt.Sprintf("%s: missing, want %s%s", e.Field(), expr.Literal(e.Arg), elsewhere(it, e))
	}
	return fmt.Sprintf("%s: got %s, want %s", e.Field(), shown(e, got), expr.Literal(e.Arg))
}

// shown writes a field's value, an enumeration's bare.
func shown(e expr.Expr, v query.Value) string {
	if _, enum := e.Arg.(expr.Label); enum {
		return v.Str()
	}
	return short(v.String())
}

// elsewhere says where an attribute that is missing stands instead: on the
// resource rather than on the item, or the other way round.
func elsewhere(it *wire.Item, e expr.Expr) string {
	other := e
	switch e.Key {
	case expr.Attr:
		other.Key = expr.Resource
	case expr.Resource:
		other.Key = expr.Attr
	default:
		return ""
	}
	v, ok := it.Field(other)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" (it has %s=%s)", other.Field(), short(v.String()))
}

// bare writes a string without quotes where that is unambiguous.
func bare(v query.Value) string {
	s := v.Str()
	if s == "" {
		return `""`
	}
	if len(s) > maxValue || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r > '~' }) {
		return short(v.String())
	}
	return s
}

// short cuts a text that is too long for a line.
func short(s string) string {
	if len(s) <= maxValue {
		return s
	}
	cut := maxValue
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut-- // not within a character
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:cut], len(s))
}

// lines collects equal descriptions of items, those with the lowest rank first.
type lines struct {
	list []*line
	at   map[string]*line
}

type line struct {
	rank, number, more int
	text               string
}

func (l *lines) add(rank, number int, text string) {
	if old := l.at[text]; old != nil {
		old.more++
		return
	}
	if l.at == nil {
		l.at = map[string]*line{}
	}
	n := &line{rank: rank, number: number, text: text}
	l.at[text] = n
	l.list = append(l.list, n)
}

func (l *lines) write(b *strings.Builder, label string, most int) {
	slices.SortStableFunc(l.list, func(x, y *line) int { return x.rank - y.rank })
	for i, n := range l.list {
		if i == most {
			fmt.Fprintf(b, "  %-8s … and %d more\n", "", len(l.list)-most)
			break
		}
		fmt.Fprintf(b, "  %-8s #%d %s", label, n.number, n.text)
		if n.more > 0 {
			fmt.Fprintf(b, "  (and %d more like it)", n.more)
		}
		b.WriteByte('\n')
		label = ""
	}
}

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
