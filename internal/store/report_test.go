package store_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	body, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func spanPB(id int) *tracepb.Span {
	return &tracepb.Span{
		TraceId: binary.BigEndian.AppendUint64(make([]byte, 8), 1), SpanId: binary.BigEndian.AppendUint64(nil, uint64(id+1)),
		Name: "charge", Attributes: []*commonpb.KeyValue{{Key: "id", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: int64(id)}}}},
	}
}

// bodyOf is a body of spans with these ids.
func bodyOf(t testing.TB, ids ...int) []byte {
	spans := make([]*tracepb.Span, len(ids))
	for i, id := range ids {
		spans[i] = spanPB(id)
	}
	return marshal(t, &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}}}}})
}

// exchange is an export that came, and what became of it.
type exchange struct {
	signal  query.Signal
	body    []byte
	kept    bool
	refused wire.Set
	outcome query.Outcome
}

// ledger is a store in which these exchanges took place, one each second.
func ledger(t testing.TB, exchanges ...exchange) *store.Store {
	t.Helper()
	s := store.New(time.Second)
	now := time.Unix(1000, 0)
	for _, x := range exchanges {
		items, err := wire.Validate(x.signal, x.body)
		if err != nil {
			t.Fatal(err)
		}
		r := s.NewRecord(query.Export{Signal: x.signal, Protocol: query.GRPC, Items: items, Arrived: now, Outcome: query.Open}, x.body)
		if x.kept {
			r.KeepExcept(x.refused)
		}
		s.Append(r)
		if x.outcome != query.Open {
			s.Finish(r, func(e *query.Export) { e.Outcome, e.Answered = x.outcome, now })
		}
		now = now.Add(time.Second)
	}
	return s
}

func TestItemsAreCountedHoweverTheyAreBatched(t *testing.T) {
	s := ledger(t,
		exchange{query.Traces, bodyOf(t, 1, 2, 3), true, wire.Set{}, query.Refused}, // an acknowledgement that got lost
		exchange{query.Traces, bodyOf(t, 4), false, wire.Set{}, query.Refused},
		exchange{query.Traces, bodyOf(t, 3, 4), true, wire.Set{}, query.Accepted},
		exchange{query.Traces, bodyOf(t, 2, 1), true, wire.First(1), query.Partial}, // refuses 2, which is there already
		exchange{query.Traces, bodyOf(t, 5), false, wire.Set{}, query.Open},
		exchange{query.Traces, bodyOf(t, 4, 6), true, wire.Set{}, query.Accepted}, // sends 4 again
		exchange{query.Logs, logsOf(t, "a", "a", "b"), true, wire.First(1), query.Partial},
	)
	want := query.ItemCounts{
		Sent: 6, Delivered: 5, Unacknowledged: 1, Acknowledged: 4, LegalDuplicates: 2, IllegalDuplicates: 1,
	}
	if diff := cmp.Diff(want, store.Report(s).ItemsOf(query.Traces)); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	want = query.ItemCounts{Sent: 3, Delivered: 2, Refused: 1, Acknowledged: 2}
	if diff := cmp.Diff(want, store.Report(s).ItemsOf(query.Logs)); diff != "" {
		t.Errorf("log records (-want +got):\n%s", diff)
	}
}

func TestRoundTripIsReported(t *testing.T) {
	s := ledger(t, exchange{query.Traces, bodyOf(t, 1), true, wire.Set{}, query.Accepted})
	s.SetRoundTrip(time.Second)
	if got := store.Report(s).Throughput().RoundTrip; got != time.Second {
		t.Errorf("got %s, want 1s", got)
	}
}

func TestHeadersComeBackAsTheyWere(t *testing.T) {
	s := store.New(time.Second)
	headers := []query.Header{
		nil,
		{},
		{"user-agent": {"a"}, "content-length": {"1"}},
		{"user-agent": {"a"}, "content-length": {"2"}},
		{"user-agent": {"a"}},
		{"user-agent": {"a"}, "content-length": {"1"}, "x": {"1", "2"}},
		{"user-agent": {"a"}, "content-length": {"1"}, "x": {"2", "1"}},
		{"user-agent": {}, "a": {"1"}, "b": {"2"}, "c": {"3"}, "d": {"4"}, "e": {"5"}},
		{"user-agent": {"a"}, "content-length": {"1"}},
	}
	for range 2 {
		for _, h := range headers {
			r := s.NewRecord(query.Export{Header: h}, nil)
			if diff := cmp.Diff(h, r.Export().Header); diff != "" {
				t.Errorf("header (-want +got):\n%s", diff)
			}
		}
	}
}

func TestConnectionsTellWhetherTheyWereUsed(t *testing.T) {
	s := store.New(time.Second)
	c := s.Connect(query.Connection{})
	c.Secure("TLS 1.3")
	for _, want := range []bool{false, true, true} {
		if reused, tls := c.Begin(query.GRPC, ""); reused != want || tls != "TLS 1.3" {
			t.Errorf("got %v, %q, want %v and TLS 1.3", reused, tls, want)
		}
	}
}

func logsOf(t testing.TB, bodies ...string) []byte {
	var records []*logspb.LogRecord
	for _, b := range bodies {
		records = append(records, &logspb.LogRecord{Body: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: b}}})
	}
	return marshal(t, &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{LogRecords: records}}}}})
}

func pointsOf(t testing.TB, times ...uint64) []byte {
	var points []*metricspb.NumberDataPoint
	for _, at := range times {
		points = append(points, &metricspb.NumberDataPoint{TimeUnixNano: at, Value: &metricspb.NumberDataPoint_AsInt{AsInt: int64(at)}})
	}
	return marshal(t, &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{ScopeMetrics: []*metricspb.ScopeMetrics{{
		Metrics: []*metricspb.Metric{{Name: "queue", Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: points}}}},
	}}}}})
}

func TestBackendsAreComparedByItems(t *testing.T) {
	kept := func(sig query.Signal, body []byte) exchange {
		return exchange{sig, body, true, wire.Set{}, query.Accepted}
	}
	changed := spanPB(2)
	changed.Name, changed.Attributes = "pay", nil
	service := &resourcepb.Resource{Attributes: []*commonpb.KeyValue{{Key: "service.name", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "shop"}}}}}
	a := ledger(t, kept(query.Traces, bodyOf(t, 1, 2)), kept(query.Traces, bodyOf(t, 3)), kept(query.Traces, bodyOf(t, 3)),
		kept(query.Logs, logsOf(t, "a", "b", "a")), kept(query.Metrics, pointsOf(t, 1, 2)))
	b := ledger(t, kept(query.Traces, bodyOf(t, 1)), kept(query.Traces, marshal(t, &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{
		{Resource: service, ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{changed}}}},
	}})), kept(query.Traces, bodyOf(t, 4)), kept(query.Logs, logsOf(t, "b")), kept(query.Logs, logsOf(t, "a")), kept(query.Metrics, pointsOf(t, 2, 3)))

	got := query.Compare(spans(a), spans(b))
	const want = `compare: 2 spans in both, 1 of them different; 1 only in a, 1 only in b
  only a   "charge"  trace 00000000000000000000000000000001  span 0000000000000004  service=
  only b   "charge"  trace 00000000000000000000000000000001  span 0000000000000005  service=
  differs  "charge"  trace 00000000000000000000000000000001  span 0000000000000003  service=: name, attributes, resource`
	if err := got.Err(); got.Equal() || err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if n := len(got.Both); n != 2 || !got.Both[0].SameBytes || got.Both[1].SameBytes || got.Both[1].B.Name != "pay" {
		t.Errorf("got %d pairs, want the first with the same bytes and the second as each has it", n)
	}
	same := query.Compare(query.NewView(store.Logs{Source: store.SourceOf(a)}), query.NewView(store.Logs{Source: store.SourceOf(b)}))
	if err := same.Err(); err != nil || !same.Equal() || len(same.Both) != 2 {
		t.Errorf("got %v, want equal log records, one of which a has twice", err)
	}
	points := query.Compare(query.NewView(store.Points{Source: store.SourceOf(a)}), query.NewView(store.Points{Source: store.SourceOf(b)}))
	if len(points.Both) != 1 || len(points.OnlyA) != 1 || len(points.OnlyB) != 1 || !strings.Contains(points.String(), `only a   "queue"  service=  at 00:00:00.000000001`) {
		t.Errorf("got %s, want one point in both and one in each", points)
	}
}

func TestADuplicateInAnotherFormDoesNotConfuseAComparison(t *testing.T) {
	kept := func(body []byte) exchange { return exchange{query.Traces, body, true, wire.Set{}, query.Accepted} }
	other := spanPB(1)
	other.Name = "pay"
	second := marshal(t, &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{other}}}}}})
	a := ledger(t, kept(second), kept(bodyOf(t, 1)), kept(second))
	b := ledger(t, kept(bodyOf(t, 1)))
	if err := query.Compare(spans(a), spans(b)).Err(); err != nil {
		t.Errorf("got %v, want the form that both have", err)
	}
}

func TestAComparisonOfNothingFails(t *testing.T) {
	s := ledger(t, exchange{query.Traces, bodyOf(t, 1), true, wire.Set{}, query.Accepted})
	if err := query.Compare(spans(s, where.Name("x")), spans(s, where.Name("x"))).Err(); !errors.Is(err, query.ErrNothingToCheck) {
		t.Errorf("got %v of two empty views, want nothing to check", err)
	}
	bad := query.Compare(spans(s), spans(s, where.Rule("S-40")))
	if err := bad.Err(); err == nil || bad.Equal() || !strings.HasPrefix(err.Error(), "compare: view b: ") {
		t.Errorf("got %v of a filter that cannot apply, want view b's error", err)
	}
}
