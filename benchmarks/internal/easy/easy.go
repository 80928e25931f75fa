// Package easy decodes trace export requests with easyproto into plain structs,
// the way one writes it by hand. Strings and byte slices alias the source.
package easy

// Request is an export request of traces.
type Request struct{ ResourceSpans []ResourceSpans }

// ResourceSpans is the spans of a resource.
type ResourceSpans struct {
	Resource   []KeyValue
	ScopeSpans []ScopeSpans
	SchemaURL  string
}

// ScopeSpans is the spans of a scope.
type ScopeSpans struct {
	Name, Version, SchemaURL string
	Attributes               []KeyValue
	Spans                    []Span
}

// Span is a span.
type Span struct {
	TraceID, SpanID, ParentSpanID []byte
	TraceState, Name              string
	Kind                          int32
	Flags                         uint32
	Start, End                    uint64
	Attributes                    []KeyValue
	DroppedAttributes             uint32
	Events                        []Event
	DroppedEvents                 uint32
	Links                         []Link
	DroppedLinks                  uint32
	StatusCode                    int32
	StatusMessage                 string
}

// Event is an event of a span.
type Event struct {
	Time       uint64
	Name       string
	Attributes []KeyValue
	Dropped    uint32
}

// Link is a link of a span.
type Link struct {
	TraceID, SpanID []byte
	TraceState      string
	Attributes      []KeyValue
	Dropped, Flags  uint32
}

// KeyValue is an attribute.
type KeyValue struct {
	Key   string
	Value Value
}

// Value is an AnyValue.
type Value struct {
	Kind  uint8 // the field number of AnyValue's oneof
	Int   int64
	Float float64
	Str   string
	Bytes []byte
	Array []Value
	Map   []KeyValue
}

// SpanCount counts the decoded spans.
func (r *Request) SpanCount() (n int) {
	for i := range r.ResourceSpans {
		for j := range r.ResourceSpans[i].ScopeSpans {
			n += len(r.ResourceSpans[i].ScopeSpans[j].Spans)
		}
	}
	return n
}
