package main

import (
	"fmt"
	"math"

	"github.com/otlptest/otlptest/benchmarks/internal/lifecycle"
	"github.com/otlptest/otlptest/benchmarks/internal/load"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// bar is what is demanded of a figure, and what is aimed for.
type bar struct {
	what      string
	measured  stat
	bar, goal float64
	most      bool // rather than the least that it may be
}

// verdict says which of the two is met, by the median.
func (r bar) verdict() string {
	meets := func(limit float64) bool {
		if r.most {
			return r.measured.median <= limit
		}
		return r.measured.median >= limit
	}
	switch {
	case math.IsNaN(r.measured.median):
		return "not measured"
	case meets(r.goal):
		return "goal met"
	case meets(r.bar):
		return "bar met"
	}
	return "**not met**"
}

// bars prints the verdict on everything that was measured in this run.
func (b *bench) bars() error {
	b.title("Bars")
	b.head("what", "measured", "bar", "goal", "")
	for _, r := range append(b.throughputBars(), b.costBars()...) {
		sign := "≥ "
		if r.most {
			sign = "≤ "
		}
		b.row(r.what, r.measured.spread("%.2f"), sign+fmt.Sprint(r.bar), sign+fmt.Sprint(r.goal), r.verdict())
	}
	return nil
}

// throughputBars are ratios of what is received for a second of CPU.
func (b *bench) throughputBars() []bar {
	small, large := b.setting(payload.Small), b.setting(payload.Large)
	over := func(s load.Setting, t load.Transport, e load.Encoding) load.Setting {
		s.Transport, s.Encoding = t, e
		return s
	}
	json := b.jsonSettings()
	return []bar{
		{"spans/CPU s over the Collector's receiver, gRPC, small", b.ratio(otlptest, collector, small), 3, 5, false},
		{"the same, large", b.ratio(otlptest, collector, large), 6, 9, false},
		{"the same with violations and ledger asked for, small", b.ratio(asked, collector, small), 2.5, 4, false},
		{"the same, large", b.ratio(asked, collector, large), 4.5, 7, false},
		{"over the Collector's receiver, HTTP/protobuf, small", b.ratio(otlptest, collector, over(small, load.HTTP, load.Identity)), 5, 7, false},
		{"the same, large", b.ratio(otlptest, collector, over(large, load.HTTP, load.Identity)), 8, 10, false},
		{"over the Collector's receiver, gzip, large, gRPC", b.ratio(otlptest, collector, over(large, load.GRPC, load.Gzip)), 2.3, 3.5, false},
		{"the same, HTTP", b.ratio(otlptest, collector, over(large, load.HTTP, load.Gzip)), 3.3, 5, false},
		{"over net/http h2c with easyproto, small", b.ratio(otlptest, easyproto, small), 2.5, 4, false},
		{"the same, large", b.ratio(otlptest, easyproto, large), 4.5, 7, false},
		{"over the Collector's receiver, OTLP JSON, small", b.ratio(otlptest, collector, json[0]), 1.5, 3, false},
		{"the same, large", b.ratio(otlptest, collector, json[1]), 1.5, 3, false},
	}
}

// costBars are times and sizes.
func (b *bench) costBars() []bar {
	small, large := b.setting(payload.Small), b.setting(payload.Large)
	q := b.querySetting()
	added := math.NaN()
	if b.sizes != nil {
		added = float64(b.sizes["otlptest"].stripped-b.sizes["base"].stripped) / 1e6
	}
	return []bar{
		{"CPU over a raw TCP sink, gRPC, small", b.ratio(tcp, otlptest, small), 3.5, 2, true},
		{"the same, large", b.ratio(tcp, otlptest, large), 3.5, 2, true},
		{"live heap over wire bytes, small", b.of(otlptest, small, heapRatio), 1.1, 1.05, true},
		{"the same, large", b.of(otlptest, large, heapRatio), 1.1, 1.05, true},
		{"selective query over 400,000 large spans, CPU s", b.of(queried, q, queryCPU), 0.25, 0.12, true},
		{"the same, heap added, MB", b.of(queried, q, queryHeap), 0.5, 0.1, true},
		{"start, first export, Close over bare grpc-go", b.lifeRatio(lifecycle.Otlptest), 1.15, 1, true},
		{"added to a test binary without symbols, MB", stat{added, added, added}, maxAdded / 1e6, 1, true},
	}
}
