package main_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	collectorlogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	collectormetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	collectortrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// filler sends what a shop of five services would, with what goes wrong on the
// way: the same for a seed in every run, but for times.
type filler struct {
	http    string // a base URL
	control string // a base URL, "" for no faults
	now     time.Time
	rand    *rand.Rand
	source  *rand.ChaCha8 // of ids
	conn    *grpc.ClientConn
	client  *http.Client
	traces  [][]byte // ids, for exemplars and logs
	orders  int
	known   map[string]string // ids in hex of traces that tests look at: big, failed, linked, orphan, twice, skewed
}

func newFiller(grpcAt, httpAt, control string) (*filler, error) {
	conn, err := grpc.NewClient(grpcAt, grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDisableRetry())
	if err != nil {
		return nil, err
	}
	source := rand.NewChaCha8([32]byte{7})
	return &filler{
		http: strings.TrimSuffix(httpAt, "/"), control: strings.TrimSuffix(control, "/"),
		now: time.Now(), rand: rand.New(source), source: source, conn: conn, known: map[string]string{}, client: &http.Client{Transport: &http.Transport{}},
	}, nil
}

func (f *filler) close() error {
	f.client.CloseIdleConnections()
	return f.conn.Close()
}

func (f *filler) id(n int) []byte {
	b := make([]byte, n)
	f.source.Read(b) // which has no end
	return b
}

// attempt sends a message once over gRPC.
func (f *filler) attempt(ctx context.Context, m proto.Message) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch m := m.(type) {
	case *collectortrace.ExportTraceServiceRequest:
		_, err = collectortrace.NewTraceServiceClient(f.conn).Export(ctx, m)
	case *collectormetrics.ExportMetricsServiceRequest:
		_, err = collectormetrics.NewMetricsServiceClient(f.conn).Export(ctx, m)
	case *collectorlogs.ExportLogsServiceRequest:
		_, err = collectorlogs.NewLogsServiceClient(f.conn).Export(ctx, m)
	}
	return err
}

// send sends a message over gRPC, and again after each of these times, whatever
// the answers are. It returns the last one.
func (f *filler) send(ctx context.Context, m proto.Message, again ...time.Duration) error {
	err := f.attempt(ctx, m)
	for _, d := range again {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return ctx.Err()
		}
		err = f.attempt(ctx, m)
	}
	return err
}

// post sends a body over HTTP; an answer that refuses it is none of ours.
func (f *filler) post(ctx context.Context, path, contentType string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.http+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := f.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (f *filler) postProto(ctx context.Context, m proto.Message) error {
	path := "/v1/traces"
	switch m.(type) {
	case *collectormetrics.ExportMetricsServiceRequest:
		path = "/v1/metrics"
	case *collectorlogs.ExportLogsServiceRequest:
		path = "/v1/logs"
	}
	body, err := proto.Marshal(m)
	if err != nil {
		return err
	}
	return f.post(ctx, path, "application/x-protobuf", body)
}

// fault adds rules, in the text form.
func (f *filler) fault(ctx context.Context, rules string) error {
	if f.control == "" {
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.control+"/api/v1/faults", strings.NewReader(rules))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "text/plain")
	resp, err := f.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("POST faults %q: %s: %s", rules, resp.Status, said)
	}
	return nil
}

func attr(key string, v any) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: key, Value: anyValue(v)}
}

func attrs(kv ...any) (list []*commonpb.KeyValue) {
	for i := 0; i < len(kv); i += 2 {
		list = append(list, attr(kv[i].(string), kv[i+1]))
	}
	return list
}

func anyValue(v any) *commonpb.AnyValue {
	switch v := v.(type) {
	case string:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: v}}
	case bool:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: v}}
	case int:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: int64(v)}}
	case float64:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: v}}
	case []byte:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: v}}
	case []any:
		list := &commonpb.ArrayValue{}
		for _, e := range v {
			list.Values = append(list.Values, anyValue(e))
		}
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: list}}
	case []*commonpb.KeyValue:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: v}}}
	}
	return &commonpb.AnyValue{}
}

func nano(t time.Time) uint64 { return uint64(t.UnixNano()) }

// services says what each is written in.
var services = map[string]string{"web": "nodejs", "cart": "go", "checkout": "java", "payment": "go", "inventory": "python", "mailer": "ruby"}

func resource(service string) *resourcepb.Resource {
	return &resourcepb.Resource{Attributes: attrs(
		"service.name", service, "service.version", "2.4.1", "service.instance.id", service+"-7c9d4", "service.namespace", "shop",
		"deployment.environment.name", "staging", "host.name", "node-3", "telemetry.sdk.language", services[service],
		"telemetry.sdk.name", "opentelemetry", "telemetry.sdk.version", "1.47.0")}
}

func scopeOf(service string) *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{Name: "example.com/shop/" + service, Version: "2.4.1", Attributes: attrs("team", "shop")}
}

// spansRequest has spans of one service.
func spansRequest(service string, spans ...*tracepb.Span) *collectortrace.ExportTraceServiceRequest {
	return &collectortrace.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: resource(service), SchemaUrl: "https://opentelemetry.io/schemas/1.37.0",
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: scopeOf(service), Spans: spans}},
	}}}
}

const (
	internal = tracepb.Span_SPAN_KIND_INTERNAL
	server   = tracepb.Span_SPAN_KIND_SERVER
	client   = tracepb.Span_SPAN_KIND_CLIENT
	producer = tracepb.Span_SPAN_KIND_PRODUCER
	consumer = tracepb.Span_SPAN_KIND_CONSUMER
)

// violations sends what departs from OTLP.
func (f *filler) violations(ctx context.Context) error {
	at := f.now.Add(-3 * time.Second)
	nameless := f.browse(at, "/cart").spans["web"]
	backwards := f.story().span("web", "GET /backwards", server, nil, at, -20*time.Millisecond)
	unnamed := f.story().span("web", "", internal, nil, at, time.Millisecond)
	doubled := f.story().span("web", "GET /doubled", server, nil, at, time.Millisecond, "http.route", "/a", "http.route", "/b")
	zero := f.story().span("web", "GET /zero", server, nil, at, time.Millisecond)
	zero.SpanId = make([]byte, 8)
	for _, m := range []proto.Message{
		spansRequest("", nameless...), spansRequest("web", backwards), spansRequest("web", unnamed), spansRequest("web", doubled), spansRequest("web", zero),
		metricsRequest("cart", &metricspb.Metric{Name: "cart.broken", Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{AggregationTemporality: delta, DataPoints: []*metricspb.HistogramDataPoint{
			{TimeUnixNano: nano(at), StartTimeUnixNano: nano(at.Add(-time.Second)), Count: 3, BucketCounts: []uint64{1, 1}, ExplicitBounds: []float64{5}}}}}}),
	} {
		if err := f.postProto(ctx, m); err != nil {
			return err
		}
	}
	const format = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"web"}}]},"scopeSpans":[{"spans":[{"traceId":%q,"spanId":%q,"name":"GET /json","kind":2,"startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}]}`
	for _, ids := range [][2]string{{"5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b1"}, {"W47/95gDgQPSabYzgT/GDA==", "7uGbfsPBsXM="}} { // too short, and base64
		if err := f.post(ctx, "/v1/traces", "application/json", fmt.Appendf(nil, format, ids[0], ids[1], nano(at), nano(at.Add(time.Millisecond)))); err != nil {
			return err
		}
	}
	return nil
}

// bulk sends so many spans in traces of ten, a thousand at a time, which are
// encoded but for ids and times once.
func (f *filler) bulk(ctx context.Context, spans int) error {
	const each = 10
	for sent := 0; sent < spans; {
		n := min(1000, spans-sent)
		at := f.now.Add(time.Duration(sent/each) * time.Millisecond)
		var web, cart []*tracepb.Span
		for i := range n {
			var trace [16]byte
			binary.BigEndian.PutUint64(trace[:], 0xb01c)
			binary.BigEndian.PutUint64(trace[8:], uint64((sent+i)/each)+1)
			span := &tracepb.Span{
				TraceId: trace[:], SpanId: binary.BigEndian.AppendUint64(nil, uint64(sent+i)+1), Name: "GET /bulk", Kind: server,
				StartTimeUnixNano: nano(at), EndTimeUnixNano: nano(at.Add(20 * time.Millisecond)), Attributes: attrs("http.route", "/bulk", "n", sent+i),
			}
			if at := (sent + i) % each; at != 0 {
				span.ParentSpanId, span.Name, span.Kind = binary.BigEndian.AppendUint64(nil, uint64(sent+i-at)+1), "Get", internal
				span.StartTimeUnixNano += uint64(time.Duration(at) * time.Millisecond)
				span.EndTimeUnixNano = span.StartTimeUnixNano + uint64(time.Millisecond)
			}
			if i%3 == 0 {
				cart = append(cart, span)
			} else {
				web = append(web, span)
			}
		}
		m := spansRequest("web", web...)
		m.ResourceSpans = append(m.ResourceSpans, spansRequest("cart", cart...).ResourceSpans...)
		if err := f.postProto(ctx, m); err != nil {
			return err
		}
		sent += n
	}
	return nil
}

// stream sends so many spans a second, in five exports, until ctx ends.
func (f *filler) stream(ctx context.Context, rate int) error {
	tick := time.NewTicker(time.Second / 5)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case at := <-tick.C:
			sent := 0
			for sent < rate/5 {
				s := f.browse(at, "/cart")
				for _, service := range s.order {
					sent += len(s.spans[service])
				}
				if err := f.tell(ctx, s); err != nil && ctx.Err() == nil {
					return err
				}
			}
		}
	}
}

func logRecord(body any, kv []*commonpb.KeyValue) *logspb.LogRecord {
	return &logspb.LogRecord{TimeUnixNano: nano(time.Now()), SeverityNumber: logspb.SeverityNumber_SEVERITY_NUMBER_INFO, Body: anyValue(body), Attributes: kv}
}
