package violations

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// listed is how many violations of one check are listed of an export.
const listed = 100

// walker goes over a body once and collects what the checks find.
type walker struct {
	sig     query.Signal
	names   names
	list    []query.Violation
	tallies []tally // by check; nil while nothing was found

	path     []step
	resource []byte // the one that is being looked at
	service  []byte // its service.name
	scope    []byte // the one that is being looked at
	item     []byte // the span, metric or log record that is being looked at, nil for none

	keys [][]byte // of the lists of attributes that are being read, one on top of the other

	index     int      // of the span, point or log record, in the body
	at        level    // what is being looked at
	condemned [4]bool  // by level: something there makes its items be refused
	judging   bool     // somebody asks which items are refused
	refused   wire.Set // these
	why       string   // the first reason
	place     string   // its path

	late bool // some resource or scope goes on behind what it holds

	series seriesKeys
	points []point
}

// names is what a signal's lists are called.
type names struct{ groups, scopes, items string }

var namesOf = map[query.Signal]names{
	query.Traces:  {"resource_spans", "scope_spans", "spans"},
	query.Metrics: {"resource_metrics", "scope_metrics", "metrics"},
	query.Logs:    {"resource_logs", "scope_logs", "log_records"},
}

// step is a field, and which one of a list; -1 where it is none.
type step struct {
	field string
	index int
}

// level is what a finding concerns: everything in a resource, in a scope, in a
// metric, or one item.
type level uint8

const (
	ofResource level = iota
	ofScope
	ofMetric
	ofItem
)

// tally counts what one check found.
type tally struct {
	n    int
	last int // the index of the last one that is listed
}

// walk goes over a body, from the beginning again if a resource or a scope
// proves to go on behind what it holds: to read ahead for that costs more than
// everything else.
func (w *walker) walk(body []byte) {
	const usual, attrs = 8, 16 // the depth of a path, and how many keys a list has
	w.path, w.keys = make([]step, 0, usual), make([][]byte, 0, attrs)
	start := *w
	if w.body(body); w.late {
		*w, w.late = start, true
		w.body(body)
	}
}

func (w *walker) enter(field string, index int) { w.path = append(w.path, step{field, index}) }
func (w *walker) leave()                        { w.path = w.path[:len(w.path)-1] }

// report notes that a check failed for a field of what is being looked at.
func (w *walker) report(c *Check, field string, got fmt.Stringer, want string) {
	if c.Strict == RefuseItem {
		w.condemned[w.at] = true
	}
	if w.tallies == nil {
		w.tallies = make([]tally, len(table))
	}
	t := &w.tallies[c.index]
	if t.n++; t.n > listed {
		w.list[t.last].More++
		return
	}
	t.last = len(w.list)
	v := finding(c, got.String(), want)
	v.Path, v.Service, v.Item = w.where(field), short(string(w.service)), w.itemName()
	w.list = append(w.list, v)
	if c.Strict == RefuseItem && w.why == "" {
		w.place = v.Path
		w.why = fmt.Sprintf("%s: got %s, want %s (%s)", v.Path, v.Got, v.Want, v.Rule)
	}
}

// finding is a violation that says nothing yet about where it is.
func finding(c *Check, got, want string) query.Violation {
	return query.Violation{Rule: c.Rule, Level: c.Level, Got: got, Want: want, Doc: c.Doc}
}

// where is the path of a field. One far down is shortened.
func (w *walker) where(field string) string {
	const outer, inner = 12, 4 // how much of a long path is shown
	var b strings.Builder
	for i, s := range w.path {
		if n := len(w.path); n > outer+inner && i >= outer && i < n-inner {
			if i == outer {
				b.WriteString("....")
			}
			continue
		}
		b.WriteString(s.field)
		if s.index >= 0 {
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		}
		b.WriteByte('.')
	}
	return strings.TrimSuffix(b.String()+field, ".")
}

// itemName is what the item that is being looked at is called.
func (w *walker) itemName() string {
	if w.item == nil {
		return ""
	}
	switch w.sig {
	case query.Traces:
		return short(string(wire.Last(w.item, spanName)))
	case query.Metrics:
		return short(string(wire.Last(w.item, metricName)))
	}
	if name := wire.Last(w.item, logEventName); len(name) > 0 {
		return short(string(name))
	}
	return short(string(wire.Text(wire.Merged(w.item, logBody))))
}

// done is the end of an item: whatever condemns it, or what it is in, has been
// found.
func (w *walker) done() {
	if w.judging && w.condemned != [4]bool{} {
		w.refused.Add(w.index)
	}
	w.condemned[ofItem] = false
	w.index++
}

// camel is a path in the names that JSON has for the fields.
func camel(path string) string {
	parts := strings.Split(path, "_")
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToUpper(p[:min(1, len(p))]) + p[min(1, len(p)):]
	}
	return strings.Join(parts, "")
}
