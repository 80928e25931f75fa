package otlpjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

func TestLayoutMakesNoDifference(t *testing.T) {
	for _, sig := range signals {
		for _, in := range seeds(t, sig) {
			want, _, err := ToProto(nil, sig, in, Lenient)
			if err != nil || !json.Valid(in) {
				continue
			}
			for _, indent := range []string{"", " ", "\t", "         "} {
				var out bytes.Buffer
				if err := json.Indent(&out, in, "", indent); err != nil {
					t.Fatal(err)
				}
				if got, _, err := ToProto(nil, sig, out.Bytes(), Lenient); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: got %x, %v, want %x as without white space", out.Bytes(), got, err, want)
				}
			}
		}
	}
}

// logOf is a log whose attribute and body are of some lengths.
func logOf(key, value, body int) *logspb.LogsData {
	text := func(n int) *commonpb.AnyValue {
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: strings.Repeat("x", n)}}
	}
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: []*logspb.LogRecord{
		{Attributes: []*commonpb.KeyValue{{Key: strings.Repeat("k", key), Value: text(value)}}, Body: text(body)}, {Body: text(1)},
	}}}}}}
}

func TestMessagesOfAllLengthsAreConvertedAsOfficially(t *testing.T) {
	for n := range 135 {
		agree(t, query.Logs, encode(t, logOf(n, 1, n)))
		agree(t, query.Logs, encode(t, logOf(n/2, n-n/2, 0)))
	}
	for n := 1<<14 - 20; n < 1<<14+2; n++ {
		agree(t, query.Logs, encode(t, logOf(5, n, 0)))
	}
	agree(t, query.Logs, encode(t, logOf(5, 5, 1<<21-5)))
}

func TestBytesAreAppended(t *testing.T) {
	const prefix = "prefix"
	in := []byte(logWith(`"severityText":"INFO"`))
	body, _, err := ToProto([]byte(prefix), query.Logs, in, Strict)
	if err != nil || !bytes.HasPrefix(body, []byte(prefix)) {
		t.Fatalf("got %q, %v", body, err)
	}
	body = body[len(prefix):]
	back, err := FromProto([]byte(prefix), query.Logs, body)
	if err != nil || string(back) != prefix+string(in) {
		t.Errorf("got %s, %v, want %s", back, err, prefix+string(in))
	}
	want := bytes.Clone(body)
	clear(in)
	if !bytes.Equal(body, want) {
		t.Error("the bytes share memory with the JSON")
	}
}

func TestNothingIsAllocatedForAnItem(t *testing.T) {
	count := func(spans int) float64 {
		body := encode(t, request(spans, 4))
		in, err := FromProto(nil, query.Traces, body)
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]byte, 0, 2*len(in))
		return testing.AllocsPerRun(10, func() {
			if _, _, err := ToProto(dst, query.Traces, in, Strict); err != nil {
				t.Error(err)
			}
			if _, err := FromProto(dst, query.Traces, body); err != nil {
				t.Error(err)
			}
		})
	}
	if one, many := count(1), count(500); many > one+10 { // slices that grow
		t.Errorf("got %v allocations for 500 spans, %v for one", many, one)
	}
}

func TestMalformedProtobufIsAnError(t *testing.T) {
	field := func(num protowire.Number, b ...byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), b)
	}
	span := func(b []byte) []byte { return field(1, field(2, field(2, b...)...)...) }
	deep := []byte(nil)
	for range maxDepth / 2 {
		deep = field(5, field(1, deep...)...)
	}
	for name, body := range map[string][]byte{
		"truncated":                span([]byte{5<<3 | 2, 9}),
		"no tag":                   span([]byte{0x80}),
		"a varint without its end": span([]byte{6 << 3, 0x80}),
		"a fixed64 cut short":      span([]byte{7<<3 | 1, 1}),
		"a group without its end":  span([]byte{6<<3 | 3}),
		"invalid UTF-8":            span(field(5, 0xff)),
		"invalid UTF-8 in a map":   span(field(9, field(2, field(6, field(1, field(1, 0xff)...)...)...)...)),
		"nested too deep":          span(field(9, field(2, deep...)...)),
	} {
		if got, err := FromProto(nil, query.Traces, body); err == nil {
			t.Errorf("%s: got %s, want an error", name, got)
		}
	}
	entity := field(1, field(1, field(3, field(3, 0xff)...)...)...)
	point := func(num protowire.Number, b []byte) []byte { return span(field(num, field(1, b...)...)) }
	for name, body := range map[string][]byte{
		"invalid UTF-8 in a list":       entity,
		"counts cut short":              point(9, field(6, 1, 2, 3)),
		"counts with half a varint":     point(10, field(8, field(2, 1, 0x80)...)),
		"bounds that have one too many": point(9, field(7, make([]byte, 17)...)),
	} {
		if got, err := FromProto(nil, query.Metrics, body); err == nil {
			t.Errorf("%s: got %s, want an error", name, got)
		}
	}
}
