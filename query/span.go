package query

import (
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Span is one span (opentelemetry.proto.trace.v1.Span), with every field of
// the message.
type Span struct {
	TraceID       TraceID    `json:"traceId"`
	SpanID        SpanID     `json:"spanId"`
	ParentSpanID  SpanID     `json:"parentSpanId,omitzero"`
	TraceState    string     `json:"traceState,omitempty"`
	Flags         SpanFlags  `json:"flags,omitempty"`
	Name          string     `json:"name"`
	Kind          SpanKind   `json:"kind"`
	Start         time.Time  `json:"start,omitzero"` // zero where unknown
	End           time.Time  `json:"end,omitzero"`   // zero where unknown
	Attrs         Attrs      `json:"attributes,omitempty"`
	DroppedAttrs  uint32     `json:"droppedAttributesCount,omitempty"`
	Events        []Event    `json:"events,omitempty"`
	DroppedEvents uint32     `json:"droppedEventsCount,omitempty"`
	Links         []Link     `json:"links,omitempty"`
	DroppedLinks  uint32     `json:"droppedLinksCount,omitempty"`
	Status        SpanStatus `json:"status,omitzero"`
	Resource      Resource   `json:"resource"`
	Scope         Scope      `json:"scope"`
	Ref           Ref        `json:"-"`
}

// IsRoot says whether the span has no parent: its parent's id is empty, all
// zero, or not an id at all.
func (s Span) IsRoot() bool { return s.ParentSpanID.IsZero() }

// Duration is the time between Start and End, and 0 where either is unknown.
func (s Span) Duration() time.Duration {
	if s.Start.IsZero() || s.End.IsZero() {
		return 0
	}
	return s.End.Sub(s.Start)
}

// Proto decodes the official message from the bytes received, unknown fields
// included. It is a new message at every call, and nil for a span that was not
// received.
func (s Span) Proto() *tracepb.Span { return decode(s.Ref, &tracepb.Span{}) }

// Event is something that happened during a span.
type Event struct {
	Time         time.Time `json:"time,omitzero"`
	Name         string    `json:"name"`
	Attrs        Attrs     `json:"attributes,omitempty"`
	DroppedAttrs uint32    `json:"droppedAttributesCount,omitempty"`
}

// Link points from a span to another one.
type Link struct {
	TraceID      TraceID   `json:"traceId"`
	SpanID       SpanID    `json:"spanId"`
	TraceState   string    `json:"traceState,omitempty"`
	Flags        SpanFlags `json:"flags,omitempty"`
	Attrs        Attrs     `json:"attributes,omitempty"`
	DroppedAttrs uint32    `json:"droppedAttributesCount,omitempty"`
}

// SpanFlags is the flags field of a span or a link as received, reserved bits
// included. Its methods look only at the bits that have a meaning.
type SpanFlags uint32

// Sampled is the W3C sampled flag.
func (f SpanFlags) Sampled() bool { return f&1 != 0 }

// Remote says whether the parent (or the linked span) is in another process,
// and whether the sender knew.
func (f SpanFlags) Remote() (remote, known bool) {
	known = f&uint32Flag(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK) != 0
	return known && f&uint32Flag(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK) != 0, known
}

func uint32Flag(f tracepb.SpanFlags) SpanFlags { return SpanFlags(f) }

// SpanKind is a span's role. Its numbers are those of the protocol; a number
// that the protocol does not have is kept as it came.
type SpanKind int32

// The kinds of span.
const (
	SpanKindUnspecified SpanKind = iota
	SpanKindInternal
	SpanKindServer
	SpanKindClient
	SpanKindProducer
	SpanKindConsumer
)

var spanKinds = []string{"unspecified", "internal", "server", "client", "producer", "consumer"}

// String is the kind in one lower-case word, or kind(N).
func (k SpanKind) String() string { return enum("kind", spanKinds, int32(k)) }

// MarshalText writes [SpanKind.String].
func (k SpanKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// ParseSpanKind is the inverse of [SpanKind.String].
func ParseSpanKind(s string) (SpanKind, error) {
	i, err := parseEnum("kind", spanKinds, s)
	return SpanKind(i), err
}

// SpanStatus is how a span ended.
type SpanStatus struct {
	Code    StatusCode `json:"code"`
	Message string     `json:"message,omitempty"`
}

// StatusCode is the code of a span's status, with the numbers of the protocol.
type StatusCode int32

// The codes of a span's status.
const (
	StatusUnset StatusCode = iota
	StatusOK
	StatusError
)

var statusCodes = []string{"unset", "ok", "error"}

// String is the code in one lower-case word, or status(N).
func (c StatusCode) String() string { return enum("status", statusCodes, int32(c)) }

// MarshalText writes [StatusCode.String].
func (c StatusCode) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ParseStatusCode is the inverse of [StatusCode.String].
func ParseStatusCode(s string) (StatusCode, error) {
	i, err := parseEnum("status", statusCodes, s)
	return StatusCode(i), err
}
