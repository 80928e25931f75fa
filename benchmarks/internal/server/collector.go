package server

import "github.com/otlptest/otlptest/benchmarks/internal/collector"

func serveCollector([]string) (running, error) {
	r, err := collector.Start()
	if err != nil {
		return running{}, err
	}
	return running{
		Addresses: Addresses{GRPC: r.GRPC, HTTP: r.HTTP},
		count:     func() int { return r.Traces.SpanCount() + r.Metrics.DataPointCount() + r.Logs.LogRecordCount() },
	}, nil
}
