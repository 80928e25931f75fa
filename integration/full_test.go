package integration_test

import (
	"context"
	"testing"
	"testing/synctest"

	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// The full batch of each signal is a message in which every field is set, and
// what queries should return for it.

func fullOf(signal query.Signal) batch {
	switch signal {
	case query.Traces:
		return batch{data: fullTracesProto(), spans: fullSpanValues()}
	case query.Metrics:
		return batch{data: fullMetricsProto(), points: fullPointValues()}
	}
	return batch{data: fullLogsProto(), logs: fullLogValues()}
}

func TestEveryFieldOfEveryMessageArrivesUnchanged(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		want := fullOf(p.signal)
		wantEveryFieldSet(t, want.data)
		for name, zipped := range map[string]bool{"identity": false, "gzip": true} {
			t.Run(name+" over tcp", func(t *testing.T) { deliverFull(t, otlptest.Start(t), p, want, zipped) })
			t.Run(name+" in memory", func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { deliverFull(t, startInMemory(t), p, want, zipped) })
			})
		}
	})
}

func deliverFull(t *testing.T, srv *otlptest.Server, p path, want batch, zipped bool) {
	body := mustMarshal(t, want.data)
	r, err := newClient(t, srv).send(context.Background(), p, body, zipped)
	if err != nil {
		t.Fatal(err)
	}
	if r.err() != nil || len(r.body) != 0 {
		t.Errorf("got answer %v with body %x, want an empty success (S-07)", r.err(), r.body)
	}
	wantItems(t, srv, want)
	e := otlptest.One(t, srv.Exports())
	if e.BodySize != len(body) || (e.WireSize != len(body)) != zipped || (e.Encoding == "gzip") != zipped {
		t.Errorf("got body size %d, wire size %d, encoding %q; sent %d bytes, gzip %t", e.BodySize, e.WireSize, e.Encoding, len(body), zipped)
	}
}

func TestItemsLeadToTheirOfficialMessages(t *testing.T) {
	srv := otlptest.Start(t)
	c := newClient(t, srv)
	for _, p := range paths[:3] {
		c.mustSend(t, p, mustMarshal(t, fullOf(p.signal).data))
	}
	span := otlptest.One(t, srv.Spans())
	if diff := diffMessages(fullTracesProto().ResourceSpans[0].ScopeSpans[0].Spans[0], span.Proto()); diff != "" {
		t.Errorf("span differs (-want +got):\n%s", diff)
	}
	record := otlptest.One(t, srv.Logs())
	if diff := diffMessages(fullLogsProto().ResourceLogs[0].ScopeLogs[0].LogRecords[0], record.Proto()); diff != "" {
		t.Errorf("log record differs (-want +got):\n%s", diff)
	}
	points := srv.Points().Slice()
	for _, m := range fullMetricsProto().ResourceMetrics[0].ScopeMetrics[0].Metrics {
		for _, want := range single(m) {
			if len(points) == 0 {
				t.Fatal("too few points")
			}
			if diff := diffMessages(want, points[0].Proto()); diff != "" {
				t.Errorf("metric differs (-want +got):\n%s", diff)
			}
			points = points[1:]
		}
	}
}

// single is a metric once for each of its data points, with only that one.
func single(m *metricspb.Metric) (ms []*metricspb.Metric) {
	data := m.ProtoReflect().WhichOneof(m.ProtoReflect().Descriptor().Oneofs().ByName("data"))
	listOf := func(m *metricspb.Metric) protoreflect.List {
		d := m.ProtoReflect().Mutable(data).Message()
		return d.Mutable(d.Descriptor().Fields().ByName("data_points")).List()
	}
	for i := range listOf(m).Len() {
		one := proto.CloneOf(m)
		list := listOf(one)
		list.Set(0, list.Get(i))
		list.Truncate(1)
		ms = append(ms, one)
	}
	return ms
}

func TestGeneratedGRPCClientsAreAnswered(t *testing.T) {
	srv := otlptest.Start(t)
	conn := newClient(t, srv).conn
	ctx := t.Context()
	for signal, export := range map[query.Signal]func() (proto.Message, error){
		query.Traces: func() (proto.Message, error) {
			req := &coltracepb.ExportTraceServiceRequest{ResourceSpans: fullTracesProto().ResourceSpans}
			return coltracepb.NewTraceServiceClient(conn).Export(ctx, req, grpc.UseCompressor("gzip"))
		},
		query.Metrics: func() (proto.Message, error) {
			req := &colmetricspb.ExportMetricsServiceRequest{ResourceMetrics: fullMetricsProto().ResourceMetrics}
			return colmetricspb.NewMetricsServiceClient(conn).Export(ctx, req)
		},
		query.Logs: func() (proto.Message, error) {
			req := &collogspb.ExportLogsServiceRequest{ResourceLogs: fullLogsProto().ResourceLogs}
			return collogspb.NewLogsServiceClient(conn).Export(ctx, req)
		},
	} {
		srv.Reset()
		resp, err := export()
		if err != nil {
			t.Errorf("%s: %v", signal, err)
			continue
		}
		if diff := diffMessages(newResponse(signal), resp); diff != "" {
			t.Errorf("%s: response differs (-want +got):\n%s", signal, diff)
		}
		wantItems(t, srv, fullOf(signal))
	}
}

// wantEveryFieldSet checks that a message has no field that is not set, and no
// oneof with a member that is set nowhere in it.
func wantEveryFieldSet(t *testing.T, m proto.Message) {
	t.Helper()
	seen := map[protoreflect.FullName]bool{}
	members := map[protoreflect.FullName]bool{}
	var visit func(m protoreflect.Message)
	visit = func(m protoreflect.Message) {
		fields := m.Descriptor().Fields()
		for i := range fields.Len() {
			f := fields.Get(i)
			if oneof := f.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() {
				members[f.FullName()] = true
				if m.WhichOneof(oneof) == nil {
					t.Errorf("%s is not set in %v", oneof.FullName(), m.Interface())
				}
			} else if !m.Has(f) {
				t.Errorf("%s is not set in %v", f.FullName(), m.Interface())
			}
			if !m.Has(f) {
				continue
			}
			seen[f.FullName()] = true
			switch {
			case f.Message() == nil:
			case f.IsList():
				for i := range m.Get(f).List().Len() {
					visit(m.Get(f).List().Get(i).Message())
				}
			default:
				visit(m.Get(f).Message())
			}
		}
	}
	visit(m.ProtoReflect())
	for name := range members {
		if !seen[name] {
			t.Errorf("%s is set nowhere", name)
		}
	}
}

// in is a list of one attribute that says where it is, so that no list can
// stand for another.
func in(where string) []*commonpb.KeyValue {
	return []*commonpb.KeyValue{keyValue("in", stringValue(where))}
}

func inValue(where string) query.Attrs { return query.Attrs{query.Attr("in", where)} }

// keyValue sets also what only profiles may use and others must ignore (S-50).
func keyValue(key string, v *commonpb.AnyValue) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: v, KeyStrindex: 3}
}

// fullAttrs has every kind of value.
func fullAttrs() []*commonpb.KeyValue {
	return []*commonpb.KeyValue{
		keyValue("string", stringValue("größer ☃\x00")),
		keyValue("bool", boolValue(true)),
		keyValue("int", intValue(-1)),
		keyValue("double", doubleValue(1e300)),
		keyValue("array", arrayValue(stringValue("a"), intValue(1), arrayValue(boolValue(false)), mapValue(keyValue("k", doubleValue(2))))),
		keyValue("map", mapValue(keyValue("k", stringValue("v")), keyValue("k", mapValue(keyValue("deeper", bytesValue(9)))))),
		keyValue("bytes", bytesValue(0xc3, 0x28)),
		keyValue("strindex", &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValueStrindex{StringValueStrindex: 5}}),
		keyValue("int", intValue(1<<63-1)), // a key that is not unique (S-49)
	}
}

func fullAttrsValue() query.Attrs {
	return query.Attrs{
		query.Attr("string", "größer ☃\x00"),
		query.Attr("bool", true),
		query.Attr("int", -1),
		query.Attr("double", 1e300),
		query.Attr("array", []any{"a", 1, []any{false}, query.Attrs{query.Attr("k", 2.0)}}),
		query.Attr("map", query.Attrs{query.Attr("k", "v"), query.Attr("k", query.Attrs{query.Attr("deeper", []byte{9})})}),
		query.Attr("bytes", []byte{0xc3, 0x28}),
		query.Attr("strindex", nil),
		query.Attr("int", int64(1<<63-1)),
	}
}

func fullResource() *resourcepb.Resource {
	return &resourcepb.Resource{
		Attributes: in("resource"), DroppedAttributesCount: 11,
		EntityRefs: []*commonpb.EntityRef{
			{SchemaUrl: "entity schema", Type: "service", IdKeys: []string{"in", "id"}, DescriptionKeys: []string{"description", "more"}},
			{SchemaUrl: "host schema", Type: "host", IdKeys: []string{"host.id"}, DescriptionKeys: []string{"host.name"}},
		},
	}
}

func fullResourceValue() query.Resource {
	return query.Resource{
		Attrs: inValue("resource"), DroppedAttrs: 11, SchemaURL: "resource schema",
		Entities: []query.EntityRef{
			{SchemaURL: "entity schema", Type: "service", IDKeys: []string{"in", "id"}, DescriptionKeys: []string{"description", "more"}},
			{SchemaURL: "host schema", Type: "host", IDKeys: []string{"host.id"}, DescriptionKeys: []string{"host.name"}},
		},
	}
}

func fullScope() *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{Name: "scope", Version: "v9", Attributes: in("scope"), DroppedAttributesCount: 12}
}

func fullScopeValue() query.Scope {
	return query.Scope{Name: "scope", Version: "v9", Attrs: inValue("scope"), DroppedAttrs: 12, SchemaURL: "scope schema"}
}

func fullTracesProto() *tracepb.TracesData {
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: fullResource(), SchemaUrl: "resource schema",
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: fullScope(), SchemaUrl: "scope schema", Spans: []*tracepb.Span{fullSpan()}}},
	}}}
}

func fullMetricsProto() *metricspb.MetricsData {
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource: fullResource(), SchemaUrl: "resource schema",
		ScopeMetrics: []*metricspb.ScopeMetrics{{Scope: fullScope(), SchemaUrl: "scope schema", Metrics: fullMetrics()}},
	}}}
}

func fullLogsProto() *logspb.LogsData {
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: fullResource(), SchemaUrl: "resource schema",
		ScopeLogs: []*logspb.ScopeLogs{{Scope: fullScope(), SchemaUrl: "scope schema", LogRecords: []*logspb.LogRecord{fullRecord()}}},
	}}}
}
