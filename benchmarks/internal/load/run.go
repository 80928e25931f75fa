package load

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/otlptest/otlptest/benchmarks/internal/payload"
	"github.com/otlptest/otlptest/benchmarks/internal/server"
)

// Server is a server and what is asked of it.
type Server struct {
	Name string   // in tables
	Args []string // of its process
	// Ask is to ask for violations and the ledger after the load, at the
	// server's expense.
	Ask bool
	// Query is to run the server's query, after all else.
	Query bool
}

// Setting is the load.
type Setting struct {
	Kind       payload.Kind
	Shape      payload.Shape
	Transport  Transport
	Encoding   Encoding
	Concurrent int
	RoundTrip  time.Duration // that the network takes; 0 is without the proxy
	Batches    int
}

// String names the setting in a table.
func (s Setting) String() string {
	t := fmt.Sprintf("%s, %s %s, %s, %d concurrent", s.Transport, s.Shape.Name, s.Kind, s.Encoding, s.Concurrent)
	if s.RoundTrip > 0 {
		t += fmt.Sprintf(", %v", s.RoundTrip)
	}
	return t
}

// Messages are requests in the form that a setting sends them.
type Messages struct {
	all  [][]byte
	size []int // of each, uncompressed protobuf
}

// warm is how many requests are sent before the clock starts.
func (s Setting) warm() int { return s.Concurrent + max(s.Batches/20, s.Concurrent) }

// Messages makes all requests of the setting, which are different: sent twice,
// one would be a duplicate, which a ledger treats differently.
func (s Setting) Messages() *Messages {
	raw := payload.Requests(s.Kind, s.Shape, s.warm()+s.Batches)
	m := &Messages{size: make([]int, len(raw))}
	for i, b := range raw {
		m.size[i] = len(b)
	}
	if s.Transport == JSON {
		raw = payload.JSON(raw)
	}
	m.all = s.Encoding.apply(raw)
	return m
}

// Cost is what a run cost.
type Cost struct {
	Items     int           // sent while the clock ran
	CPU       time.Duration // of the server
	ClientCPU time.Duration // of the load generator
	Wall      time.Duration
	HeapRatio float64 // live heap that the requests added, over their uncompressed protobuf
	Query     server.Stats
}

// Rate is items a second of the server's CPU.
func (c Cost) Rate() float64 { return float64(c.Items) / c.CPU.Seconds() }

// Run starts the server, sends it the messages of the setting, and stops it. It
// is an error if the server did not count exactly the items that were sent, or
// found that the load generator violates OTLP.
func Run(srv Server, s Setting, m *Messages) (c Cost, err error) {
	p, err := Start(srv.Args...)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	addr, stop, err := route(p, s)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	clients, hangUp, err := dial(s, addr)
	if err != nil {
		return c, err
	}
	defer hangUp()
	if c, err = measure(p, srv, s, clients, m); err != nil {
		return c, fmt.Errorf("%s, %v: %w", srv.Name, s, err)
	}
	return c, nil
}

// route is the address to send to, by way of a proxy if the network takes time.
func route(p *Process, s Setting) (addr string, stop func() error, err error) {
	switch addr = p.HTTP; s.Transport {
	case GRPC:
		addr = p.GRPC
	case TCP:
		addr = p.TCP
	}
	if s.RoundTrip == 0 {
		return addr, func() error { return nil }, nil
	}
	proxy, err := Start("proxy", addr, s.RoundTrip.String())
	if err != nil {
		return "", nil, err
	}
	return proxy.TCP, proxy.Stop, nil
}

func measure(p *Process, srv Server, s Setting, clients []client, m *Messages) (c Cost, err error) {
	ask := func(command string) (st server.Stats) {
		if err == nil {
			st, err = p.Ask(command)
		}
		return st
	}
	send := func(from, n int) {
		if err == nil {
			err = drive(clients, m.all[from:from+n])
		}
	}
	// Each connection works once before the heap is looked at, so that its
	// buffers are there.
	send(0, s.Concurrent)
	heap := ask(server.Heap).Heap
	send(s.Concurrent, s.warm()-s.Concurrent)
	runtime.GC()
	cpu, clientCPU, started := ask(server.CPU).CPU, server.ProcessCPU(), time.Now()
	send(s.warm(), s.Batches)
	c.Wall, c.ClientCPU = time.Since(started), server.ProcessCPU()-clientCPU
	loaded := ask(server.CPU).CPU
	c.CPU = loaded - cpu
	if srv.Ask { // about what came before the clock started, too
		ask(server.Ask)
		c.CPU += (ask(server.CPU).CPU - loaded) * time.Duration(s.Batches) / time.Duration(s.warm()+s.Batches)
	}
	heap = ask(server.Heap).Heap - heap
	if srv.Query {
		c.Query = ask(server.Query)
	}
	count := ask(server.Count).Count
	if want := (s.warm() + s.Batches) * s.Shape.Items; err == nil && count != want {
		err = fmt.Errorf("counted %d items, %d were sent", count, want)
	}
	size := 0
	for _, n := range m.size[s.Concurrent:] {
		size += n
	}
	c.Items, c.HeapRatio = s.Batches*s.Shape.Items, float64(heap)/float64(size)
	return c, err
}

// drive sends the requests, each client one at a time.
func drive(clients []client, requests [][]byte) error {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for _, c := range clients {
		wg.Go(func() {
			for failed.Load() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(requests) {
					return
				}
				if err := c.send(requests[i]); err != nil {
					failed.CompareAndSwap(nil, &err)
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}
