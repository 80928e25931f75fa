package otlpjson

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/otlptest/otlptest/query"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

var signals = []query.Signal{query.Traces, query.Metrics, query.Logs}

// official is an empty message of a signal.
func official(sig query.Signal) proto.Message {
	switch sig {
	case query.Traces:
		return &tracepb.TracesData{}
	case query.Metrics:
		return &metricspb.MetricsData{}
	}
	return &logspb.LogsData{}
}

func encode(tb testing.TB, m proto.Message) []byte {
	tb.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func decode(tb testing.TB, sig query.Signal, body []byte) proto.Message {
	tb.Helper()
	m := official(sig)
	if err := proto.Unmarshal(body, m); err != nil {
		tb.Fatalf("proto.Unmarshal(%x): %v", body, err)
	}
	return m
}

// officialJSON is a message as the official marshaler writes it for a peer
// that wants OTLP JSON.
func officialJSON(tb testing.TB, m proto.Message) []byte {
	tb.Helper()
	b, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	return withIDs(tb, b, func(id string) (string, bool) {
		raw, err := base64.StdEncoding.DecodeString(id)
		return hex.EncodeToString(raw), err == nil
	})
}

// readOfficially reads OTLP JSON with the official unmarshaler.
func readOfficially(tb testing.TB, sig query.Signal, b []byte, opts protojson.UnmarshalOptions) (proto.Message, error) {
	tb.Helper()
	m := official(sig)
	return m, opts.Unmarshal(withIDs(tb, b, func(id string) (string, bool) {
		raw, err := hex.DecodeString(id)
		return base64.StdEncoding.EncodeToString(raw), err == nil
	}), m)
}

// idKeys are the keys of ids.
var idKeys = map[string]bool{"traceId": true, "spanId": true, "parentSpanId": true}

// withIDs is JSON with its ids converted, where they can be, in all else the
// same as it was, mistakes included.
func withIDs(tb testing.TB, in []byte, convert func(string) (string, bool)) []byte {
	tb.Helper()
	dec := json.NewDecoder(bytes.NewReader(in))
	dec.UseNumber()
	out, copied, key := []byte(nil), 0, ""
	keys := keyed{}
	for {
		tok, err := dec.Token()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return in // what is no JSON stays so
			}
			return append(out, in[copied:]...)
		}
		end := int(dec.InputOffset())
		s, isString := tok.(string)
		isKey := keys.next(tok)
		if !isKey && isString && idKeys[key] {
			if id, ok := convert(s); ok {
				start := copied + bytes.LastIndexByte(in[copied:end-1], '"')
				out = append(append(out, in[copied:start]...), `"`+id+`"`...)
				copied = end
			}
		}
		if key = ""; isKey {
			key = s
		}
	}
}

// keyed tells keys from values in a stream of tokens.
type keyed struct {
	objects []bool // which of what is open are objects
	value   bool   // a value is next in the innermost object
}

func (k *keyed) next(tok json.Token) (isKey bool) {
	n := len(k.objects)
	switch tok {
	case json.Delim('{'), json.Delim('['):
		k.objects, k.value = append(k.objects, tok == json.Delim('{')), false
		return false
	case json.Delim('}'), json.Delim(']'):
		k.objects, k.value = k.objects[:n-1], false
		return false
	}
	isKey = n > 0 && k.objects[n-1] && !k.value
	k.value = isKey
	return isKey
}

// captured is what the exporters of the Go SDK sent for a signal.
func captured(tb testing.TB, sig query.Signal) (bodies [][]byte) {
	tb.Helper()
	names, err := filepath.Glob("../wire/testdata/" + string(sig) + "-*.bin")
	if err != nil || len(names) == 0 {
		tb.Fatalf("no testdata for %s: %v", sig, err)
	}
	slices.Sort(names)
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		bodies = append(bodies, b)
	}
	return bodies
}
