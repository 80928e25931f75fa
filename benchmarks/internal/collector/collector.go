// Package collector runs the OpenTelemetry Collector's OTLP receiver.
package collector

import (
	"context"
	"errors"
	"net"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

// Receiver is the Collector's OTLP receiver with sinks behind it.
type Receiver struct {
	GRPC, HTTP string // addresses
	Traces     consumertest.TracesSink
	Metrics    consumertest.MetricsSink
	Logs       consumertest.LogsSink
	parts      []component.Component // one for each signal, which share a server
}

// Start starts a receiver on ports of its own.
func Start() (r *Receiver, err error) {
	for range 3 { // another process may have taken a port in the meantime
		if r, err = start(); err == nil {
			break
		}
	}
	return r, err
}

func start() (*Receiver, error) {
	r := &Receiver{}
	if err := freeAddresses(&r.GRPC, &r.HTTP); err != nil {
		return nil, err
	}
	ctx, f := context.Background(), otlpreceiver.NewFactory()
	cfg := f.CreateDefaultConfig().(*otlpreceiver.Config)
	cfg.Protocols.GRPC.GetOrInsertDefault().NetAddr.Endpoint = r.GRPC
	cfg.Protocols.HTTP.GetOrInsertDefault().ServerConfig.NetAddr.Endpoint = r.HTTP
	set := receivertest.NewNopSettings(f.Type())
	traces, err1 := f.CreateTraces(ctx, set, cfg, &r.Traces)
	metrics, err2 := f.CreateMetrics(ctx, set, cfg, &r.Metrics)
	logs, err3 := f.CreateLogs(ctx, set, cfg, &r.Logs)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	r.parts = []component.Component{traces, metrics, logs}
	for _, p := range r.parts {
		if err := p.Start(ctx, componenttest.NewNopHost()); err != nil {
			return nil, errors.Join(err, r.Shutdown())
		}
	}
	return r, nil
}

// Shutdown stops the receiver.
func (r *Receiver) Shutdown() error {
	var errs []error
	for _, p := range r.parts {
		errs = append(errs, p.Shutdown(context.Background()))
	}
	return errors.Join(errs...)
}

// freeAddresses sets addresses that were free a moment ago: the receiver does
// not tell which ports it was given.
func freeAddresses(addresses ...*string) error {
	for _, a := range addresses {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer func() { _ = l.Close() }() // not before all are found, so that they differ
		*a = l.Addr().String()
	}
	return nil
}
