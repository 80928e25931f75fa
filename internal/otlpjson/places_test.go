package otlpjson

import (
	"fmt"

	"github.com/otlptest/otlptest/query"
)

// input is a body and the OTLP JSON of what is made of it.
type input struct {
	sig        query.Signal
	json, want string
}

// putter puts a fragment of JSON somewhere in bodies, and what should be made
// of it in the bodies that are wanted.
type putter func(got, want string) []input

// The places where each signal has the same.
var (
	inBody = everywhere(`{%s}`, `{%s}`, `{%s}`)
	inList = everywhere(`{"resourceSpans":[%s]}`, `{"resourceMetrics":[%s]}`, `{"resourceLogs":[%s]}`)

	inResource = everywhere(
		`{"resourceSpans":[{"resource":{%s}}]}`,
		`{"resourceMetrics":[{"resource":{%s}}]}`,
		`{"resourceLogs":[{"resource":{%s}}]}`)
	inScope = everywhere(
		`{"resourceSpans":[{"scopeSpans":[{"scope":{%s}}]}]}`,
		`{"resourceMetrics":[{"scopeMetrics":[{"scope":{%s}}]}]}`,
		`{"resourceLogs":[{"scopeLogs":[{"scope":{%s}}]}]}`)
	inAttr  = everywhere(spanWith(`"attributes":[{%s}]`), sumWith(`"dataPoints":[{"attributes":[{%s}]}]`), logWith(`"attributes":[{%s}]`))
	inValue = everywhere(
		linkWith(`"attributes":[{"key":"k","value":{%s}}]`),
		exemplarWith(`"filteredAttributes":[{"key":"k","value":{%s}}]`),
		logWith(`"body":{%s}`))
)

func spanWith(s string) string { return `{"resourceSpans":[{"scopeSpans":[{"spans":[{` + s + `}]}]}]}` }
func linkWith(s string) string { return spanWith(`"links":[{` + s + `}]`) }
func logWith(s string) string {
	return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{` + s + `}]}]}]}`
}
func metricWith(s string) string {
	return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{` + s + `}]}]}]}`
}
func sumWith(s string) string       { return metricWith(`"sum":{` + s + `}`) }
func pointWith(s string) string     { return metricWith(`"gauge":{"dataPoints":[{` + s + `}]}`) }
func exemplarWith(s string) string  { return pointWith(`"exemplars":[{` + s + `}]`) }
func histogramWith(s string) string { return metricWith(`"histogram":{"dataPoints":[{` + s + `}]}`) }
func exponentialWith(s string) string {
	return metricWith(`"exponentialHistogram":{"dataPoints":[{` + s + `}]}`)
}

// The places that only one signal has.
var (
	inSpan        = in(query.Traces, spanWith("%s"))
	inLink        = in(query.Traces, linkWith("%s"))
	inLog         = in(query.Logs, logWith("%s"))
	inMetric      = in(query.Metrics, metricWith("%s"))
	inSum         = in(query.Metrics, sumWith("%s"))
	inPoint       = in(query.Metrics, pointWith("%s"))
	inExemplar    = in(query.Metrics, exemplarWith("%s"))
	inHistogram   = in(query.Metrics, histogramWith("%s"))
	inExponential = in(query.Metrics, exponentialWith("%s"))
)

func in(sig query.Signal, format string) putter {
	return func(got, want string) []input {
		return []input{{sig, fmt.Sprintf(format, got), fmt.Sprintf(format, want)}}
	}
}

func everywhere(traces, metrics, logs string) putter {
	return all(in(query.Traces, traces), in(query.Metrics, metrics), in(query.Logs, logs))
}

func all(putters ...putter) putter {
	return func(got, want string) (list []input) {
		for _, p := range putters {
			list = append(list, p(got, want)...)
		}
		return list
	}
}

// of is the place of a key's value. Where nothing is wanted, the key is not
// wanted either.
func (p putter) of(key string) putter {
	key = `"` + key + `":`
	return func(got, want string) []input {
		if want != "" {
			want = key + want
		}
		return p(key+got, want)
	}
}

// The places of values of a type.
var (
	asTraceID = all(inSpan.of("traceId"), inLink.of("traceId"), inLog.of("traceId"), inExemplar.of("traceId"))
	asSpanID  = all(inSpan.of("spanId"), inSpan.of("parentSpanId"), inLink.of("spanId"), inLog.of("spanId"), inExemplar.of("spanId"))
	asEnum    = all(inSpan.of("kind"), inSum.of("aggregationTemporality"), inLog.of("severityNumber"))
	asTime    = all(inSpan.of("startTimeUnixNano"), inPoint.of("timeUnixNano"), inLog.of("observedTimeUnixNano"))
	asCount   = inResource.of("droppedAttributesCount")
	asInt     = all(inValue.of("intValue"), inPoint.of("asInt"), inExemplar.of("asInt"))
	asDouble  = all(inValue.of("doubleValue"), inPoint.of("asDouble"), inExemplar.of("asDouble"))
	asBytes   = inValue.of("bytesValue")
	asName    = inScope.of("name")
)

// whole is a body.
func whole(got, want string) (list []input) {
	for _, sig := range signals {
		list = append(list, input{sig, got, want})
	}
	return list
}

// same are fragments that make the same.
func (p putter) same(want string, fragments ...string) (list []input) {
	for _, got := range fragments {
		list = append(list, p(got, want)...)
	}
	return list
}

// kept are fragments of OTLP JSON as FromProto writes it.
func (p putter) kept(fragments ...string) (list []input) {
	for _, got := range fragments {
		list = append(list, p(got, got)...)
	}
	return list
}

// refused are fragments of which nothing is made.
func (p putter) refused(fragments ...string) []input { return p.same("", fragments...) }
