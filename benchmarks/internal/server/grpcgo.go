package server

import (
	"context"
	"sync"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/grpc"
	_ "google.golang.org/grpc/encoding/gzip" // which clients may use
)

// kept is what the server that people write by hand keeps: each request, decoded.
type kept struct {
	mu      sync.Mutex
	traces  []*coltrace.ExportTraceServiceRequest
	metrics []*colmetrics.ExportMetricsServiceRequest
	logs    []*collogs.ExportLogsServiceRequest
}

type (
	traceService struct {
		coltrace.UnimplementedTraceServiceServer
		*kept
	}
	metricsService struct {
		colmetrics.UnimplementedMetricsServiceServer
		*kept
	}
	logsService struct {
		collogs.UnimplementedLogsServiceServer
		*kept
	}
)

func (s traceService) Export(_ context.Context, r *coltrace.ExportTraceServiceRequest) (*coltrace.ExportTraceServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.traces = append(s.traces, r)
	return &coltrace.ExportTraceServiceResponse{}, nil
}

func (s metricsService) Export(_ context.Context, r *colmetrics.ExportMetricsServiceRequest) (*colmetrics.ExportMetricsServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.metrics = append(s.metrics, r)
	return &colmetrics.ExportMetricsServiceResponse{}, nil
}

func (s logsService) Export(_ context.Context, r *collogs.ExportLogsServiceRequest) (*collogs.ExportLogsServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logs = append(s.logs, r)
	return &collogs.ExportLogsServiceResponse{}, nil
}

func serveGRPCGo([]string) (running, error) {
	l, err := listen()
	if err != nil {
		return running{}, err
	}
	k, s := &kept{}, grpc.NewServer()
	coltrace.RegisterTraceServiceServer(s, traceService{kept: k})
	colmetrics.RegisterMetricsServiceServer(s, metricsService{kept: k})
	collogs.RegisterLogsServiceServer(s, logsService{kept: k})
	go s.Serve(l)
	return running{Addresses: Addresses{GRPC: l.Addr().String()}, count: k.count}, nil
}

func (k *kept) count() (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.traces {
		for _, rs := range r.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				n += len(ss.Spans)
			}
		}
	}
	for _, r := range k.logs {
		for _, rl := range r.ResourceLogs {
			for _, sl := range rl.ScopeLogs {
				n += len(sl.LogRecords)
			}
		}
	}
	for _, r := range k.metrics {
		for _, rm := range r.ResourceMetrics {
			for _, sm := range rm.ScopeMetrics {
				n += points(sm.Metrics)
			}
		}
	}
	return n
}

func points(ms []*metricspb.Metric) (n int) {
	for _, m := range ms {
		n += len(m.GetSum().GetDataPoints()) + len(m.GetHistogram().GetDataPoints())
	}
	return n
}
