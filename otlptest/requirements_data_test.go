package otlptest_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

var dataRequirements = []requirement{
	{number: "S-38", text: "Envelopes without anything in them may be ignored.", test: emptyEnvelopesAreIgnored},
	{number: "S-39", text: "Unknown protobuf fields, of a later version, are ignored.", test: unknownFieldsAreIgnored},
	{number: "S-40", text: "A trace id of other than 16 bytes, a span id of other than 8, and zeros are invalid; a root span has no parent.", test: invalidIDsAreNone},
	{number: "S-41", text: "Flags are read through their masks: reserved bits may be set.", test: reservedFlagsAreMasked},
	{number: "S-42", text: "Kind 0 is unspecified, an absent status is unset, an absent scope has no name.", test: absentIsZero},
	{number: "S-48", text: "A log record with invalid ids belongs to no trace.", test: recordsWithInvalidIDsBelongToNoTrace},
	{number: "S-49", text: "Attribute keys are unique; values may be empty, bytes, maps and mixed arrays.", test: attributesAreUniqueAndOfAnyKind},
	{number: "S-50", text: "Indices into the string table of profiles are not fatal elsewhere: they warn and count as absent.", test: stringIndicesAreAbsent},
}

func emptyEnvelopesAreIgnored(t *testing.T) {
	for _, m := range []proto.Message{
		&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{}, {Resource: shop()}}},
		&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{}}}}},
		&logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{ScopeLogs: []*logspb.ScopeLogs{{}, {}}}}},
		&metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{}}},
		metrics(), metrics(&metricspb.Metric{}), metrics(&metricspb.Metric{Name: "m"}), metrics(gauge("m")),
	} {
		accepted(t, m, func(t *testing.T, srv *otlptest.Server) {
			if e := otlptest.One(t, srv.Exports()); e.Outcome != query.Accepted || e.Items != 0 {
				t.Errorf("got %s, want it accepted without items", e)
			}
			if n := stored(srv, query.Traces) + stored(srv, query.Metrics) + stored(srv, query.Logs); n != 0 {
				t.Errorf("got %d items of %v", n, m)
			}
		})
	}
}

func unknownFieldsAreIgnored(t *testing.T) {
	for _, sig := range signals {
		for _, via := range []query.Protocol{query.GRPC, query.HTTPProtobuf} {
			srv := otlptest.Start(t)
			w := newWire(t, srv)
			plain, later := full(sig), full(sig)
			extend(later.ProtoReflect())
			for _, m := range []proto.Message{plain, later} {
				if got := w.export(via, m).String(); got != success(via) {
					t.Errorf("got %s, want %s", got, success(via))
				}
			}
			if diff := cmp.Diff(halves(srv, sig)); diff != "" {
				t.Errorf("%s over %s with unknown fields (-without +with):\n%s", sig, via, diff)
			}
			if e := srv.Exports().Slice()[1]; !proto.Equal(later, e.Proto()) {
				t.Errorf("got %v, want the unknown fields kept", e.Proto())
			}
		}
	}
}

// full is a request with a message of every type that the signal has.
func full(sig query.Signal) proto.Message {
	attrs := []*commonpb.KeyValue{
		attr("s", "x"), keyed("a", arrayValue(stringValue("x"), mapValue(attr("n", 1)))),
	}
	switch sig {
	case query.Traces:
		s := goodSpan()
		s.Attributes, s.Status = attrs, &tracepb.Status{Code: 2, Message: "m"}
		s.Events = []*tracepb.Span_Event{{Name: "e", TimeUnixNano: at, Attributes: attrs}}
		s.Links = []*tracepb.Span_Link{{TraceId: traceID[:], SpanId: spanID[:], Attributes: attrs}}
		return traces(s)
	case query.Metrics:
		p := intPoint(7)
		p.Attributes = attrs
		p.Exemplars = []*metricspb.Exemplar{{TimeUnixNano: at, TraceId: traceID[:], SpanId: spanID[:], FilteredAttributes: attrs, Value: &metricspb.Exemplar_AsInt{AsInt: 7}}}
		return metrics(gauge("g", p), sum("s", delta, proto.Clone(p).(*metricspb.NumberDataPoint)),
			histogram("h", &metricspb.HistogramDataPoint{Count: 3, BucketCounts: []uint64{1, 2}, ExplicitBounds: []float64{5}, Attributes: attrs}),
			exponential("e", &metricspb.ExponentialHistogramDataPoint{
				Count: 3, ZeroCount: 1, Positive: &metricspb.ExponentialHistogramDataPoint_Buckets{BucketCounts: []uint64{2}},
			}),
			summary("y", &metricspb.SummaryDataPoint{Count: 1, QuantileValues: []*metricspb.SummaryDataPoint_ValueAtQuantile{{Quantile: 0.5, Value: 1}}}))
	}
	r := goodRecord()
	r.Attributes, r.Body = attrs, mapValue(attrs...)
	return logs(r)
}

// laterFields is a field of each wire type that OTLP does not have.
var laterFields = func() []byte {
	b := protowire.AppendVarint(protowire.AppendTag(nil, 1000, protowire.VarintType), 1)
	b = protowire.AppendFixed32(protowire.AppendTag(b, 1001, protowire.Fixed32Type), 2)
	b = protowire.AppendFixed64(protowire.AppendTag(b, 1002, protowire.Fixed64Type), 3)
	b = protowire.AppendString(protowire.AppendTag(b, 1003, protowire.BytesType), "\xff later")
	return protowire.AppendGroup(protowire.AppendTag(b, 1004, protowire.StartGroupType), 1004, bytes.Clone(b))
}()

// extend adds unknown fields to a message and to all in it.
func extend(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				extend(v.List().Get(i).Message())
			}
		default:
			extend(v.Message())
		}
		return true
	})
	m.SetUnknown(laterFields)
}

// halves is the first and the second half of what a server has stored.
func halves(srv *otlptest.Server, sig query.Signal) (first, second any) {
	switch sig {
	case query.Traces:
		s := srv.Spans().Slice()
		return s[:len(s)/2], s[len(s)/2:]
	case query.Metrics:
		p := srv.Points().Slice()
		return p[:len(p)/2], p[len(p)/2:]
	}
	l := srv.Logs().Slice()
	return l[:len(l)/2], l[len(l)/2:]
}

func invalidIDsAreNone(t *testing.T) {
	for _, n := range []int{0, 8, 15, 17, 24, 16} { // 16 zeros
		s := goodSpan()
		s.TraceId = make([]byte, n)
		spanIs(t, s, "spans[0].trace_id", func(s query.Span) bool {
			return s.TraceID.IsZero() && s.SpanID == spanID && len(s.Proto().TraceId) == n
		})
	}
	for _, n := range []int{0, 1, 7, 9, 16, 8} { // 8 zeros
		s := goodSpan()
		s.SpanId = make([]byte, n)
		spanIs(t, s, "spans[0].span_id", func(s query.Span) bool {
			return s.SpanID.IsZero() && s.TraceID == traceID && len(s.Proto().SpanId) == n
		})
		s = goodSpan()
		s.ParentSpanId = make([]byte, n)
		path := "spans[0].parent_span_id"
		if n == 0 {
			path = ""
		}
		spanIs(t, s, path, func(s query.Span) bool { return s.IsRoot() && len(s.Proto().ParentSpanId) == n })
	}
	s := goodSpan()
	s.ParentSpanId = spanID[:]
	spanIs(t, s, "", func(s query.Span) bool { return !s.IsRoot() && s.ParentSpanID == spanID })
}

// spanIs sends a span by every protocol that can carry it and checks what is
// stored, and where S-40 is violated, if anywhere.
func spanIs(t *testing.T, s *tracepb.Span, path string, want func(query.Span) bool) {
	t.Helper()
	for _, via := range protocols {
		if via == query.HTTPJSON && !(jsonID(s.TraceId, 16) && jsonID(s.SpanId, 8) && jsonID(s.ParentSpanId, 8)) {
			continue // S-32: it is refused
		}
		srv := otlptest.Start(t)
		if got := newWire(t, srv).export(via, traces(s)).String(); got != success(via) {
			t.Errorf("got %s, want %s", got, success(via))
		}
		if got := otlptest.One(t, srv.Spans()); !want(got) {
			t.Errorf("got span %+v over %s of %v", got, via, s)
		}
		if path == "" {
			conforms(t, srv)
			strictly(t, via, traces(s), "S-40", 0)
			continue
		}
		violates(t, srv, "S-40", query.LevelError, path)
		strictly(t, via, traces(s), "S-40", 1)
		strictly(t, via, traces(goodSpan(), s, goodSpan()), "S-40", 1)
	}
}

func jsonID(id []byte, n int) bool { return len(id) == 0 || len(id) == n }

func reservedFlagsAreMasked(t *testing.T) {
	type meaning struct{ Sampled, Remote, Known bool }
	for flags, want := range map[uint32]meaning{
		0: {}, 1: {Sampled: true}, 0x100: {Known: true}, 0x101: {Sampled: true, Known: true}, 0x300: {Remote: true, Known: true},
		0x301: {true, true, true}, 0x200: {}, 0xfffffd00: {Known: true}, 0xfffffc00: {}, 0xffffffff: {true, true, true}, 0xfe: {},
	} {
		s := goodSpan()
		s.Flags = flags
		s.Links = []*tracepb.Span_Link{{TraceId: traceID[:], SpanId: spanID[:], Flags: flags}}
		accepted(t, traces(s), func(t *testing.T, srv *otlptest.Server) {
			s := otlptest.One(t, srv.Spans())
			for _, f := range []query.SpanFlags{s.Flags, s.Links[0].Flags} {
				remote, known := f.Remote()
				if got := (meaning{f.Sampled(), remote, known}); got != want || uint32(f) != flags {
					t.Errorf("got %+v of flags %#x, want %+v of %#x", got, uint32(f), want, flags)
				}
			}
		})
		r := goodRecord()
		r.Flags = flags
		accepted(t, logs(r), func(t *testing.T, srv *otlptest.Server) {
			if l := otlptest.One(t, srv.Logs()); l.Flags.Sampled() != want.Sampled || uint32(l.Flags) != flags {
				t.Errorf("got sampled %t of flags %#x, want %t of %#x", l.Flags.Sampled(), uint32(l.Flags), want.Sampled, flags)
			}
		})
	}
}

func absentIsZero(t *testing.T) {
	m := traces(&tracepb.Span{TraceId: traceID[:], SpanId: spanID[:], Name: "charge", StartTimeUnixNano: at, EndTimeUnixNano: at})
	m.ResourceSpans[0].ScopeSpans[0].Scope = nil
	accepted(t, m, func(t *testing.T, srv *otlptest.Server) {
		want := query.Span{
			TraceID: traceID, SpanID: spanID, Name: "charge", Start: query.Time(at), End: query.Time(at),
			Kind: query.SpanKindUnspecified, Status: query.SpanStatus{Code: query.StatusUnset},
			Resource: query.Resource{Attrs: query.Attrs{query.Attr("service.name", "shop")}},
		}
		if diff := cmp.Diff(want, otlptest.One(t, srv.Spans(where.Status(query.StatusUnset), where.ScopeName(""), where.Root()))); diff != "" {
			t.Errorf("span (-want +got):\n%s", diff)
		}
		conforms(t, srv)
	})
	l := logs(goodRecord())
	l.ResourceLogs[0].Resource, l.ResourceLogs[0].ScopeLogs[0].Scope = nil, nil
	accepted(t, l, func(t *testing.T, srv *otlptest.Server) {
		if l := otlptest.One(t, srv.Logs()); l.Scope.Name != "" || l.Resource.Service() != "" {
			t.Errorf("got scope %+v and resource %+v, want none", l.Scope, l.Resource)
		}
	})
}

func recordsWithInvalidIDsBelongToNoTrace(t *testing.T) {
	trace, span := traceID[:], spanID[:]
	tests := []struct {
		trace, span []byte
		path        string // of the violation of S-48, if there is one
	}{
		{trace, span, ""},
		{nil, nil, ""},
		{trace, nil, ""},
		{nil, span, "log_records[0].trace_id"},
		{make([]byte, 16), span, "log_records[0].trace_id"},
		{trace, make([]byte, 8), "log_records[0].span_id"},
		{trace[:15], span, "log_records[0].trace_id"},
		{trace, span[:4], "log_records[0].span_id"},
	}
	for _, test := range tests {
		for _, via := range protocols {
			if via == query.HTTPJSON && !(jsonID(test.trace, 16) && jsonID(test.span, 8)) {
				continue // S-32: it is refused
			}
			srv := otlptest.Start(t)
			r := goodRecord()
			r.TraceId, r.SpanId = test.trace, test.span
			if got := newWire(t, srv).export(via, logs(r)).String(); got != success(via) {
				t.Errorf("got %s, want %s", got, success(via))
			}
			belongs := bytes.Equal(test.trace, trace)
			if n := len(otlptest.Exactly(t, srv.Logs(), 1)) - srv.Logs(where.TraceID(traceID)).Len(); (n == 0) != belongs {
				t.Errorf("got record %+v, want it in the trace: %t", srv.Logs().Slice()[0], belongs)
			}
			strictly(t, via, logs(r), "S-48", 0) // they are read all the same
			if test.path == "" {
				conforms(t, srv)
				continue
			}
			violates(t, srv, "S-48", query.LevelWarning, test.path)
		}
	}
}

func arrayValue(vs ...*commonpb.AnyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: vs}}}
}

func mapValue(kvs ...*commonpb.KeyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: kvs}}}
}

func attributesAreUniqueAndOfAnyKind(t *testing.T) {
	bytesValue := &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: []byte{0, 0xff}}}
	double := &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: 1.5}}
	yes := &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: true}}
	s := goodSpan()
	s.Attributes = []*commonpb.KeyValue{
		keyed("empty", &commonpb.AnyValue{}), keyed("absent", nil), keyed("bytes", bytesValue), keyed("no array", arrayValue()), keyed("no map", mapValue()),
		keyed("map", mapValue(attr("a", 1), keyed("b", mapValue(keyed("c", double))))),
		keyed("mixed", arrayValue(attr("", 1).Value, stringValue("x"), bytesValue, yes, arrayValue(double), mapValue(attr("d", "y")), &commonpb.AnyValue{})),
	}
	accepted(t, traces(s), func(t *testing.T, srv *otlptest.Server) {
		want := query.Attrs{
			query.Attr("empty", nil), query.Attr("absent", nil), query.Attr("bytes", []byte{0, 0xff}), query.Attr("no array", []any{}), query.Attr("no map", query.Attrs{}),
			query.Attr("map", query.Attrs{query.Attr("a", 1), query.Attr("b", query.Attrs{query.Attr("c", 1.5)})}),
			query.Attr("mixed", []any{1, "x", []byte{0, 0xff}, true, []any{1.5}, query.Attrs{query.Attr("d", "y")}, nil}),
		}
		if diff := cmp.Diff(want, otlptest.One(t, srv.Spans()).Attrs); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
		conforms(t, srv)
	})
	s.Attributes = []*commonpb.KeyValue{attr("k", 1), attr("other", 2), attr("k", "x"), keyed("m", mapValue(attr("n", 1), attr("n", 1)))}
	accepted(t, traces(s), func(t *testing.T, srv *otlptest.Server) {
		if got := otlptest.One(t, srv.Spans(where.Attr("k", 1))).Attrs; len(got) != 4 || got[2].Value.Str() != "x" {
			t.Errorf("got %s, want duplicates kept and the first to count", got)
		}
		violates(t, srv, "S-49", query.LevelError, "spans[0].attributes[2].key", "spans[0].attributes[3].value.kvlist_value.values[1].key")
	})
	for _, via := range protocols {
		strictly(t, via, traces(s, goodSpan()), "S-49", 1)
	}
}

func stringIndicesAreAbsent(t *testing.T) {
	s := goodSpan()
	value := &commonpb.AnyValue{}
	value.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 8, protowire.VarintType), 3))
	key := attr("", "x")
	key.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), 4))
	s.Attributes = []*commonpb.KeyValue{keyed("k", value), key}
	bodies := map[query.Protocol][]byte{
		query.GRPC: encode(t, query.GRPC, traces(s)), query.HTTPProtobuf: encode(t, query.HTTPProtobuf, traces(s)),
		query.HTTPJSON: []byte(jsonTraces(fmt.Sprintf(`{"traceId":%q,"spanId":%q,"attributes":[{"key":"k","value":{"stringValueStrindex":3}},{"keyStrindex":4,"value":{"stringValue":"x"}}]}`, traceID, spanID))),
	}
	for via, body := range bodies {
		srv := otlptest.Start(t)
		if got := newWire(t, srv).send(via, query.Traces, body, false).String(); got != success(via) {
			t.Errorf("got %s, want %s", got, success(via))
		}
		if diff := cmp.Diff(query.Attrs{query.Attr("k", nil), query.Attr("", "x")}, otlptest.One(t, srv.Spans()).Attrs); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
		violates(t, srv, "S-50", query.LevelWarning, "spans[0].attributes[0].value.string_value_strindex", "spans[0].attributes[1].key_strindex")
	}
}
