package sdk

import (
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/otlptest/otlptest/otlptest"
)

// TraceGRPCOptions is what makes the official exporter of spans over gRPC send
// to a server: over TCP or in memory, plain or over TLS, as the server is. Add
// options of your own:
//
//	otlptracegrpc.New(ctx, append(sdk.TraceGRPCOptions(srv), otlptracegrpc.WithTimeout(time.Minute))...)
func TraceGRPCOptions(srv *otlptest.Server) []otlptracegrpc.Option {
	return []otlptracegrpc.Option{
		otlptracegrpc.WithEndpoint(srv.GRPCEndpoint()),
		otlptracegrpc.WithTLSCredentials(credentialsOf(srv)),
		otlptracegrpc.WithDialOption(grpc.WithContextDialer(srv.DialGRPC)),
	}
}

// TraceHTTPOptions is [TraceGRPCOptions] for HTTP.
func TraceHTTPOptions(srv *otlptest.Server) []otlptracehttp.Option {
	return []otlptracehttp.Option{
		otlptracehttp.WithEndpointURL(srv.HTTPEndpoint() + "/v1/traces"),
		otlptracehttp.WithHTTPClient(srv.HTTPClient()),
	}
}

// MetricGRPCOptions is [TraceGRPCOptions] for metrics.
func MetricGRPCOptions(srv *otlptest.Server) []otlpmetricgrpc.Option {
	return []otlpmetricgrpc.Option{
		otlpmetricgrpc.WithEndpoint(srv.GRPCEndpoint()),
		otlpmetricgrpc.WithTLSCredentials(credentialsOf(srv)),
		otlpmetricgrpc.WithDialOption(grpc.WithContextDialer(srv.DialGRPC)),
	}
}

// MetricHTTPOptions is [TraceGRPCOptions] for metrics over HTTP.
func MetricHTTPOptions(srv *otlptest.Server) []otlpmetrichttp.Option {
	return []otlpmetrichttp.Option{
		otlpmetrichttp.WithEndpointURL(srv.HTTPEndpoint() + "/v1/metrics"),
		otlpmetrichttp.WithHTTPClient(srv.HTTPClient()),
	}
}

// LogGRPCOptions is [TraceGRPCOptions] for log records.
func LogGRPCOptions(srv *otlptest.Server) []otlploggrpc.Option {
	return []otlploggrpc.Option{
		otlploggrpc.WithEndpoint(srv.GRPCEndpoint()),
		otlploggrpc.WithTLSCredentials(credentialsOf(srv)),
		otlploggrpc.WithDialOption(grpc.WithContextDialer(srv.DialGRPC)),
	}
}

// LogHTTPOptions is [TraceGRPCOptions] for log records over HTTP.
func LogHTTPOptions(srv *otlptest.Server) []otlploghttp.Option {
	return []otlploghttp.Option{
		otlploghttp.WithEndpointURL(srv.HTTPEndpoint() + "/v1/logs"),
		otlploghttp.WithHTTPClient(srv.HTTPClient()),
	}
}

func credentialsOf(srv *otlptest.Server) credentials.TransportCredentials {
	if c := srv.ClientTLS(); c != nil {
		return credentials.NewTLS(c)
	}
	return insecure.NewCredentials()
}
