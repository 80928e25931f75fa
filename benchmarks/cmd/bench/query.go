package main

import (
	"fmt"

	"github.com/otlptest/otlptest/benchmarks/internal/load"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// querySetting fills a server with what is queried.
func (b *bench) querySetting() load.Setting {
	s := b.setting(payload.Large)
	s.Batches = s.Shape.Batches
	return s
}

// decoded is the TCP sink, asked the same by decoding all that it has.
var decoded = contender{name: "proto.Unmarshal of everything", kind: "tcp", query: true}

// queried is otlptest, asked for one span by its name and an attribute.
var queried = contender{name: "otlptest, srv.Spans(where.Name, where.Attr)", kind: "otlptest", query: true}

func queryCPU(c load.Cost) float64  { return c.Query.CPU.Seconds() }
func queryWall(c load.Cost) float64 { return c.Query.Wall.Seconds() }
func queryHeap(c load.Cost) float64 { return float64(c.Query.Heap) / 1e6 }

func (b *bench) query() error {
	s := b.querySetting()
	if err := b.measure([]contender{queried, decoded}, s); err != nil {
		return err
	}
	for _, c := range []contender{queried, decoded} {
		for _, cost := range b.costs[cell{c.name, s}] {
			if cost.Query.Count != 1 {
				return fmt.Errorf("%s: found %d spans, want 1", c.name, cost.Query.Count)
			}
		}
	}
	b.title("The first query for one of %d thousand large spans", s.Batches*s.Shape.Items/1000)
	b.head("", "CPU s", "wall s", "heap added, MB")
	for _, c := range []contender{queried, decoded} {
		b.row(c.name, b.of(c, s, queryCPU).spread("%.2f"), b.of(c, s, queryWall).spread("%.2f"), b.of(c, s, queryHeap).spread("%.1f"))
	}
	return nil
}
