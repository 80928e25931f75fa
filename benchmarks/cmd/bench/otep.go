package main

import (
	"fmt"
	"time"

	"github.com/otlptest/otlptest/benchmarks/internal/load"
	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// published is a line of OTEP-0035 Appendix B: a load, and what it cost
// there, client and server together in one process.
type published struct {
	shape      payload.Shape
	roundTrip  time.Duration
	concurrent int
	batches    int
	cpu, wall  float64 // seconds
}

// unary are the lines of unary gRPC, which OTLP became.
var unary = []published{
	{payload.Small, 0, 1, 8000, 15.3, 9.5},
	{payload.Small, 0, 20, 8000, 14.1, 4.0},
	{payload.Large, 0, 1, 800, 10.7, 9.6},
	{payload.Large, 0, 20, 800, 11.9, 5.6},
	{payload.Large, 2 * time.Millisecond, 1, 800, 11.5, 11.8},
	{payload.Large, 2 * time.Millisecond, 20, 800, 11.3, 5.3},
	{payload.Large, 20 * time.Millisecond, 1, 400, 6.2, 13.5},
	{payload.Large, 20 * time.Millisecond, 20, 400, 5.9, 3.0},
	{payload.Large, 200 * time.Millisecond, 1, 40, 0.6, 9.9},
	{payload.Large, 200 * time.Millisecond, 20, 40, 0.6, 3.6},
	{payload.Large, 200 * time.Millisecond, 20, 400, 5.8, 12.0},
}

func (p published) setting(t load.Transport) load.Setting {
	return load.Setting{
		Kind: payload.Spans, Shape: p.shape, Transport: t,
		Concurrent: p.concurrent, RoundTrip: p.roundTrip, Batches: p.batches,
	}
}

// network names the time of a round trip.
func (p published) network() string {
	if p.roundTrip == 0 {
		return "loopback"
	}
	return p.roundTrip.String()
}

// repeated is who is put beside the published figures.
var repeated = []struct {
	name      string
	contender contender
	transport load.Transport
}{
	{"otlptest, gRPC", otlptest, load.GRPC},
	{"otlptest, HTTP/1.1 protobuf", otlptest, load.HTTP},
	{"grpc-go, requests stored", grpcGo, load.GRPC},
}

func serverCPU(c load.Cost) float64 { return c.CPU.Seconds() }
func allCPU(c load.Cost) float64    { return (c.CPU + c.ClientCPU).Seconds() }
func wall(c load.Cost) float64      { return c.Wall.Seconds() }

// otep repeats the appendix in its own settings, in one round for every three
// that are asked for: it mostly waits.
func (b *bench) otep() error {
	once := *b
	once.rounds = (b.rounds + 2) / 3
	for _, p := range unary {
		if err := once.measure([]contender{otlptest, grpcGo}, p.setting(load.GRPC), p.setting(load.HTTP)); err != nil {
			return err
		}
	}
	b.title("OTEP-0035 Appendix B, unary: seconds of CPU and wall time")
	b.head("round trip", "batches", "concurrent", "", "server CPU", "with the client's", "wall")
	for _, p := range unary {
		begin := []string{p.network(), fmt.Sprintf("%d %s", p.batches, p.shape.Name), fmt.Sprint(p.concurrent)}
		b.row(append(begin, "published: gRPC", "-", fmt.Sprintf("%.1f", p.cpu), fmt.Sprintf("%.1f", p.wall))...)
		for _, r := range repeated {
			at := p.setting(r.transport)
			b.row("", "", "", r.name,
				b.of(r.contender, at, serverCPU).spread("%.2f"), b.of(r.contender, at, allCPU).spread("%.2f"), b.of(r.contender, at, wall).spread("%.2f"))
		}
	}
	b.factors()
	return nil
}

// factors prints how much faster 20 concurrent requests are, beside the OTEP's.
func (b *bench) factors() {
	b.title("20 concurrent requests over one at a time, large batches: batches a second of wall time")
	columns := []string{"round trip", "published"}
	for _, r := range repeated {
		columns = append(columns, r.name)
	}
	b.head(columns...)
	for _, f := range []struct {
		one, twenty published
		published   string
	}{{unary[2], unary[3], "1.7"}, {unary[4], unary[5], "2.1"}, {unary[6], unary[7], "4.9"}, {unary[8], unary[10], "6.9"}} {
		cells := []string{f.one.network(), f.published}
		for _, r := range repeated {
			speed := func(p published) float64 {
				return float64(p.batches) / b.of(r.contender, p.setting(r.transport), wall).median
			}
			cells = append(cells, fmt.Sprintf("%.1f", speed(f.twenty)/speed(f.one)))
		}
		b.row(cells...)
	}
}
