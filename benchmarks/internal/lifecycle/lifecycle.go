// Package lifecycle measures what a test pays for a server of its own: to start
// it, to export to it for the first time, and to stop it.
package lifecycle

import (
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"

	"github.com/otlptest/otlptest/benchmarks/internal/collector"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// Times are the medians of what each part took.
type Times struct{ Start, Export, Close, Total time.Duration }

// Names of the servers.
const (
	Otlptest  = "otlptest"
	GRPCGo    = "grpc-go, requests dropped"
	Collector = "Collector's receiver, sink"
)

// start starts a server; stop ends it.
type start func() (addr string, stop func() error, err error)

var servers = map[string]start{
	Otlptest: func() (string, func() error, error) {
		srv, err := otlptest.New()
		if err != nil {
			return "", nil, err
		}
		return srv.GRPCEndpoint(), srv.Close, nil
	},
	GRPCGo: func() (string, func() error, error) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", nil, err
		}
		s := grpc.NewServer()
		coltrace.RegisterTraceServiceServer(s, nothing{})
		go s.Serve(l)
		return l.Addr().String(), func() error { s.Stop(); return nil }, nil
	},
	Collector: func() (string, func() error, error) {
		r, err := collector.Start()
		if err != nil {
			return "", nil, err
		}
		return r.GRPC, r.Shutdown, nil
	},
}

// nothing is what is done with requests.
type nothing struct {
	coltrace.UnimplementedTraceServiceServer
}

func (nothing) Export(context.Context, *coltrace.ExportTraceServiceRequest) (*coltrace.ExportTraceServiceResponse, error) {
	return &coltrace.ExportTraceServiceResponse{}, nil
}

// Measure has each server start, take a span from a new client, and stop, n
// times in turn, and returns the medians by name.
func Measure(n int) (map[string]Times, error) {
	request := &coltrace.ExportTraceServiceRequest{}
	if err := proto.Unmarshal(payload.Requests(payload.Spans, payload.Shape{Items: 1, Attrs: 4}, 1)[0], request); err != nil {
		return nil, err
	}
	names := []string{Otlptest, GRPCGo, Collector}
	all := map[string][]Times{}
	const warmup = 5
	for i := range n + warmup {
		for j := range names {
			name := names[(i+j)%len(names)]
			t, err := live(servers[name], request)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if i >= warmup {
				all[name] = append(all[name], t)
			}
		}
	}
	medians := map[string]Times{}
	for name, ts := range all {
		medians[name] = Times{
			Start:  median(ts, func(t Times) time.Duration { return t.Start }),
			Export: median(ts, func(t Times) time.Duration { return t.Export }),
			Close:  median(ts, func(t Times) time.Duration { return t.Close }),
			Total:  median(ts, func(t Times) time.Duration { return t.Total }),
		}
	}
	return medians, nil
}

func live(s start, request *coltrace.ExportTraceServiceRequest) (t Times, err error) {
	t0 := time.Now()
	addr, stop, err := s()
	if err != nil {
		return t, err
	}
	t1 := time.Now()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return t, err
	}
	if _, err := coltrace.NewTraceServiceClient(conn).Export(context.Background(), request); err != nil {
		return t, err
	}
	t2 := time.Now()
	if err := conn.Close(); err != nil {
		return t, err
	}
	t3 := time.Now()
	if err := stop(); err != nil {
		return t, err
	}
	t4 := time.Now()
	t.Start, t.Export, t.Close = t1.Sub(t0), t2.Sub(t1), t4.Sub(t3)
	t.Total = t.Start + t.Export + t.Close
	return t, nil
}

func median(ts []Times, part func(Times) time.Duration) time.Duration {
	v := make([]time.Duration, len(ts))
	for i, t := range ts {
		v[i] = part(t)
	}
	slices.Sort(v)
	return v[len(v)/2]
}
