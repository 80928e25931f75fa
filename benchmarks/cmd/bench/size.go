package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// size is of a test binary.
type size struct {
	bytes, stripped int64
	packages        int
}

// sizePackages are tests that do the same with another backend, with more or
// less of it, or with none.
var sizePackages = []struct{ name, title string }{
	{"base", "none (all of it)"},
	{"otlptest", "otlptest, for gRPC"},
	{"http", "otlptest, for gRPC and HTTP"},
	{"most", "otlptest, nearly all of it"},
	{"collector", "Collector's receiver, sink"},
}

// maxAdded is the bar: bytes without symbols that otlptest adds.
const maxAdded = 2_000_000

func sizePackage(name string) string { return "github.com/otlptest/otlptest/benchmarks/size/" + name }

// size builds the tests below ../../size, as they are and without symbols.
func (b *bench) size() error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b.sizes = map[string]size{}
	for _, p := range sizePackages {
		pkg := sizePackage(p.name)
		var s size
		if s.bytes, err = buildTest(dir, pkg); err != nil {
			return err
		}
		if s.stripped, err = buildTest(dir, pkg, "-ldflags=-s -w"); err != nil {
			return err
		}
		list, err := goTool("list", "-deps", "-test", pkg)
		if err != nil {
			return err
		}
		s.packages = strings.Count(list, "\n")
		b.sizes[p.name] = s
	}
	b.title("What a backend adds to the binary of a test that exports with otlptracegrpc")
	b.head("backend", "MB", "MB without symbols", "packages")
	base := b.sizes["base"]
	b.row(sizePackages[0].title, mb(base.bytes), mb(base.stripped), fmt.Sprint(base.packages))
	for _, p := range sizePackages[1:] {
		s := b.sizes[p.name]
		b.row(p.title, "+"+mb(s.bytes-base.bytes), "+"+mb(s.stripped-base.stripped), fmt.Sprintf("+%d", s.packages-base.packages))
	}
	return nil
}

func buildTest(dir, pkg string, flags ...string) (int64, error) {
	bin := filepath.Join(dir, "test")
	if _, err := goTool(append(append([]string{"test", "-c", "-o", bin}, flags...), pkg)...); err != nil {
		return 0, err
	}
	info, err := os.Stat(bin)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func goTool(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if e, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, e.Stderr)
	}
	return string(out), err
}

func mb(bytes int64) string { return fmt.Sprintf("%.2f", float64(bytes)/1e6) }
