// Package quickstart is a small web service with traces, metrics and logs, and
// the test that proves that a backend receives them.
//
// Nothing in shop.go and telemetry.go knows that it is tested: the exporters
// are the official ones, configured by the environment as in production. The
// test starts a backend, points the environment at it with [Server.Setenv],
// sends one request, flushes, and looks at what arrived. Flushing is all the
// synchronization there is: an export is stored before its answer leaves.
//
// Run it with
//
//	go test ./quickstart
//
// [Server.Setenv]: https://pkg.go.dev/github.com/otlptest/otlptest/otlptest#Server.Setenv
package quickstart

import (
	"log/slog"
	"net/http"
	"strconv"

	"go.opentelemetry.io/contrib/bridges/otelslog"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// shop takes payments.
type shop struct {
	tracer   trace.Tracer
	payments metric.Int64Counter
	log      *slog.Logger
}

// NewShop is the service: POST /pay?cents=1200 charges a card.
func NewShop(tel *Telemetry) (http.Handler, error) {
	payments, err := tel.Metrics.Meter("shop").Int64Counter("shop.payments",
		metric.WithUnit("{payment}"), metric.WithDescription("Payments by outcome."))
	if err != nil {
		return nil, err
	}
	s := &shop{
		tracer:   tel.Traces.Tracer("shop"),
		payments: payments,
		log:      otelslog.NewLogger("shop", otelslog.WithLoggerProvider(tel.Logs)),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /pay", s.pay)
	return otelhttp.NewHandler(mux, "shop",
		otelhttp.WithTracerProvider(tel.Traces), otelhttp.WithMeterProvider(tel.Metrics)), nil
}

func (s *shop) pay(w http.ResponseWriter, r *http.Request) {
	ctx, span := s.tracer.Start(r.Context(), "charge")
	defer span.End()

	cents, err := strconv.Atoi(r.FormValue("cents"))
	if err != nil || cents <= 0 {
		span.SetStatus(codes.Error, "no amount")
		s.payments.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", "declined")))
		s.log.ErrorContext(ctx, "payment declined", "reason", "no amount")
		http.Error(w, "cents: want a number above 0", http.StatusBadRequest)
		return
	}
	span.SetAttributes(attribute.Int("payment.cents", cents))
	s.payments.Add(ctx, 1, metric.WithAttributes(attribute.String("outcome", "paid")))
	s.log.InfoContext(ctx, "payment taken", "cents", cents)
}
