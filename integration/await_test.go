package integration_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// In a bubble every duration in a failure text is exact. The texts are in
// testdata; OTLPTEST_UPDATE=1 writes them anew.
func TestFailuresExplainThemselves(t *testing.T) {
	for _, kv := range os.Environ() { // which the texts look at
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "")
		}
	}
	failed := []query.Filter{where.Name("charge"), where.Attr("status", 500)}
	for name, test := range map[string]struct {
		before func(*testing.T, *otlptest.Server)
		fail   func(testing.TB, *otlptest.Server)
	}{
		"await": {
			before: charge,
			fail:   func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Spans(failed...), 2) },
		},
		"await-no-client": {
			fail: func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Spans(failed...), 1) },
		},
		"await-silent-client": {
			before: func(t *testing.T, srv *otlptest.Server) {
				c, err := srv.DialGRPC(t.Context(), srv.GRPCEndpoint())
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { c.Close() })
			},
			fail: func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Logs(), 1) },
		},
		"await-open-export": {
			before: hang,
			fail:   func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Spans(), 1) },
		},
		"await-attribute-elsewhere": {
			before: charge,
			fail:   func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Spans(where.Attr("shard", 7)), 1) },
		},
		"await-exports": {
			before: charge,
			fail:   func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Exports(failed...), 3) },
		},
		"await-impossible": {
			fail: func(t testing.TB, srv *otlptest.Server) { otlptest.Await(t, srv.Logs(where.Name("charge")), 1) },
		},
		"one": {
			before: charge,
			fail:   func(t testing.TB, srv *otlptest.Server) { otlptest.One(t, srv.Spans(where.Name("charge"))) },
		},
		"exactly": {
			before: charge,
			fail:   func(t testing.TB, srv *otlptest.Server) { otlptest.Exactly(t, srv.Spans(failed...), 0) },
		},
		"never": {
			before: charge,
			fail:   func(t testing.TB, srv *otlptest.Server) { otlptest.Never(t, srv.Spans(failed[0]), time.Minute) },
		},
		"never-open-export": {
			before: hang,
			fail:   func(t testing.TB, srv *otlptest.Server) { otlptest.Never(t, srv.Spans(), time.Minute) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			var text string
			synctest.Test(t, func(t *testing.T) {
				srv := startInMemory(t)
				if test.before != nil {
					test.before(t, srv)
				}
				text = failure(t, func(t testing.TB) { test.fail(t, srv) })
			})
			wantGolden(t, name, text)
		})
	}
}

// charge leaves four spans: three that came at once, and one whose export was
// throttled before. A fifth was refused and is not there.
func charge(t *testing.T, srv *otlptest.Server) {
	e := newExporter(t, srv, path{query.Traces, query.GRPC}, patient)
	send := func(fault faults.Fault, spans ...sdktrace.ReadOnlySpan) error {
		if err := srv.Inject(faults.Sequence(fault)); err != nil {
			t.Fatal(err)
		}
		return e.traces.ExportSpans(t.Context(), spans)
	}
	err1 := send(faults.Accept(), newSpan("charge", trace.SpanKindServer, 500), newSpan("charge", trace.SpanKindServer, 200), newSpan("refund", trace.SpanKindClient, 200))
	err2 := send(faults.Throttle(1234*time.Millisecond), newSpan("audit", trace.SpanKindInternal, 500))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	wantMention(t, send(faults.Reject("no"), newSpan("charge", trace.SpanKindServer, 500)), "no")
}

func newSpan(name string, kind trace.SpanKind, status int) sdktrace.ReadOnlySpan {
	return tracetest.SpanStub{
		Name: name, SpanKind: kind, Resource: sampleResource(),
		Attributes: []attribute.KeyValue{attribute.Int("status", status)},
	}.Snapshot()
}

// hang leaves an export that is not answered until the test ends.
func hang(t *testing.T, srv *otlptest.Server) {
	if err := srv.Inject(faults.Sequence(faults.Hang())); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e := newExporter(t, srv, path{query.Traces, query.GRPC}, retries{})
	wait := inBackground(func() error { return e.export(ctx) })
	t.Cleanup(func() {
		cancel()
		wait()
	})
	synctest.Wait()
}

// failure is what f says when it fails the test that it is given, as it must.
func failure(t *testing.T, f func(testing.TB)) string {
	t.Helper()
	fake := &fakeTB{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(fake)
	}()
	<-done
	if fake.text == "" {
		t.Error("the assertion passed")
	}
	return fake.text
}

// fakeTB takes a fatal failure as a test does, by ending the goroutine.
type fakeTB struct {
	testing.TB
	text string
}

func (t *fakeTB) Fatalf(format string, args ...any) { t.Fatal(fmt.Sprintf(format, args...)) }

func (t *fakeTB) Fatal(args ...any) {
	t.text = fmt.Sprint(args...)
	runtime.Goexit()
}

// inMemory is the address of a server in memory, which is another for each.
var inMemory = regexp.MustCompile(`\d+\.\d+\.\d+\.\d+(:431[78])`)

// wantGolden compares with a file in testdata.
func wantGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	got = inMemory.ReplaceAllString(strings.TrimRight(got, "\n")+"\n", "HOST$1")
	if os.Getenv("OTLPTEST_UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the text differs (-want +got); OTLPTEST_UPDATE=1 writes it anew:\n%s\ngot:\n%s", diff, got)
	}
}
