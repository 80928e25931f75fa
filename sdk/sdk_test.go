package sdk_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/goleak"

	"github.com/otlptest/otlptest/otlptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// protocols is those that all official exporters speak.
var protocols = []otlptest.Protocol{otlptest.GRPC, otlptest.HTTPProtobuf}

// everyType is an attribute of every type, and shapes that have none.
var everyType = []attribute.KeyValue{
	attribute.String("string", "é"), attribute.Bool("bool", true), attribute.Int64("int", -1<<63), attribute.Float64("double", 5e-324),
	attribute.StringSlice("strings", []string{"a", ""}), attribute.BoolSlice("bools", []bool{true, false}),
	attribute.Int64Slice("ints", []int64{1, 1<<63 - 1}), attribute.Float64Slice("doubles", []float64{1, 2.5}),
	attribute.ByteSlice("bytes", []byte{0, 255}),
	attribute.Slice("mixed", attribute.IntValue(1), attribute.StringValue("a"), attribute.Value{}, attribute.SliceValue(attribute.BoolValue(true), attribute.IntValue(2))),
	attribute.Map("map", attribute.Int("b", 1), attribute.Map("a", attribute.String("c", "d"))),
	attribute.Slice("nothing in it"), attribute.Map("nor in it"), {Key: "empty"},
}

var (
	scopeAttrs = []attribute.KeyValue{attribute.String("scope.kind", "library"), attribute.Int("scope.number", 3)}
	shop       = resource.NewWithAttributes("https://example.com/resource", append(everyType, attribute.String("service.name", "shop"))...)
)

// remote is the span of another process that called.
func remote(t testing.TB) trace.SpanContext {
	t.Helper()
	state, err := trace.ParseTraceState("a=1,b=2")
	if err != nil {
		t.Fatal(err)
	}
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1, 2, 3}, SpanID: trace.SpanID{4, 5, 6}, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: true,
	})
}

// fakeTB is a test that may fail: it notes what a real one would print.
type fakeTB struct {
	testing.TB
	log      strings.Builder
	failed   bool
	ended    bool
	cleanups []func()
}

// fatal is what ends a fakeTB instead of the goroutine.
type fatal struct{}

// run runs a test that may fail, with its cleanups.
func run(t testing.TB, test func(testing.TB)) *fakeTB {
	t.Helper()
	f := &fakeTB{TB: t}
	f.step(func() { test(f) })
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.step(f.cleanups[i])
	}
	f.ended = true
	return f
}

// Name is there for examples, which have no test.
func (f *fakeTB) Name() string {
	if f.TB == nil {
		return "Example"
	}
	return f.TB.Name()
}

func (f *fakeTB) step(do func()) {
	defer func() {
		if r := recover(); r != nil && r != (fatal{}) {
			panic(r)
		}
	}()
	do()
}

func (f *fakeTB) Helper()          {}
func (f *fakeTB) Failed() bool     { return f.failed }
func (f *fakeTB) Cleanup(c func()) { f.cleanups = append(f.cleanups, c) }
func (f *fakeTB) Logf(s string, args ...any) {
	if f.ended {
		panic("log after the test's end")
	}
	fmt.Fprintf(&f.log, s+"\n", args...)
}
func (f *fakeTB) Errorf(s string, args ...any) { f.failed = true; f.Logf(s, args...) }
func (f *fakeTB) Fatalf(s string, args ...any) { f.Errorf(s, args...); panic(fatal{}) }

// wantLog checks what a test that may fail printed.
func (f *fakeTB) wantLog(t testing.TB, failed bool, text string) {
	t.Helper()
	if f.failed != failed || !strings.Contains(f.log.String(), text) {
		t.Errorf("got failed %t and\n%s\nwant failed %t and %q", f.failed, f.log.String(), failed, text)
	}
}

var background = context.Background()
