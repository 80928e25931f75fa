package query_test

import (
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/query"
)

func TestExportsAsLines(t *testing.T) {
	refused := query.Status{Code: 14}
	for _, c := range []struct {
		export query.Export
		want   string
	}{
		{
			query.Export{Number: 3, Signal: query.Traces, Protocol: query.GRPC, Items: 5, Outcome: query.Refused, Status: refused, Fault: query.FaultRef{Rule: 1, Fault: 1, Of: 2, Text: "unavailable"}},
			"3 traces grpc 5 spans UNAVAILABLE (fault 1 of 2)",
		},
		{
			query.Export{Number: 4, Signal: query.Metrics, Protocol: query.HTTPProtobuf, Items: 1, Outcome: query.Refused, Status: query.Status{Code: 14, HTTP: 503}, Fault: query.FaultRef{Rule: 2, Fault: 7, Text: "throttle 30s"}},
			"4 metrics http/protobuf 1 point 503 UNAVAILABLE (always throttle 30s of rule 2)",
		},
		{
			query.Export{Number: 5, Signal: query.Logs, Protocol: query.HTTPJSON, Items: 2, Outcome: query.Partial, Rejected: 1},
			"5 logs http/json 2 log records partial success, 1 rejected",
		},
		{query.Export{Number: 6, Signal: query.Logs, Protocol: query.GRPC, Outcome: query.Accepted}, "6 logs grpc 0 log records accepted"},
		{query.Export{Number: 7, Signal: query.Traces, Protocol: query.GRPC, Items: 1, Outcome: query.Abandoned}, "7 traces grpc 1 span client gave up"},
		{
			query.Export{Number: 8, Protocol: query.HTTPProtobuf, Path: "/v1/spans", Outcome: query.Malformed, Status: query.Status{Code: 12, HTTP: 404}},
			"8 http/protobuf /v1/spans malformed 404 UNIMPLEMENTED",
		},
		{query.Export{Number: 9, Path: "/x", Outcome: query.Open}, "9 /x open"},
	} {
		if got := c.export.String(); got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
	}
}

func TestAcknowledged(t *testing.T) {
	for outcome, want := range map[query.Outcome]bool{
		query.Accepted: true, query.Partial: true,
		query.Open: false, query.Refused: false, query.Malformed: false, query.Abandoned: false, query.Cut: false,
	} {
		if got := (query.Export{Outcome: outcome}).Acknowledged(); got != want {
			t.Errorf("%s: got %t, want %t", outcome, got, want)
		}
	}
}

func TestCountOfItems(t *testing.T) {
	for want, got := range map[string]string{
		"1 span": query.Traces.Count(1), "0 points": query.Metrics.Count(0), "2 log records": query.Logs.Count(2), "1 item": query.Signal("").Count(1),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestHeadersIgnoreCase(t *testing.T) {
	h := query.Header{"user-agent": {"a", "b"}, "empty": nil}
	if got := h.Get("User-Agent"); got != "a" {
		t.Errorf("got %q, want a", got)
	}
	if got := h.Get("empty") + h.Get("none") + query.Header(nil).Get("none"); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

// origin is an export that items came in.
type origin query.Export

func (o origin) Export() query.Export { return query.Export(o) }

func TestRefsLeadToWhatWasReceived(t *testing.T) {
	msg := &tracepb.Span{Name: "charge", SpanId: []byte{1, 2}}
	raw, err := proto.Marshal(msg)
	if err != nil {
		t.Fatal(err)
	}
	span := query.Span{Name: "charge", Ref: query.NewRef(origin{Number: 3}, 7, raw, 0)}
	if got := span.Proto(); !proto.Equal(got, msg) {
		t.Errorf("got %v, want %v", got, msg)
	}
	if got := span.Ref.Number(); got != 7 {
		t.Errorf("got number %d, want 7", got)
	}
	if got := span.Ref.Export().Number; got != 3 {
		t.Errorf("got export %d, want 3", got)
	}
	if !span.Ref.Equal(query.Ref{}) {
		t.Error("refs are not equal")
	}
}

func TestWhatWasNotReceivedLeadsNowhere(t *testing.T) {
	var span query.Span
	if span.Proto() != nil || (query.Log{}).Proto() != nil || (query.Point{}).Proto() != nil {
		t.Error("got a message, want nil")
	}
	if span.Ref.Number() != 0 || span.Ref.Export().Number != 0 {
		t.Errorf("got number %d of export %v", span.Ref.Number(), span.Ref.Export())
	}
	for _, signal := range []query.Signal{"", query.Traces, query.Metrics, query.Logs} {
		e := query.Export{Signal: signal, Ref: query.NewRef(origin{}, 1, []byte("no message"), 0)}
		if got := e.Proto(); got != nil {
			t.Errorf("%s: got %v, want nil", signal, got)
		}
	}
}
