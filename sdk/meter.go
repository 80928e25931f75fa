package sdk

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/query"
)

// LossMeter counts what an application produced, to be held against what
// arrived. A server sees neither what a full queue dropped nor an export that
// never reached it; the difference does. Put it around the processor that is
// to be measured, or around the exporter for metrics:
//
//	var meter sdk.LossMeter
//	batcher := trace.NewBatchSpanProcessor(exporter, trace.WithMaxQueueSize(100))
//	provider := trace.NewTracerProvider(trace.WithSpanProcessor(meter.SpanProcessor(batcher)))
//	...
//	err := srv.Report().Verify(meter.NoLoss(), query.NoLoss())
//
// It counts for one server that nobody else sends to, since the server's last
// Reset. The zero LossMeter is ready for use; its methods are safe for
// concurrent use. Flush or shut down before looking: what is still in a queue
// counts as lost.
type LossMeter struct {
	spans, points, logs atomic.Int64
}

// Produced is how many sampled spans have ended, how many points were collected
// or how many log records were emitted until now.
func (m *LossMeter) Produced(s query.Signal) int {
	switch s {
	case query.Traces:
		return int(m.spans.Load())
	case query.Metrics:
		return int(m.points.Load())
	case query.Logs:
		return int(m.logs.Load())
	}
	return 0
}

// Loss is what became of what was produced of a signal, by a server's report.
func (m *LossMeter) Loss(s query.Signal, r query.Report) Loss {
	items := r.ItemsOf(s)
	return Loss{Signal: s, Produced: m.Produced(s), Sent: items.Sent, Delivered: items.Delivered}
}

// NoLoss is a check for a report that fails if not as many items were delivered
// as were produced, be it fewer or more, of a signal of which there were any.
// It has nothing to check where nothing was produced.
func (m *LossMeter) NoLoss() query.Check {
	return func(r query.Report) error {
		err := fmt.Errorf("produced and delivered: nothing was produced: %w", query.ErrNothingToCheck)
		var lost []error
		for _, s := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
			if m.Produced(s) == 0 {
				continue
			}
			err = nil
			if l := m.Loss(s, r); l.Lost() != 0 {
				lost = append(lost, fmt.Errorf("produced and delivered: %s", l))
			}
		}
		return errors.Join(append(lost, err)...)
	}
}

// Loss compares what an application produced of a signal with what a server
// saw of it. Each item counts once, however often it was sent.
type Loss struct {
	Signal    query.Signal
	Produced  int
	Sent      int // reached the server at least once, whatever became of it
	Delivered int // stored by the server at least once
}

// Unsent is how many items no server ever saw: dropped by a queue, still in it,
// or in an export that never got through. It is negative where the server got
// something that the meter did not count.
func (l Loss) Unsent() int { return l.Produced - l.Sent }

// Lost is how many items were not delivered. It is negative where the server
// got something that the meter did not count.
func (l Loss) Lost() int { return l.Produced - l.Delivered }

// String is a line such as "11 spans produced, 2 sent, 2 delivered: 9 lost".
func (l Loss) String() string {
	return fmt.Sprintf("%s produced, %d sent, %d delivered: %d lost", l.Signal.Count(l.Produced), l.Sent, l.Delivered, l.Lost())
}

// SpanProcessor is next with the sampled spans counted that end. A next of nil
// stands for one that does nothing, to register beside others.
func (m *LossMeter) SpanProcessor(next trace.SpanProcessor) trace.SpanProcessor {
	if next == nil {
		next = idleSpans{}
	}
	return &countedSpans{next, m}
}

type countedSpans struct {
	trace.SpanProcessor
	meter *LossMeter
}

// OnEnd counts.
func (c *countedSpans) OnEnd(s trace.ReadOnlySpan) {
	if s.SpanContext().IsSampled() {
		c.meter.spans.Add(1)
	}
	c.SpanProcessor.OnEnd(s)
}

type idleSpans struct{}

func (idleSpans) OnStart(context.Context, trace.ReadWriteSpan) {}
func (idleSpans) OnEnd(trace.ReadOnlySpan)                     {}
func (idleSpans) Shutdown(context.Context) error               { return nil }
func (idleSpans) ForceFlush(context.Context) error             { return nil }

// LogProcessor is next with the log records counted that are emitted. A next
// of nil stands for one that does nothing, to register beside others.
func (m *LossMeter) LogProcessor(next log.Processor) log.Processor {
	if next == nil {
		next = idleLogs{}
	}
	return &countedLogs{next, m}
}

type countedLogs struct {
	log.Processor
	meter *LossMeter
}

// OnEmit counts.
func (c *countedLogs) OnEmit(ctx context.Context, r *log.Record) error {
	c.meter.logs.Add(1)
	return c.Processor.OnEmit(ctx, r)
}

type idleLogs struct{}

// Enabled is false: that depends on the processors that export.
func (idleLogs) Enabled(context.Context, log.EnabledParameters) bool { return false }
func (idleLogs) OnEmit(context.Context, *log.Record) error           { return nil }
func (idleLogs) Shutdown(context.Context) error                      { return nil }
func (idleLogs) ForceFlush(context.Context) error                    { return nil }

// MetricExporter is next with the points counted that it is given to export:
// of a reader those that it has collected.
func (m *LossMeter) MetricExporter(next metric.Exporter) metric.Exporter {
	return &countedMetrics{next, m}
}

type countedMetrics struct {
	metric.Exporter
	meter *LossMeter
}

// Export counts.
func (c *countedMetrics) Export(ctx context.Context, rm *metricdata.ResourceMetrics) error {
	for _, s := range rm.ScopeMetrics {
		for _, m := range s.Metrics {
			c.meter.points.Add(int64(pointsOf(m.Data)))
		}
	}
	return c.Exporter.Export(ctx, rm)
}

func pointsOf(data metricdata.Aggregation) int {
	switch d := data.(type) {
	case metricdata.Gauge[int64]:
		return len(d.DataPoints)
	case metricdata.Gauge[float64]:
		return len(d.DataPoints)
	case metricdata.Sum[int64]:
		return len(d.DataPoints)
	case metricdata.Sum[float64]:
		return len(d.DataPoints)
	case metricdata.Histogram[int64]:
		return len(d.DataPoints)
	case metricdata.Histogram[float64]:
		return len(d.DataPoints)
	case metricdata.ExponentialHistogram[int64]:
		return len(d.DataPoints)
	case metricdata.ExponentialHistogram[float64]:
		return len(d.DataPoints)
	case metricdata.Summary:
		return len(d.DataPoints)
	}
	return 0
}
