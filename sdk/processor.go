package sdk

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/trace"
)

// spanProcessor exports sampled spans when they have ended.
type spanProcessor struct {
	*queue[trace.ReadOnlySpan]
	exporter trace.SpanExporter
}

func newSpanProcessor(e trace.SpanExporter) trace.SpanProcessor {
	return &spanProcessor{newQueue(e.ExportSpans), e}
}

// OnStart does nothing.
func (*spanProcessor) OnStart(context.Context, trace.ReadWriteSpan) {}

// OnEnd has the span exported if it is sampled.
func (p *spanProcessor) OnEnd(s trace.ReadOnlySpan) {
	if s.SpanContext().IsSampled() {
		p.put(s)
	}
}

// Shutdown exports what is left and shuts the exporter down.
func (p *spanProcessor) Shutdown(ctx context.Context) error {
	return p.shutdown(ctx, p.exporter.Shutdown)
}

// logProcessor exports log records when they are emitted.
type logProcessor struct {
	*queue[log.Record]
	exporter log.Exporter
}

func newLogProcessor(e log.Exporter) log.Processor {
	return &logProcessor{newQueue(e.Export), e}
}

// Enabled is true for all records.
func (*logProcessor) Enabled(context.Context, log.EnabledParameters) bool { return true }

// OnEmit has a copy of the record exported.
func (p *logProcessor) OnEmit(_ context.Context, r *log.Record) error {
	p.put(r.Clone())
	return nil
}

// ForceFlush exports what is left.
func (p *logProcessor) ForceFlush(ctx context.Context) error {
	return errors.Join(p.queue.ForceFlush(ctx), p.exporter.ForceFlush(ctx))
}

// Shutdown exports what is left and shuts the exporter down.
func (p *logProcessor) Shutdown(ctx context.Context) error {
	return p.shutdown(ctx, p.exporter.Shutdown)
}
