package otlptest_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

var jsonRequirements = []requirement{
	{number: "S-32", text: "In JSON ids are hexadecimal digits in either case, in every message; bytes stay base64.", test: idsAreHexInJSON},
	{number: "S-33", text: "In JSON enumerations are numbers, never names.", test: enumerationsAreNumbersInJSON},
	{number: "S-34", text: "In JSON unknown fields are ignored.", test: unknownFieldsAreIgnoredInJSON},
	{number: "S-35", text: "In JSON keys are lowerCamelCase only.", test: keysAreCamelCaseInJSON},
	{number: "S-36", text: "In JSON integers of 64 bits are written as strings, and read as strings or numbers.", test: longIntegersAreQuotedOrNotInJSON},
	{number: "S-37", text: "Otherwise JSON is as in proto3: NaN and infinities as strings, quoted numbers, null for what is absent.", test: restIsProto3JSON},
}

// The bodies of one item each.

func jsonTraces(span string) string {
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[` + span + `]}]}]}`
}

func jsonMetrics(metric string) string {
	return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[` + metric + `]}]}]}`
}

func jsonLogs(record string) string {
	return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[` + record + `]}]}]}`
}

// jsonPoint is the body of a point of a gauge.
func jsonPoint(point string) string {
	return jsonMetrics(`{"name":"m","gauge":{"dataPoints":[` + point + `]}}`)
}

// refusedJSON checks that bodies are refused, and that the answer names the
// field.
func refusedJSON(t *testing.T, sig query.Signal, field string, bodies ...string) {
	t.Helper()
	srv := otlptest.Start(t)
	w := newWire(t, srv)
	for _, body := range bodies {
		r := w.send(query.HTTPJSON, sig, []byte(body), false)
		if r.HTTP != 400 || r.Code != codes.InvalidArgument || len(r.Details) != 1 || !strings.HasSuffix(detail(r.Details[0]), field+")") {
			t.Errorf("got %s for %s, want 400 and a BadRequest of %s", r, body, field)
		}
	}
	if n := stored(srv, sig); n != 0 {
		t.Errorf("got %d items stored of what was refused", n)
	}
}

// departs checks that a body which is not quite OTLP JSON is accepted, and
// where it violates which rule.
func departs(t *testing.T, sig query.Signal, body, rule string, level query.Level, path string) *otlptest.Server {
	t.Helper()
	srv := acceptedJSON(t, sig, body)
	violates(t, srv, rule, level, path)
	r := newWire(t, otlptest.Start(t, otlptest.WithStrict())).send(query.HTTPJSON, sig, []byte(body), false)
	if level != query.LevelError {
		if r.HTTP != 200 {
			t.Errorf("got %s from a strict server for %s, want 200", r, body)
		}
	} else if r.HTTP != 400 || len(r.Details) != 1 || !strings.HasSuffix(detail(r.Details[0]), camel(path)+")") || !strings.Contains(r.Message, "("+rule+")") {
		t.Errorf("got %s from a strict server for %s, want 400 and the field", r, body)
	}
	return srv
}

func idsAreHexInJSON(t *testing.T) {
	trace, span := query.TraceID{}, query.SpanID{}
	for i := range trace {
		trace[i] = 0xa0 + byte(i)
	}
	copy(span[:], trace[:])
	for _, write := range []func(string) string{strings.ToLower, strings.ToUpper, mixed} {
		ids := fmt.Sprintf(`"traceId":%q,"spanId":%q`, write(trace.String()), write(span.String()))
		srv := acceptedJSON(t, query.Traces, jsonTraces(fmt.Sprintf(`{%s,"parentSpanId":%q,"links":[{%[1]s}]}`, ids, write(span.String()))))
		s := otlptest.One(t, srv.Spans())
		if s.TraceID != trace || s.SpanID != span || s.ParentSpanID != span || len(s.Links) != 1 || s.Links[0].TraceID != trace || s.Links[0].SpanID != span {
			t.Errorf("got span %+v of %s, want the same ids everywhere", s, ids)
		}
		srv = acceptedJSON(t, query.Logs, jsonLogs(`{`+ids+`,"body":{"bytesValue":"q83v"}}`))
		l := otlptest.One(t, srv.Logs())
		if l.TraceID != trace || l.SpanID != span || string(l.Body.Bytes()) != "\xab\xcd\xef" {
			t.Errorf("got log record %+v of %s, want its ids, and bytes from base64", l, ids)
		}
		srv = acceptedJSON(t, query.Metrics, jsonPoint(`{"asInt":"1","exemplars":[{`+ids+`}]}`))
		p := otlptest.One(t, srv.Points())
		if len(p.Exemplars) != 1 || p.Exemplars[0].TraceID != trace || p.Exemplars[0].SpanID != span {
			t.Errorf("got point %+v of %s, want an exemplar with its ids", p, ids)
		}
	}
	srv := departs(t, query.Traces, jsonTraces(fmt.Sprintf(`{"traceId":%q,"spanId":%q,"parentSpanId":""}`, trace, span)), "S-32", query.LevelInfo, "spans[0].parent_span_id")
	if s := otlptest.One(t, srv.Spans()); !s.IsRoot() {
		t.Errorf("got parent %s of an empty id, want none", s.ParentSpanID)
	}
	const base64ed = "W47/95gDgQPSabYzgT/GDA=="
	for _, bad := range []string{base64ed, "abc", "0123456789abcdef0123456789abcdeg", "0123456789abcdef"} {
		refusedJSON(t, query.Traces, "spans[0].traceId", jsonTraces(fmt.Sprintf(`{"traceId":%q}`, bad)))
		refusedJSON(t, query.Traces, "links[0].traceId", jsonTraces(fmt.Sprintf(`{"links":[{"traceId":%q}]}`, bad)))
		refusedJSON(t, query.Logs, "logRecords[0].traceId", jsonLogs(fmt.Sprintf(`{"traceId":%q}`, bad)))
		refusedJSON(t, query.Metrics, "exemplars[0].traceId", jsonPoint(fmt.Sprintf(`{"exemplars":[{"traceId":%q}]}`, bad)))
	}
}

// mixed is a text with every other letter in upper case.
func mixed(s string) string {
	b := []byte(strings.ToLower(s))
	for i := 1; i < len(b); i += 2 {
		b[i] = strings.ToUpper(string(b[i]))[0]
	}
	return string(b)
}

func enumerationsAreNumbersInJSON(t *testing.T) {
	srv := acceptedJSON(t, query.Traces, jsonTraces(`{"kind":2,"status":{"code":2}}`))
	if s := otlptest.One(t, srv.Spans()); s.Kind != query.SpanKindServer || s.Status.Code != query.StatusError {
		t.Errorf("got kind %s and status %s, want server and error", s.Kind, s.Status.Code)
	}
	srv = acceptedJSON(t, query.Logs, jsonLogs(`{"severityNumber":17}`))
	if l := otlptest.One(t, srv.Logs()); l.Severity != query.SeverityError {
		t.Errorf("got severity %s, want error", l.Severity)
	}
	srv = acceptedJSON(t, query.Metrics, jsonMetrics(`{"sum":{"aggregationTemporality":1,"dataPoints":[{}]}}`))
	if p := otlptest.One(t, srv.Points()); p.Temporality != query.Delta {
		t.Errorf("got temporality %s, want delta", p.Temporality)
	}
	srv = acceptedJSON(t, query.Traces, jsonTraces(`{"kind":99}`)) // of a later version
	if s := otlptest.One(t, srv.Spans()); s.Kind != 99 {
		t.Errorf("got kind %d, want the number 99 as it came", s.Kind)
	}
	srv = departs(t, query.Traces, jsonTraces(`{"kind":"SPAN_KIND_SERVER","attributes":[{"key":"k","value":{"stringValue":"SPAN_KIND_SERVER"}}]}`), "S-33", query.LevelError, "spans[0].kind")
	if s := otlptest.One(t, srv.Spans()); s.Kind != query.SpanKindServer || s.Attrs.Get("k").Str() != "SPAN_KIND_SERVER" {
		t.Errorf("got kind %s and attributes %s, want a name read and a string left alone", s.Kind, s.Attrs)
	}
	srv = departs(t, query.Logs, jsonLogs(`{"severityNumber":"SEVERITY_NUMBER_WARN"}`), "S-33", query.LevelError, "log_records[0].severity_number")
	if l := otlptest.One(t, srv.Logs()); l.Severity != query.SeverityWarn {
		t.Errorf("got severity %s, want warn", l.Severity)
	}
	departs(t, query.Metrics, jsonMetrics(`{"sum":{"aggregationTemporality":"AGGREGATION_TEMPORALITY_DELTA"}}`), "S-33", query.LevelError, "metrics[0].sum.aggregation_temporality")
	refusedJSON(t, query.Traces, "spans[0].kind", jsonTraces(`{"kind":"SERVER"}`), jsonTraces(`{"kind":"server"}`), jsonTraces(`{"kind":2.5}`), jsonTraces(`{"kind":true}`))
}

func unknownFieldsAreIgnoredInJSON(t *testing.T) {
	const later = `"later":{"a":[1,{"b":null}],"traceId":7},"another":"x","third":[[]],`
	srv := acceptedJSON(t, query.Traces, `{`+later+`"resourceSpans":[{`+later+`"resource":{`+later+`"attributes":[{`+later+`"key":"service.name","value":{`+later+`"stringValue":"shop"}}]},`+
		`"scopeSpans":[{`+later+`"scope":{`+later+`"name":"n"},"spans":[{`+later+`"name":"charge","events":[{`+later+`"name":"e"}],"status":{`+later+`"code":1}}]}]}]}`)
	s := otlptest.One(t, srv.Spans())
	want := query.Span{
		Name: "charge", Events: []query.Event{{Name: "e"}}, Status: query.SpanStatus{Code: query.StatusOK}, Scope: query.Scope{Name: "n"},
		Resource: query.Resource{Attrs: query.Attrs{query.Attr("service.name", "shop")}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("span (-want +got):\n%s", diff)
	}
	srv = acceptedJSON(t, query.Metrics, jsonMetrics(`{`+later+`"name":"m","gauge":{`+later+`"dataPoints":[{`+later+`"asInt":1,"exemplars":[{`+later+`"asInt":2}]}]}}`))
	if p := otlptest.One(t, srv.Points()); p.Value.Int() != 1 || len(p.Exemplars) != 1 || p.Exemplars[0].Value.Int() != 2 {
		t.Errorf("got point %+v, want 1 with an exemplar of 2", p)
	}
	srv = acceptedJSON(t, query.Logs, jsonLogs(`{`+later+`"body":{"arrayValue":{`+later+`"values":[{`+later+`"boolValue":true}]}}}`))
	if l := otlptest.One(t, srv.Logs()); len(l.Body.Array()) != 1 || !l.Body.Array()[0].Bool() {
		t.Errorf("got body %s, want [true]", l.Body)
	}
}

func keysAreCamelCaseInJSON(t *testing.T) {
	srv := acceptedJSON(t, query.Traces, jsonTraces(`{"Name":"x","TRACEID":"x","name":"charge","startTimeUnixNano":"7"}`))
	if s := otlptest.One(t, srv.Spans()); s.Name != "charge" || s.Start != query.Time(7) || !s.TraceID.IsZero() {
		t.Errorf("got %+v, want keys in another case to be unknown ones", s)
	}
	srv = departs(t, query.Traces, jsonTraces(`{"start_time_unix_nano":"7"}`), "S-35", query.LevelError, "spans[0].start_time_unix_nano")
	if s := otlptest.One(t, srv.Spans()); s.Start != query.Time(7) {
		t.Errorf("got start %s, want the name of protobuf understood all the same", s.Start)
	}
	for i, key := range []string{"resourceSpans", "resourceMetrics", "resourceLogs"} {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(faults.PartialSuccess(2, "m"))))
		r := newWire(t, srv).send(query.HTTPJSON, signals[i], []byte(`{"`+key+`":[]}`), false)
		if want := partialAnswer(signals[i], query.HTTPJSON, 2, "m"); r.String() != want {
			t.Errorf("got %s, want %s", r, want)
		}
	}
}

func longIntegersAreQuotedOrNotInJSON(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 1<<53 + 1, at, math.MaxInt64, math.MinInt64} {
		for _, form := range []string{"%d", `"%d"`} {
			text := fmt.Sprintf(form, n)
			srv := acceptedJSON(t, query.Metrics, jsonPoint(`{"asInt":`+text+`,"attributes":[{"key":"n","value":{"intValue":`+text+`}}]}`))
			if p := otlptest.One(t, srv.Points()); p.Value.Int() != n || p.Attrs.Get("n").Int() != n {
				t.Errorf("got %s with %s of %s", p.Value, p.Attrs, text)
			}
		}
	}
	for _, form := range []string{"%d", `"%d"`} {
		text := fmt.Sprintf(form, at)
		srv := acceptedJSON(t, query.Traces, jsonTraces(`{"startTimeUnixNano":`+text+`,"endTimeUnixNano":`+text+`,"events":[{"timeUnixNano":`+text+`}]}`))
		if s := otlptest.One(t, srv.Spans()); s.Start != query.Time(at) || s.End != s.Start || s.Events[0].Time != s.Start {
			t.Errorf("got the times %s, %s and %s of %s", s.Start, s.End, s.Events[0].Time, text)
		}
		count := fmt.Sprintf(form, uint64(math.MaxUint64))
		srv = acceptedJSON(t, query.Metrics, jsonMetrics(`{"histogram":{"dataPoints":[{"count":`+count+`,"bucketCounts":[`+count+`,1,"2"]}]}}`))
		if h := otlptest.One(t, srv.Points()).Histogram; h.Count != math.MaxUint64 || !cmp.Equal(h.Counts, []uint64{math.MaxUint64, 1, 2}) {
			t.Errorf("got %+v of %s", h, count)
		}
	}
	srv := departs(t, query.Traces, jsonTraces(`{"attributes":[{"key":"n","value":{"intValue":1e+300}}]}`), "S-36", query.LevelError, "spans[0].attributes[0].value.int_value")
	if s := otlptest.One(t, srv.Spans()); len(s.Attrs) != 1 || !s.Attrs[0].Value.IsEmpty() {
		t.Errorf("got attributes %s, want one without a value", s.Attrs)
	}
	refusedJSON(t, query.Traces, "startTimeUnixNano",
		jsonTraces(`{"startTimeUnixNano":{"low":1,"high":2}}`), jsonTraces(`{"startTimeUnixNano":1.5}`), jsonTraces(`{"startTimeUnixNano":-1}`),
		jsonTraces(`{"startTimeUnixNano":"0x10"}`), jsonTraces(`{"startTimeUnixNano":"18446744073709551616"}`))
}

func restIsProto3JSON(t *testing.T) {
	for text, want := range map[string]float64{
		`"NaN"`: math.NaN(), `"Infinity"`: math.Inf(1), `"-Infinity"`: math.Inf(-1), `1.5`: 1.5, `"1.5"`: 1.5, `1e300`: 1e300, `"-1E-7"`: -1e-7, `3`: 3,
	} {
		srv := acceptedJSON(t, query.Metrics, jsonPoint(`{"asDouble":`+text+`,"attributes":[{"key":"x","value":{"doubleValue":`+text+`}}]}`))
		if p := otlptest.One(t, srv.Points()); !p.Value.Equal(query.FloatValue(want)) || !p.Attrs.Get("x").Equal(query.FloatValue(want)) {
			t.Errorf("got %s with %s of %s, want %v", p.Value, p.Attrs, text, want)
		}
	}
	refusedJSON(t, query.Metrics, "asDouble", jsonPoint(`{"asDouble":"nan"}`), jsonPoint(`{"asDouble":"inf"}`), jsonPoint(`{"asDouble":" 1"}`), jsonPoint(`{"asDouble":""}`), jsonPoint(`{"asDouble":true}`))

	srv := departs(t, query.Metrics, jsonPoint(`{"asDouble":null}`), "S-37", query.LevelError, "metrics[0].gauge.data_points[0].as_double")
	if p := otlptest.One(t, srv.Points()); !p.Value.Equal(query.FloatValue(math.NaN())) {
		t.Errorf("got value %s of a null that was NaN, want NaN", p.Value)
	}
	srv = acceptedJSON(t, query.Traces, jsonTraces(`{"traceId":null,"parentSpanId":null,"name":null,"kind":null,"startTimeUnixNano":null,"droppedEventsCount":null,`+
		`"attributes":null,"events":null,"status":null,"flags":"257","droppedLinksCount":"3"}`))
	if diff := cmp.Diff(query.Span{Flags: 257, DroppedLinks: 3}, otlptest.One(t, srv.Spans())); diff != "" {
		t.Errorf("span with null for everything but two numbers (-want +got):\n%s", diff)
	}
	realBodiesAreUnderstood(t)
	srv = acceptedJSON(t, query.Logs, " \n"+jsonLogs("{\t\"body\" : { \"stringValue\" : \"\\u00e9\\ud83d\\ude00\\\"\\/\" } }")+"\r\n")
	if l := otlptest.One(t, srv.Logs()); l.Body.Str() != `é😀"/` {
		t.Errorf("got body %s, want escapes undone", l.Body)
	}
}

// realBodiesAreUnderstood sends what clients have sent. What it becomes and
// where it is not quite OTLP JSON stand in a file for each.
func realBodiesAreUnderstood(t *testing.T) {
	const dir = "../internal/otlpjson/testdata/"
	for _, sig := range signals {
		names, err := filepath.Glob(dir + "*-" + string(sig) + ".json")
		if err != nil || len(names) == 0 {
			t.Fatalf("got no bodies of %s: %v", sig, err)
		}
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(name, ".json") + ".golden")
			if err != nil {
				t.Fatal(err)
			}
			srv := acceptedJSON(t, sig, string(body))
			got := dumpOf(t, srv, sig)
			for v := range srv.Violations().All() {
				if line := fmt.Sprintf("%s: got %s, want %s (%s)", v.Path, v.Got, v.Want, v.Rule); strings.Contains(string(want), line) {
					got += line + "\n"
				}
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}
