package otlpjson

import (
	"math"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// Each of these is a public report of something that went wrong between a
// client and a backend.

// accept is what Lenient makes of a body, and in a few words why it departs.
func accept[M proto.Message](t *testing.T, sig query.Signal, json string) (m M, departures []string) {
	t.Helper()
	out, ds, err := ToProto(nil, sig, []byte(json), Lenient)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range ds {
		departures = append(departures, d.String())
	}
	return decode(t, sig, out).(M), departures
}

func refuse(t *testing.T, sig query.Signal, json string, mode Mode, want string) {
	t.Helper()
	_, _, err := ToProto(nil, sig, []byte(json), mode)
	if err == nil || err.Error() != want {
		t.Errorf("%s: got error %v, want %s", json, err, want)
	}
}

func theSpan(m *tracepb.TracesData) *tracepb.Span { return m.ResourceSpans[0].ScopeSpans[0].Spans[0] }

// open-telemetry/opentelemetry-swift#537: ids in base64, of the bytes and even
// of their hexadecimal digits.
func TestIDsInBase64AreRefused(t *testing.T) {
	const want = `resourceSpans[0].scopeSpans[0].spans[0].traceId: got "W47/95gD…" (24 characters), want 32 hexadecimal digits (S-32)`
	for _, mode := range []Mode{Lenient, Strict} {
		refuse(t, query.Traces, spanWith(`"traceId":"W47/95gDgQPSabYzgT/GDA=="`), mode, want)
		refuse(t, query.Traces, spanWith(`"traceId":"NWI4ZWZmZjc5ODAzODEwM2QyNjliNjMzODEzZmM2MGM="`), mode,
			strings.NewReplacer("W47/95gD", "NWI4ZWZm", "24", "44").Replace(want))
		refuse(t, query.Traces, linkWith(`"spanId":"7uGbfsPBsXQ="`), mode,
			`resourceSpans[0].scopeSpans[0].spans[0].links[0].spanId: got "7uGbfsPB…" (12 characters), want 16 hexadecimal digits (S-32)`)
	}
}

// MindfulSoftwareLLC/dartastic_opentelemetry pull request 86: enumerations by
// name.
func TestEnumerationsByNameAreNumbers(t *testing.T) {
	json := spanWith(`"kind":"SPAN_KIND_SERVER","attributes":[{"key":"kind","value":{"stringValue":"SPAN_KIND_SERVER"}}]`)
	const departure = `resourceSpans[0].scopeSpans[0].spans[0].kind: got "SPAN_KIND_SERVER", want 2 (S-33)`
	m, departures := accept[*tracepb.TracesData](t, query.Traces, json)
	if s := theSpan(m); s.Kind != tracepb.Span_SPAN_KIND_SERVER || s.Attributes[0].Value.GetStringValue() != "SPAN_KIND_SERVER" {
		t.Errorf("got %v", s)
	}
	if len(departures) != 1 || departures[0] != departure {
		t.Errorf("got departures %q, want %q", departures, departure)
	}
	refuse(t, query.Traces, json, Strict, departure)
}

// open-telemetry/opentelemetry-js#4216: a time as an object.
func TestTimesAreExactOrRefused(t *testing.T) {
	refuse(t, query.Traces, spanWith(`"startTimeUnixNano":{"low":1,"high":2}`), Lenient,
		`resourceSpans[0].scopeSpans[0].spans[0].startTimeUnixNano: got {"low":1,"high":2}, want an unsigned integer of 64 bits (S-36)`)
	for _, v := range []string{`"1544712660000000001"`, `1544712660000000001`} {
		m, _ := accept[*tracepb.TracesData](t, query.Traces, spanWith(`"startTimeUnixNano":`+v))
		if got := theSpan(m).StartTimeUnixNano; got != 1544712660000000001 {
			t.Errorf("%s: got %d", v, got)
		}
	}
}

// open-telemetry/opentelemetry-go#8774: attributes of NaN and infinity.
func TestNaNIsKept(t *testing.T) {
	m, departures := accept[*tracepb.TracesData](t, query.Traces, spanWith(`"attributes":[{"key":"a","value":{"doubleValue":"NaN"}},`+
		`{"key":"b","value":{"doubleValue":"Infinity"}},{"key":"c","value":{"doubleValue":"-Infinity"}}]`))
	attrs := theSpan(m).Attributes
	if !math.IsNaN(attrs[0].Value.GetDoubleValue()) || attrs[1].Value.GetDoubleValue() != math.Inf(1) || attrs[2].Value.GetDoubleValue() != math.Inf(-1) {
		t.Errorf("got %v", attrs)
	}
	if len(departures) > 0 {
		t.Errorf("got departures %q", departures)
	}
	json, err := FromProto(nil, query.Traces, encode(t, m))
	if err != nil || !strings.Contains(string(json), `{"doubleValue":"NaN"}`) || !strings.Contains(string(json), `{"doubleValue":"-Infinity"}`) {
		t.Errorf("got %s, %v", json, err)
	}
}

// open-telemetry/opentelemetry-go#8830: quoted doubles.
func TestQuotedDoublesAreNumbers(t *testing.T) {
	value := func(v string) string { return spanWith(`"attributes":[{"key":"k","value":{"doubleValue":` + v + `}}]`) }
	m, departures := accept[*tracepb.TracesData](t, query.Traces, value(`"1.2"`))
	if got := theSpan(m).Attributes[0].Value.GetDoubleValue(); got != 1.2 || len(departures) > 0 {
		t.Errorf("got %v, departures %q", got, departures)
	}
	const at = "resourceSpans[0].scopeSpans[0].spans[0].attributes[0].value.doubleValue: "
	refuse(t, query.Traces, value(`" 1.2"`), Lenient, at+`got " 1.2", want a number (S-37)`)
	refuse(t, query.Traces, value(`"inf"`), Lenient, at+`got "inf", want a number (S-37)`)
}

// open-telemetry/opentelemetry-collector#13127: fields of logs that JSON lost.
func TestNoFieldOfALogIsLost(t *testing.T) {
	json := logWith(`"timeUnixNano":"1","observedTimeUnixNano":"2","severityNumber":9,"severityText":"INFO","body":{"stringValue":"b"},` +
		`"attributes":[{"key":"k"}],"droppedAttributesCount":3,"flags":1,"traceId":"` + sixteen + `","spanId":"` + eight + `","eventName":"login"`)
	m, _ := accept[*logspb.LogsData](t, query.Logs, json)
	r := m.ResourceLogs[0].ScopeLogs[0].LogRecords[0]
	if r.EventName != "login" || r.ObservedTimeUnixNano != 2 || r.Flags != 1 {
		t.Errorf("got %v", r)
	}
	for _, name := range unset(r.ProtoReflect()) {
		if strings.HasPrefix(string(name), "opentelemetry.proto.logs.") {
			t.Errorf("%s is lost", name)
		}
	}
	want, err := readOfficially(t, query.Logs, []byte(json), protojson.UnmarshalOptions{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "ToProto", []byte(json), m, want)
}

// open-telemetry/opentelemetry-go#8784: a threshold that was dropped.
func TestTheZeroThresholdIsKept(t *testing.T) {
	m, _ := accept[*metricspb.MetricsData](t, query.Metrics, exponentialWith(`"zeroThreshold":0.01`))
	p := m.ResourceMetrics[0].ScopeMetrics[0].Metrics[0].GetExponentialHistogram().DataPoints[0]
	if p.ZeroThreshold != 0.01 {
		t.Errorf("got %v, want 0.01", p.ZeroThreshold)
	}
	if json, err := FromProto(nil, query.Metrics, encode(t, m)); err != nil || string(json) != exponentialWith(`"zeroThreshold":0.01`) {
		t.Errorf("got %s, %v", json, err)
	}
}
