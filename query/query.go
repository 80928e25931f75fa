// Package query is the read model of otlptest: what a backend received, as
// plain values to look at, compare and assert on.
//
// A [View] is a live, filtered list of [Span], [Point], [Log], [Trace],
// [Export], [Connection] or [Violation].
// Everything it hands out is a snapshot that never changes and is safe to
// share between goroutines; slices and maps in it are read-only. Values
// compare with go-cmp without any option: NaN equals NaN, times compare as
// instants, and where an item came from ([Ref]) is not compared.
package query

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Signal is one of the kinds of telemetry. The zero Signal stands for any of
// them where a rule or filter takes one, and for none that is known in an
// [Export] whose path named none.
type Signal string

// The signals.
const (
	Traces  Signal = "traces"
	Metrics Signal = "metrics"
	Logs    Signal = "logs"
)

// Protocol is a value of OTEL_EXPORTER_OTLP_PROTOCOL. The zero Protocol stands
// for any where a rule takes one.
type Protocol string

// The protocols of OTLP.
const (
	GRPC         Protocol = "grpc"
	HTTPProtobuf Protocol = "http/protobuf"
	HTTPJSON     Protocol = "http/json"
)

// TraceID is a trace's id. The zero TraceID is invalid and means that there is
// none, or that what was sent did not have 16 bytes (it is in Proto() then).
type TraceID [16]byte

// String is the id in 32 lower-case hexadecimal digits.
func (id TraceID) String() string { return hex.EncodeToString(id[:]) }

// IsZero says whether there is no valid id.
func (id TraceID) IsZero() bool { return id == TraceID{} }

// MarshalText writes the id as [TraceID.String], and nothing for the zero id.
func (id TraceID) MarshalText() ([]byte, error) { return marshalID(id[:], id.IsZero()) }

// UnmarshalText reads what MarshalText writes, in either case.
func (id *TraceID) UnmarshalText(b []byte) error { return unmarshalID(id[:], b) }

// ParseTraceID reads 32 hexadecimal digits, in either case.
func ParseTraceID(s string) (id TraceID, err error) {
	if s == "" {
		return id, fmt.Errorf("got an empty trace id, want 32 hexadecimal digits")
	}
	err = id.UnmarshalText([]byte(s))
	return id, err
}

// SpanID is a span's id. The zero SpanID is invalid and means that there is
// none, or that what was sent did not have 8 bytes (it is in Proto() then).
type SpanID [8]byte

// String is the id in 16 lower-case hexadecimal digits.
func (id SpanID) String() string { return hex.EncodeToString(id[:]) }

// IsZero says whether there is no valid id.
func (id SpanID) IsZero() bool { return id == SpanID{} }

// MarshalText writes the id as [SpanID.String], and nothing for the zero id.
func (id SpanID) MarshalText() ([]byte, error) { return marshalID(id[:], id.IsZero()) }

// UnmarshalText reads what MarshalText writes, in either case.
func (id *SpanID) UnmarshalText(b []byte) error { return unmarshalID(id[:], b) }

// ParseSpanID reads 16 hexadecimal digits, in either case.
func ParseSpanID(s string) (id SpanID, err error) {
	if s == "" {
		return id, fmt.Errorf("got an empty span id, want 16 hexadecimal digits")
	}
	err = id.UnmarshalText([]byte(s))
	return id, err
}

func marshalID(id []byte, zero bool) ([]byte, error) {
	if zero {
		return []byte{}, nil
	}
	return hex.AppendEncode(nil, id), nil
}

func unmarshalID(id, text []byte) error {
	clear(id)
	if len(text) == 0 {
		return nil
	}
	if len(text) != 2*len(id) {
		return fmt.Errorf("got id %q of %d characters, want %d hexadecimal digits", text, len(text), 2*len(id))
	}
	if _, err := hex.Decode(id, text); err != nil {
		clear(id)
		return fmt.Errorf("got id %q, want hexadecimal digits: %w", text, err)
	}
	return nil
}

// enum writes an enumeration's value by name, or as name(number).
func enum(what string, names []string, i int32) string {
	if i >= 0 && int(i) < len(names) {
		return names[i]
	}
	return what + "(" + strconv.Itoa(int(i)) + ")"
}

// parseEnum is the inverse of enum.
func parseEnum(what string, names []string, s string) (int32, error) {
	for i, n := range names {
		if n == s {
			return int32(i), nil
		}
	}
	if num, ok := strings.CutPrefix(s, what+"("); ok && strings.HasSuffix(num, ")") {
		if i, err := strconv.ParseInt(num[:len(num)-1], 10, 32); err == nil {
			return int32(i), nil
		}
	}
	return 0, fmt.Errorf("got %s %q, want one of %s", what, s, strings.Join(names, ", "))
}

// Time is the instant that a fixed64 of nanoseconds since 1970 stands for, in
// UTC; 0 on the wire means unknown and is the zero time.
func Time(unixNano uint64) time.Time {
	if unixNano == 0 {
		return time.Time{}
	}
	return time.Unix(int64(unixNano/1e9), int64(unixNano%1e9)).UTC()
}
