package main_test

import (
	"context"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	collectorlogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	collectormetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

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
