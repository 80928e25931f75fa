package sdk

import (
	"fmt"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/query"
)

// SpanStubs is the spans of a view as of now, in the order received, with all
// that a stub has room for. An error names the span; see [SpanStub].
func SpanStubs(v query.View[query.Span]) (tracetest.SpanStubs, error) {
	if err := v.Err(); err != nil {
		return nil, fmt.Errorf("span stubs: %w", err)
	}
	var stubs tracetest.SpanStubs
	for s := range v.All() {
		stub, err := SpanStub(s)
		if err != nil {
			return nil, err
		}
		stubs = append(stubs, stub)
	}
	return stubs, nil
}

// SpanStub is a received span as the SDK's own tests have it: what an in-memory
// exporter would have got, and what SpanStub.Snapshot makes a ReadOnlySpan of.
//
// Of the parent only the ids and whether it is remote are sent, and the number
// of children is not: Parent has no flags and no trace state, and
// ChildSpanCount is 0. An id that is not valid is zero. It is an error if a
// trace state is not one of W3C Trace Context, if the status has a code that
// the SDK does not know, and if the attributes of the resource or scope have a
// key twice.
func SpanStub(s query.Span) (tracetest.SpanStub, error) {
	stub, err := spanStub(s)
	if err != nil {
		return tracetest.SpanStub{}, fmt.Errorf("span %q: %w", s.Name, err)
	}
	// This fills in the deprecated name of the scope, too.
	return tracetest.SpanStubFromReadOnlySpan(stub.Snapshot()), nil
}

func spanStub(s query.Span) (stub tracetest.SpanStub, err error) {
	stub = tracetest.SpanStub{
		Name: s.Name, SpanKind: trace.SpanKind(s.Kind), StartTime: s.Start, EndTime: s.End,
		Attributes: attributes(s.Attrs), Events: each(s.Events, event), Parent: parent(s),
		DroppedAttributes: int(s.DroppedAttrs), DroppedEvents: int(s.DroppedEvents), DroppedLinks: int(s.DroppedLinks),
	}
	if stub.SpanContext, err = spanContext(s.TraceID, s.SpanID, s.TraceState, s.Flags); err != nil {
		return stub, err
	}
	if stub.Links, err = links(s.Links); err != nil {
		return stub, err
	}
	if stub.Status, err = status(s.Status); err != nil {
		return stub, err
	}
	stub.Resource, stub.InstrumentationScope, err = origin(s.Resource, s.Scope)
	return stub, err
}

func spanContext(id query.TraceID, span query.SpanID, state string, f query.SpanFlags) (trace.SpanContext, error) {
	ts, err := trace.ParseTraceState(state)
	if err != nil {
		return trace.SpanContext{}, fmt.Errorf("trace state %q: %w", state, err)
	}
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID(id), SpanID: trace.SpanID(span), TraceFlags: flags(f), TraceState: ts,
	}), nil
}

// parent is what is known of a span's parent, and the zero SpanContext where
// there is none.
func parent(s query.Span) trace.SpanContext {
	if s.IsRoot() {
		return trace.SpanContext{}
	}
	remote, _ := s.Flags.Remote()
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID(s.TraceID), SpanID: trace.SpanID(s.ParentSpanID), Remote: remote,
	})
}

func event(e query.Event) sdktrace.Event {
	return sdktrace.Event{Name: e.Name, Time: e.Time, Attributes: attributes(e.Attrs), DroppedAttributeCount: int(e.DroppedAttrs)}
}

func links(ls []query.Link) ([]sdktrace.Link, error) {
	var out []sdktrace.Link
	for _, l := range ls {
		sc, err := spanContext(l.TraceID, l.SpanID, l.TraceState, l.Flags)
		if err != nil {
			return nil, fmt.Errorf("link: %w", err)
		}
		remote, _ := l.Flags.Remote()
		out = append(out, sdktrace.Link{
			SpanContext: sc.WithRemote(remote), Attributes: attributes(l.Attrs), DroppedAttributeCount: int(l.DroppedAttrs),
		})
	}
	return out, nil
}

func status(s query.SpanStatus) (sdktrace.Status, error) {
	switch s.Code {
	case query.StatusUnset:
		return sdktrace.Status{Code: codes.Unset, Description: s.Message}, nil
	case query.StatusOK:
		return sdktrace.Status{Code: codes.Ok, Description: s.Message}, nil
	case query.StatusError:
		return sdktrace.Status{Code: codes.Error, Description: s.Message}, nil
	}
	return sdktrace.Status{}, fmt.Errorf("got status code %d, which the SDK does not have", s.Code)
}
