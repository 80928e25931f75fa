package integration_test

import (
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/query"
)

// sampleSpans is the traces' batch: a server's span with a remote parent, an
// event and a link, and a client's span below it.
func sampleSpans() []sdktrace.ReadOnlySpan {
	state, err := trace.ParseTraceState("vendor=1,other=2")
	if err != nil {
		panic(err)
	}
	remote := trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: remoteID, TraceFlags: trace.FlagsSampled, Remote: true})
	server := trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: spanID, TraceFlags: trace.FlagsSampled, TraceState: state})
	linked := trace.NewSpanContext(trace.SpanContextConfig{TraceID: otherTrace, SpanID: remoteID})
	return tracetest.SpanStubs{
		{
			Name: "GET /cart", SpanContext: server, Parent: remote, SpanKind: trace.SpanKindServer,
			StartTime: epoch, EndTime: at(250 * time.Millisecond), Attributes: manyAttrs(),
			Events: []sdktrace.Event{{
				Name: "exception", Time: at(time.Millisecond), DroppedAttributeCount: 4,
				Attributes: []attribute.KeyValue{attribute.String("exception.type", "Timeout")},
			}},
			Links: []sdktrace.Link{{
				SpanContext: linked, DroppedAttributeCount: 5,
				Attributes: []attribute.KeyValue{attribute.Bool("retry", true)},
			}},
			Status:            sdktrace.Status{Code: codes.Error, Description: "too slow"},
			DroppedAttributes: 1, DroppedEvents: 2, DroppedLinks: 3,
			Resource: sampleResource(), InstrumentationScope: sampleScope(),
		},
		{
			Name: "SELECT", Parent: server, SpanKind: trace.SpanKindClient,
			SpanContext: trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: childID, TraceFlags: trace.FlagsSampled}),
			StartTime:   at(2 * time.Millisecond), EndTime: at(3 * time.Millisecond),
			Resource: sampleResource(), InstrumentationScope: sampleScope(),
		},
	}.Snapshots()
}

func sampleTracesProto() *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: sampleResourceProto(), SchemaUrl: resourceSchema,
		ScopeSpans: []*tracepb.ScopeSpans{{
			Scope: sampleScopeProto(), SchemaUrl: scopeSchema,
			Spans: []*tracepb.Span{
				{
					TraceId: traceID[:], SpanId: spanID[:], ParentSpanId: remoteID[:], TraceState: "vendor=1,other=2",
					Flags: 0x301, // sampled, parent known to be remote
					Name:  "GET /cart", Kind: tracepb.Span_SPAN_KIND_SERVER,
					StartTimeUnixNano: epochNano, EndTimeUnixNano: epochNano + 250e6,
					Attributes: manyAttrsProto(), DroppedAttributesCount: 1,
					Events: []*tracepb.Span_Event{{
						TimeUnixNano: epochNano + 1e6, Name: "exception", DroppedAttributesCount: 4,
						Attributes: []*commonpb.KeyValue{{Key: "exception.type", Value: stringValue("Timeout")}},
					}},
					DroppedEventsCount: 2,
					Links: []*tracepb.Span_Link{{
						TraceId: otherTrace[:], SpanId: remoteID[:], Flags: 0x100, DroppedAttributesCount: 5,
						Attributes: []*commonpb.KeyValue{{Key: "retry", Value: boolValue(true)}},
					}},
					DroppedLinksCount: 3,
					Status:            &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: "too slow"},
				},
				{
					TraceId: traceID[:], SpanId: childID[:], ParentSpanId: spanID[:], Flags: 0x101,
					Name: "SELECT", Kind: tracepb.Span_SPAN_KIND_CLIENT,
					StartTimeUnixNano: epochNano + 2e6, EndTimeUnixNano: epochNano + 3e6,
					Status: &tracepb.Status{},
				},
			},
		}},
	}}}
}

func sampleSpanValues() []query.Span {
	return []query.Span{
		{
			TraceID: traceID, SpanID: spanID, ParentSpanID: remoteID, TraceState: "vendor=1,other=2", Flags: 0x301,
			Name: "GET /cart", Kind: query.SpanKindServer, Start: epoch, End: at(250 * time.Millisecond),
			Attrs: manyAttrsValue(), DroppedAttrs: 1,
			Events: []query.Event{{
				Time: at(time.Millisecond), Name: "exception", DroppedAttrs: 4,
				Attrs: query.Attrs{query.Attr("exception.type", "Timeout")},
			}},
			DroppedEvents: 2,
			Links: []query.Link{{
				TraceID: otherTrace, SpanID: remoteID, Flags: 0x100, DroppedAttrs: 5,
				Attrs: query.Attrs{query.Attr("retry", true)},
			}},
			DroppedLinks: 3,
			Status:       query.SpanStatus{Code: query.StatusError, Message: "too slow"},
			Resource:     sampleResourceValue, Scope: sampleScopeValue,
		},
		{
			TraceID: traceID, SpanID: childID, ParentSpanID: spanID, Flags: 0x101,
			Name: "SELECT", Kind: query.SpanKindClient, Start: at(2 * time.Millisecond), End: at(3 * time.Millisecond),
			Resource: sampleResourceValue, Scope: sampleScopeValue,
		},
	}
}
