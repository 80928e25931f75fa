package query_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
)

func TestIDsRoundTrip(t *testing.T) {
	type ids struct {
		Trace query.TraceID
		Span  query.SpanID
	}
	for _, want := range []ids{{}, {query.TraceID{0xab, 15: 1}, query.SpanID{0xcd, 7: 2}}} {
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := ids{query.TraceID{9}, query.SpanID{9}}
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
	id := query.TraceID{0xab, 15: 1}
	if got, want := id.String(), "ab000000000000000000000000000001"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := (query.SpanID{0xab}).String(), "ab00000000000000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, err := query.ParseTraceID("AB000000000000000000000000000001"); err != nil || got != id {
		t.Errorf("got %s, %v, want %s", got, err, id)
	}
	if got, err := query.ParseSpanID("AB00000000000001"); err != nil || got != (query.SpanID{0xab, 7: 1}) {
		t.Errorf("got %s, %v, want ab00000000000001", got, err)
	}
}

func TestIDErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "got an empty trace id, want 32 hexadecimal digits",
		"ab":                               `got id "ab" of 2 characters, want 32 hexadecimal digits`,
		"ab00000000000000000000000000000g": `got id "ab00000000000000000000000000000g", want hexadecimal digits: encoding/hex: invalid byte: U+0067 'g'`,
	} {
		id, err := query.ParseTraceID(text)
		if err == nil || err.Error() != want {
			t.Errorf("ParseTraceID(%q)\n got %v\nwant %s", text, err, want)
		}
		if !id.IsZero() {
			t.Errorf("ParseTraceID(%q): got %s beside an error, want the zero id", text, id)
		}
	}
	for text, want := range map[string]string{
		"":   "got an empty span id, want 16 hexadecimal digits",
		"ab": `got id "ab" of 2 characters, want 16 hexadecimal digits`,
	} {
		if id, err := query.ParseSpanID(text); err == nil || err.Error() != want || !id.IsZero() {
			t.Errorf("ParseSpanID(%q)\n got %s, %v\nwant the zero id, %s", text, id, err, want)
		}
	}
	var id query.SpanID
	err := id.UnmarshalText([]byte("xyz"))
	if want := `got id "xyz" of 3 characters, want 16 hexadecimal digits`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestEnumsAreWritten(t *testing.T) {
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{query.SpanKindUnspecified, "unspecified"},
		{query.SpanKindConsumer, "consumer"},
		{query.SpanKind(6), "kind(6)"},
		{query.SpanKind(-1), "kind(-1)"},
		{query.StatusUnset, "unset"},
		{query.StatusError, "error"},
		{query.StatusCode(3), "status(3)"},
		{query.Cumulative, "cumulative"},
		{query.Temporality(7), "temporality(7)"},
		{query.SeverityUnspecified, "unspecified"},
		{query.SeverityTrace, "trace"},
		{query.SeverityError + 1, "error2"},
		{query.SeverityFatal + 3, "fatal4"},
		{query.Severity(25), "severity(25)"},
		{query.Code(0), "OK"},
		{query.Code(14), "UNAVAILABLE"},
		{query.Code(17), "CODE(17)"},
		{query.KindMap, "map"},
		{query.ValueKind(99), "kind(99)"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%T: got %s, want %s", c.value, got, c.want)
		}
	}
}

func TestEnumsAreJSONStrings(t *testing.T) {
	got, err := json.Marshal([]any{query.SpanKindClient, query.StatusOK, query.Delta, query.SeverityInfo, query.Code(5), query.SpanKind(9)})
	if want := `["client","ok","delta","info","NOT_FOUND","kind(9)"]`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestEnumsAreReadBack(t *testing.T) {
	for i := int32(-2); i < 20; i++ {
		if got, err := query.ParseSpanKind(query.SpanKind(i).String()); err != nil || got != query.SpanKind(i) {
			t.Errorf("kind: got %d, %v, want %d", got, err, i)
		}
		if got, err := query.ParseStatusCode(query.StatusCode(i).String()); err != nil || got != query.StatusCode(i) {
			t.Errorf("status: got %d, %v, want %d", got, err, i)
		}
	}
	for c := query.Code(0); c <= 16; c++ {
		if got, err := query.ParseCode(c.String()); err != nil || got != c {
			t.Errorf("code: got %d, %v, want %d", got, err, c)
		}
	}
	for _, text := range []string{"", "Client", "kind(9", "kind()", "kind(9))", "kind(2147483648)", "status(1)"} {
		if got, err := query.ParseSpanKind(text); err == nil {
			t.Errorf("ParseSpanKind(%q): got %s, want an error", text, got)
		}
	}
	if _, err := query.ParseStatusCode("bad"); err == nil || err.Error() != `got status "bad", want one of unset, ok, error` {
		t.Errorf("got %v", err)
	}
	for _, text := range []string{"", "unavailable", "CODE(5)"} {
		if got, err := query.ParseCode(text); err == nil {
			t.Errorf("ParseCode(%q): got %s, want an error", text, got)
		}
	}
}

func TestTimes(t *testing.T) {
	for nano, want := range map[uint64]time.Time{
		0:                 {},
		1:                 time.Date(1970, 1, 1, 0, 0, 0, 1, time.UTC),
		1_500_000_000_000: time.Date(1970, 1, 1, 0, 25, 0, 0, time.UTC),
		math.MaxInt64:     time.Date(2262, 4, 11, 23, 47, 16, 854775807, time.UTC),
		1 << 63:           time.Date(2262, 4, 11, 23, 47, 16, 854775808, time.UTC),
		math.MaxUint64:    time.Date(2554, 7, 21, 23, 34, 33, 709551615, time.UTC),
	} {
		if got := query.Time(nano); got != want {
			t.Errorf("Time(%d): got %s, want %s", nano, got, want)
		}
	}
}

func TestDurationOfSpans(t *testing.T) {
	at := query.Time(5e9)
	for _, c := range []struct {
		span query.Span
		want time.Duration
	}{
		{query.Span{Start: at, End: at.Add(time.Second)}, time.Second},
		{query.Span{Start: at, End: at.Add(-time.Second)}, -time.Second},
		{query.Span{End: at}, 0},
		{query.Span{Start: at}, 0},
	} {
		if got := c.span.Duration(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		flags                  query.SpanFlags
		sampled, remote, known bool
	}{
		{0, false, false, false},
		{0x1, true, false, false},
		{0x100, false, false, true},
		{0x200, false, false, false}, // says nothing without the other bit
		{0x301, true, true, true},
		{0xfffffcfe, false, false, false},
	} {
		remote, known := c.flags.Remote()
		if sampled := c.flags.Sampled(); sampled != c.sampled || remote != c.remote || known != c.known {
			t.Errorf("%#x: got sampled %t, remote %t, known %t", uint32(c.flags), sampled, remote, known)
		}
	}
	if !query.LogFlags(3).Sampled() || query.LogFlags(2).Sampled() {
		t.Error("a log's sampled flag is not its lowest bit")
	}
	if !(query.Point{Flags: 3}).NoRecordedValue() || (query.Point{Flags: 2}).NoRecordedValue() {
		t.Error("a point's flag for no recorded value is not its lowest bit")
	}
}

func TestRoots(t *testing.T) {
	if !(query.Span{}).IsRoot() || (query.Span{ParentSpanID: query.SpanID{1}}).IsRoot() {
		t.Error("a span is a root exactly where it has no parent")
	}
}
