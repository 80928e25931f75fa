package integration_test

import (
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/otlptest/otlptest/query"
)

// The sample of each signal is one batch, written out three times: as the SDK
// has it, as the official message that its exporter should make of it, and as
// the values that queries should return. This is what the samples share.

// epoch is when everything in the samples begins.
var epoch = time.Date(2024, 2, 29, 12, 30, 15, 123456789, time.UTC)

const epochNano = uint64(1709209815123456789)

// at is an instant after epoch, which is epochNano+uint64(d) on the wire.
func at(d time.Duration) time.Time { return epoch.Add(d) }

var (
	traceID    = [16]byte{0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd, 0x84, 0x48, 0xeb, 0x21, 0x1c, 0x80, 0x31, 0x9c}
	otherTrace = [16]byte{0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6, 0xa3, 0xce, 0x92, 0x9d, 0x0e, 0x0e, 0x47, 0x36}
	spanID     = [8]byte{0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31}
	childID    = [8]byte{0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7}
	remoteID   = [8]byte{0x53, 0x99, 0x5c, 0x3f, 0x42, 0xcd, 0x8a, 0xd8}
)

const (
	resourceSchema = "https://opentelemetry.io/schemas/1.40.0"
	scopeSchema    = "https://opentelemetry.io/schemas/1.39.0"
)

func sampleResource() *resource.Resource {
	return resource.NewWithAttributes(resourceSchema,
		attribute.String("service.name", "shop"), attribute.Int("shard", 7))
}

func sampleResourceProto() *resourcepb.Resource {
	return &resourcepb.Resource{Attributes: []*commonpb.KeyValue{
		{Key: "service.name", Value: stringValue("shop")},
		{Key: "shard", Value: intValue(7)},
	}}
}

var sampleResourceValue = query.Resource{
	Attrs:     query.Attrs{query.Attr("service.name", "shop"), query.Attr("shard", 7)},
	SchemaURL: resourceSchema,
}

func sampleScope() instrumentation.Scope {
	return instrumentation.Scope{
		Name: "shop/cart", Version: "1.2.3", SchemaURL: scopeSchema,
		Attributes: attribute.NewSet(attribute.Bool("beta", true)),
	}
}

func sampleScopeProto() *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{
		Name: "shop/cart", Version: "1.2.3",
		Attributes: []*commonpb.KeyValue{{Key: "beta", Value: boolValue(true)}},
	}
}

var sampleScopeValue = query.Scope{
	Name: "shop/cart", Version: "1.2.3", SchemaURL: scopeSchema,
	Attrs: query.Attrs{query.Attr("beta", true)},
}

// manyAttrs is an attribute of every type that the SDK has, sorted by key as
// it sorts them in sets.
func manyAttrs() []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.Bool("bool", false),
		attribute.ByteSlice("bytes", []byte{0, 0xff, 'x'}),
		{Key: "empty"},
		attribute.Float64("float", -0.5),
		attribute.Int64("int", -1<<63),
		attribute.Map("map", attribute.String("k", "v"), attribute.Slice("list", attribute.IntValue(1), attribute.StringValue("two"))),
		attribute.String("string", "größer ☃"),
		attribute.StringSlice("strings", []string{"a", ""}),
	}
}

func manyAttrsProto() []*commonpb.KeyValue {
	return []*commonpb.KeyValue{
		{Key: "bool", Value: boolValue(false)},
		{Key: "bytes", Value: bytesValue(0, 0xff, 'x')},
		{Key: "empty", Value: &commonpb.AnyValue{}},
		{Key: "float", Value: doubleValue(-0.5)},
		{Key: "int", Value: intValue(-1 << 63)},
		{Key: "map", Value: mapValue(
			&commonpb.KeyValue{Key: "k", Value: stringValue("v")},
			&commonpb.KeyValue{Key: "list", Value: arrayValue(intValue(1), stringValue("two"))},
		)},
		{Key: "string", Value: stringValue("größer ☃")},
		{Key: "strings", Value: arrayValue(stringValue("a"), stringValue(""))},
	}
}

func manyAttrsValue() query.Attrs {
	return query.Attrs{
		query.Attr("bool", false),
		query.Attr("bytes", []byte{0, 0xff, 'x'}),
		query.Attr("empty", nil),
		query.Attr("float", -0.5),
		query.Attr("int", int64(-1<<63)),
		query.Attr("map", query.Attrs{query.Attr("k", "v"), query.Attr("list", []any{1, "two"})}),
		query.Attr("string", "größer ☃"),
		query.Attr("strings", []any{"a", ""}),
	}
}

func stringValue(s string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
}

func boolValue(b bool) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: b}}
}

func intValue(i int64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: i}}
}

func doubleValue(f float64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: f}}
}

func bytesValue(b ...byte) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: b}}
}

func arrayValue(vs ...*commonpb.AnyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: vs}}}
}

func mapValue(kvs ...*commonpb.KeyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: kvs}}}
}
