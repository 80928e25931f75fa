package otlptest_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// postRoot sends a root span of service shop over HTTP, whose parent is given
// as it is.
func postRoot(srv *otlptest.Server, id byte, parent []byte) error {
	return postRootBy(srv.HTTPClient(), srv, id, parent)
}

func postRootBy(client *http.Client, srv *otlptest.Server, id byte, parent []byte) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: &resourcepb.Resource{Attributes: []*commonpb.KeyValue{{
			Key: "service.name", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "shop"}},
		}}},
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{
			TraceId: bytes.Repeat([]byte{1}, 16), SpanId: append(bytes.Repeat([]byte{2}, 7), id), ParentSpanId: parent,
			Name: "charge", StartTimeUnixNano: 1, EndTimeUnixNano: 2,
		}}}},
	}}})
	if err != nil {
		return err
	}
	req, err := http.NewRequest(http.MethodPost, srv.HTTPEndpoint()+"/v1/traces", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	req.Header.Set("User-Agent", "exporter/1")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("got status %s", resp.Status)
	}
	return nil
}

// open-telemetry/opentelemetry-java#1164: lenient in what is stored, strict in
// what is reported.
func TestViolationsAreWaitedFor(t *testing.T) {
	srv := otlptest.Start(t)
	if err := postRoot(srv, 1, nil); err != nil {
		t.Fatal(err)
	}
	otlptest.Exactly(t, srv.Violations(), 0)
	sent := make(chan error, 1)
	go func() { sent <- postRoot(srv, 2, make([]byte, 8)) }()
	v := otlptest.One(t, srv.Violations(where.Rule("S-40")))
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	const want = `S-40 error  export 2 resource_spans[0].scope_spans[0].spans[0].parent_span_id of span "charge": got 8 zero bytes, want it to be empty in a root span`
	if v.String() != want || v.Service != "shop" || v.Conn != 1 || v.Ref.Export().Number != 2 {
		t.Errorf("got %+v\nwant %s", v, want)
	}
	spans := otlptest.Exactly(t, srv.Spans(where.Root()), 2)
	if !spans[1].IsRoot() || len(spans[1].Proto().ParentSpanId) != 8 {
		t.Errorf("got %+v, want it to be a root, with the bytes that came", spans[1])
	}
}

func TestFailuresNameTheViolations(t *testing.T) {
	f := run(t, func(tb testing.TB) {
		srv := otlptest.Start(tb)
		if err := postRoot(srv, 1, make([]byte, 8)); err != nil {
			tb.Fatal(err)
		}
		otlptest.Exactly(tb, srv.Violations(), 0)
	})
	if want := "got 1 violation, want exactly 0\n  seen     S-40 error  export 1 resource_spans[0]"; !strings.Contains(f.log.String(), want) {
		t.Errorf("got %s\nwant it to have %s", &f.log, want)
	}
	f = run(t, func(tb testing.TB) { otlptest.Exactly(tb, otlptest.Start(tb).Violations(where.Root()), 0) })
	if want := "filter root applies to spans, not to violations"; !strings.Contains(f.log.String(), want) {
		t.Errorf("got %s\nwant it to have %s", &f.log, want)
	}
}

func TestConnectionsThatAreNotReusedAreSeen(t *testing.T) {
	srv := otlptest.Start(t)
	wasteful := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for _, client := range []*http.Client{wasteful, wasteful, wasteful, wasteful} {
		if err := postRootBy(client, srv, byte(srv.Exports().Len()+1), nil); err != nil {
			t.Fatal(err)
		}
	}
	v := otlptest.One(t, srv.Violations())
	if want := "C-18 warning  export 3: got 3 exports on 3 connections, want a connection that is kept between exports"; v.String() != want {
		t.Errorf("got %s, want %s", v, want)
	}
}

// Run it with -race.
func TestViolationsAreAskedForWhileExportsArrive(t *testing.T) {
	srv := otlptest.Start(t)
	var clients sync.WaitGroup
	for c := range 4 {
		clients.Go(func() {
			for i := range 25 {
				if err := postRoot(srv, byte(1+25*c+i), make([]byte, 8)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for n := 0; n < 100; {
		n = len(otlptest.Await(t, srv.Violations(where.Rule("S-40")), min(n+1, 100)))
	}
	clients.Wait()
	if got := srv.Violations(where.Not(where.Rule("S-40"))).Slice(); len(got) != 0 {
		t.Errorf("got %v, want nothing else", got)
	}
}
