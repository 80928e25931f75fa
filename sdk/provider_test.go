package sdk_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
	"github.com/otlptest/otlptest/sdk"
)

// servers is every way to reach a server.
var servers = map[string]func(t testing.TB) []otlptest.Option{
	"tcp":        func(testing.TB) []otlptest.Option { return nil },
	"tls":        func(testing.TB) []otlptest.Option { return []otlptest.Option{otlptest.WithTLS()} },
	"mutual tls": func(testing.TB) []otlptest.Option { return []otlptest.Option{otlptest.WithMutualTLS()} },
	"memory":     func(testing.TB) []otlptest.Option { return []otlptest.Option{otlptest.WithInMemory()} },
	"memory, tls": func(testing.TB) []otlptest.Option {
		return []otlptest.Option{otlptest.WithInMemory(), otlptest.WithTLS()}
	},
	"one port":    func(testing.TB) []otlptest.Option { return []otlptest.Option{otlptest.WithOnePort()} },
	"path prefix": func(testing.TB) []otlptest.Option { return []otlptest.Option{otlptest.WithPathPrefix("/otlp")} },
	"unix sockets": func(t testing.TB) []otlptest.Option {
		dir := t.TempDir()
		return []otlptest.Option{otlptest.WithListeners(listenUnix(t, filepath.Join(dir, "g")), listenUnix(t, filepath.Join(dir, "h")))}
	},
}

func listenUnix(t testing.TB, path string) net.Listener {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestProvidersReachEveryServer(t *testing.T) {
	for name, opts := range servers {
		for _, p := range protocols {
			t.Run(fmt.Sprintf("%s/%s", name, p), func(t *testing.T) {
				t.Parallel()
				srv := otlptest.Start(t, opts(t)...)
				tp, mp, lp := sdk.TracerProvider(t, srv, p), sdk.MeterProvider(t, srv, p), sdk.LoggerProvider(t, srv, p)
				endSpan(tp, "charge")
				measure(t, mp)
				emit(t, lp)
				sdk.Flush(t, tp, mp, lp)
				otlptest.Exactly(t, srv.Spans(where.Name("charge")), 1)
				otlptest.Exactly(t, srv.Points(where.Name("counter")), 2)
				otlptest.Exactly(t, srv.Logs(where.ScopeName("other")), 3)
			})
		}
	}
}

func endSpan(tp *trace.TracerProvider, name string) {
	_, span := tp.Tracer("").Start(background, name)
	span.End()
}

func TestSpansAndLogRecordsArriveWithoutAFlush(t *testing.T) {
	srv := otlptest.Start(t)
	tp, lp := sdk.TracerProvider(t, srv, otlptest.GRPC), sdk.LoggerProvider(t, srv, otlptest.GRPC)
	endSpan(tp, "charge")
	otlptest.One(t, srv.Spans())
	emit(t, lp)
	otlptest.Await(t, srv.Logs(), 4)
}

func TestABurstLosesNothing(t *testing.T) {
	const many = 10_000 // more than the SDK's own queues hold
	srv := otlptest.Start(t)
	tp, lp := sdk.TracerProvider(t, srv, otlptest.GRPC), sdk.LoggerProvider(t, srv, otlptest.GRPC)
	logger := lp.Logger("")
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range many / 10 {
				endSpan(tp, "charge")
				logger.Emit(background, log.Record{})
			}
		})
	}
	wg.Wait()
	sdk.Flush(t, tp, lp)
	otlptest.Exactly(t, srv.Spans(), many)
	otlptest.Exactly(t, srv.Logs(), many)
}

func TestSpansThatAreNotSampledAreNotExported(t *testing.T) {
	srv := otlptest.Start(t)
	tp := sdk.TracerProvider(t, srv, otlptest.GRPC, trace.WithSampler(recordOnly{}))
	endSpan(tp, "charge")
	sdk.Flush(t, tp)
	otlptest.Exactly(t, srv.Spans(), 0)
}

type recordOnly struct{ trace.Sampler }

func (recordOnly) ShouldSample(trace.SamplingParameters) trace.SamplingResult {
	return trace.SamplingResult{Decision: trace.RecordOnly}
}
func (recordOnly) Description() string { return "record only" }

func TestTheEndOfTheTestDeliversTheRest(t *testing.T) {
	for _, p := range protocols {
		srv := otlptest.Start(t)
		t.Run(string(p), func(t *testing.T) {
			measure(t, sdk.MeterProvider(t, srv, p))
			endSpan(sdk.TracerProvider(t, srv, p), "charge")
			emit(t, sdk.LoggerProvider(t, srv, p))
		})
		otlptest.Exactly(t, srv.Spans(), 1)
		otlptest.Exactly(t, srv.Points(where.Name("counter")), 2)
		otlptest.Exactly(t, srv.Logs(), 4)
	}
}

func TestProtocolsThatNoExporterSpeaksAreFatal(t *testing.T) {
	srv := otlptest.Start(t)
	run(t, func(t testing.TB) { sdk.MeterProvider(t, srv, otlptest.HTTPJSON) }).
		wantLog(t, true, "MeterProvider: the official Go SDK has no exporter of metrics over http/json: use grpc or http/protobuf")
	run(t, func(t testing.TB) { sdk.LoggerProvider(t, srv, otlptest.HTTPJSON) }).
		wantLog(t, true, "LoggerProvider: the official Go SDK has no exporter of log records over http/json: use grpc or http/protobuf")
	run(t, func(t testing.TB) { sdk.TracerProvider(t, srv, "h3") }).wantLog(t, true, `got protocol "h3", want grpc, http/protobuf or http/json`)
	run(t, func(t testing.TB) { sdk.MeterProvider(t, srv, "h3") }).wantLog(t, true, `got protocol "h3", want grpc or http/protobuf`)
}

func TestAnExportThatFailsFailsTheTestAtItsEnd(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(faults.Reject("no room"))))
	quiet(t)
	run(t, func(t testing.TB) { endSpan(sdk.TracerProvider(t, srv, otlptest.GRPC), "charge") }).
		wantLog(t, true, "otlptest/sdk: shutdown of a *trace.TracerProvider: ")
	run(t, func(tb testing.TB) { measure(t, sdk.MeterProvider(tb, srv, otlptest.GRPC)) }).wantLog(t, true, "no room")
	run(t, func(tb testing.TB) { emit(t, sdk.LoggerProvider(tb, srv, otlptest.HTTPProtobuf)) }).wantLog(t, true, "no room")
}

func TestAProviderThatWasShutDownIsLeftAlone(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(faults.Reject("no room"))))
	quiet(t)
	run(t, func(tb testing.TB) {
		tp, mp, lp := sdk.TracerProvider(tb, srv, otlptest.GRPC), sdk.MeterProvider(tb, srv, otlptest.GRPC), sdk.LoggerProvider(tb, srv, otlptest.GRPC)
		endSpan(tp, "charge")
		measure(t, mp)
		emit(t, lp)
		for _, p := range []sdk.Shutdowner{tp, mp, lp} {
			if err := p.Shutdown(background); err == nil {
				t.Errorf("%T: got no error from a shutdown whose export failed", p)
			}
		}
		endSpan(tp, "too late")
		if err := tp.ForceFlush(background); err != nil {
			t.Errorf("flush after the shutdown: %v", err)
		}
	}).wantLog(t, false, "")
	otlptest.Exactly(t, srv.Exports(where.Name("charge")), 1)
	otlptest.Exactly(t, srv.Exports(where.Name("too late")), 0)
}

// Whether the export was under way before the flush or is the flush's own, its
// error is told.
func TestAFlushTellsOfExportsSinceTheLastOne(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Reject("no room"))))
	quiet(t)
	tp := sdk.TracerProvider(t, srv, otlptest.GRPC)
	endSpan(tp, "charge")
	otlptest.Await(t, srv.Exports(where.Func("answered", func(e query.Export) bool { return !e.Answered.IsZero() })), 1)
	run(t, func(t testing.TB) { sdk.Flush(t, tp) }).wantLog(t, true, "Flush: *trace.TracerProvider: ")
	endSpan(tp, "charge")
	sdk.Flush(t, tp)
}

// With the SDK's own processors these stop the clock for ever: spans that end
// while a flush is held up.
func TestProvidersWorkInABubbleUnderThrottling(t *testing.T) {
	for _, p := range protocols {
		t.Run(string(p), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const delay = 7 * time.Second
				srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(
					faults.Sequence(faults.Throttle(delay)).On(query.Traces),
					faults.Sequence(faults.Throttle(delay)).On(query.Metrics),
					faults.Sequence(faults.Throttle(delay)).On(query.Logs)))
				tp, mp, lp := sdk.TracerProvider(t, srv, p), sdk.MeterProvider(t, srv, p), sdk.LoggerProvider(t, srv, p)
				began := time.Now()
				var wg sync.WaitGroup
				for i := range 20 {
					wg.Go(func() {
						time.Sleep(time.Duration(i) * time.Second / 2)
						endSpan(tp, "charge")
						lp.Logger("").Emit(background, log.Record{})
					})
				}
				wg.Go(func() { measure(t, mp); sdk.Flush(t, mp) })
				for range 3 {
					wg.Go(func() { time.Sleep(time.Second); sdk.Flush(t, tp, lp) })
				}
				wg.Wait()
				sdk.Flush(t, tp, mp, lp)
				otlptest.Exactly(t, srv.Spans(), 20)
				otlptest.Exactly(t, srv.Logs(), 20)
				if got, want := time.Since(began), 19*time.Second/2; got < want || got > want+time.Second {
					t.Errorf("got all after %s, want about %s", got, want)
				}
			})
		})
	}
}

func TestAShutdownEndsWithItsContext(t *testing.T) {
	for _, p := range protocols {
		t.Run(string(p), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				quiet(t)
				srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Always(faults.Hang())))
				tp, lp := sdk.TracerProvider(t, srv, p), sdk.LoggerProvider(t, srv, p)
				for i, produce := range []func(){func() { endSpan(tp, "charge") }, func() { lp.Logger("").Emit(background, log.Record{}) }} {
					produce()
					otlptest.Await(t, srv.Exports(), i+1)
					produce() // which waits behind the one that hangs
				}
				for _, provider := range []sdk.Shutdowner{tp, lp} {
					began := time.Now()
					ctx, cancel := context.WithTimeout(background, time.Second)
					if err := provider.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("%T: got %v, want a deadline that is exceeded", provider, err)
					}
					cancel()
					if got := time.Since(began); got != time.Second {
						t.Errorf("%T: the shutdown took %s, want 1s", provider, got)
					}
				}
			})
		})
	}
}

func TestAFlushEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(faults.Sequence(faults.Accept().After(5*time.Second))))
		tp := sdk.TracerProvider(t, srv, otlptest.GRPC, trace.WithResource(shop))
		_, span := tp.Tracer("").Start(background, "charge")
		span.SetAttributes(attribute.Int("n", 1))
		span.End()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(background, time.Second)
		defer cancel()
		if err := tp.ForceFlush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want a deadline that is exceeded", err)
		}
		sdk.Flush(t, tp)
		otlptest.Exactly(t, srv.Spans(), 1)
	})
}
