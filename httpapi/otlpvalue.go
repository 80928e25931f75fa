package httpapi

import (
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"

	"github.com/otlptest/otlptest/query"
)

func resourceProto(r query.Resource) *resourcepb.Resource {
	m := &resourcepb.Resource{Attributes: attrsProto(r.Attrs), DroppedAttributesCount: r.DroppedAttrs}
	for _, e := range r.Entities {
		m.EntityRefs = append(m.EntityRefs, &commonpb.EntityRef{
			SchemaUrl: e.SchemaURL, Type: e.Type, IdKeys: e.IDKeys, DescriptionKeys: e.DescriptionKeys,
		})
	}
	return m
}

func scopeProto(s query.Scope) *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{
		Name: s.Name, Version: s.Version, Attributes: attrsProto(s.Attrs), DroppedAttributesCount: s.DroppedAttrs,
	}
}

func attrsProto(as query.Attrs) []*commonpb.KeyValue {
	var list []*commonpb.KeyValue
	for key, v := range as.All() {
		list = append(list, &commonpb.KeyValue{Key: key, Value: valueProto(v)})
	}
	return list
}

// valueProto is nil for the empty value.
func valueProto(v query.Value) *commonpb.AnyValue {
	switch v.Kind() {
	case query.KindString:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: v.Str()}}
	case query.KindBool:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: v.Bool()}}
	case query.KindInt:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: v.Int()}}
	case query.KindFloat:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: v.Float()}}
	case query.KindBytes:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: v.Bytes()}}
	case query.KindArray:
		list := &commonpb.ArrayValue{}
		for _, element := range v.Array() {
			list.Values = append(list.Values, elementProto(element))
		}
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: list}}
	case query.KindMap:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: attrsProto(v.Map())}}}
	}
	return nil
}

// elementProto is never nil: an array keeps its empty elements.
func elementProto(v query.Value) *commonpb.AnyValue {
	if m := valueProto(v); m != nil {
		return m
	}
	return &commonpb.AnyValue{}
}
