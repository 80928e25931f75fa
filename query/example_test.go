package query_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// backend is a server to which spans of these names were exported, in a request
// each.
func backend(opts []otlptest.Option, names ...string) *otlptest.Server {
	srv, err := otlptest.New(opts...)
	if err != nil {
		panic(err)
	}
	text := func(s string) *commonpb.AnyValue {
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: s}}
	}
	for _, name := range names {
		body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
			Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{{Key: "service.name", Value: text("shop")}}},
			ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{
				TraceId: bytes.Repeat([]byte{1}, 16), SpanId: bytes.Repeat([]byte{name[0]}, 8), Name: name,
				StartTimeUnixNano: 1e18, EndTimeUnixNano: 1e18 + 2e6,
			}}}},
		}}})
		if err != nil {
			panic(err)
		}
		res, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", bytes.NewReader(body))
		if err != nil {
			panic(err)
		}
		res.Body.Close()
	}
	return srv
}

// A view holds nothing itself: each call looks at what has come by then.
func ExampleView() {
	srv := backend(nil, "charge", "refund")
	defer srv.Close()

	spans := srv.Spans(where.Service("shop"))
	for s := range spans.All() {
		fmt.Println(s.Ref.Number(), s.Name, s.Duration())
	}
	fmt.Println(spans.Where(where.Name("charge")).Len(), "where", spans.Where(where.Name("charge")))
	// Output:
	// 1 charge 2ms
	// 2 refund 2ms
	// 1 where service="shop" name="charge"
}

// The error is the whole diagnosis, with the context's own in its chain.
func ExampleView_Wait() {
	srv := backend(nil, "Charge")
	defer srv.Close()

	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	_, err := srv.Spans(where.Name("charge")).Wait(ctx, 1)
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output: true
}

func ExampleReport_Verify() {
	srv := backend([]otlptest.Option{otlptest.WithFaults(faults.Sequence(faults.Reject("no")))}, "charge", "charge", "refund")
	defer srv.Close()

	fmt.Println(srv.Report().Verify(query.NoLoss(), query.MaxAttempts(2)))
	fmt.Println(srv.Report().Verify(query.NotRetried()))
	// Output:
	// <nil>
	// NotRetried: got 1 of 2 batches sent again, want each sent once (C-01, C-06, C-07, C-12)
	//   batch 1: got 2 attempts: exports 1, 2
}

func ExampleReport_Items() {
	srv := backend([]otlptest.Option{otlptest.WithFaults(faults.Sequence(faults.Unavailable()))}, "charge", "charge", "refund")
	defer srv.Close()

	items := srv.Report().ItemsOf(query.Traces)
	fmt.Printf("%d sent, %d delivered\n", items.Sent, items.Delivered)
	// Output: 2 sent, 2 delivered
}

func ExampleReport_Transcript() {
	srv := backend([]otlptest.Option{otlptest.WithFaults(faults.Sequence(faults.Unavailable()))}, "charge", "charge")
	defer srv.Close()

	for _, reply := range srv.Report().Transcript() {
		fmt.Println(reply.Signal, reply.Outcome, reply.Status)
	}
	// Output:
	// traces refused 503 UNAVAILABLE
	// traces accepted 200 OK
}

func ExampleCompare() {
	a, b := backend(nil, "charge", "refund"), backend(nil, "charge")
	defer a.Close()
	defer b.Close()

	c := query.Compare(a.Spans(), b.Spans())
	fmt.Println(c.Equal(), len(c.Both), c.OnlyA[0].Name)
	// Output: false 1 refund
}

func ExampleStable() {
	srv := backend(nil, "charge")
	defer srv.Close()

	fmt.Print(query.Stable(srv.Spans().Slice(), false))
	// Output:
	// span "charge" unspecified
	//   trace 1 span 1
	//   resource service.name="shop"
}

func ExampleAttrs() {
	attrs := query.Attrs{query.Attr("http.response.status_code", 500), query.Attr("http.route", "/pay")}
	fmt.Println(attrs)
	fmt.Println(attrs.Get("http.response.status_code").Int(), attrs.Map()["http.route"])
	_, found := attrs.Lookup("http.request.method")
	fmt.Println(found)
	// Output:
	// http.response.status_code=500 http.route="/pay"
	// 500 /pay
	// false
}

func ExampleValueOf() {
	v, err := query.ValueOf([]any{1, "a", true})
	fmt.Println(v, v.Kind(), err)
	_, err = query.ValueOf(make(chan int))
	fmt.Println(err)
	// Output:
	// [1 "a" true] array <nil>
	// got a chan int, want nil, string, bool, int, float64, []byte, []any, query.Attrs or query.Value
}

// The official message, with fields that this module does not know.
func ExampleSpan_Proto() {
	srv := backend(nil, "charge")
	defer srv.Close()

	for s := range srv.Spans().All() {
		fmt.Println(s.Proto().GetName(), s.Ref.Export().Protocol)
	}
	// Output: charge http/protobuf
}

func ExampleMark_Before() {
	marks := []query.Mark{query.NewMark(3), query.NewMark(1)}
	slices.SortFunc(marks, func(a, b query.Mark) int {
		if a.Before(b) {
			return -1
		}
		return 1
	})
	fmt.Println(marks[0], marks[1])
	// Output: 1 3
}
