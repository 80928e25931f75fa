package layout

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The module of a user who has not upgraded for a while. It stands on an SDK
// and a grpc that the newest releases have left behind.
const (
	userGoMod = `module example.com/shop

go 1.25.0

require (
	go.opentelemetry.io/otel v1.40.0
	go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc v1.40.0
	go.opentelemetry.io/otel/sdk v1.40.0
	google.golang.org/grpc v1.78.0
)
`
	userCode = `package shop

import (
	"context"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/trace"
	"google.golang.org/grpc"
)

func provider(ctx context.Context, backend string) (*trace.TracerProvider, error) {
	exporter, err := otlptracegrpc.New(ctx, otlptracegrpc.WithEndpoint(backend), otlptracegrpc.WithInsecure(),
		otlptracegrpc.WithDialOption(grpc.WithUserAgent("shop")))
	if err != nil {
		return nil, err
	}
	return trace.NewTracerProvider(trace.WithBatcher(exporter)), nil
}
`
	userTest = `package shop

import (
	"context"
	"testing"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

func TestSpanArrives(t *testing.T) {
	srv := otlptest.Start(t)
	p, err := provider(t.Context(), srv.GRPCEndpoint())
	if err != nil {
		t.Fatal(err)
	}
	_, span := p.Tracer("shop").Start(t.Context(), "charge")
	span.End()
	if err := p.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	otlptest.Exactly(t, srv.Spans(where.Name("charge")), 1)
}
`
)

// A test helper that moves the versions in its users' go.mod changes what they
// ship, and what they test.
func TestAddingOtlptestMovesNoVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads and builds an older SDK")
	}
	dir := t.TempDir()
	write(t, dir, "go.mod", userGoMod)
	write(t, dir, "shop.go", userCode)
	goTool(t, dir, "mod", "tidy")
	before := versions(t, dir)
	for _, want := range []string{
		"go.opentelemetry.io/otel v1.40.0",
		"go.opentelemetry.io/otel/sdk v1.40.0",
		"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc v1.40.0",
		"go.opentelemetry.io/proto/otlp v1.9.0",
		"google.golang.org/grpc v1.78.0",
	} {
		if !slices.Contains(before, want) {
			t.Fatalf("the user's module does not select %s to begin with, but\n%s", want, strings.Join(before, "\n"))
		}
	}

	write(t, dir, "shop_test.go", userTest)
	goTool(t, dir, "mod", "edit", "-require="+module+"@v0.0.0", "-replace="+module+"="+root(t))
	goTool(t, dir, "mod", "tidy")
	after := versions(t, dir)
	for _, v := range before {
		if !slices.Contains(after, v) {
			name, _, _ := strings.Cut(v, " ")
			i := slices.IndexFunc(after, func(s string) bool { return strings.HasPrefix(s, name+" ") })
			if i < 0 {
				t.Errorf("adding otlptest drops %s", v)
				continue
			}
			t.Errorf("adding otlptest moves %s to %s", v, strings.TrimPrefix(after[i], name+" "))
		}
	}
	goTool(t, dir, "vet", "./...")
	goTool(t, dir, "test", "./...")
}

// versions is the build list of the module in a directory but for itself.
func versions(t *testing.T, dir string) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(goTool(t, dir, "list", "-m", "all")), "\n")[1:]
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
