package query

import (
	"fmt"
	"strings"
	"time"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Export is one request that reached the backend, whatever became of it, as it
// stood when it was looked at.
type Export struct {
	Number   int       `json:"number"` // from 1, in order of arrival since the start or the last reset
	Signal   Signal    `json:"signal,omitempty"`
	Protocol Protocol  `json:"protocol,omitempty"`
	Method   string    `json:"method,omitempty"` // of HTTP, such as POST; empty on gRPC
	Path     string    `json:"path"`             // the URL's path, or the gRPC method
	Conn     int       `json:"connection"`       // the connection's number, from 1
	Reused   bool      `json:"reused,omitempty"` // the connection had carried a request before (C-18)
	TLS      string    `json:"tls,omitempty"`    // the version on it, such as "TLS 1.3"; empty in plaintext
	Peer     string    `json:"peer"`             // the client's address
	Header   Header    `json:"headers,omitempty"`
	Encoding string    `json:"encoding,omitempty"` // as the request named it, such as gzip; empty for none
	WireSize int       `json:"wireSize"`           // bytes of the body or message as sent, compressed if it was
	BodySize int       `json:"bodySize"`           // bytes of it once decompressed
	Unread   bool      `json:"unread,omitempty"`   // the body was not read, so that nobody knows what it held
	Dropped  bool      `json:"dropped,omitempty"`  // its data is not kept, or not any more, to stay within the server's memory limit
	Items    int       `json:"items"`              // spans, data points or log records in it
	Stored   int       `json:"stored"`             // how many of them were kept
	Arrived  time.Time `json:"arrived"`            // when its headers had come
	Received time.Time `json:"received,omitzero"`  // when its body had come
	Answered time.Time `json:"answered,omitzero"`  // when its answer left, or it ended without one; zero while it is open
	Deadline time.Time `json:"deadline,omitzero"`  // the client's own, zero where it told none

	Outcome    Outcome       `json:"outcome"`
	Status     Status        `json:"status,omitzero"`
	Throttled  bool          `json:"throttled,omitempty"` // the answer named a delay (RetryInfo or Retry-After)
	RetryDelay time.Duration `json:"-"`                   // that delay; in JSON "retryDelay", as Go writes a duration
	Rejected   int64         `json:"rejected,omitempty"`  // items that a partial success said were refused
	Fault      FaultRef      `json:"fault,omitzero"`      // the scripted fault that decided, if one did
	Ref        Ref           `json:"-"`
}

// MarshalJSON writes the fields, and the delay as text, as rules do.
func (e Export) MarshalJSON() ([]byte, error) {
	type fields Export
	out := struct {
		fields
		RetryDelay string `json:"retryDelay,omitempty"`
	}{fields: fields(e)}
	if e.Throttled {
		out.RetryDelay = e.RetryDelay.String()
	}
	return marshal(out)
}

// Proto decodes the official message from the bytes received: a TracesData,
// MetricsData or LogsData, which are the same on the wire as the requests. It
// is a new message at every call, and nil where the bytes are not such a
// message.
func (e Export) Proto() proto.Message {
	switch e.Signal {
	case Traces:
		return orNil(decode(e.Ref, &tracepb.TracesData{}))
	case Metrics:
		return orNil(decode(e.Ref, &metricspb.MetricsData{}))
	case Logs:
		return orNil(decode(e.Ref, &logspb.LogsData{}))
	}
	return nil
}

// orNil keeps a nil pointer from becoming an interface that is not nil.
func orNil[M any, P interface {
	*M
	proto.Message
}](m P) proto.Message {
	if m == nil {
		return nil
	}
	return m
}

// decode unmarshals what a Ref leads to. It is nil where there is nothing, or
// where the bytes are no such message.
func decode[M any, P interface {
	*M
	proto.Message
}](r Ref, m P) P {
	if r.origin == nil || proto.Unmarshal(r.raw, m) != nil {
		return nil
	}
	return m
}

// String is a line such as "3 traces grpc 5 spans UNAVAILABLE (fault 1 of 2)".
func (e Export) String() string {
	parts := []string{fmt.Sprint(e.Number)}
	if e.Signal != "" {
		parts = append(parts, string(e.Signal))
	}
	if e.Protocol != "" {
		parts = append(parts, string(e.Protocol))
	}
	switch {
	case e.Signal == "":
		parts = append(parts, e.Path)
	case e.Outcome != Malformed:
		parts = append(parts, e.Signal.Count(e.Items))
	}
	return strings.Join(append(parts, e.Became()), " ")
}

// Became says in words what became of the export, with the fault that decided
// it or why it was refused: "accepted", "UNAVAILABLE (fault 1 of 2)".
func (e Export) Became() string {
	s := string(e.Outcome)
	switch e.Outcome {
	case Refused:
		s = e.Status.String()
	case Malformed:
		s += " " + e.Status.String()
	case Partial:
		s = fmt.Sprintf("partial success, %d rejected", e.Rejected)
	}
	if e.Fault != (FaultRef{}) {
		return s + " (" + e.Fault.String() + ")"
	}
	if e.Status.Message != "" {
		s += ": " + e.Status.Message
	}
	return s
}

// Acknowledged says whether the client was told that the data had arrived:
// fully or by a partial success.
func (e Export) Acknowledged() bool { return e.Outcome == Accepted || e.Outcome == Partial }

// answered says whether the client got an answer: the export is not open, and it
// did not end without one.
func (e Export) answered() bool {
	return e.Outcome == Accepted || e.Outcome == Partial || e.Outcome == Refused || e.Outcome == Malformed
}

// took is how long the backend had the export before it ended, and 0 while it
// is open.
func (e Export) took() time.Duration {
	if e.Answered.IsZero() {
		return 0
	}
	return e.Answered.Sub(e.Arrived)
}

// OpenAt says whether the export had come and was not answered yet at t.
func (e Export) OpenAt(t time.Time) bool {
	return !t.Before(e.Arrived) && (e.Answered.IsZero() || e.Answered.After(t))
}

// Count writes a number of the signal's items: "1 span", "5 log records".
func (s Signal) Count(n int) string {
	what := map[Signal]string{Traces: "span", Metrics: "point", Logs: "log record"}[s]
	if what == "" {
		what = "item"
	}
	return plural(n, what)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Outcome is what became of an export.
type Outcome string

// The outcomes.
const (
	Open      Outcome = "open"              // not answered yet
	Accepted  Outcome = "accepted"          // answered with full success
	Partial   Outcome = "partial success"   // answered with a partial success
	Refused   Outcome = "refused"           // answered with an error
	Malformed Outcome = "malformed"         // refused, because it is not OTLP
	Abandoned Outcome = "client gave up"    // the client ended it before an answer
	Cut       Outcome = "cut by the server" // ended by the server without an answer
)

// Status is the answer's status on either transport.
type Status struct {
	Code    Code   `json:"code"`           // the gRPC status, or the one in the HTTP body
	HTTP    int    `json:"http,omitempty"` // the HTTP status; 0 on gRPC, unless it was a bare answer without a status of gRPC
	Message string `json:"message,omitempty"`
}

// String is the status in words: "UNAVAILABLE" on gRPC, "503 UNAVAILABLE" on
// HTTP.
func (s Status) String() string {
	if s.HTTP != 0 {
		return fmt.Sprintf("%d %s", s.HTTP, s.Code)
	}
	return s.Code.String()
}

// Code is a status code of gRPC (google.rpc.Code), with its numbers.
type Code uint32

var codeNames = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
	"ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
	"ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
	"UNAUTHENTICATED",
}

// String is the code's name in the protocol, or CODE(N).
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return fmt.Sprintf("CODE(%d)", uint32(c))
}

// MarshalText writes [Code.String].
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// ParseCode reads a code's name.
func ParseCode(s string) (Code, error) {
	for i, n := range codeNames {
		if n == s {
			return Code(i), nil
		}
	}
	return 0, fmt.Errorf("got code %q, want one of %s", s, strings.Join(codeNames[:], ", "))
}

// FaultRef says which scripted fault decided an export's fate. The zero
// FaultRef stands for none.
type FaultRef struct {
	Rule  int    `json:"rule"`         // which rule, from 1
	Fault int    `json:"fault"`        // which of the rule's faults, from 1
	Of    int    `json:"of,omitempty"` // how many it has; 0 where it never ends
	Text  string `json:"text"`         // the fault in the text form of package faults
}

// String is "fault 1 of 2", or the fault itself where it never ends, with the
// rule's number for all but the first rule.
func (f FaultRef) String() string {
	s := "always " + f.Text
	if f.Of != 0 {
		s = fmt.Sprintf("fault %d of %d", f.Fault, f.Of)
	}
	if f.Rule > 1 {
		s += fmt.Sprintf(" of rule %d", f.Rule)
	}
	return s
}

// Header is the header fields of a request, or the metadata of a call. Keys
// are in lower case.
type Header map[string][]string

// Get is the first value of a field, whatever the case of its name, and ""
// where it is not there.
func (h Header) Get(name string) string {
	if vs := h[strings.ToLower(name)]; len(vs) > 0 {
		return vs[0]
	}
	return ""
}

// Lookup is the values of a field, whatever the case of its name, and whether
// it is there.
func (h Header) Lookup(name string) ([]string, bool) {
	vs, ok := h[strings.ToLower(name)]
	return vs, ok
}
