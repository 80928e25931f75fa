package sdk_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/log/logtest"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/trace"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
	"github.com/otlptest/otlptest/sdk"
)

// recorder is a processor that keeps the records.
type recorder struct {
	mu      sync.Mutex
	records []sdklog.Record
}

func (r *recorder) OnEmit(_ context.Context, record *sdklog.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records = append(r.records, record.Clone())
	return nil
}

func (*recorder) Enabled(context.Context, sdklog.EnabledParameters) bool { return true }
func (*recorder) Shutdown(context.Context) error                         { return nil }
func (*recorder) ForceFlush(context.Context) error                       { return nil }

// record is all that a record of the SDK holds.
type record struct {
	EventName, SeverityText string
	Timestamp, Observed     time.Time
	Severity                log.Severity
	Body                    attribute.Value
	Attributes              []attribute.KeyValue
	Dropped                 int
	TraceID                 trace.TraceID
	SpanID                  trace.SpanID
	Flags                   trace.TraceFlags
	Resource                *resource.Resource
	Scope                   instrumentation.Scope
}

func recordOf(r sdklog.Record) record {
	out := record{
		r.EventName(), r.SeverityText(), r.Timestamp(), r.ObservedTimestamp(), r.Severity(), r.Body(), nil,
		r.DroppedAttributes(), r.TraceID(), r.SpanID(), r.TraceFlags(), r.Resource(), r.InstrumentationScope(),
	}
	r.WalkAttributes(func(kv attribute.KeyValue) bool {
		out.Attributes = append(out.Attributes, kv)
		return true
	})
	return out
}

func TestLogRecordsArriveAsAProcessorSawThem(t *testing.T) {
	for _, p := range protocols {
		t.Run(string(p), func(t *testing.T) {
			srv := otlptest.Start(t)
			seen := new(recorder)
			lp := sdk.LoggerProvider(t, srv, p, sdklog.WithProcessor(seen), sdklog.WithResource(shop), sdklog.WithAttributeCountLimit(len(everyType)))
			emit(t, lp)
			sdk.Flush(t, lp)
			got, err := sdk.LogRecords(srv.Logs())
			if err != nil {
				t.Fatal(err)
			}
			want := seen.records
			if len(want) != 4 || want[0].DroppedAttributes() != 1 {
				t.Fatalf("got %d records that the processor saw, want 4, the first with a dropped attribute", len(want))
			}
			if diff := gocmp.Diff(each(want, recordOf), each(got, recordOf), equal); diff != "" {
				t.Errorf("log records (-emitted +received):\n%s", diff)
			}
		})
	}
}

func TestLogRecordsArriveAsALogtestRecorderSawThem(t *testing.T) {
	for _, p := range protocols {
		t.Run(string(p), func(t *testing.T) {
			srv := otlptest.Start(t)
			want, lp := logtest.NewRecorder(), sdk.LoggerProvider(t, srv, p)
			emit(t, want)
			emit(t, lp)
			sdk.Flush(t, lp)
			got, err := sdk.LogRecording(srv.Logs())
			if err != nil {
				t.Fatal(err)
			}
			logtest.AssertEqual(t, want.Result(), got, logtest.Transform(func(r logtest.Record) logtest.Record {
				r.Context = nil
				return r
			}))
			wantContexts(t, want.Result(), got)
		})
	}
}

// wantContexts checks that the contexts have the same spans.
func wantContexts(t testing.TB, want, got logtest.Recording) {
	t.Helper()
	for scope, records := range want {
		for i, r := range records {
			w := trace.SpanContextFromContext(r.Context)
			g := trace.SpanContextFromContext(got[scope][i].Context)
			if w.TraceID() != g.TraceID() || w.SpanID() != g.SpanID() || w.TraceFlags() != g.TraceFlags() {
				t.Errorf("record %d of %v: got span context %v, want %v", i, scope, g, w)
			}
		}
	}
}

// emit emits records in which each field is used.
func emit(t testing.TB, lp log.LoggerProvider) {
	t.Helper()
	logger := lp.Logger("shop/cart", log.WithInstrumentationVersion("1.2.3"),
		log.WithSchemaURL("https://example.com/scope"), log.WithInstrumentationAttributes(scopeAttrs...))
	var full log.Record
	full.SetEventName("charged")
	full.SetTimestamp(start)
	full.SetObservedTimestamp(now)
	full.SetSeverity(log.SeverityFatal4)
	full.SetSeverityText("Emergency")
	full.SetBody(attribute.MapValue(everyType[:11]...))
	full.AddAttributes(everyType...)
	full.AddAttributes(attribute.Int("the last", 1))
	logger.Emit(trace.ContextWithSpanContext(background, remote(t)), full)
	for _, body := range []attribute.Value{attribute.StringValue("a"), attribute.IntValue(1), {}} {
		var r log.Record
		r.SetObservedTimestamp(now)
		r.SetBody(body)
		lp.Logger("other").Emit(background, r)
	}
}

func TestDuplicateKeysOfALogRecordAreAnError(t *testing.T) {
	srv := otlptest.Start(t)
	post(t, srv, "/v1/logs", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"bad"},"attributes":[{"key":"a"},{"key":"a"}]}]}]}]}`)
	if _, err := sdk.LogRecords(srv.Logs()); err == nil || !strings.Contains(err.Error(), `log record "bad": attributes with the same key`) {
		t.Errorf("got %v, want an error about the same key", err)
	}
	if rec, err := sdk.LogRecording(srv.Logs()); err != nil || len(rec[logtest.Scope{}][0].Attributes) != 2 {
		t.Errorf("got %v and %v, want both attributes: a recording's are a list", rec, err)
	}
}

func TestAFilterThatCannotApplyIsAnErrorOfEachBridge(t *testing.T) {
	srv := otlptest.Start(t)
	_, errs := sdk.SpanStubs(srv.Spans(where.Rule("S-40")))
	_, errp := sdk.ResourceMetrics(srv.Points(where.Root()))
	_, errl := sdk.LogRecords(srv.Logs(where.Root()))
	_, errr := sdk.LogRecording(srv.Logs(where.Root()))
	for _, err := range []error{errs, errp, errl, errr} {
		if err == nil {
			t.Error("got no error")
		}
	}
}
