package query

import (
	"time"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
)

// Log is one log record (opentelemetry.proto.logs.v1.LogRecord), with every
// field of the message.
type Log struct {
	Time         time.Time `json:"time,omitzero"`         // when it happened; zero where unknown
	ObservedTime time.Time `json:"observedTime,omitzero"` // when it was seen; zero where unknown
	Severity     Severity  `json:"severity,omitempty"`
	SeverityText string    `json:"severityText,omitempty"`
	Body         Value     `json:"body"`
	EventName    string    `json:"eventName,omitempty"`
	Attrs        Attrs     `json:"attributes,omitempty"`
	DroppedAttrs uint32    `json:"droppedAttributesCount,omitempty"`
	Flags        LogFlags  `json:"flags,omitempty"`
	TraceID      TraceID   `json:"traceId,omitzero"`
	SpanID       SpanID    `json:"spanId,omitzero"`
	Resource     Resource  `json:"resource"`
	Scope        Scope     `json:"scope"`
	Ref          Ref       `json:"-"`
}

// Proto decodes the official message from the bytes received, unknown fields
// included. It is a new message at every call, and nil for a record that was
// not received.
func (l Log) Proto() *logspb.LogRecord { return decode(l.Ref, &logspb.LogRecord{}) }

// LogFlags is the flags field of a log record as received, reserved bits
// included.
type LogFlags uint32

// Sampled is the W3C sampled flag of the span that the record belongs to.
func (f LogFlags) Sampled() bool { return f&1 != 0 }

// Severity is a log record's severity number, 1 (TRACE) to 24 (FATAL4);
// 0 is unspecified.
type Severity int32

// The severities that begin each range of four.
const (
	SeverityUnspecified Severity = 0
	SeverityTrace       Severity = 1
	SeverityDebug       Severity = 5
	SeverityInfo        Severity = 9
	SeverityWarn        Severity = 13
	SeverityError       Severity = 17
	SeverityFatal       Severity = 21
)

var severities = func() []string {
	names := []string{"unspecified"}
	for _, range4 := range []string{"trace", "debug", "info", "warn", "error", "fatal"} {
		names = append(names, range4, range4+"2", range4+"3", range4+"4")
	}
	return names
}()

// String is the severity in one lower-case word, such as info or error2, or
// severity(N).
func (s Severity) String() string { return enum("severity", severities, int32(s)) }

// MarshalText writes [Severity.String].
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
