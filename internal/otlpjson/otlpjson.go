package otlpjson

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/otlptest/otlptest/query"
)

// Mode says what becomes of JSON that departs from OTLP JSON and still has
// exactly one meaning.
type Mode uint8

// The modes.
const (
	Lenient Mode = iota // it is accepted, and listed as a [Departure]
	Strict              // it is refused with an [Error] that says the same
)

// Departure is something in a body that is not OTLP JSON but has exactly one
// meaning. Of those that are alike, which have the same rule and are of the
// same field, the first 64 are listed.
type Departure struct {
	Rule string // the requirement's number, such as "S-33"
	Path string // where, such as "resourceSpans[0].scopeSpans[1].spans[2].kind"; "" for the body itself
	Got  string // the JSON, perhaps shortened
	Want string // in words, or as JSON

	// Warning is set where the body is OTLP JSON all the same, so that
	// Strict does not refuse it: an empty id, or what only profiles use.
	Warning bool

	// More is how many that are alike followed the last that is listed.
	More int
}

// String is the departure in the words of an [Error].
func (d Departure) String() string {
	s := complaint(d.Rule, d.Path, d.Got, d.Want)
	if d.More > 0 {
		s += fmt.Sprintf(" and %d more", d.More)
	}
	return s
}

// Error says why a body was refused. It is the only type of error that
// [ToProto] returns.
type Error struct {
	Rule string // as in a [Departure]
	Path string
	Got  string
	Want string
}

// Error reads like
//
//	resourceSpans[0].scopeSpans[0].spans[0].traceId: got "W47/95gD…" (24 characters), want 32 hexadecimal digits (S-32)
func (e *Error) Error() string { return complaint(e.Rule, e.Path, e.Got, e.Want) }

func complaint(rule, path, got, want string) string {
	s := fmt.Sprintf("got %s, want %s", got, want)
	if path != "" {
		s = path + ": " + s
	}
	if rule != "" {
		s += " (" + rule + ")"
	}
	return s
}

// ToProto appends to dst the protobuf bytes of a request in JSON: of an
// ExportTraceServiceRequest or the TracesData that is the same, and likewise
// of the other signals. The official unmarshaler accepts them. They share no
// memory with the JSON. What is returned may have much more capacity than it
// needs: it is for using again, not for keeping.
//
// The error is an [*Error]; no bytes and no departures come with it.
func ToProto(dst []byte, sig query.Signal, json []byte, mode Mode) (proto []byte, departures []Departure, err error) {
	return ToProtoWithin(math.MaxInt, dst, sig, json, mode)
}

// ErrTooLong is the error of a body that would have more bytes than allowed.
var ErrTooLong = errors.New("the protobuf of the JSON is too long")

// ToProtoWithin is [ToProto] that gives up with [ErrTooLong] where the result
// would have more than most bytes: a list of small numbers can be four times as
// long as its JSON.
func ToProtoWithin(most int, dst []byte, sig query.Signal, json []byte, mode Mode) (proto []byte, departures []Departure, err error) {
	ts := tables()
	t := ts.body[sig]
	if t == nil {
		return nil, nil, noSignal(sig)
	}
	d := decoder{in: json, out: slices.Grow(dst, min(len(json)/2, most)), most: most, mode: mode, fields: ts.at, keys: make([]place, len(ts.at))}
	switch ok := d.body(t); {
	case d.tooLong || len(d.out) > most:
		return nil, nil, ErrTooLong
	case !ok:
		return nil, nil, d.err
	}
	return d.out, d.departures, nil
}

// FromProto appends to dst the OTLP JSON of a body that wire.Validate accepts.
//
// It is compact and deterministic: fields come in the order of their numbers,
// keys are lowerCamelCase, ids are lower-case hexadecimal digits, integers of
// 64 bits are strings, enumerations are numbers, bytes are base64, NaN and the
// infinities are strings. Zero values and empty lists are left out where
// protobuf cannot tell them from absent ones; so are fields that the official
// messages do not have. An id that has not its length is written as it is,
// which ToProto refuses.
//
// The error says that the bytes are no such body.
func FromProto(dst []byte, sig query.Signal, body []byte) ([]byte, error) {
	ts := tables()
	t := ts.body[sig]
	if t == nil {
		return nil, noSignal(sig)
	}
	e := encoder{out: slices.Grow(dst, 5*len(body)/2), fields: ts.at}
	if !e.message(t, body) {
		return nil, fmt.Errorf("got malformed protobuf in %s, want a body that was validated", sig)
	}
	return e.out, nil
}

func noSignal(sig query.Signal) error {
	return &Error{Got: fmt.Sprintf("signal %q", sig), Want: "traces, metrics or logs"}
}
