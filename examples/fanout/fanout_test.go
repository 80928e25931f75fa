package fanout

import (
	"context"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

func TestBothBackendsHaveTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := otlptest.Start(t, otlptest.WithInMemory()), otlptest.Start(t, otlptest.WithInMemory())
		record(started(t, a, b), "charge", "ship", "mail")
		otlptest.Await(t, a.Spans(), 3)
		otlptest.Await(t, b.Spans(), 3)

		// The same spans, and each of them the same byte for byte.
		if err := query.Compare(a.Spans(), b.Spans()).Err(); err != nil {
			t.Error(err)
		}
	})
}

func TestABackendThatHangsDoesNotHoldUpTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := otlptest.Start(t, otlptest.WithInMemory())
		b := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Accept(), faults.Hang())))
		tp := started(t, a, b)
		record(tp, "charge")
		otlptest.Await(t, b.Spans(), 1)
		record(tp, "ship", "mail")
		otlptest.Await(t, a.Spans(), 3)
		if e := otlptest.Await(t, b.Exports(), 2)[1]; e.Outcome != query.Open {
			t.Errorf("got %s, want an export that hangs", e)
		}

		both := query.Compare(a.Spans(), b.Spans())
		if len(both.Both) != 1 || both.Both[0].A.Name != "charge" || len(both.OnlyA) != 2 || len(both.OnlyB) != 0 {
			t.Errorf("got %s\nwant charge in both, ship and mail only in a", both)
		}
		for _, pair := range both.Both {
			if !pair.SameBytes {
				t.Errorf("%s differs", pair.A.Name)
			}
		}
		if err := a.Report().Verify(query.AllDelivered(), query.DeliveredOnce()); err != nil {
			t.Error(err)
		}
	})
}

// started is a provider that exports to the servers. The test's end shuts it
// down: it must not use t.Context(), which is over by then.
func started(t *testing.T, servers ...*otlptest.Server) *trace.TracerProvider {
	t.Helper()
	var backends []Backend
	for _, srv := range servers {
		backends = append(backends, Backend{
			otlptracegrpc.WithEndpoint(srv.GRPCEndpoint()),
			otlptracegrpc.WithInsecure(),
			otlptracegrpc.WithDialOption(grpc.WithContextDialer(srv.DialGRPC)),
		})
	}
	tp, err := New(t.Context(), backends...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tp.Shutdown(context.Background()) })
	return tp
}

func record(tp *trace.TracerProvider, names ...string) {
	for _, name := range names {
		_, span := tp.Tracer("shop").Start(context.Background(), name)
		span.End()
	}
}
