package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/benchmarks/internal/lifecycle"
	"github.com/otlptest/otlptest/benchmarks/internal/load"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// TestMain is the process of a server, too, as main is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		if err := run(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	load.Register()
	os.Exit(m.Run())
}

// handful is a load that takes no time.
func handful() load.Setting {
	return load.Setting{Kind: payload.Spans, Shape: payload.Small, Transport: load.GRPC, Concurrent: 2, Batches: 3}
}

func TestEveryServerCountsWhatItIsSent(t *testing.T) {
	settings := []load.Setting{handful()}
	for _, change := range []func(*load.Setting){
		func(s *load.Setting) { s.Shape = payload.Large },
		func(s *load.Setting) { s.Encoding = load.Gzip },
		func(s *load.Setting) { s.Encoding = load.Zstd },
		func(s *load.Setting) { s.Transport = load.HTTP },
		func(s *load.Setting) { s.Transport, s.Encoding = load.HTTP, load.Gzip },
		func(s *load.Setting) { s.Transport, s.Encoding = load.HTTP, load.Zstd },
		func(s *load.Setting) { s.Transport = load.JSON },
		func(s *load.Setting) { s.Kind = payload.Sums },
		func(s *load.Setting) { s.Kind = payload.Histograms },
		func(s *load.Setting) { s.Kind = payload.Logs },
	} {
		s := handful()
		change(&s)
		settings = append(settings, s)
	}
	for _, s := range settings {
		t.Run(s.String(), func(t *testing.T) {
			b := &bench{out: io.Discard, rounds: 1, costs: map[cell][]load.Cost{}}
			all := []contender{otlptest, asked, strict, grpcGo, collector, easyproto, tcp}
			if err := b.measure(all, s); err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				if got := b.of(c, s, serverCPU).median; c.can(s) && !(got > 0) {
					t.Errorf("%s: got %v seconds of CPU, want some", c.name, got)
				}
			}
		})
	}
}

func TestAServerThatCountsOtherwiseFails(t *testing.T) {
	s := handful()
	messages := s.Messages()
	s.Shape.Items++ // so that one more is expected of each batch
	_, err := otlptest.run(s, messages)
	if err == nil || !strings.Contains(err.Error(), "counted 700 items, 707 were sent") {
		t.Errorf("got %v, want an error about 700 and 707 items", err)
	}
}

func TestTheProxyTakesARoundTrip(t *testing.T) {
	s := handful()
	s.RoundTrip, s.Concurrent = 20*time.Millisecond, 1
	cost, err := otlptest.run(s, s.Messages())
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Duration(s.Batches) * s.RoundTrip; cost.Wall < want {
		t.Errorf("%d batches took %v, want at least %v", s.Batches, cost.Wall, want)
	}
}

func TestTheQueryFindsOneSpanEitherWay(t *testing.T) {
	s := handful()
	s.Batches = 200 // 20 thousand spans
	for _, c := range []contender{queried, decoded} {
		cost, err := c.run(s, s.Messages())
		if err != nil {
			t.Fatal(err)
		}
		if cost.Query.Count != 1 {
			t.Errorf("%s: found %d spans, want 1", c.name, cost.Query.Count)
		}
	}
}

func TestEveryServerStartsAndStops(t *testing.T) {
	times, err := lifecycle.Measure(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{lifecycle.Otlptest, lifecycle.GRPCGo, lifecycle.Collector} {
		if times[name].Total <= 0 {
			t.Errorf("%s: got %v, want some time", name, times[name].Total)
		}
	}
}

// A test of gRPC that asks for little adds no more than the bar. The numbers are
// of this architecture, and of a linker without symbols.
func TestATestStaysSmall(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the bar is one of linux/amd64")
	}
	dir := t.TempDir()
	var sizes []int64
	for _, name := range []string{"base", "otlptest"} {
		n, err := buildTest(dir, sizePackage(name), "-ldflags=-s -w")
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, n)
	}
	if added := sizes[1] - sizes[0]; added > maxAdded {
		t.Errorf("otlptest adds %s MB to a test that exports with otlptracegrpc, want at most %s: internal/layout knows what such a test must not link", mb(added), mb(maxAdded))
	}
}

func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		measured, bar, goal float64
		most                bool
		want                string
	}{
		{2.9, 3, 5, false, "**not met**"},
		{3, 3, 5, false, "bar met"},
		{5, 3, 5, false, "goal met"},
		{1.2, 1.15, 1, true, "**not met**"},
		{1.15, 1.15, 1, true, "bar met"},
		{0.9, 1.15, 1, true, "goal met"},
		{newStat(nil).median, 1, 2, false, "not measured"},
	} {
		r := bar{measured: stat{median: tt.measured}, bar: tt.bar, goal: tt.goal, most: tt.most}
		if got := r.verdict(); got != tt.want {
			t.Errorf("%v of %v and %v: got %q, want %q", tt.measured, tt.bar, tt.goal, got, tt.want)
		}
	}
}

func TestStatsAreMediansWithExtremes(t *testing.T) {
	if got, want := newStat([]float64{4, 1, 3, 2}).spread("%.1f"), "2.5 (1.0–4.0)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := newStat([]float64{2}).spread("%.1f"), "2.0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
