// Package most is the test of package otlptest with nearly everything that a
// test can ask for.
package most

import (
	"testing"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestSpanArrives(t *testing.T) {
	rules, err := faults.Parse("accept")
	if err != nil {
		t.Fatal(err)
	}
	srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithTLS(), otlptest.WithStrict(), otlptest.WithFaults(rules...))
	t.Log(srv.HTTPEndpoint())
	exporter, err := otlptracegrpc.New(t.Context(), otlptracegrpc.WithEndpoint("passthrough:///"+srv.GRPCEndpoint()),
		otlptracegrpc.WithTLSCredentials(credentials.NewTLS(srv.ClientTLS())), otlptracegrpc.WithDialOption(grpc.WithContextDialer(srv.DialGRPC)))
	if err != nil {
		t.Fatal(err)
	}
	tp := trace.NewTracerProvider(trace.WithBatcher(exporter))
	ctx, root := tp.Tracer("size").Start(t.Context(), "charge")
	_, child := tp.Tracer("size").Start(ctx, "pay")
	child.End()
	root.End()
	if err := tp.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	otlptest.One(t, srv.Spans(where.Name("charge")))
	otlptest.HasShape(t, srv.Traces(), query.Shape("charge", query.Shape("pay")))
	otlptest.Exactly(t, srv.Points(), 0)
	otlptest.Exactly(t, srv.Logs(), 0)
	otlptest.Exactly(t, srv.Violations(where.Rule("S-40")), 0)
	t.Log(srv.Report().String())
	srv.Hold().ReleaseAll()
	if err := srv.WriteJSONL(t.Output(), query.Traces); err != nil {
		t.Fatal(err)
	}
}
