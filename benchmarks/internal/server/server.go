// Package server is what runs in the process of a server under test: the
// server itself, and the answers to the load generator's questions about it.
//
// A process prints the server's addresses as one line of JSON. Then it answers
// each command that it reads, a line, with one line of [Stats], until its
// input ends.
package server

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"runtime"
	"time"
)

// Addresses are where a server listens; empty where it does not.
type Addresses struct{ GRPC, HTTP, TCP string }

// Stats is an answer to a command, which says what is set.
type Stats struct {
	CPU     time.Duration // cpu, query: user and system time, of the process or of the query
	Wall    time.Duration // query
	Heap    int64         // heap: bytes that live; query: those that it added
	Count   int           // count: items received; query: spans found
	Failure string        // what went wrong
}

// Commands.
const (
	CPU   = "cpu"
	Heap  = "heap"
	Count = "count"
	Ask   = "ask"   // for violations, of which there must be none, and the ledger
	Query = "query" // for the span with number QueryFor
)

// QueryFor is the sequence number of the one span that Query looks for.
const QueryFor = 12345

// running is a server under test. What is nil it cannot do.
type running struct {
	Addresses
	count func() int                // items received
	ask   func() error              // for violations and the ledger
	query func() (found int, _ any) // how many spans match QueryFor, and what the result consists of
}

// kinds are the servers that there are, by name.
var kinds = map[string]func(args []string) (running, error){
	"otlptest":  serveOtlptest,
	"grpc-go":   serveGRPCGo,
	"collector": serveCollector,
	"easyproto": serveEasyproto,
	"tcp":       serveTCP,
	"proxy":     serveProxy,
}

// Serve runs the server that args name, until in ends.
func Serve(args []string, in io.Reader, out io.Writer) error {
	start := kinds[args[0]]
	if start == nil {
		return fmt.Errorf("no server %q", args[0])
	}
	s, err := start(args[1:])
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	if err := enc.Encode(s.Addresses); err != nil {
		return err
	}
	for commands := bufio.NewScanner(in); commands.Scan(); {
		if err := enc.Encode(s.answer(commands.Text())); err != nil {
			return err
		}
	}
	return nil
}

func (s running) answer(command string) (st Stats) {
	switch {
	case command == CPU:
		st.CPU = ProcessCPU()
	case command == Heap:
		st.Heap = liveHeap()
	case command == Count && s.count != nil:
		st.Count = s.count()
	case command == Ask && s.ask != nil:
		if err := s.ask(); err != nil {
			st.Failure = err.Error()
		}
	case command == Query && s.query != nil:
		heap, cpu, wall := liveHeap(), ProcessCPU(), time.Now()
		found, result := s.query()
		st.Count, st.CPU, st.Wall = found, ProcessCPU()-cpu, time.Since(wall)
		st.Heap = liveHeap() - heap
		runtime.KeepAlive(result)
	default:
		st.Failure = "cannot " + command
	}
	return st
}

// liveHeap is the bytes of live objects: one collection alone would leave what
// pools hold and what was swept late.
func liveHeap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }
