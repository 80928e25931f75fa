package otlpjson

import (
	"fmt"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

func TestErrorsExplainThemselves(t *testing.T) {
	const inSpan, inPoint = "resourceSpans[0].scopeSpans[0].spans[0]", "resourceMetrics[0].scopeMetrics[0].metrics[0].gauge.dataPoints[0]"
	for _, c := range []struct {
		sig        query.Signal
		json, want string
	}{
		{query.Traces, "", "got the end of the body, want an object (S-37)"},
		{query.Traces, "[]", "got [], want an object (S-37)"},
		{query.Traces, "\x1f\x8b\x08", "got '\\x1f' at byte 0, want an object (S-37)"},
		{query.Traces, "{} {}", "got '{' at byte 3, want the end of the body (S-37)"},
		{query.Traces, `{"resourceSpans":[{},]}`, "resourceSpans[1]: got ']' at byte 21, want an object (S-37)"},
		{query.Traces, `{"resourceSpans":[{} {}]}`, "resourceSpans[0]: got '{' at byte 21, want a comma or ] (S-37)"},
		{query.Traces, `{"resourceSpans":[{"resource":{}`, "resourceSpans[0]: got the end of the body, want a comma or } (S-37)"},
		{query.Traces, `{"resourceSpans":[{"resource" 1`, "resourceSpans[0]: got '1' at byte 30, want a colon (S-37)"},
		{query.Traces, `{resourceSpans:[]}`, "got 'r' at byte 1, want a key (S-37)"},
		{query.Traces, `{"x":[tru]}`, "got 't' at byte 6, want a value (S-37)"},
		{query.Traces, `{"x":` + strings.Repeat("[", 10001), "got deeper nesting, want at most 10000 levels (S-37)"},
		{query.Traces, `{"resourceSpans":{"resource":{}}}`, `resourceSpans: got {"resource":{}}, want an array (S-37)`},
		{query.Traces, spanWith(`"name":"a","name":"b"`), inSpan + ".name: got the key a second time, want it once (S-37)"},
		{query.Traces, spanWith(`"name":"\ud83d"`), inSpan + ".name: got '\\\\' at byte 52, want surrogates in pairs (S-37)"},
		{query.Traces, spanWith("\"name\":\"\xff\""), inSpan + ".name: got 0xff at byte 52, want UTF-8 (S-37)"},
		{query.Traces, spanWith("\"name\":\"a\nb\""), inSpan + ".name: got '\\n' at byte 53, want control characters escaped (S-37)"},
		{query.Traces, spanWith(`"kind":"SERVER"`), inSpan + `.kind: got "SERVER", want the number of an enumeration's value (S-33)`},
		{query.Traces, spanWith(`"flags":4294967296`), inSpan + ".flags: got 4294967296, want an unsigned integer of 32 bits (S-37)"},
		{query.Traces, spanWith(`"startTimeUnixNano":"now"`), inSpan + `.startTimeUnixNano: got "now", want an unsigned integer of 64 bits (S-36)`},
		{query.Traces, spanWith(`"spanId":"` + "\u007f" + `éééééééé é"`), inSpan + `.spanId: got " ééééééé…" (11 characters), want 16 hexadecimal digits (S-32)`},
		{query.Traces, spanWith(`"spanId":12`), inSpan + ".spanId: got 12, want 16 hexadecimal digits (S-32)"},
		{query.Traces, spanWith(`"name":` + strings.Repeat("9", 100)), inSpan + ".name: got " + strings.Repeat("9", 40) + "…, want a string (S-37)"},
		{query.Metrics, pointWith(`"asInt":1,"asDouble":2`), inPoint + ".asDouble: got a second member of a oneof, want one (S-37)"},
		{query.Metrics, histogramWith(`"bucketCounts":[1,2,{}]`), "resourceMetrics[0].scopeMetrics[0].metrics[0].histogram.dataPoints[0].bucketCounts[2]: got {}, want an unsigned integer of 64 bits (S-36)"},
		{query.Metrics, pointWith(`"attributes":[{"key":"k","value":{"stringValue":"v"}},{"key":"k","value":{"bytesValue":"?"}}]`), inPoint + `.attributes[1].value.bytesValue: got "?", want a string in base64 (S-32)`},
		{query.Logs, logWith(`"body":"text"`), `resourceLogs[0].scopeLogs[0].logRecords[0].body: got "text", want an object (S-37)`},
		{query.Logs, logWith(`"body":` + strings.Repeat(`{"arrayValue":{"values":[{},`, 20)), "resourceLogs[0].scopeLogs[0].logRecords[0].body.arrayValue.values[1].arrayValue.values[1]." +
			"arrayValue.values[1].arrayValue.values[1].....arrayValue.values[1].arrayValue.values[1]: got '}' at byte 614, want an object (S-37)"},
		{"profiles", "{}", `got signal "profiles", want traces, metrics or logs`},
	} {
		refuse(t, c.sig, c.json, Lenient, c.want)
	}
	if _, err := FromProto(nil, "", nil); err == nil || err.Error() != `got signal "", want traces, metrics or logs` {
		t.Errorf("got %v", err)
	}
	if _, err := FromProto(nil, query.Logs, []byte{1}); err == nil || err.Error() != "got malformed protobuf in logs, want a body that was validated" {
		t.Errorf("got %v", err)
	}
}

func TestDeparturesExplainThemselves(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{"\ufeff{}", "got a byte order mark, want none (S-37)"},
		{spanWith(`"trace_id":"` + sixteen + `"`), `resourceSpans[0].scopeSpans[0].spans[0].traceId: got the key "trace_id", want "traceId" (S-35)`},
		{`{"resource_spans":[]}`, `resourceSpans: got the key "resource_spans", want "resourceSpans" (S-35)`},
		{spanWith(`"kind":"3"`), `resourceSpans[0].scopeSpans[0].spans[0].kind: got "3", want 3 (S-33)`},
		{spanWith(`"attributes":[{"keyStrindex":1}]`), `resourceSpans[0].scopeSpans[0].spans[0].attributes[0]: got the key "keyStrindex", want none that only profiles have (S-50)`},
	} {
		_, departures, err := ToProto(nil, query.Traces, []byte(c.json), Lenient)
		if err != nil || len(departures) != 1 || departures[0].String() != c.want {
			t.Errorf("%s: got %v, %v, want %s", c.json, departures, err, c.want)
		}
	}
}

func TestDeparturesThatAreAlikeAreCapped(t *testing.T) {
	one := `{"kind":"2","spanId":"","attributes":[{"key":"k","value":{"doubleValue":null}}]},`
	json := spanWith(`"name":"first"},` + strings.Repeat(one, 1000) + `{"kind":"SPAN_KIND_CLIENT","trace_state":"s"`)
	out, departures, err := ToProto(nil, query.Traces, []byte(json), Lenient)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, d := range departures {
		count[d.Rule]++
		count[d.Rule+" in all"] += 1 + d.More
	}
	want := map[string]int{
		"S-33": listed, "S-33 in all": 1001, "S-32": listed, "S-32 in all": 1000,
		"S-37": listed, "S-37 in all": 1000, "S-35": 1, "S-35 in all": 1,
	}
	if fmt.Sprint(count) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", count, want)
	}
	last := departures[len(departures)-2].String()
	if !strings.HasSuffix(last, "(S-37) and 936 more") {
		t.Errorf("got %s", last)
	}
	if items, err := wire.Validate(query.Traces, out); err != nil || items != 1002 {
		t.Errorf("got %d spans, %v, want 1002", items, err)
	}
}
