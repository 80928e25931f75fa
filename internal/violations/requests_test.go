package violations

import (
	"errors"
	"fmt"
	"testing"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// requestRow is a request in which just one thing is wrong, or nothing.
type requestRow struct {
	check  *Check
	export query.Export
	broken *Broken
	want   string // after "export 1"; empty for nothing
}

// over is a request over HTTP that the server answered with a status.
func over(path, contentType string, status int) query.Export {
	e := query.Export{Method: "POST", Path: path, Header: query.Header{"user-agent": {"exporter/1"}}, Outcome: query.Accepted, Status: query.Status{HTTP: status}}
	switch contentType {
	case "":
	case "application/json":
		e.Protocol = query.HTTPJSON
		fallthrough
	default:
		e.Header["content-type"] = []string{contentType}
	}
	if e.Protocol == "" && contentType == "application/x-protobuf" {
		e.Protocol = query.HTTPProtobuf
	}
	if status >= 400 {
		e.Outcome = query.Refused
	}
	if status != 404 {
		e.Signal = query.Traces
	}
	return e
}

func with(e query.Export, f func(*query.Export)) query.Export {
	f(&e)
	return e
}

func malformedExport(p query.Protocol, encoding string, size int) query.Export {
	e := over("/v1/traces", map[query.Protocol]string{query.HTTPJSON: "application/json", query.HTTPProtobuf: "application/x-protobuf"}[p], 400)
	e.Protocol, e.Outcome, e.Encoding, e.BodySize, e.WireSize = p, query.Malformed, encoding, size, 20
	e.Status.Message = "the body is no good"
	return e
}

const protobufType = "application/x-protobuf"

func requestRows() []requestRow {
	_, cut := wire.Validate(query.Traces, []byte{0x0a, 0x05})
	_, notUTF8 := wire.Validate(query.Traces, []byte{0x0a, 0x03, 0x1a, 0x01, 0xff})
	_, _, base64 := otlpjson.ToProto(nil, query.Traces, []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"W47/95gDgQPSabYzgT/GDA=="}]}]}]}`), otlpjson.Lenient)
	return []requestRow{
		{basePath, over("//v1/traces", protobufType, 404), nil, `: got "//v1/traces", want "/v1/traces"`},
		{basePath, over("/a//v1/logs", "", 404), nil, `: got "/a//v1/logs", want "/a/v1/logs"`},
		{signalPath, over("/v1/traces/v1/traces", protobufType, 404), nil, `: got "/v1/traces/v1/traces", want "/v1/traces"`},
		{changedPath, over("/v1/metrics/", protobufType, 404), nil, `: got "/v1/metrics/", want "/v1/metrics"`},
		{otherPath, over("/", protobufType, 404), nil, `: got "/", want the path of a signal, which has to be in a URL that is given for one signal`}, // opentelemetry-go#2338
		{otherPath, over("/mycollector/v1/traces", protobufType, 404), nil, `: got "/mycollector/v1/traces", want a path that the server has, such as /v1/traces`},
		{otherPath, over("/opentelemetry.proto.collector.trace.v1.TraceService/Export", "application/grpc", 404), nil,
			`: got "/opentelemetry.proto.collector.trace.v1.TraceService/Export", want gRPC on the port of gRPC`},
		{otherPath, over("/favicon.ico", "", 404), nil, ``},
		{otherPath, with(over("/v1/traces/", "", 404), func(e *query.Export) { e.Method = "GET" }), nil, ``},
		{otherPath, with(over("/x", protobufType, 404), func(e *query.Export) { e.Fault = query.FaultRef{Rule: 1, Fault: 1, Text: "http 404"} }), nil, ``},

		{service, query.Export{Protocol: query.GRPC, Path: "/opentelemetry.proto.collector.trace.v1.TraceService/Send", Outcome: query.Refused}, nil,
			`: got "/opentelemetry.proto.collector.trace.v1.TraceService/Send", want Export of the TraceService, MetricsService or LogsService, each of version v1`},
		{service, query.Export{Protocol: query.GRPC, Path: "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export", Outcome: query.Refused}, nil, ``},
		{service, query.Export{Protocol: query.GRPC, Path: "/grpc.health.v1.Health/Check", Outcome: query.Refused}, nil, ``},

		{method, with(over("/v1/traces", protobufType, 405), func(e *query.Export) { e.Method = "PUT" }), nil, `: got PUT, want POST`},
		{method, with(over("/v1/traces", protobufType, 405), func(e *query.Export) { e.Method = "" }), nil, `: got another method, want POST`},
		{method, with(over("/v1/traces", protobufType, 405), func(e *query.Export) { e.Fault.Rule = 1 }), nil, ``},
		{contentType, over("/v1/traces", "", 415), nil, `: got none, want application/x-protobuf or application/json`},
		{contentType, over("/v1/traces", "application/protobuf", 415), nil, `: got "application/protobuf", want application/x-protobuf or application/json`},
		{contentType, over("/v1/traces", "x-protobuf; ; ", 415), nil, `: got "x-protobuf; ; ", want application/x-protobuf or application/json`},
		{contentType, over("/v1/traces", "Application/JSON; charset=utf-8", 200), nil, ``},

		{malformed, malformedExport(query.HTTPProtobuf, "", 2), &Broken{[]byte{0x0a, 5}, fmt.Errorf("request: %w", cut)},
			` resource_spans[0]: got a malformed body: truncated, want valid protobuf`},
		{malformed, malformedExport(query.GRPC, "", 5), &Broken{[]byte{0x0a, 5}, notUTF8},
			` resource_spans[0].schema_url: got a malformed body: invalid UTF-8, want valid protobuf`},
		{malformed, malformedExport(query.HTTPJSON, "", 5), &Broken{nil, errors.New("request is nothing")}, `: got a malformed body: request is nothing, want valid JSON`},
		{malformed, malformedExport(query.HTTPProtobuf, "", 5), nil, `: got a malformed body: the body is no good, want valid protobuf`},
		{encoding, malformedExport(query.HTTPProtobuf, "", 30), &Broken{[]byte("\x1f\x8b\x08\x00"), cut}, `: got a gzip body without Content-Encoding, want Content-Encoding: gzip`},
		{encoding, malformedExport(query.HTTPJSON, "gzip", 0), &Broken{nil, errors.New("request cannot be decompressed")}, `: got a body that is not gzip, want one that is, as the request says`},
		{jsonID, malformedExport(query.HTTPJSON, "gzip", 90), &Broken{[]byte(`{"re`), base64},
			` resourceSpans[0].scopeSpans[0].spans[0].traceId: got "W47/95gD…" (24 characters), want 32 hexadecimal digits`},

		{envelope, query.Export{Protocol: query.GRPC, Signal: query.Logs, Outcome: query.Accepted}, nil, `: got an empty request, want something in it`},
		{envelope, query.Export{Protocol: query.GRPC, Signal: query.Logs, Outcome: query.Refused, Fault: query.FaultRef{Rule: 1}}, nil, `: got an empty request, want something in it`},
		{envelope, query.Export{Protocol: query.GRPC, Signal: query.Logs, Outcome: query.Refused}, nil, ``}, // too large, say
	}
}

func TestEachCheckOfARequest(t *testing.T) {
	for _, row := range requestRows() {
		e := row.export
		e.Number = 1
		if e.Header == nil {
			e.Header = query.Header{"user-agent": {"exporter/1"}}
		}
		var body []byte
		if row.check != envelope && e.Outcome != query.Malformed {
			body = encode(t, cleanTraces())
		}
		seen := Evidence{Export: e, Found: Look(e.Signal, body, false, nil), Broken: row.broken}
		var want []string
		if row.want != "" {
			want = []string{fmt.Sprintf("%s %s  export 1%s", row.check.Rule, row.check.Level, row.want)}
		}
		t.Run(e.Path+" "+row.check.Name, func(t *testing.T) {
			same(t, texts(All([]Evidence{seen}, query.Report{})), want...)
		})
	}
}
