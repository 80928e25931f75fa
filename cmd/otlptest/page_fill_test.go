package main_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
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

// --- Sending ---

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

// --- Values ---

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

// --- Traces ---

const (
	internal = tracepb.Span_SPAN_KIND_INTERNAL
	server   = tracepb.Span_SPAN_KIND_SERVER
	client   = tracepb.Span_SPAN_KIND_CLIENT
	producer = tracepb.Span_SPAN_KIND_PRODUCER
	consumer = tracepb.Span_SPAN_KIND_CONSUMER
)

// story is a trace that is being told: its spans by service, in order.
type story struct {
	f     *filler
	id    []byte
	order []string
	spans map[string][]*tracepb.Span
}

func (f *filler) story() *story {
	s := &story{f: f, id: f.id(16), spans: map[string][]*tracepb.Span{}}
	f.traces = append(f.traces, s.id)
	return s
}

// know keeps a trace's id for tests.
func (f *filler) know(name string, s *story) { f.known[name] = hex.EncodeToString(s.id) }

// span adds one that begins at a time and lasts so long.
func (s *story) span(service, name string, kind tracepb.Span_SpanKind, parent *tracepb.Span, at time.Time, lasts time.Duration, kv ...any) *tracepb.Span {
	span := &tracepb.Span{
		TraceId: s.id, SpanId: s.f.id(8), Name: name, Kind: kind, Flags: 0x101, Attributes: attrs(kv...),
		StartTimeUnixNano: nano(at), EndTimeUnixNano: nano(at.Add(lasts)),
	}
	if parent != nil {
		span.ParentSpanId = parent.SpanId
	}
	if _, ok := s.spans[service]; !ok {
		s.order = append(s.order, service)
	}
	s.spans[service] = append(s.spans[service], span)
	return span
}

// call adds a client's span and that of the server that it calls.
func (s *story) call(from, to, name string, parent *tracepb.Span, at time.Time, lasts time.Duration) *tracepb.Span {
	c := s.span(from, name, client, parent, at, lasts, "rpc.system", "grpc", "rpc.service", "shop."+to, "rpc.method", name, "server.address", to, "server.port", 8443)
	edge := lasts / 20
	return s.span(to, name, server, c, at.Add(edge), lasts-2*edge, "rpc.system", "grpc", "rpc.service", "shop."+to, "rpc.method", name, "client.address", "10.4.0.17")
}

func (s *story) database(service, statement string, parent *tracepb.Span, at time.Time, lasts time.Duration) *tracepb.Span {
	verb, _, _ := strings.Cut(statement, " ")
	return s.span(service, verb+" "+service, client, parent, at, lasts, "db.system.name", "postgresql", "db.namespace", service, "db.query.text", statement, "db.response.returned_rows", 1+s.f.rand.IntN(20), "server.address", "db-1", "server.port", 5432)
}

// fails marks spans as failed, and records an exception at the first two.
func fails(kind, why string, spans ...*tracepb.Span) {
	for i, span := range spans {
		span.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: why}
		if i < 2 {
			span.Events = append(span.Events, &tracepb.Span_Event{
				Name: "exception", TimeUnixNano: span.EndTimeUnixNano - 1000,
				Attributes: attrs("exception.type", kind, "exception.message", why, "exception.stacktrace", kind+": "+why+"\n\tat shop.payment.Gateway.charge(Gateway.java:118)\n\tat shop.payment.Service.pay(Service.java:41)\n\tat java.base/java.lang.Thread.run(Thread.java:1583)"),
			})
		}
	}
}

func (f *filler) ms(low, high int) time.Duration {
	return time.Duration(low)*time.Millisecond + time.Duration(f.rand.IntN((high-low)*1000))*time.Microsecond
}

// browse is a trace of five spans.
func (f *filler) browse(at time.Time, route string) *story {
	s := f.story()
	whole := f.ms(18, 90)
	root := s.span("web", "GET "+route, server, nil, at, whole, "http.request.method", "GET", "http.route", route, "url.path", route, "url.scheme", "https", "http.response.status_code", 200, "user_agent.original", "Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0", "client.address", "203.0.113.9")
	got := s.call("web", "cart", "GetCart", root, at.Add(whole/10), whole*6/10)
	s.database("cart", "SELECT * FROM carts WHERE user_id = $1", got, at.Add(whole/5), whole*3/10)
	s.span("web", "render "+route[1:], internal, root, at.Add(whole*8/10), whole/6, "template", "page.html", "cached", f.rand.IntN(2) == 0, "size", 18.25, "tags", []any{"shop", 3, true})
	return s
}

// checkout is a trace of 12 spans and three for each article, and four more
// where an order is announced. It returns the span that announces it.
func (f *filler) checkout(at time.Time, articles int, failing string) (*story, *tracepb.Span) {
	s := f.story()
	f.orders++
	order := fmt.Sprintf("o-%d", 1000+f.orders)
	each := 14 * time.Millisecond
	whole := time.Duration(articles)*each + 190*time.Millisecond
	ms := func(n int) time.Time { return at.Add(time.Duration(n) * time.Millisecond) }
	root := s.span("web", "POST /checkout", server, nil, at, whole, "http.request.method", "POST", "http.route", "/checkout", "url.path", "/checkout", "url.query", "voucher=AUTUMN", "http.response.status_code", 201, "http.request.body.size", 1812, "enduser.id", "u-4711", "order.id", order)
	root.TraceState = "shop=eu-west,other=1"
	check := s.span("web", "validate form", internal, root, ms(1), 6*time.Millisecond, "fields", []any{"name", "address", "voucher"})
	check.Events = append(check.Events, &tracepb.Span_Event{Name: "voucher applied", TimeUnixNano: nano(ms(4)), Attributes: attrs("voucher", "AUTUMN", "discount", 0.15)})
	place := s.call("web", "checkout", "PlaceOrder", root, ms(8), whole-12*time.Millisecond)
	cart := s.call("checkout", "cart", "GetCart", place, ms(28), 30*time.Millisecond)
	s.database("cart", "SELECT article, amount FROM carts WHERE user_id = $1", cart, ms(34), 14*time.Millisecond)
	for i := range articles {
		begin := ms(60).Add(time.Duration(i) * each)
		reserve := s.call("checkout", "inventory", "Reserve", place, begin, each-2*time.Millisecond)
		s.database("inventory", "UPDATE stock SET reserved = reserved + $1 WHERE article = $2", reserve, begin.Add(2*time.Millisecond), 7*time.Millisecond)
	}
	begin := ms(64).Add(time.Duration(articles) * each)
	charge := s.call("checkout", "payment", "Charge", place, begin, 84*time.Millisecond)
	charge.Attributes = append(charge.Attributes, attr("order.id", order), attr("payment.amount", 129.95), attr("payment.card", attrs("brand", "visa", "last4", "4242")), attr("payment.nonce", []byte{0xde, 0xad, 0xbe, 0xef}))
	gateway := s.span("payment", "POST", client, charge, begin.Add(8*time.Millisecond), 62*time.Millisecond, "http.request.method", "POST", "url.full", "https://api.bank.example/v1/charges", "server.address", "api.bank.example", "server.port", 443, "http.response.status_code", 200)
	gateway.Events = append(gateway.Events, &tracepb.Span_Event{Name: "tls handshake done", TimeUnixNano: nano(begin.Add(20 * time.Millisecond))})
	s.database("payment", "INSERT INTO charges (order_id, amount) VALUES ($1, $2)", charge, begin.Add(72*time.Millisecond), 5*time.Millisecond)
	if failing != "" {
		fails("CardDeclined", failing, gateway, charge, place, root)
		return s, nil
	}
	return s, s.span("checkout", "orders publish", producer, place, begin.Add(88*time.Millisecond), 3*time.Millisecond, "messaging.system", "kafka", "messaging.destination.name", "orders", "messaging.operation.type", "send", "messaging.message.id", order)
}

// fulfil is a trace of its own that links to the span that announced the order.
func (f *filler) fulfil(at time.Time, of *tracepb.Span) *story {
	s := f.story()
	root := s.span("inventory", "orders process", consumer, nil, at, 46*time.Millisecond, "messaging.system", "kafka", "messaging.destination.name", "orders", "messaging.operation.type", "process", "messaging.batch.message_count", 1)
	root.Links = []*tracepb.Span_Link{{TraceId: of.TraceId, SpanId: of.SpanId, Attributes: attrs("messaging.message.id", "o-1001")}}
	s.database("inventory", "UPDATE stock SET sold = sold + $1 WHERE article = $2", root, at.Add(4*time.Millisecond), 9*time.Millisecond)
	mail := s.call("inventory", "mailer", "SendConfirmation", root, at.Add(15*time.Millisecond), 28*time.Millisecond)
	s.span("mailer", "SMTP send", client, mail, at.Add(19*time.Millisecond), 20*time.Millisecond, "server.address", "smtp.example", "server.port", 587)
	return s
}

// tell sends a trace, each service its spans.
func (f *filler) tell(ctx context.Context, s *story) error {
	for _, service := range s.order {
		if err := f.send(ctx, spansRequest(service, s.spans[service]...)); err != nil {
			return err
		}
	}
	return nil
}

// bigTrace is how many articles make a checkout of exactly 60 spans.
const bigTrace = 16

// shop sends everything. It takes about two seconds.
func (f *filler) shop(ctx context.Context) error {
	for _, part := range []func(context.Context) error{f.sales, f.oddTraces, f.troubles, f.measurements, f.records, f.violations} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sales is traces as they should be, over the last ten minutes.
func (f *filler) sales(ctx context.Context) error {
	routes := []string{"/cart", "/articles/{id}", "/search", "/"}
	for i := range 40 {
		at := f.now.Add(time.Duration(i-41) * 15 * time.Second)
		stories := []*story{f.browse(at, routes[i%len(routes)])}
		if i%5 == 2 {
			why := ""
			if i%10 == 7 {
				why = "card declined: insufficient funds"
			}
			s, published := f.checkout(at.Add(2*time.Second), 1+f.rand.IntN(5), why)
			if why != "" {
				f.know("failed", s)
			}
			stories = append(stories, s)
			if published != nil {
				stories = append(stories, f.fulfil(at.Add(3*time.Second), published))
			}
		}
		for _, s := range stories {
			if err := f.tell(ctx, s); err != nil {
				return err
			}
		}
	}
	big, published := f.checkout(f.now.Add(-20*time.Second), bigTrace, "")
	if err := f.tell(ctx, big); err != nil {
		return err
	}
	linked := f.fulfil(f.now.Add(-19*time.Second), published)
	f.know("big", big)
	f.know("linked", linked)
	return f.tell(ctx, linked)
}

// oddTraces is what the waterfall has to say something about: an orphan, a span
// that came twice, a child from a machine whose clock is wrong.
func (f *filler) oddTraces(ctx context.Context) error {
	at := f.now.Add(-12 * time.Second)
	orphan := f.browse(at, "/cart")
	orphan.spans["cart"][0].ParentSpanId = f.id(8)
	twice := f.browse(at.Add(2*time.Second), "/search")
	skewed := f.browse(at.Add(4*time.Second), "/articles/{id}")
	for _, span := range skewed.spans["cart"] {
		span.StartTimeUnixNano -= uint64(350 * time.Millisecond)
		span.EndTimeUnixNano -= uint64(350 * time.Millisecond)
	}
	f.know("orphan", orphan)
	f.know("twice", twice)
	f.know("skewed", skewed)
	for _, s := range []*story{orphan, twice, skewed} {
		if err := f.tell(ctx, s); err != nil {
			return err
		}
	}
	return f.send(ctx, spansRequest("web", twice.spans["web"][0]))
}

// troubles is exports that meet faults, and what clients do then.
func (f *filler) troubles(ctx context.Context) error {
	if f.control == "" {
		return nil
	}
	at := f.now.Add(-5 * time.Second)
	const ms = time.Millisecond
	for _, trouble := range []struct {
		rules string
		again []time.Duration
	}{
		{`traces [service="web"]: throttle 300ms`, []time.Duration{310 * ms}},
		{`traces [service="web"]: unavailable x2`, []time.Duration{60 * ms, 130 * ms}},
		{`traces [service="web"]: throttle 500ms`, []time.Duration{90 * ms}}, // too early
		{`traces [service="web"]: unavailable`, nil},                         // given up
		{`traces [service="web"]: reject "the tenant is unknown"`, nil},
		{`traces [service="web"]: partial 2 "no spans without a tenant"`, nil},
		{`traces [service="web"]: accept`, []time.Duration{40 * ms}}, // sent twice
	} {
		if err := f.fault(ctx, trouble.rules); err != nil {
			return err
		}
		s := f.browse(at, "/search")
		_ = f.send(ctx, spansRequest("web", s.spans["web"]...), trouble.again...) // which may be refused
		if err := f.send(ctx, spansRequest("cart", s.spans["cart"]...)); err != nil {
			return err
		}
		at = at.Add(200 * ms)
	}
	return f.fault(ctx, "metrics [service=\"billing\"]: throttle 30s x2, unavailable\nlogs http/json: always partial 1 \"too large\"") // that nobody meets yet
}

// --- Metrics ---

func metricsRequest(service string, metrics ...*metricspb.Metric) *collectormetrics.ExportMetricsServiceRequest {
	return &collectormetrics.ExportMetricsServiceRequest{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource: resource(service), ScopeMetrics: []*metricspb.ScopeMetrics{{Scope: scopeOf(service), Metrics: metrics}},
	}}}
}

// measurements is metrics of each type, 30 times every ten seconds.
func (f *filler) measurements(ctx context.Context) error {
	const times, every = 30, 10 * time.Second
	begin := f.now.Add(-times * every)
	started := begin
	served, failed := 0, 0
	counts := make([]uint64, 7)
	var sum float64
	for i := range times {
		at := begin.Add(time.Duration(i+1) * every)
		if i == 17 { // the process started again
			served, failed, started = 0, 0, at.Add(-every/2)
		}
		served += 40 + f.rand.IntN(60)
		failed += f.rand.IntN(4)
		for range 50 {
			v := f.rand.ExpFloat64() * 60
			sum += v
			b := 0
			for b < 6 && v > bounds[b] {
				b++
			}
			counts[b]++
		}
		for _, m := range []*collectormetrics.ExportMetricsServiceRequest{
			metricsRequest("web", f.requests(at, started, served, failed), f.durations(at, begin, counts, sum)),
			metricsRequest("cart", f.sessions(at), f.removed(at, every)),
			metricsRequest("payment", f.amounts(at, every), f.summary(at, begin, i)),
		} {
			send := f.postProto
			if i%2 == 0 {
				send = func(ctx context.Context, m proto.Message) error { return f.send(ctx, m) }
			}
			if err := send(ctx, m); err != nil {
				return err
			}
		}
	}
	return f.send(ctx, metricsRequest("checkout", &metricspb.Metric{Name: "checkout.build.info", Description: "What is deployed; always 1.", Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{
		DataPoints: []*metricspb.NumberDataPoint{numberPoint(f.now, time.Time{}, 1, "vcs.ref.head.revision", "9f0c3e1", "debug", false)}}}}))
}

func numberPoint(at, since time.Time, v any, kv ...any) *metricspb.NumberDataPoint {
	p := &metricspb.NumberDataPoint{TimeUnixNano: nano(at), Attributes: attrs(kv...)}
	if !since.IsZero() {
		p.StartTimeUnixNano = nano(since)
	}
	switch v := v.(type) {
	case int:
		p.Value = &metricspb.NumberDataPoint_AsInt{AsInt: int64(v)}
	case float64:
		p.Value = &metricspb.NumberDataPoint_AsDouble{AsDouble: v}
	}
	return p
}

const (
	delta      = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
	cumulative = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
)

// requests is a cumulative sum that begins anew once.
func (f *filler) requests(at, since time.Time, served, failed int) *metricspb.Metric {
	return &metricspb.Metric{Name: "http.server.request.count", Unit: "{request}", Description: "Requests that were answered.", Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{
		AggregationTemporality: cumulative, IsMonotonic: true, DataPoints: []*metricspb.NumberDataPoint{
			numberPoint(at, since, served, "http.route", "/cart", "http.response.status_code", 200),
			numberPoint(at, since, served/3, "http.route", "/search", "http.response.status_code", 200),
			numberPoint(at, since, failed, "http.route", "/checkout", "http.response.status_code", 502),
		}}}}
}

// bounds is those of the histogram, in milliseconds.
var bounds = []float64{10, 25, 50, 100, 250, 500}

func (f *filler) durations(at, since time.Time, counts []uint64, sum float64) *metricspb.Metric {
	var n uint64
	for _, c := range counts {
		n += c
	}
	p := &metricspb.HistogramDataPoint{
		StartTimeUnixNano: nano(since), TimeUnixNano: nano(at), Count: n, Sum: &sum, Min: proto.Float64(0.4), Max: proto.Float64(412.5),
		BucketCounts: append([]uint64{}, counts...), ExplicitBounds: bounds, Attributes: attrs("http.route", "/cart"),
		Exemplars: []*metricspb.Exemplar{f.exemplar(at, 38.2), f.exemplar(at, 231.7)},
	}
	return &metricspb.Metric{Name: "http.server.request.duration", Unit: "ms", Description: "How long requests took.", Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
		AggregationTemporality: cumulative, DataPoints: []*metricspb.HistogramDataPoint{p}}}}
}

// exemplar points to a trace that was sent.
func (f *filler) exemplar(at time.Time, v float64) *metricspb.Exemplar {
	e := &metricspb.Exemplar{TimeUnixNano: nano(at.Add(-time.Second)), Value: &metricspb.Exemplar_AsDouble{AsDouble: v}, SpanId: f.id(8), FilteredAttributes: attrs("enduser.id", "u-4711")}
	if len(f.traces) > 0 {
		e.TraceId = f.traces[f.rand.IntN(len(f.traces))]
	}
	return e
}

func (f *filler) sessions(at time.Time) *metricspb.Metric {
	n := float64(at.Unix()%300) / 300
	return &metricspb.Metric{Name: "cart.sessions.active", Unit: "{session}", Description: "Carts that are open.", Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: []*metricspb.NumberDataPoint{
		numberPoint(at, time.Time{}, 120+40*n*(1-n)*4+f.rand.Float64()*12, "region", "eu-west"),
		numberPoint(at, time.Time{}, 80-20*n+f.rand.Float64()*8, "region", "us-east"),
	}}}}
}

func (f *filler) removed(at time.Time, every time.Duration) *metricspb.Metric {
	return &metricspb.Metric{Name: "cart.items.removed", Unit: "{item}", Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{
		AggregationTemporality: delta, IsMonotonic: true, DataPoints: []*metricspb.NumberDataPoint{numberPoint(at, at.Add(-every), f.rand.IntN(9), "reason", "sold out")}}}}
}

func (f *filler) amounts(at time.Time, every time.Duration) *metricspb.Metric {
	p := &metricspb.ExponentialHistogramDataPoint{
		StartTimeUnixNano: nano(at.Add(-every)), TimeUnixNano: nano(at), Scale: 1, ZeroCount: 1, ZeroThreshold: 0.001, Attributes: attrs("currency", "EUR"),
		Positive: &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: 4}, Negative: &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: 6, BucketCounts: []uint64{1, 2}},
		Exemplars: []*metricspb.Exemplar{f.exemplar(at, 129.95)},
	}
	p.Count = 4
	for i := range 12 {
		n := uint64(f.rand.IntN(3 + 12 - (i-5)*(i-5)/3))
		p.Positive.BucketCounts = append(p.Positive.BucketCounts, n)
		p.Count += n
	}
	p.Sum = proto.Float64(float64(p.Count) * 41.3)
	return &metricspb.Metric{Name: "payment.amount", Unit: "EUR", Description: "What was charged; negative amounts are refunds.", Data: &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
		AggregationTemporality: delta, DataPoints: []*metricspb.ExponentialHistogramDataPoint{p}}}}
}

func (f *filler) summary(at, since time.Time, i int) *metricspb.Metric {
	q := func(q, v float64) *metricspb.SummaryDataPoint_ValueAtQuantile {
		return &metricspb.SummaryDataPoint_ValueAtQuantile{Quantile: q, Value: v + f.rand.Float64()*v/4}
	}
	return &metricspb.Metric{Name: "payment.gateway.latency", Unit: "ms", Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: []*metricspb.SummaryDataPoint{{
		StartTimeUnixNano: nano(since), TimeUnixNano: nano(at), Count: uint64(20 * (i + 1)), Sum: float64(1200 * (i + 1)), Attributes: attrs("gateway", "bank"),
		QuantileValues: []*metricspb.SummaryDataPoint_ValueAtQuantile{q(0, 12), q(0.5, 48), q(0.9, 110), q(0.99, 260), q(1, 700)},
	}}}}}
}

// --- Logs ---

func logsRequest(service string, records ...*logspb.LogRecord) *collectorlogs.ExportLogsServiceRequest {
	return &collectorlogs.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: resource(service), ScopeLogs: []*logspb.ScopeLogs{{Scope: scopeOf(service), LogRecords: records}},
	}}}
}

// records is logs of every severity, some with structured bodies, most of a trace.
func (f *filler) records(ctx context.Context) error {
	lines := []struct {
		service  string
		severity logspb.SeverityNumber
		body     any
	}{
		{"web", logspb.SeverityNumber_SEVERITY_NUMBER_INFO, "GET /cart 200 in 38ms"},
		{"cart", logspb.SeverityNumber_SEVERITY_NUMBER_DEBUG, "cache miss for cart u-4711"},
		{"checkout", logspb.SeverityNumber_SEVERITY_NUMBER_INFO, attrs("event", "order placed", "order", attrs("id", "o-1001", "total", 129.95), "articles", []any{"mug", "tea", 2})},
		{"payment", logspb.SeverityNumber_SEVERITY_NUMBER_WARN, "the bank took 1.8s to answer"},
		{"payment", logspb.SeverityNumber_SEVERITY_NUMBER_ERROR, "charge failed: card declined: insufficient funds\n\tat Gateway.charge(Gateway.java:118)\n\tat Service.pay(Service.java:41)"},
		{"inventory", logspb.SeverityNumber_SEVERITY_NUMBER_TRACE, "lock acquired"},
		{"inventory", logspb.SeverityNumber_SEVERITY_NUMBER_FATAL, "cannot open the stock database: no space left on device"},
		{"web", logspb.SeverityNumber_SEVERITY_NUMBER_UNSPECIFIED, "plain line of a reverse proxy"},
	}
	for i := range 60 {
		l := lines[i%len(lines)]
		at := f.now.Add(time.Duration(i-60) * 4 * time.Second)
		r := &logspb.LogRecord{
			TimeUnixNano: nano(at), ObservedTimeUnixNano: nano(at.Add(3 * time.Millisecond)), SeverityNumber: l.severity, Body: anyValue(l.body),
			Attributes: attrs("code.function.name", "handle", "code.line.number", 41, "thread.id", 7+i%3),
		}
		if l.severity != 0 {
			r.SeverityText = strings.TrimPrefix(l.severity.String(), "SEVERITY_NUMBER_")
		}
		if i%4 != 3 && len(f.traces) > 0 {
			r.TraceId, r.SpanId, r.Flags = f.traces[i%len(f.traces)], f.id(8), 1
		}
		if i%9 == 5 {
			r.EventName = "shop.stock.changed"
		}
		if err := f.send(ctx, logsRequest(l.service, r)); err != nil {
			return err
		}
	}
	return nil
}

// --- Violations ---

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

// --- Much ---

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
