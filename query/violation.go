package query

import (
	"fmt"
	"strings"
)

// Violation is one departure from OTLP that a backend saw, or several that are
// alike, as it stood when it was looked at. What was received is stored all
// the same.
type Violation struct {
	Rule   string `json:"rule"` // the number of what is broken, such as "S-40"
	Level  Level  `json:"level"`
	Export int    `json:"export"`               // the export's number, from 1
	Conn   int    `json:"connection,omitempty"` // of the connection that it came by, from 1; 0 where that is not known
	Signal Signal `json:"signal,omitempty"`

	// Path is where in the request it is, such as
	// resource_spans[0].scope_spans[1].spans[3].parent_span_id, with the names
	// that the encoding has: resourceSpans[0].scopeSpans[1] in JSON. It is
	// empty for what concerns the request as a whole.
	Path    string `json:"path,omitempty"`
	Item    string `json:"item,omitempty"`    // the name of the span or metric, or what a log record says, shortened
	Service string `json:"service,omitempty"` // the service.name of the resource

	Got  string `json:"got"`            // what was there, in words
	Want string `json:"want"`           // what should have been
	More int    `json:"more,omitempty"` // how many of the same kind followed in the export that are not listed
	Doc  string `json:"doc,omitempty"`  // what the rule demands, in one sentence
	Ref  Ref    `json:"-"`              // leads to the export
}

// String is a line such as
//
//	S-40 error  export 3 resourceSpans[0].scopeSpans[0].spans[2].parentSpanId of span "charge": got 8 zero bytes, want it to be empty in a root span
func (v Violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s  export %d", v.Rule, v.Level, v.Export)
	if v.Path != "" {
		b.WriteString(" " + v.Path)
	}
	switch {
	case v.Item != "":
		fmt.Fprintf(&b, " of %s %q", v.Signal.item(), v.Item)
	case v.Service != "":
		fmt.Fprintf(&b, " of service %q", v.Service)
	}
	fmt.Fprintf(&b, ": got %s, want %s", v.Got, v.Want)
	if v.More > 0 {
		fmt.Fprintf(&b, " (and %d more)", v.More)
	}
	return b.String()
}

// item is what a signal's named thing is called: of metrics it is the metric,
// not the point.
func (s Signal) item() string {
	switch s {
	case Traces:
		return "span"
	case Metrics:
		return "metric"
	case Logs:
		return "log record"
	}
	return "item"
}

// Level says how much a [Violation] weighs.
type Level string

// The levels.
const (
	LevelError   Level = "error"   // it breaks what the specification requires, or makes data invalid
	LevelWarning Level = "warning" // it goes against what the specification recommends
	LevelInfo    Level = "info"    // it is allowed, but often not what was meant
)
