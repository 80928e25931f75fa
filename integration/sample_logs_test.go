package integration_test

import (
	"context"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/query"
)

// collector is an exporter that keeps what it is given: records of the SDK
// cannot be made by hand.
type collector []sdklog.Record

func (c *collector) Export(_ context.Context, rs []sdklog.Record) error {
	for _, r := range rs {
		*c = append(*c, r.Clone())
	}
	return nil
}

func (*collector) Shutdown(context.Context) error   { return nil }
func (*collector) ForceFlush(context.Context) error { return nil }

// sampleRecords is the logs' batch: one record within a span with a body that
// is a map, and an event without either.
func sampleRecords() []sdklog.Record {
	var c collector
	provider := sdklog.NewLoggerProvider(
		sdklog.WithResource(sampleResource()),
		sdklog.WithProcessor(sdklog.NewSimpleProcessor(&c)),
	)
	logger := provider.Logger("shop/cart", log.WithInstrumentationVersion("1.2.3"),
		log.WithSchemaURL(scopeSchema), log.WithInstrumentationAttributes(attribute.Bool("beta", true)))

	var first, second log.Record
	first.SetTimestamp(epoch)
	first.SetObservedTimestamp(at(time.Second))
	first.SetSeverity(log.SeverityWarn2)
	first.SetSeverityText("WARN")
	first.SetBody(attribute.MapValue(attribute.Int("left", 0), attribute.String("message", "out of stock")))
	first.AddAttributes(manyAttrs()...)
	second.SetObservedTimestamp(at(2 * time.Second))
	second.SetEventName("checkout.started")
	second.AddAttributes(attribute.String("cart", "c-1"))

	span := trace.NewSpanContext(trace.SpanContextConfig{TraceID: traceID, SpanID: spanID, TraceFlags: trace.FlagsSampled})
	logger.Emit(trace.ContextWithSpanContext(context.Background(), span), first)
	logger.Emit(context.Background(), second)
	return c
}

func sampleLogsProto() *logspb.LogsData {
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: sampleResourceProto(), SchemaUrl: resourceSchema,
		ScopeLogs: []*logspb.ScopeLogs{{
			Scope: sampleScopeProto(), SchemaUrl: scopeSchema,
			LogRecords: []*logspb.LogRecord{
				{
					TimeUnixNano: epochNano, ObservedTimeUnixNano: epochNano + 1e9,
					SeverityNumber: logspb.SeverityNumber_SEVERITY_NUMBER_WARN2, SeverityText: "WARN",
					Body: mapValue(
						&commonpb.KeyValue{Key: "left", Value: intValue(0)},
						&commonpb.KeyValue{Key: "message", Value: stringValue("out of stock")},
					),
					Attributes: manyAttrsProto(), Flags: 1, TraceId: traceID[:], SpanId: spanID[:],
				},
				{
					ObservedTimeUnixNano: epochNano + 2e9, EventName: "checkout.started", Body: &commonpb.AnyValue{},
					Attributes: []*commonpb.KeyValue{{Key: "cart", Value: stringValue("c-1")}},
				},
			},
		}},
	}}}
}

func sampleLogValues() []query.Log {
	return []query.Log{
		{
			Time: epoch, ObservedTime: at(time.Second), Severity: query.SeverityWarn + 1, SeverityText: "WARN",
			Body:  query.MapValue(query.Attr("left", 0), query.Attr("message", "out of stock")),
			Attrs: manyAttrsValue(), Flags: 1, TraceID: traceID, SpanID: spanID,
			Resource: sampleResourceValue, Scope: sampleScopeValue,
		},
		{
			ObservedTime: at(2 * time.Second), EventName: "checkout.started",
			Attrs:    query.Attrs{query.Attr("cart", "c-1")},
			Resource: sampleResourceValue, Scope: sampleScopeValue,
		},
	}
}
