package main

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/otlptest"
)

// scope is the name of the shop's instrumentation.
const scope = "shop"

// shop is three services that sell something once. What it records is the
// same in every run, but for the time at which it began.
type shop struct {
	web, checkout, payment *service
	began                  time.Time
	sent                   tally
}

// tally is how many items there are of each kind.
type tally struct{ spans, points, logs int }

// openShop sets up the services: web and checkout export over gRPC, payment
// over HTTP.
func openShop(ctx context.Context, srv *otlptest.Server) (*shop, error) {
	ids := newIDs()
	var errs [3]error
	s := &shop{began: time.Now().Add(-time.Second)}
	s.web, errs[0] = newService(ctx, "web", srv, otlptest.GRPC, ids)
	s.checkout, errs[1] = newService(ctx, "checkout", srv, otlptest.GRPC, ids)
	s.payment, errs[2] = newService(ctx, "payment", srv, otlptest.HTTPProtobuf, ids)
	return s, errors.Join(errs[:]...)
}

// close shuts every provider down, which sends what it holds: first all
// traces, then all metrics, then all logs, so that the order is always the
// same.
func (s *shop) close(ctx context.Context) error {
	var errs []error
	all := []*service{s.web, s.checkout, s.payment}
	for _, svc := range all {
		errs = append(errs, svc.traces.Shutdown(ctx))
	}
	for _, svc := range all {
		errs = append(errs, svc.metrics.Shutdown(ctx))
	}
	for _, svc := range all {
		errs = append(errs, svc.logs.Shutdown(ctx))
	}
	return errors.Join(errs...)
}

// sell is what happens in the web service: everything else is below it.
func (s *shop) sell(ctx context.Context) {
	s.do(ctx, work{s.web, "POST /checkout", trace.SpanKindServer, 0, 412}, func(ctx context.Context, span trace.Span) {
		span.SetAttributes(attribute.String("http.route", "/checkout"), attribute.Int("http.response.status_code", 200))
		s.log(ctx, s.web, 3, log.SeverityDebug, "cart of 2 items rendered")
		s.do(ctx, work{s.web, "POST checkout/orders", trace.SpanKindClient, 6, 405}, func(ctx context.Context, _ trace.Span) {
			s.order(overTheWire(ctx))
		})
	})
}

// order is what happens in the checkout service.
func (s *shop) order(ctx context.Context) {
	s.do(ctx, work{s.checkout, "POST /orders", trace.SpanKindServer, 11, 400}, func(ctx context.Context, span trace.Span) {
		span.SetAttributes(attribute.String("http.route", "/orders"), attribute.Int("order.id", 1042))
		s.do(ctx, work{s.checkout, "SELECT carts", trace.SpanKindClient, 14, 38}, func(_ context.Context, span trace.Span) {
			span.SetAttributes(attribute.String("db.system.name", "postgresql"))
		})
		s.do(ctx, work{s.checkout, "reserve stock", trace.SpanKindInternal, 41, 88}, func(_ context.Context, span trace.Span) {
			span.SetAttributes(attribute.String("sku", "mug-blue"), attribute.Int("quantity", 2))
		})
		s.do(ctx, work{s.checkout, "POST payment/charges", trace.SpanKindClient, 92, 371}, func(ctx context.Context, _ trace.Span) {
			s.charge(overTheWire(ctx))
		})
		s.do(ctx, work{s.checkout, "send order.placed", trace.SpanKindProducer, 374, 392}, func(ctx context.Context, _ trace.Span) {
			s.log(ctx, s.checkout, 392, log.SeverityInfo, "order 1042 placed")
		})
	})
}

// charge is what happens in the payment service: the card network answers only
// the second request.
func (s *shop) charge(ctx context.Context) {
	s.do(ctx, work{s.payment, "POST /charges", trace.SpanKindServer, 97, 366}, func(ctx context.Context, _ trace.Span) {
		s.log(ctx, s.payment, 99, log.SeverityInfo, "charging card 4111 1111 1111 1111")
		var first trace.SpanContext
		s.do(ctx, work{s.payment, "POST /authorize", trace.SpanKindClient, 101, 251}, func(_ context.Context, span trace.Span) {
			first = span.SpanContext()
			span.AddEvent("exception", trace.WithTimestamp(s.at(251)), trace.WithAttributes(attribute.String("exception.type", "Timeout")))
			span.SetStatus(codes.Error, "no answer from the card network")
		})
		s.log(ctx, s.payment, 252, log.SeverityWarn, "no answer, trying again")
		s.do(ctx, work{s.payment, "POST /authorize", trace.SpanKindClient, 262, 360}, func(_ context.Context, span trace.Span) {
			span.SetAttributes(attribute.Int("http.request.resend_count", 1))
			span.AddLink(trace.Link{SpanContext: first})
		})
		s.log(ctx, s.payment, 361, log.SeverityInfo, "charged 42.50 EUR")
	})
}

// work is a span: whose, what, and when, in milliseconds since the beginning.
type work struct {
	by       *service
	name     string
	kind     trace.SpanKind
	from, to int
}

// do records a span around what happens within it.
func (s *shop) do(ctx context.Context, w work, within func(context.Context, trace.Span)) {
	s.sent.spans++
	ctx, span := w.by.traces.Tracer(scope).Start(ctx, w.name, trace.WithSpanKind(w.kind), trace.WithTimestamp(s.at(w.from)))
	defer span.End(trace.WithTimestamp(s.at(w.to)))
	within(ctx, span)
}

func (s *shop) log(ctx context.Context, by *service, at int, severity log.Severity, text string) {
	s.sent.logs++
	var r log.Record
	r.SetTimestamp(s.at(at))
	r.SetSeverity(severity)
	r.SetSeverityText(severity.String())
	r.SetBody(attribute.StringValue(text))
	by.logs.Logger(scope).Emit(ctx, r)
}

func (s *shop) at(ms int) time.Time { return s.began.Add(time.Duration(ms) * time.Millisecond) }

// overTheWire is the context that another service gets: what a traceparent
// header carries.
func overTheWire(ctx context.Context) context.Context {
	header := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, header)
	return propagation.TraceContext{}.Extract(context.Background(), header)
}

// requests is how long the shop took for its requests so far, in seconds.
var requests = []float64{
	0.031, 0.044, 0.048, 0.062, 0.070, 0.081, 0.085, 0.093, 0.102, 0.110, 0.118, 0.124, 0.131,
	0.140, 0.152, 0.163, 0.188, 0.214, 0.236, 0.251, 0.289, 0.335, 0.412, 0.730,
}

// measure records the metrics of all services.
func (s *shop) measure(ctx context.Context) error {
	web, checkout, payment := s.web.metrics.Meter(scope), s.checkout.metrics.Meter(scope), s.payment.metrics.Meter(scope)
	duration, err1 := web.Float64Histogram("http.server.request.duration", metric.WithUnit("s"),
		metric.WithExplicitBucketBoundaries(0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5))
	orders, err2 := checkout.Int64Counter("shop.orders", metric.WithUnit("{order}"))
	stock, err3 := checkout.Int64Gauge("shop.stock", metric.WithUnit("{item}"))
	charged, err4 := payment.Float64Counter("shop.charged", metric.WithUnit("EUR"))
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	for _, seconds := range requests {
		duration.Record(ctx, seconds, with("route", "/checkout"))
	}
	orders.Add(ctx, 3, with("method", "card"))
	orders.Add(ctx, 1, with("method", "invoice"))
	stock.Record(ctx, 41, with("sku", "mug-blue"))
	stock.Record(ctx, 7, with("sku", "teapot"))
	charged.Add(ctx, 126.5, with("method", "card"))
	s.sent.points = 6 // each metric and attribute makes one
	return nil
}

func with(key, value string) metric.MeasurementOption {
	return metric.WithAttributes(attribute.String(key, value))
}
