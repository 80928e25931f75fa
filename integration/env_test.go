package integration_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// elsewhere is an environment in which no data would reach the server: nobody
// listens on port 1, and the rest does not fit.
var elsewhere = func() map[string]string {
	env := map[string]string{
		"OTEL_SDK_DISABLED":                     "true",
		"OTEL_CONFIG_FILE":                      "testdata/no-such-file.yaml",
		"OTEL_EXPORTER_OTLP_ENDPOINT":           "https://127.0.0.1:1/prefix",
		"OTEL_EXPORTER_OTLP_PROTOCOL":           "http/json",
		"OTEL_EXPORTER_OTLP_HEADERS":            "authorization=secret",
		"OTEL_EXPORTER_OTLP_COMPRESSION":        "gzip",
		"OTEL_EXPORTER_OTLP_TIMEOUT":            "1",
		"OTEL_EXPORTER_OTLP_INSECURE":           "false",
		"OTEL_EXPORTER_OTLP_CERTIFICATE":        "testdata/no-such-file.pem",
		"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE": "testdata/no-such-file.pem",
		"OTEL_EXPORTER_OTLP_CLIENT_KEY":         "testdata/no-such-file.pem",
	}
	for _, signal := range []string{"TRACES", "METRICS", "LOGS"} {
		env["OTEL_"+signal+"_EXPORTER"] = "none"
		for name, value := range map[string]string{
			"ENDPOINT": "http://127.0.0.1:1/elsewhere", "PROTOCOL": "http/json", "HEADERS": "authorization=secret",
			"COMPRESSION": "gzip", "TIMEOUT": "1", "INSECURE": "false",
			"CERTIFICATE": "testdata/no-such-file.pem", "CLIENT_CERTIFICATE": "testdata/no-such-file.pem", "CLIENT_KEY": "testdata/no-such-file.pem",
		} {
			env["OTEL_EXPORTER_OTLP_"+signal+"_"+name] = value
		}
	}
	return env
}()

// exporterFromEnvironment makes an exporter without any option.
func (p path) exporterFromEnvironment() (e exporter, err error) {
	ctx := context.Background()
	switch p {
	case path{query.Traces, query.GRPC}:
		e.traces, err = otlptracegrpc.New(ctx)
	case path{query.Metrics, query.GRPC}:
		e.metrics, err = otlpmetricgrpc.New(ctx)
	case path{query.Logs, query.GRPC}:
		e.logs, err = otlploggrpc.New(ctx)
	case path{query.Traces, query.HTTPProtobuf}:
		e.traces, err = otlptracehttp.New(ctx)
	case path{query.Metrics, query.HTTPProtobuf}:
		e.metrics, err = otlpmetrichttp.New(ctx)
	case path{query.Logs, query.HTTPProtobuf}:
		e.logs, err = otlploghttp.New(ctx)
	}
	return e, err
}

func (p path) exportByEnvironment() error {
	e, err := p.exporterFromEnvironment()
	if err != nil {
		return err
	}
	return errors.Join(e.export(context.Background()), e.shutdown(context.Background()))
}

// C-24 to C-29, C-36.
func TestSetenvBringsExportersToTheServerFromWhereverTheyWere(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		for name, value := range elsewhere {
			if strings.HasSuffix(name, "_ENDPOINT") || strings.HasSuffix(name, "_TIMEOUT") {
				t.Setenv(name, value)
			}
		}
		if p.exportByEnvironment() == nil {
			t.Fatal("the environment names a backend that answers")
		}
		for name, value := range elsewhere {
			t.Setenv(name, value)
		}
		srv := otlptest.Start(t)
		srv.Setenv(t, p.protocol)
		if err := p.exportByEnvironment(); err != nil {
			t.Fatalf("export: %v", err)
		}
		wantPlain(t, otlptest.Exactly(t, srv.Exports(), 1)[0], p)
		wantItems(t, srv, sampleOf(p.signal))
	})
}

// wantPlain checks that an export came by that path, as if the environment had
// been empty before.
func wantPlain(t *testing.T, e query.Export, p path) {
	t.Helper()
	if e.Signal != p.signal || e.Protocol != p.protocol || e.Outcome != query.Accepted {
		t.Errorf("got %s, want %s accepted", e, p)
	}
	if e.Encoding != "" || e.Header.Get("authorization") != "" {
		t.Errorf("got encoding %q and authorization %q, want none", e.Encoding, e.Header.Get("authorization"))
	}
}

func TestSetenvEndsWithItsTest(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://before:4317")
	srv := otlptest.Start(t)
	t.Run("inner", func(t *testing.T) { srv.Setenv(t, otlptest.GRPC) })
	if got := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); got != "http://before:4317" {
		t.Errorf("got endpoint %q after the test, want what it was before", got)
	}
}

// childProtocol is set in the other process of the next test.
const childProtocol = "OTLPTEST_CHILD_PROTOCOL"

// Env does the same for another process: this test runs itself in one.
func TestEnvBringsAnotherProcessToTheServer(t *testing.T) {
	if protocol := os.Getenv(childProtocol); protocol != "" {
		exportEverySignal(t, query.Protocol(protocol))
		return
	}
	for _, protocol := range protocols {
		t.Run(string(protocol), func(t *testing.T) {
			srv := otlptest.Start(t)
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestEnvBringsAnotherProcessToTheServer$")
			cmd.Env = append(os.Environ(), childProtocol+"="+string(protocol))
			for name, value := range elsewhere {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			cmd.Env = append(cmd.Env, srv.Env(protocol)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, e := range otlptest.Exactly(t, srv.Exports(), 3) {
				wantPlain(t, e, path{e.Signal, protocol})
				if want := sampleOf(e.Signal).data; !proto.Equal(want, e.Proto()) {
					t.Errorf("%s: message differs from the sample", e)
				}
			}
		})
	}
}

func exportEverySignal(t *testing.T, protocol query.Protocol) {
	for _, p := range paths {
		if p.protocol != protocol {
			continue
		}
		if err := p.exportByEnvironment(); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
}

func TestEnvironmentOfAServerInMemoryIsRefused(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory())
	wantMention(t, errors.New(failure(t, func(t testing.TB) { srv.Setenv(t, otlptest.GRPC) })), "in memory")
}
