package otlptest_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

var jsonReports = []report{
	{"open-telemetry/opentelemetry-swift#537", "ids were in base64", base64IDsAreRefused},
	{"MindfulSoftwareLLC/dartastic_opentelemetry#86", "enumerations were sent by name", enumerationNamesAreReported},
	{"open-telemetry/opentelemetry-js#4216", "times were sent as objects", timesAreIntegers},
	{"open-telemetry/opentelemetry-go#8774", "NaN and infinities lost the batch", notANumberIsKept},
	{"open-telemetry/opentelemetry-go#8830", "quoted doubles were refused", doublesMayBeQuoted},
	{"open-telemetry/opentelemetry-collector#13127", "the event name was skipped in JSON", jsonHasEveryField},
}

// jsonPlace is a place in a body of JSON where a value can stand.
type jsonPlace struct {
	sig  query.Signal
	body string // with %s for the value
	path string // how it ends
}

func (p jsonPlace) with(value string) string { return fmt.Sprintf(p.body, value) }

// key is the key that the value has, and what stands around it.
func (p jsonPlace) key() string {
	before, _, _ := strings.Cut(p.body, "%s")
	return before[strings.LastIndexAny(before, "{,")+1:]
}

func inSpan(body, path string) jsonPlace {
	return jsonPlace{query.Traces, jsonTraces(body), "spans[0]." + path}
}

func inPoint(kind, body, path string) jsonPlace {
	return jsonPlace{query.Metrics, jsonMetrics(`{"name":"m","` + kind + `":{"dataPoints":[` + body + `]}}`), kind + ".dataPoints[0]." + path}
}

func inRecord(body, path string) jsonPlace {
	return jsonPlace{query.Logs, jsonLogs(body), "logRecords[0]." + path}
}

// An SDK even made base64 of the hexadecimal digits.
func base64IDsAreRefused(t *testing.T) {
	raw := func(id []byte) string { return base64.StdEncoding.EncodeToString(id) }
	trace, span := []string{raw(traceID[:]), raw([]byte(traceID.String()))}, []string{raw(spanID[:]), raw([]byte(spanID.String()))}
	for _, place := range []jsonPlace{
		inSpan(`{"traceId":%s}`, "traceId"),
		inSpan(`{"links":[{"traceId":%s}]}`, "links[0].traceId"),
		inRecord(`{"traceId":%s}`, "traceId"),
		inPoint("gauge", `{"exemplars":[{"traceId":%s}]}`, "exemplars[0].traceId"),
		inPoint("histogram", `{"exemplars":[{"traceId":%s}]}`, "exemplars[0].traceId"),
	} {
		for _, id := range trace {
			refusedJSON(t, place.sig, place.path, place.with(fmt.Sprintf("%q", id)))
		}
	}
	for _, place := range []jsonPlace{
		inSpan(`{"spanId":%s}`, "spanId"), inSpan(`{"parentSpanId":%s}`, "parentSpanId"), inSpan(`{"links":[{},{"spanId":%s}]}`, "links[1].spanId"),
		inRecord(`{"spanId":%s}`, "spanId"), inPoint("sum", `{"exemplars":[{"spanId":%s}]}`, "exemplars[0].spanId"),
	} {
		for _, id := range span {
			refusedJSON(t, place.sig, place.path, place.with(fmt.Sprintf("%q", id)))
		}
	}
}

func enumerationNamesAreReported(t *testing.T) {
	temporality := func(kind string) jsonPlace {
		return jsonPlace{query.Metrics, jsonMetrics(`{"name":"AGGREGATION_TEMPORALITY_DELTA","` + kind + `":{"aggregationTemporality":%s,"dataPoints":[{}]}}`), "metrics[0]." + kind + ".aggregationTemporality"}
	}
	for _, test := range []struct {
		jsonPlace
		name   string
		number int
	}{
		{inSpan(`{"name":"SPAN_KIND_SERVER","kind":%s}`, "kind"), "SPAN_KIND_SERVER", 2},
		{inSpan(`{"status":{"code":%s,"message":"STATUS_CODE_ERROR"}}`, "status.code"), "STATUS_CODE_ERROR", 2},
		{inRecord(`{"severityText":"SEVERITY_NUMBER_INFO","severityNumber":%s}`, "severityNumber"), "SEVERITY_NUMBER_INFO", 9},
		{temporality("sum"), "AGGREGATION_TEMPORALITY_CUMULATIVE", 2},
		{temporality("histogram"), "AGGREGATION_TEMPORALITY_DELTA", 1},
		{temporality("exponentialHistogram"), "AGGREGATION_TEMPORALITY_DELTA", 1},
	} {
		named := acceptedJSON(t, test.sig, test.with(fmt.Sprintf("%q", test.name)))
		numbered := acceptedJSON(t, test.sig, test.with(fmt.Sprint(test.number)))
		if diff := cmp.Diff(dumpOf(t, numbered, test.sig), dumpOf(t, named, test.sig)); diff != "" {
			t.Errorf("a name for a number (-number +name):\n%s", diff)
		}
		violates(t, named, "S-33", query.LevelError, snake(test.path))
		violates(t, numbered, "S-33", query.LevelError)
		refusedJSON(t, test.sig, test.path, test.with(`"SERVER"`), test.with(`"9x"`))
	}
	const text = `{"name":"SPAN_KIND_SERVER","kind":2,"attributes":[{"key":"SPAN_KIND_CLIENT","value":{"stringValue":"SPAN_KIND_SERVER"}}]}`
	srv := acceptedJSON(t, query.Traces, jsonTraces(text))
	if s := otlptest.One(t, srv.Spans()); s.Name != "SPAN_KIND_SERVER" || s.Attrs.Get("SPAN_KIND_CLIENT").Str() != "SPAN_KIND_SERVER" {
		t.Errorf("got %+v, want what only looks like a name left alone", s)
	}
	violates(t, srv, "S-33", query.LevelError)
}

// snake is the inverse of camel.
func snake(path string) string {
	var b strings.Builder
	for _, c := range path {
		if c >= 'A' && c <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(c)))
	}
	return b.String()
}

func timesAreIntegers(t *testing.T) {
	places := []jsonPlace{
		inSpan(`{"startTimeUnixNano":%s}`, "startTimeUnixNano"), inSpan(`{"endTimeUnixNano":%s}`, "endTimeUnixNano"),
		inSpan(`{"events":[{"timeUnixNano":%s}]}`, "events[0].timeUnixNano"),
		inRecord(`{"timeUnixNano":%s}`, "timeUnixNano"), inRecord(`{"observedTimeUnixNano":%s}`, "observedTimeUnixNano"),
		inPoint("gauge", `{"exemplars":[{"timeUnixNano":%s}]}`, "exemplars[0].timeUnixNano"),
	}
	for _, kind := range []string{"gauge", "sum", "histogram", "exponentialHistogram", "summary"} {
		places = append(places, inPoint(kind, `{"timeUnixNano":%s}`, "timeUnixNano"), inPoint(kind, `{"startTimeUnixNano":%s}`, "startTimeUnixNano"))
	}
	for _, place := range places {
		for _, text := range []string{fmt.Sprint(at), fmt.Sprintf(`"%d"`, at)} {
			srv := acceptedJSON(t, place.sig, place.with(text))
			if dump, want := dumpOf(t, srv, place.sig), fmt.Sprintf(`%s"%d"`, place.key(), at); !strings.Contains(dump, want) {
				t.Errorf("got %s of %s, want %s in it", dump, place.with(text), want)
			}
		}
		refusedJSON(t, place.sig, place.path, place.with(`{"low":1,"high":2}`), place.with(`"2018-12-13T14:51:00Z"`), place.with(`1544712660.5`), place.with(`[1,2]`), place.with(`-1`))
	}
}

// doublePlaces is wherever a double can stand.
var doublePlaces = []jsonPlace{
	inSpan(`{"attributes":[{"key":"k","value":{"doubleValue":%s}}]}`, "attributes[0].value.doubleValue"),
	inSpan(`{"events":[{"attributes":[{"key":"k","value":{"arrayValue":{"values":[{"doubleValue":%s}]}}}]}]}`, "events[0].attributes[0].value.arrayValue.values[0].doubleValue"),
	inRecord(`{"body":{"kvlistValue":{"values":[{"key":"k","value":{"doubleValue":%s}}]}}}`, "body.kvlistValue.values[0].value.doubleValue"),
	inPoint("gauge", `{"asDouble":%s}`, "asDouble"), inPoint("sum", `{"asDouble":%s}`, "asDouble"),
	inPoint("gauge", `{"exemplars":[{"asDouble":%s}]}`, "exemplars[0].asDouble"),
	inPoint("histogram", `{"sum":%s}`, "sum"), inPoint("histogram", `{"min":%s}`, "min"), inPoint("histogram", `{"max":%s}`, "max"),
	inPoint("histogram", `{"explicitBounds":[%s]}`, "explicitBounds[0]"),
	inPoint("exponentialHistogram", `{"sum":%s}`, "sum"), inPoint("exponentialHistogram", `{"zeroThreshold":%s}`, "zeroThreshold"),
	inPoint("summary", `{"sum":%s}`, "sum"), inPoint("summary", `{"quantileValues":[{"value":%s}]}`, "quantileValues[0].value"),
	inPoint("summary", `{"quantileValues":[{"quantile":%s}]}`, "quantileValues[0].quantile"),
}

func notANumberIsKept(t *testing.T) {
	for _, place := range doublePlaces {
		for _, text := range []string{`"NaN"`, `"Infinity"`, `"-Infinity"`} {
			body := place.with(text)
			one, two := acceptedJSON(t, place.sig, body), acceptedJSON(t, place.sig, body)
			if dump := dumpOf(t, one, place.sig); !strings.Contains(dump, place.key()+text) {
				t.Errorf("got %s of %s, want it to keep %s", dump, body, text)
			}
			for _, diff := range []string{
				cmp.Diff(one.Spans().Slice(), two.Spans().Slice()), cmp.Diff(one.Points().Slice(), two.Points().Slice()), cmp.Diff(one.Logs().Slice(), two.Logs().Slice()),
			} {
				if diff != "" {
					t.Errorf("%s is not equal to itself:\n%s", body, diff)
				}
			}
		}
		refusedJSON(t, place.sig, place.path, place.with(`"nan"`), place.with(`"inf"`), place.with(`"+Infinity"`), place.with(`"INFINITY"`))
	}
}

func doublesMayBeQuoted(t *testing.T) {
	for _, place := range doublePlaces {
		for _, text := range []string{`"1.2"`, `1.2`, `12e-1`, `"0.12E+1"`} {
			if dump := dumpOf(t, acceptedJSON(t, place.sig, place.with(text)), place.sig); !strings.Contains(dump, place.key()+"1.2") {
				t.Errorf("got %s of %s, want 1.2", dump, place.with(text))
			}
		}
		refusedJSON(t, place.sig, place.path, place.with(`" 1.2"`), place.with(`"1.2 "`), place.with(`"1,2"`), place.with(`"0x1p0"`), place.with(`""`), place.with(`"1_000"`), place.with(`".5"`))
	}
}

// What arrives is the same by every protocol, field by field.
func jsonHasEveryField(t *testing.T) {
	r := goodRecord()
	r.EventName, r.Flags, r.SeverityText, r.DroppedAttributesCount = "order.paid", 1, "Info", 2
	r.Attributes = []*commonpb.KeyValue{attr("k", "v"), keyed("m", mapValue(attr("n", 1)))}
	l := sameOver(t, logs(r), logsOf)[0]
	if l.EventName != "order.paid" || l.ObservedTime != query.Time(at+1) || l.Flags != 1 || l.SeverityText != "Info" || l.DroppedAttrs != 2 {
		t.Errorf("got %+v, want every field of %v", l, r)
	}
	sameOver(t, full(query.Logs), logsOf)
	sameOver(t, full(query.Traces), spansOf)
	sameOver(t, full(query.Metrics), pointsOf)
}
