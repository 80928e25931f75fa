// Bench measures otlptest beside what one would take instead, and prints tables
// in Markdown:
//
//	bench [-rounds N] [-scale F] [-tables grpc,http,...]
//
// It runs itself again for each server, as "bench serve NAME", so that the
// server's cost can be told from that of the load. The README says how it
// measures.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/otlptest/otlptest/benchmarks/internal/load"
	"github.com/otlptest/otlptest/benchmarks/internal/server"
)

// tables are what there is to measure, in the order that they are printed in.
// The bars look at what those before them measured.
var tables = []struct {
	name string
	run  func(*bench) error
}{
	{"grpc", (*bench).grpc},
	{"http", (*bench).http},
	{"compression", (*bench).compression},
	{"signals", (*bench).signals},
	{"json", (*bench).json},
	{"query", (*bench).query},
	{"lifecycle", (*bench).lifecycle},
	{"size", (*bench).size},
	{"otep", (*bench).otep},
	{"bars", (*bench).bars},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 1 && args[0] == "serve" {
		return server.Serve(args[1:], os.Stdin, os.Stdout)
	}
	if len(args) == 1 && args[0] == "lifecycle" {
		return measureLifecycle()
	}
	var all []string
	for _, t := range tables {
		all = append(all, t.name)
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	b := &bench{out: os.Stdout, costs: map[cell][]load.Cost{}}
	flags.IntVar(&b.rounds, "rounds", 3, "how often everything is measured")
	flags.Float64Var(&b.scale, "scale", 0.4, "how much of the 8,000 small and 800 large batches is sent")
	chosen := flags.String("tables", strings.Join(all, ","), "what to measure")
	if err := flags.Parse(args); err != nil {
		return err
	}
	load.Register()
	names := strings.Split(*chosen, ",")
	for _, n := range names {
		if !slices.Contains(all, n) {
			return fmt.Errorf("got table %q, want some of %s", n, strings.Join(all, ","))
		}
	}
	started := time.Now()
	for _, t := range tables {
		if !slices.Contains(names, t.name) {
			continue
		}
		if err := t.run(b); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Fprintf(os.Stderr, "%s done after %v\n", t.name, time.Since(started).Round(time.Second))
	}
	return nil
}
