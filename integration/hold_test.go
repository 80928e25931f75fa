package integration_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// oneAtATime is the paths of which an official exporter holds a mutex while it
// exports, so that a second export waits for the first (C-19 wants it sent). In
// a bubble whoever waits for a mutex stops the clock: there each request needs
// an exporter of its own.
var oneAtATime = map[path]bool{
	{query.Metrics, query.GRPC}:         true,
	{query.Metrics, query.HTTPProtobuf}: true,
	{query.Logs, query.GRPC}:            true,
}

// C-19: requests are sent while answers are outstanding, and the answers taken
// in any order.
func TestAnswersMayComeInAnyOrder(t *testing.T) {
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t)
		held := srv.Hold()
		answers := exportHeld(t, srv, p, 3)
		open, err := held.Wait(3)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range open {
			if e.Outcome != query.Open || e.Stored != e.Items {
				t.Errorf("got %s with %d of %d stored, want it open and stored", e, e.Stored, e.Items)
			}
		}
		for _, i := range []int{2, 0, 1} {
			time.Sleep(time.Second)
			wantNoAnswer(t, answers[i])
			if err := held.Release(i); err != nil {
				t.Fatal(err)
			}
			if err := <-answers[i]; err != nil {
				t.Errorf("export %d: %v", i, err)
			}
		}
		verify(t, srv, query.Concurrency(3, 3), query.AllDelivered())
	})
}

// exportHeld sends n exports by a path, so that the i-th is the i-th to arrive.
func exportHeld(t *testing.T, srv *otlptest.Server, p path, n int) (answers []chan error) {
	t.Helper()
	var e exporter
	for i := range n {
		if i == 0 || oneAtATime[p] {
			e = p.configured(t, srv, settings{})
		}
		answer := make(chan error, 1)
		go func() { answer <- e.export(t.Context()) }()
		answers = append(answers, answer)
		synctest.Wait()
	}
	return answers
}

func wantNoAnswer(t *testing.T, answer <-chan error) {
	t.Helper()
	synctest.Wait()
	select {
	case err := <-answer:
		t.Errorf("got %v, want no answer yet", err)
	default:
	}
}

// Outside of a bubble, since it is about mutexes.
func TestSomeExportersSendOneRequestAtATime(t *testing.T) {
	for p := range oneAtATime {
		t.Run(p.String(), func(t *testing.T) {
			srv := startInMemory(t, otlptest.WithWaitTimeout(50*time.Millisecond))
			held := srv.Hold()
			e := p.configured(t, srv, settings{})
			first := inBackground(func() error { return e.export(t.Context()) })
			otlptest.Await(t, srv.Exports(), 1)
			second := inBackground(func() error { return e.export(t.Context()) })
			if exports, err := held.Wait(2); err == nil {
				t.Errorf("got %d requests in flight, want one: the exporter has learned to pipeline (C-19)", len(exports))
			}
			held.ReleaseAll()
			for _, wait := range []func() error{first, second} {
				if err := wait(); err != nil {
					t.Errorf("export: %v", err)
				}
			}
			otlptest.Exactly(t, srv.Exports(), 2)
		})
	}
}

// C-20: a provider that is shut down while an answer is outstanding returns by
// the deadline that it was given. Its client gives up: at once for metrics and
// logs, and for traces, whose processor has no deadline for what it drains, when
// the exporter's timeout of 10 seconds is over.
func TestShutdownWhileAnAnswerIsHeldEndsByItsDeadline(t *testing.T) {
	const exporters = 10 * time.Second
	eachPathInBubble(t, func(t *testing.T, p path) {
		srv := startInMemory(t)
		srv.Hold()
		shutdown := recordOne(t, p.configured(t, srv, settings{}))
		start := time.Now()
		if err := shutdown(within(t, patience)); err == nil {
			t.Error("got no error from a shutdown that lost its answer")
		}
		if took := time.Since(start); took != patience {
			t.Errorf("got a shutdown of %s, want %s", took, patience)
		}
		gaveUp := patience
		if p.signal == query.Traces {
			gaveUp = exporters
		}
		time.Sleep(gaveUp - patience)
		synctest.Wait()
		e := otlptest.Exactly(t, srv.Exports(), 1)[0]
		if e.Outcome != query.Abandoned || !e.Answered.Equal(start.Add(gaveUp)) || e.Stored != 1 {
			t.Errorf("got %s, ended after %s, %d stored, want %q after %s, stored", e, e.Answered.Sub(start), e.Stored, query.Abandoned, gaveUp)
		}
		if c := srv.Report().Items(); c.Delivered != 1 || c.Acknowledged != 0 {
			t.Errorf("got %+v, want one item delivered, unknown to its client", c)
		}
	})
}

// recordOne gives a provider for the exporter one item, and returns how to shut
// it down.
func recordOne(t *testing.T, e exporter) (shutdown func(context.Context) error) {
	t.Helper()
	switch {
	case e.traces != nil:
		p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(e.traces))
		_, span := p.Tracer("integration").Start(t.Context(), "s")
		span.End()
		return p.Shutdown
	case e.metrics != nil:
		p := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(e.metrics)))
		counter, err := p.Meter("integration").Int64Counter("c")
		if err != nil {
			t.Fatal(err)
		}
		counter.Add(t.Context(), 1)
		return p.Shutdown
	}
	p := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(e.logs)))
	p.Logger("integration").Emit(t.Context(), log.Record{})
	return p.Shutdown
}
