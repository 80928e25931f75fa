package integration_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// settings is how an official exporter is configured beyond where its server
// is. Those of newExporter are patience without compression.
type settings struct {
	retries retries
	timeout time.Duration // of the exporter; 0 for what it has by itself
	gzip    bool
}

// configured makes the official exporter for a path to a server, in plaintext
// or over TLS as that is. The test's end shuts it down.
func (p path) configured(t *testing.T, srv *otlptest.Server, s settings) exporter {
	t.Helper()
	var e exporter
	var err error
	if p.grpc() {
		e, err = s.overGRPC(p.signal, srv)
	} else {
		e, err = s.overHTTP(p.signal, srv)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.shutdown(context.Background()) })
	return e
}

func (s settings) overGRPC(signal query.Signal, srv *otlptest.Server) (e exporter, err error) {
	ctx := context.Background()
	url := "http://" + srv.GRPCEndpoint()
	dial := []grpc.DialOption{grpc.WithContextDialer(srv.DialGRPC)}
	if c := srv.ClientTLS(); c != nil {
		url = "https://" + srv.GRPCEndpoint()
		dial = append(dial, grpc.WithTransportCredentials(credentials.NewTLS(c)))
	}
	if s.gzip {
		dial = append(dial, grpc.WithDefaultCallOptions(grpc.UseCompressor("gzip")))
	}
	switch signal {
	case query.Traces:
		e.traces, err = otlptracegrpc.New(ctx, otlptracegrpc.WithEndpointURL(url), otlptracegrpc.WithDialOption(dial...),
			otlptracegrpc.WithTimeout(s.limit()), otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig(s.retries)))
	case query.Metrics:
		e.metrics, err = otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithEndpointURL(url), otlpmetricgrpc.WithDialOption(dial...),
			otlpmetricgrpc.WithTimeout(s.limit()), otlpmetricgrpc.WithRetry(otlpmetricgrpc.RetryConfig(s.retries)),
			otlpmetricgrpc.WithTemporalitySelector(sdkmetric.DeltaTemporalitySelector))
	case query.Logs:
		e.logs, err = otlploggrpc.New(ctx, otlploggrpc.WithEndpointURL(url), otlploggrpc.WithDialOption(dial...),
			otlploggrpc.WithTimeout(s.limit()), otlploggrpc.WithRetry(otlploggrpc.RetryConfig(s.retries)))
	default:
		err = fmt.Errorf("no exporter for %s", signal)
	}
	return e, err
}

func (s settings) overHTTP(signal query.Signal, srv *otlptest.Server) (e exporter, err error) {
	ctx := context.Background()
	url := srv.HTTPEndpoint() + "/v1/" + string(signal)
	// What the exporters make for themselves of their timeout.
	client := &http.Client{Transport: srv.HTTPClient().Transport, Timeout: s.limit()}
	gzip := 0
	if s.gzip {
		gzip = 1
	}
	switch signal {
	case query.Traces:
		e.traces, err = otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(url), otlptracehttp.WithHTTPClient(client),
			otlptracehttp.WithRetry(otlptracehttp.RetryConfig(s.retries)), otlptracehttp.WithCompression(otlptracehttp.Compression(gzip)))
	case query.Metrics:
		e.metrics, err = otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(url), otlpmetrichttp.WithHTTPClient(client),
			otlpmetrichttp.WithRetry(otlpmetrichttp.RetryConfig(s.retries)), otlpmetrichttp.WithCompression(otlpmetrichttp.Compression(gzip)),
			otlpmetrichttp.WithTemporalitySelector(sdkmetric.DeltaTemporalitySelector))
	case query.Logs:
		e.logs, err = otlploghttp.New(ctx, otlploghttp.WithEndpointURL(url), otlploghttp.WithHTTPClient(client),
			otlploghttp.WithRetry(otlploghttp.RetryConfig(s.retries)), otlploghttp.WithCompression(otlploghttp.Compression(gzip)))
	default:
		err = fmt.Errorf("no exporter for %s", signal)
	}
	return e, err
}

// limit is the timeout: 10 seconds is what OTLP's exporters have (C-33).
func (s settings) limit() time.Duration {
	if s.timeout == 0 {
		return 10 * time.Second
	}
	return s.timeout
}

// verify checks the server's ledger.
func verify(t *testing.T, srv *otlptest.Server, checks ...query.Check) {
	t.Helper()
	if err := srv.Report().Verify(checks...); err != nil {
		t.Errorf("%v\n%s", err, srv.Report())
	}
}
