package otlptest_test

import (
	"bytes"
	"fmt"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// The spans of a trace arrive in two exports, the child before its parent. In a
// test, with a t, it is
//
//	otlptest.Await(t, srv.Traces(where.Complete(), where.MinSpans(2)), 1)
func ExampleServer_Traces() {
	srv, err := otlptest.New(otlptest.WithInMemory())
	if err != nil {
		panic(err)
	}
	defer srv.Close()
	trace, parent, child := bytes.Repeat([]byte{1}, 16), bytes.Repeat([]byte{2}, 8), bytes.Repeat([]byte{3}, 8)
	for _, span := range []*tracepb.Span{
		{TraceId: trace, SpanId: child, ParentSpanId: parent, Name: "charge", StartTimeUnixNano: 2e9, EndTimeUnixNano: 3e9},
		{TraceId: trace, SpanId: parent, Name: "checkout", StartTimeUnixNano: 1e9, EndTimeUnixNano: 4e9},
	} {
		body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{span}}}}}})
		if err != nil {
			panic(err)
		}
		if _, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", bytes.NewReader(body)); err != nil {
			panic(err)
		}
		fmt.Println(srv.Traces(where.Name("charge"), where.Complete()).Len())
	}
	for _, t := range srv.Traces().Slice() {
		fmt.Print(t)
	}
	// Output:
	// 0
	// 1
	// trace 01010101010101010101010101010101  2 spans, 1 service, 3s
	//   checkout  3s
	//     charge  1s
}
