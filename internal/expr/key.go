package expr

import "strings"

// Key names the field that a term looks at.
type Key string

// The fields. Attr, Resource and Header need a Name beside them.
const (
	Name     Key = "name"
	Service  Key = "service"
	Scope    Key = "scope"
	Attr     Key = "attr"
	Resource Key = "resource"
	During   Key = "during"

	Kind     Key = "kind"
	Status   Key = "status"
	TraceID  Key = "trace"
	SpanID   Key = "span"
	Root     Key = "root"
	Duration Key = "duration"
	HasEvent Key = "has_event"
	HasLink  Key = "has_link"

	Unit        Key = "unit"
	Type        Key = "type"
	Temporality Key = "temporality"
	Monotonic   Key = "monotonic"

	Severity Key = "severity"
	Body     Key = "body"
	Event    Key = "event"

	Protocol Key = "protocol"
	Header   Key = "header"
	InExport Key = "export"
	Since    Key = "since"
	Outcome  Key = "outcome"
	Attempt  Key = "attempt"

	Rule Key = "rule"

	Complete Key = "complete"
	Spans    Key = "spans"
)

// Items is a set of the kinds of item that a filter can apply to.
type Items uint8

// The kinds of item.
const (
	Span Items = 1 << iota
	Point
	Log
	Export
	Connection
	Violation
	Trace
)

// Item is the kinds that exports hold.
const Item = Span | Point | Log

// in is what the items of some kinds consist of, whose filters hold for them
// where they hold for a part.
func (s Items) in() (parts Items) {
	if s&Export != 0 {
		parts |= Item
	}
	if s&Trace != 0 {
		parts |= Span
	}
	return parts
}

// String names the kinds in the plural, as in "spans and logs".
func (s Items) String() string {
	var names []string
	for i, n := range []string{"spans", "points", "logs", "exports", "connections", "violations", "traces"} {
		if s&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " and ")
}

// field is what can be asked of a field, and of which items.
type field struct {
	items Items
	takes []Op
}

// What fields can be compared by.
var (
	alone   = []Op{Exists}
	labels  = []Op{Equal, OneOf}
	texts   = []Op{Equal, OneOf, Matches, Contains}
	ordered = []Op{Equal, OneOf, Less, AtMost, AtLeast, More}
	values  = []Op{Equal, OneOf, Matches, Contains, Less, AtMost, AtLeast, More}
	named   = append([]Op{Exists}, values...)
)

// fields is what each field applies to. An export is asked about the items in
// it, so whatever applies to an item applies to an export too, and a trace
// about its spans.
var fields = map[Key]field{
	Name:     {Span | Point, texts},
	Service:  {Item, texts},
	Scope:    {Item, texts},
	Attr:     {Item, named},
	Resource: {Item, named},
	During:   {Item, []Op{Equal}},

	Kind:     {Span, labels},
	Status:   {Span, labels},
	TraceID:  {Span | Log, labels},
	SpanID:   {Span | Log, labels},
	Root:     {Span, alone},
	Duration: {Span, ordered},
	HasEvent: {Span, texts},
	HasLink:  {Span, labels},

	Unit:        {Point, texts},
	Type:        {Point, labels},
	Temporality: {Point, labels},
	Monotonic:   {Point, alone},

	Severity: {Log, ordered},
	Body:     {Log, values},
	Event:    {Log, texts},

	Protocol: {Item | Export, labels},
	Header:   {Item | Export, append([]Op{Exists}, texts...)},
	InExport: {Item | Export, ordered},
	Since:    {Item | Export, []Op{Equal}},
	Outcome:  {Export, labels},
	Attempt:  {Export, ordered},

	Rule: {Violation, []Op{Equal}},

	Complete: {Trace, alone},
	Spans:    {Trace, ordered},
}

// Applies is the kinds of item that have the field.
func (k Key) Applies() Items { return fields[k].items }

// Takes is what the field can be asked, and nil for what is no field.
func (k Key) Takes() []Op { return fields[k].takes }

// HasName says whether the field has a name behind it, as in attr.http.route.
func (k Key) HasName() bool { return k == Attr || k == Resource || k == Header }
