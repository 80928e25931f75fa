package sdk_test

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/sdk"
)

// equal compares the SDK's types by all that they hold.
var equal = gocmp.Options{
	cmpopts.EquateEmpty(),
	gocmp.Comparer(func(a, b attribute.Value) bool { return reflect.DeepEqual(a, b) }),
	gocmp.Comparer(func(a, b attribute.Set) bool { return a.Equals(&b) }),
	gocmp.Comparer(func(a, b *resource.Resource) bool { return a.Equal(b) && a.SchemaURL() == b.SchemaURL() }),
}

func TestSpansArriveAsAnInMemoryExporterSawThem(t *testing.T) {
	for _, p := range append(protocols, otlptest.HTTPJSON) {
		t.Run(string(p), func(t *testing.T) {
			srv := otlptest.Start(t)
			memory := tracetest.NewInMemoryExporter()
			tp := sdk.TracerProvider(t, srv, p, sdktrace.WithSyncer(memory), sdktrace.WithResource(shop), tightLimits)
			makeSpans(t, tp)
			sdk.Flush(t, tp)

			got, err := sdk.SpanStubs(srv.Spans())
			if err != nil {
				t.Fatal(err)
			}
			want := each(memory.GetSpans(), asSent)
			if len(want) != 8 {
				t.Fatalf("got %d spans in memory, want 8", len(want))
			}
			if diff := gocmp.Diff(bySpanID(want), bySpanID(got), equal); diff != "" {
				t.Errorf("spans (-in memory +received):\n%s", diff)
			}
		})
	}
}

// tightLimits has room for all attributes of every type but one.
var tightLimits = sdktrace.WithRawSpanLimits(sdktrace.SpanLimits{
	AttributeValueLengthLimit: -1, AttributeCountLimit: len(everyType), EventCountLimit: 3, LinkCountLimit: 2,
	AttributePerEventCountLimit: 2, AttributePerLinkCountLimit: 1,
})

// makeSpans ends 8 spans, in which each field of a span is used, with dropped
// attributes, events and links.
func makeSpans(t testing.TB, tp trace.TracerProvider) {
	t.Helper()
	tracer := tp.Tracer("shop/cart", trace.WithInstrumentationVersion("1.2.3"),
		trace.WithSchemaURL("https://example.com/scope"), trace.WithInstrumentationAttributes(scopeAttrs...))
	start := time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.UTC)

	ctx, root := tracer.Start(trace.ContextWithRemoteSpanContext(background, remote(t)), "charge",
		trace.WithTimestamp(start), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(everyType...))
	root.SetAttributes(attribute.Int("one too many", 1))
	for i := range 3 {
		link := trace.Link{SpanContext: remote(t).WithRemote(i == 1).WithTraceFlags(trace.TraceFlags(i)), Attributes: []attribute.KeyValue{attribute.Int("i", i), attribute.Bool("dropped", true)}}
		root.AddLink(link)
	}
	for i := range 4 {
		root.AddEvent("event", trace.WithTimestamp(start.Add(time.Duration(i))),
			trace.WithAttributes(attribute.Int("i", i), attribute.IntSlice("list", []int{1}), attribute.Bool("dropped", true)))
	}
	root.RecordError(errors.New("no money"))
	root.SetStatus(codes.Error, "no money")

	for kind := range trace.SpanKindConsumer + 1 {
		_, child := tracer.Start(ctx, kind.String(), trace.WithSpanKind(kind))
		child.SetStatus(codes.Code(kind)%3, "ignored unless it is an error")
		child.End()
	}
	root.End(trace.WithTimestamp(start.Add(time.Minute)))
	_, other := tp.Tracer("").Start(context.Background(), "of another scope")
	other.End()
}

// asSent is a span without what the official exporter does not send.
func asSent(s tracetest.SpanStub) tracetest.SpanStub {
	s.Parent = trace.NewSpanContext(trace.SpanContextConfig{TraceID: s.Parent.TraceID(), SpanID: s.Parent.SpanID(), Remote: s.Parent.IsRemote()})
	s.ChildSpanCount = 0
	s.Links = each(s.Links, func(l sdktrace.Link) sdktrace.Link {
		l.SpanContext = l.SpanContext.WithTraceState(trace.TraceState{})
		return l
	})
	return s
}

func bySpanID(s tracetest.SpanStubs) tracetest.SpanStubs {
	return slices.SortedFunc(slices.Values(s), func(a, b tracetest.SpanStub) int {
		return cmp.Compare(a.SpanContext.SpanID().String(), b.SpanContext.SpanID().String())
	})
}

func each[A, B any](as []A, f func(A) B) []B {
	var bs []B
	for _, a := range as {
		bs = append(bs, f(a))
	}
	return bs
}

func TestWhatTheSDKCannotBeIsAnErrorThatNamesTheSpan(t *testing.T) {
	for request, want := range map[string]string{
		`"traceState":"no"`:                          `span "bad": trace state "no"`,
		`"status":{"code":9}`:                        `span "bad": got status code 9`,
		`"links":[{` + ids + `,"traceState":"=,="}]`: `span "bad": link: trace state`,
	} {
		srv := otlptest.Start(t)
		post(t, srv, "/v1/traces", `{"resourceSpans":[{"scopeSpans":[{"spans":[{`+ids+`,"name":"bad",`+request+`}]}]}]}`)
		if _, err := sdk.SpanStubs(srv.Spans()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

func TestAttributesThatAreNoSetAreAnError(t *testing.T) {
	const twice = `[{"key":"a","value":{"intValue":"1"}},{"key":"a","value":{"intValue":"2"}}]`
	for _, where := range []string{`"resource":{"attributes":` + twice + `},"scopeSpans":[{"scope":{}`, `"scopeSpans":[{"scope":{"attributes":` + twice + `}`} {
		srv := otlptest.Start(t)
		post(t, srv, "/v1/traces", `{"resourceSpans":[{`+where+`,"spans":[{`+ids+`,"name":"bad"}]}]}]}`)
		if _, err := sdk.SpanStubs(srv.Spans()); err == nil || !strings.Contains(err.Error(), "same key") {
			t.Errorf("%s: got %v, want an error about the same key", where, err)
		}
	}
}
