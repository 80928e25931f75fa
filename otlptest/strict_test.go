package otlptest_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

func names(srv *otlptest.Server) (names []string) {
	for s := range srv.Spans().All() {
		names = append(names, s.Name)
	}
	return names
}

func unclean(name string) *tracepb.Span {
	s := span(name)
	s.SpanId = []byte{1, 2, 3}
	return s
}

func TestStrictRefusesItemsByAPartialSuccess(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithStrict())
	if status := send(t, srv, span("a"), unclean("b"), span("c"), unclean("d")); status != 200 {
		t.Fatalf("got status %d, want 200 with a partial success", status)
	}
	if diff := cmp.Diff([]string{"a", "c"}, names(srv)); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	e := otlptest.One(t, srv.Exports())
	if e.Outcome != query.Partial || e.Rejected != 2 || e.Stored != 2 || !strings.HasPrefix(e.Status.Message, "2 of 4 spans refused: ") {
		t.Errorf("got %+v, want two of four refused and why", e)
	}
	if n := srv.Spans().Slice()[1].Ref.Number(); n != 2 {
		t.Errorf("got number %d for the second span that was kept, want 2", n)
	}
}

func TestStrictRefusesARequestWithNothingAcceptable(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithStrict())
	if status := send(t, srv, unclean("a"), unclean("b")); status != 400 {
		t.Errorf("got status %d, want 400", status)
	}
	otlptest.Exactly(t, srv.Spans(), 0)
	if e := otlptest.One(t, srv.Exports()); e.Outcome != query.Refused || e.Items != 2 {
		t.Errorf("got %+v, want it refused with what it carried known", e)
	}
}

func TestStrictOnlyReportsWhatHarmsNoItem(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithStrict())
	if status := send(t, srv, span("without times")); status != 200 {
		t.Errorf("got status %d, want 200", status)
	}
	otlptest.Exactly(t, srv.Spans(), 1)
	if n := srv.Violations().Len(); n == 0 {
		t.Error("got no violation, want the missing times reported")
	}
}

func TestStrictReadsJSONStrictly(t *testing.T) {
	const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"01010101010101010101010101010101","spanId":"0202020202020202","name":"a","kind":"SPAN_KIND_SERVER"}]}]}]}`
	for _, strict := range []bool{false, true} {
		var opts []otlptest.Option
		if strict {
			opts = append(opts, otlptest.WithStrict())
		}
		srv := otlptest.Start(t, opts...)
		res, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if strict != (res.StatusCode == 400) || strict != strings.Contains(string(answer), "S-33") {
			t.Errorf("got status %d and %s with strict %v, want 400 and S-33 only if strict", res.StatusCode, answer, strict)
		}
	}
}

func TestAFaultDecidesBeforeStrictDoes(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithStrict(), otlptest.WithFaults(faults.Sequence(faults.PartialSuccess(0, "fine"), faults.Unavailable())))
	if status := send(t, srv, unclean("a")); status != 200 {
		t.Errorf("got status %d for the first, want 200", status)
	}
	if status := send(t, srv, unclean("b")); status != 503 {
		t.Errorf("got status %d for the second, want 503", status)
	}
	otlptest.Exactly(t, srv.Spans(), 1)
}

// What a strict server answers is a partial success like any other.
func TestStrictAnswersAPartialSuccess(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithStrict())
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{span("a"), unclean("b")}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	res, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	partial, n := protowire.ConsumeBytes(answer[1:])
	if answer[0] != 0x0a || n < 0 || !bytes.HasPrefix(partial, []byte{0x08, 1, 0x12}) {
		t.Errorf("got %q, want a partial success that rejects 1", answer)
	}
}
