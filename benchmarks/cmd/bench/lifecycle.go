package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/otlptest/otlptest/benchmarks/internal/lifecycle"
)

// lifecycleRuns is how often each server starts and stops in a round.
const lifecycleRuns = 300

// lifecycle runs in processes of its own, since the heap of this one is large.
func (b *bench) lifecycle() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for range b.rounds {
		cmd := exec.Command(self, "lifecycle")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return err
		}
		var round map[string]lifecycle.Times
		if err := json.Unmarshal(out, &round); err != nil {
			return err
		}
		b.lives = append(b.lives, round)
	}
	b.title("Start, first export, Close: µs, median of %d", lifecycleRuns)
	b.head("server", "start", "first export", "close", "all", "× grpc-go")
	for _, name := range []string{lifecycle.GRPCGo, lifecycle.Otlptest, lifecycle.Collector} {
		part := func(part func(lifecycle.Times) time.Duration) string {
			var v []float64
			for _, round := range b.lives {
				v = append(v, float64(part(round[name]))/1e3)
			}
			return fmt.Sprintf("%.0f", newStat(v).median)
		}
		b.row(name,
			part(func(t lifecycle.Times) time.Duration { return t.Start }),
			part(func(t lifecycle.Times) time.Duration { return t.Export }),
			part(func(t lifecycle.Times) time.Duration { return t.Close }),
			part(func(t lifecycle.Times) time.Duration { return t.Total }),
			b.lifeRatio(name).spread("%.2f"))
	}
	return nil
}

// lifeRatio is how many times as long as with grpc-go all of it takes.
func (b *bench) lifeRatio(name string) stat {
	var v []float64
	for _, round := range b.lives {
		v = append(v, float64(round[name].Total)/float64(round[lifecycle.GRPCGo].Total))
	}
	return newStat(v)
}

// measureLifecycle is the process that lifecycle starts.
func measureLifecycle() error {
	times, err := lifecycle.Measure(lifecycleRuns)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(times)
}
