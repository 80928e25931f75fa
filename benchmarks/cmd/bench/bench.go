package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/benchmarks/internal/lifecycle"
	"github.com/otlptest/otlptest/benchmarks/internal/load"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// bench is a run of this program and what it has measured so far.
type bench struct {
	out    io.Writer
	rounds int
	scale  float64
	costs  map[cell][]load.Cost // by round

	// What others than the load generator measured, by round, and by name.
	lives []map[string]lifecycle.Times
	sizes map[string]size
}

// cell is whom a cost is of, and of what.
type cell struct {
	contender string
	setting   load.Setting
}

// setting is gRPC without compression, from 20 clients.
func (b *bench) setting(s payload.Shape) load.Setting {
	return load.Setting{
		Kind: payload.Spans, Shape: s, Transport: load.GRPC, Concurrent: 20,
		Batches: max(1, int(float64(s.Batches)*b.scale)),
	}
}

// measure runs every contender under every setting in each round, in another
// order each time.
func (b *bench) measure(contenders []contender, settings ...load.Setting) error {
	for _, s := range settings {
		messages := s.Messages()
		for round := range b.rounds {
			for i := range contenders {
				c := contenders[(i+round)%len(contenders)]
				if !c.can(s) {
					continue
				}
				cost, err := c.run(s, messages)
				if err != nil {
					return err
				}
				at := cell{c.name, s}
				b.costs[at] = append(b.costs[at], cost)
			}
		}
	}
	return nil
}

// stat is the median of what the rounds gave, and its extremes.
type stat struct{ median, min, max float64 }

func newStat(v []float64) stat {
	if len(v) == 0 {
		return stat{math.NaN(), math.NaN(), math.NaN()}
	}
	v = slices.Sorted(slices.Values(v))
	return stat{(v[(len(v)-1)/2] + v[len(v)/2]) / 2, v[0], v[len(v)-1]}
}

// of is a figure of what a contender cost.
func (b *bench) of(c contender, s load.Setting, figure func(load.Cost) float64) stat {
	var v []float64
	for _, cost := range b.costs[cell{c.name, s}] {
		v = append(v, figure(cost))
	}
	return newStat(v)
}

// ratio is how many times another's items a contender takes in for a second of
// CPU, round by round.
func (b *bench) ratio(c, other contender, s load.Setting) stat {
	theirs := b.costs[cell{other.name, s}]
	var v []float64
	for round, cost := range b.costs[cell{c.name, s}] {
		if round < len(theirs) {
			v = append(v, cost.Rate()/theirs[round].Rate())
		}
	}
	return newStat(v)
}

// title begins a table.
func (b *bench) title(format string, args ...any) {
	fmt.Fprintf(b.out, "\n### "+format+"\n\n", args...)
}

func (b *bench) head(columns ...string) {
	b.row(columns...)
	b.row(slices.Repeat([]string{"---"}, len(columns))...)
}

func (b *bench) row(cells ...string) {
	fmt.Fprintf(b.out, "| %s |\n", strings.Join(cells, " | "))
}

// spread writes a median with its extremes, if they differ.
func (s stat) spread(format string) string {
	if math.IsNaN(s.median) {
		return "-"
	}
	if s.min == s.max {
		return fmt.Sprintf(format, s.median)
	}
	return fmt.Sprintf(format+" ("+format+"–"+format+")", s.median, s.min, s.max)
}
