package payload

import (
	"math/rand/v2"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

func spans(r *rand.Rand, s Shape, i int) *tracepb.TracesData {
	spans := make([]*tracepb.Span, s.Items)
	for j := range spans {
		spans[j] = &tracepb.Span{
			TraceId:           traceID(i),
			SpanId:            spanID(i, j),
			Name:              "load-generator-span",
			Kind:              tracepb.Span_SPAN_KIND_CLIENT,
			StartTimeUnixNano: start,
			EndTimeUnixNano:   start + uint64(j)*1e6,
			Attributes:        attributes(r, s.Attrs, i*s.Items+j+1, i+1),
		}
	}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   resource,
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: scope, Spans: spans}},
	}}}
}
