package sdk

import (
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/query"
)

// attributes is attributes in the order received, and nil for none.
func attributes(as query.Attrs) []attribute.KeyValue {
	if len(as) == 0 {
		return nil
	}
	kvs := make([]attribute.KeyValue, len(as))
	for i, a := range as {
		kvs[i] = attribute.KeyValue{Key: attribute.Key(a.Key), Value: value(a.Value)}
	}
	return kvs
}

func value(v query.Value) attribute.Value {
	switch v.Kind() {
	case query.KindString:
		return attribute.StringValue(v.Str())
	case query.KindBool:
		return attribute.BoolValue(v.Bool())
	case query.KindInt:
		return attribute.Int64Value(v.Int())
	case query.KindFloat:
		return attribute.Float64Value(v.Float())
	case query.KindBytes:
		return attribute.ByteSliceValue(v.Bytes())
	case query.KindArray:
		return slice(v.Array())
	case query.KindMap:
		return attribute.MapValue(attributes(v.Map())...)
	}
	return attribute.Value{}
}

// slice is a typed slice where all elements have one of the types that the SDK
// has typed slices of.
func slice(vs []query.Value) attribute.Value {
	switch kind(vs) {
	case query.KindString:
		return attribute.StringSliceValue(each(vs, query.Value.Str))
	case query.KindBool:
		return attribute.BoolSliceValue(each(vs, query.Value.Bool))
	case query.KindInt:
		return attribute.Int64SliceValue(each(vs, query.Value.Int))
	case query.KindFloat:
		return attribute.Float64SliceValue(each(vs, query.Value.Float))
	}
	return attribute.SliceValue(each(vs, value)...)
}

// kind is the kind that all values have, and KindEmpty if they have none in
// common.
func kind(vs []query.Value) query.ValueKind {
	for _, v := range vs {
		if v.Kind() != vs[0].Kind() {
			return query.KindEmpty
		}
	}
	if len(vs) == 0 {
		return query.KindEmpty
	}
	return vs[0].Kind()
}

func each[A, B any](as []A, f func(A) B) []B {
	if as == nil {
		return nil
	}
	bs := make([]B, len(as))
	for i, a := range as {
		bs[i] = f(a)
	}
	return bs
}

// set is attributes as a set. It is the zero Set for none, as in the SDK, so
// that scopes can be compared with ==.
func set(as query.Attrs) (attribute.Set, error) {
	if len(as) == 0 {
		return attribute.Set{}, nil
	}
	s := attribute.NewSet(attributes(as)...)
	if s.Len() != len(as) {
		return attribute.Set{}, fmt.Errorf("attributes with the same key cannot be a set: %s", as)
	}
	return s, nil
}

func resourceOf(r query.Resource) (*resource.Resource, error) {
	res := resource.NewWithAttributes(r.SchemaURL, attributes(r.Attrs)...)
	if res.Len() != len(r.Attrs) {
		return nil, fmt.Errorf("resource: attributes with the same key, or without one, cannot be a resource: %s", r.Attrs)
	}
	return res, nil
}

func scopeOf(s query.Scope) (instrumentation.Scope, error) {
	attrs, err := set(s.Attrs)
	if err != nil {
		return instrumentation.Scope{}, fmt.Errorf("scope %q: %w", s.Name, err)
	}
	return instrumentation.Scope{Name: s.Name, Version: s.Version, SchemaURL: s.SchemaURL, Attributes: attrs}, nil
}

// origin is the resource and scope of an item.
func origin(r query.Resource, s query.Scope) (*resource.Resource, instrumentation.Scope, error) {
	res, err := resourceOf(r)
	if err != nil {
		return nil, instrumentation.Scope{}, err
	}
	scope, err := scopeOf(s)
	return res, scope, err
}

// flags is the flags of W3C Trace Context, which are the lowest 8 of those of
// spans, links and log records.
func flags[F ~uint32](f F) trace.TraceFlags { return trace.TraceFlags(f) }
