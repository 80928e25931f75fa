package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// TestMain makes the test's own binary the program where the environment asks
// for it, so that nothing has to be built. The path of any other program would
// do as well.
func TestMain(m *testing.M) {
	if os.Getenv("BE_THE_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestProgramExportsItsSpans(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, protocol := range []otlptest.Protocol{otlptest.GRPC, otlptest.HTTPProtobuf} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			srv := otlptest.Start(t)
			cmd := exec.CommandContext(t.Context(), program, "cat.png", "dog.png")
			cmd.Env = append(os.Environ(), "BE_THE_PROGRAM=1", "OTEL_SERVICE_NAME=resizer")
			cmd.Env = append(cmd.Env, srv.Env(protocol)...) // last, so that it wins
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}

			job := otlptest.One(t, srv.Spans(where.Root(), where.Service("resizer")))
			for _, span := range otlptest.Exactly(t, srv.Spans(where.Name("resize")), 2) {
				if span.ParentSpanID != job.SpanID {
					t.Errorf("%s is a child of %s, want of %s", span.Attrs, span.ParentSpanID, job.SpanID)
				}
			}
			export := otlptest.One(t, srv.Exports())
			if export.Protocol != protocol {
				t.Errorf("the export came over %s, want %s", export.Protocol, protocol)
			}
		})
	}
}
