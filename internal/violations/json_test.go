package violations

import (
	"fmt"
	"testing"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// jsonRow is a span of which something is not OTLP JSON, or not OTLP.
type jsonRow struct {
	check *Check
	span  string // members of the span, beside those that are all right
	want  string // after the span's path
}

var jsonRows = []jsonRow{
	{nil, ``, ``},
	{jsonEmptyID, `"parentSpanId":""`, `.parentSpanId: got "", want 16 hexadecimal digits or no key`},
	{jsonEnum, `"kind":"SPAN_KIND_SERVER"`, `.kind: got "SPAN_KIND_SERVER", want 2`}, // dartastic_opentelemetry#86
	{jsonKey, `"trace_state":"a=b"`, `.traceState: got the key "trace_state", want "traceState"`},
	{jsonInteger, `"attributes":[{"key":"a","value":{"intValue":1e300}}]`, `.attributes[0].value.intValue: got 1e300, want a signed integer of 64 bits`},
	{jsonOther, `"attributes":[{"key":"a","value":{"doubleValue":null}}]`, `.attributes[0].value.doubleValue: got null, want "NaN", "Infinity" or "-Infinity"`},
	{strindex, `"attributes":[{"key":"a","keyStrindex":5,"value":{}}]`, `.attributes[0].keyStrindex: got an index, want none, since only profiles have a string table`},
	{parentID, `"parentSpanId":"0000000000000000"`, `.parentSpanId of span "charge": got 8 zero bytes, want it to be empty in a root span`},
	{duplicateKey, `"attributes":[{"key":"a_b","value":{"kvlistValue":{"values":[{"key":"c_d"},{"key":"c_d"}]}}}]`,
		`.attributes[0].value.kvlistValue.values[1].key of span "charge": got the key "c_d" again, want each key once`},
}

func TestEachCheckOfJSON(t *testing.T) {
	for _, row := range jsonRows {
		span := fmt.Sprintf(`"traceId":"%032x","spanId":"%016x","name":"charge","startTimeUnixNano":"1","endTimeUnixNano":"2"`, 1, 1)
		if row.span != "" {
			span += "," + row.span
		}
		json := `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeSpans":[{"spans":[{` + span + `}]}]}]}`
		t.Run(row.span, func(t *testing.T) {
			e := over("/v1/traces", "application/json", 200)
			e.Number = 1
			found := Evidence{Export: e, Found: lookAtJSON(t, json)}
			var want []string
			if row.check != nil {
				want = []string{fmt.Sprintf("%s %s  export 1 resourceSpans[0].scopeSpans[0].spans[0]%s", row.check.Rule, row.check.Level, row.want)}
			}
			same(t, texts(All([]Evidence{found}, query.Report{})), want...)
		})
	}
}

func lookAtJSON(t *testing.T, json string) *Findings {
	body, departures, err := otlpjson.ToProto(nil, query.Traces, []byte(json), otlpjson.Lenient)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wire.Validate(query.Traces, body); err != nil {
		t.Fatal(err)
	}
	return Look(query.Traces, body, true, departures)
}

// The table of departures has every rule that the decoder knows.
func TestDeparturesHaveTheirOwnRule(t *testing.T) {
	for rule, c := range jsonChecks {
		if c.Rule != rule {
			t.Errorf("got check %s of %s for %s", c.Name, c.Rule, rule)
		}
	}
	for rule, c := range jsonWarnings {
		if c.Rule != rule || c.Strict != Report {
			t.Errorf("got check %s of %s for %s, which must not refuse anything", c.Name, c.Rule, rule)
		}
	}
	d := otlpjson.Departure{Rule: "S-37", Path: "a", Got: "b", Want: "c", More: 5}
	if got := ofJSON([]otlpjson.Departure{d}); len(got) != 1 || got[0].More != 5 || got[0].Rule != "S-37" {
		t.Errorf("got %+v, want one with 5 more", got)
	}
}
