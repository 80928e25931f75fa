package otlptest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
)

// fakeTB is a test that may fail: it notes what a real one would print.
type fakeTB struct {
	testing.TB
	log      strings.Builder
	failed   bool
	cleanups []func()
}

// fatal is what ends a fakeTB instead of the goroutine.
type fatal struct{}

// run runs a test that may fail, with its cleanups, and returns what it
// printed.
func run(t *testing.T, test func(testing.TB)) *fakeTB {
	t.Helper()
	f := &fakeTB{TB: t}
	f.step(func() { test(f) })
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.step(f.cleanups[i])
	}
	return f
}

func (f *fakeTB) step(do func()) {
	defer func() {
		if r := recover(); r != nil && r != (fatal{}) {
			panic(r)
		}
	}()
	do()
}

func (f *fakeTB) Helper()                      {}
func (f *fakeTB) Failed() bool                 { return f.failed }
func (f *fakeTB) Cleanup(c func())             { f.cleanups = append(f.cleanups, c) }
func (f *fakeTB) Log(args ...any)              { fmt.Fprintln(&f.log, args...) }
func (f *fakeTB) Error(args ...any)            { f.failed = true; f.Log(args...) }
func (f *fakeTB) Fatal(args ...any)            { f.Error(args...); panic(fatal{}) }
func (f *fakeTB) Logf(s string, args ...any)   { f.Log(fmt.Sprintf(s, args...)) }
func (f *fakeTB) Errorf(s string, args ...any) { f.Error(fmt.Sprintf(s, args...)) }
func (f *fakeTB) Fatalf(s string, args ...any) { f.Fatal(fmt.Sprintf(s, args...)) }

// updating says whether golden files are rewritten: tests change the variable.
var updating = os.Getenv("OTLPTEST_UPDATE") == "1"

// golden compares a text with a file in testdata, which OTLPTEST_UPDATE=1
// rewrites.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if updating {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("text differs from %s (-want +got):\n%s", file, diff)
	}
}

// span makes a span with attributes of plain Go values.
func span(name string, attrs ...any) *tracepb.Span {
	s := &tracepb.Span{TraceId: bytes.Repeat([]byte{1}, 16), SpanId: bytes.Repeat([]byte{2}, 8), Name: name}
	for i := 0; i < len(attrs); i += 2 {
		s.Attributes = append(s.Attributes, attr(attrs[i].(string), attrs[i+1]))
	}
	return s
}

func attr(key string, value any) *commonpb.KeyValue {
	v := &commonpb.AnyValue{}
	switch value := value.(type) {
	case string:
		v.Value = &commonpb.AnyValue_StringValue{StringValue: value}
	case int:
		v.Value = &commonpb.AnyValue_IntValue{IntValue: int64(value)}
	}
	return &commonpb.KeyValue{Key: key, Value: v}
}

// send posts spans of the service "shop", whose resource has tenant="b", and
// returns the answer's status.
func send(t testing.TB, srv *otlptest.Server, spans ...*tracepb.Span) int {
	t.Helper()
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   &resourcepb.Resource{Attributes: []*commonpb.KeyValue{attr("service.name", "shop"), attr("tenant", "b")}},
		ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return post(t, srv, "/v1/traces", body)
}

func post(t testing.TB, srv *otlptest.Server, path string, body []byte) int {
	t.Helper()
	res, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+path, "application/x-protobuf", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}
