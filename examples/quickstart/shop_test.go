package quickstart

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestPaymentIsTracedCountedAndLogged(t *testing.T) {
	srv := otlptest.Start(t)
	post(t, srv, "/pay?cents=1200", http.StatusOK)

	server := otlptest.One(t, srv.Spans(where.Name("POST /pay"), where.Kind(query.SpanKindServer)))
	charge := otlptest.One(t, srv.Spans(where.Name("charge"), where.Attr("payment.cents", 1200)))
	if charge.ParentSpanID != server.SpanID || charge.TraceID != server.TraceID {
		t.Errorf("charge is a child of %s in trace %s, want of %s in %s",
			charge.ParentSpanID, charge.TraceID, server.SpanID, server.TraceID)
	}
	otlptest.Exactly(t, srv.Spans(), 2)

	payments := otlptest.One(t, srv.Points(where.Name("shop.payments"), where.Attr("outcome", "paid")))
	if got := payments.Value.Int(); got != 1 {
		t.Errorf("shop.payments{outcome=paid}: got %d, want 1", got)
	}

	record := otlptest.One(t, srv.Logs(where.TraceID(charge.TraceID)))
	if record.Body.Str() != "payment taken" || record.SpanID != charge.SpanID {
		t.Errorf("got the log record %s of span %s, want \"payment taken\" of span %s", record.Body, record.SpanID, charge.SpanID)
	}
}

func TestDeclinedPaymentIsAnErrorInEverySignal(t *testing.T) {
	srv := otlptest.Start(t)
	post(t, srv, "/pay?cents=nothing", http.StatusBadRequest)

	otlptest.One(t, srv.Spans(where.Name("charge"), where.Status(query.StatusError)))
	otlptest.One(t, srv.Points(where.Name("shop.payments"), where.Attr("outcome", "declined")))
	otlptest.Exactly(t, srv.Points(where.Name("shop.payments"), where.Attr("outcome", "paid")), 0)
	record := otlptest.One(t, srv.Logs(where.Attr("reason", "no amount")))
	if record.Severity != query.SeverityError {
		t.Errorf("got severity %s, want error", record.Severity)
	}
}

// post sends one request to a shop that exports to srv, and flushes.
func post(t *testing.T, srv *otlptest.Server, url string, wantStatus int) {
	t.Helper()
	srv.Setenv(t, otlptest.GRPC)
	tel, err := NewTelemetry(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tel.Shutdown(context.Background()) }) // t.Context() is over by then
	shop, err := NewShop(tel)
	if err != nil {
		t.Fatal(err)
	}

	answer := httptest.NewRecorder()
	shop.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, url, nil))
	if answer.Code != wantStatus {
		t.Fatalf("POST %s: got status %d, want %d", url, answer.Code, wantStatus)
	}
	if err := tel.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}
