package otlptest

import (
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/internal/certs"
	"github.com/otlptest/otlptest/internal/port"
	"github.com/otlptest/otlptest/internal/receiver"
	"github.com/otlptest/otlptest/internal/script"
	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// Server is a running backend. Its methods are safe for concurrent use. After
// Close it receives nothing more, and what it received can still be asked for.
type Server struct {
	options
	store  *store.Store
	source store.Source // of all views
	script *script.Script
	recv   *receiver.Receiver
	runner *runner // of the registry of running servers

	grpcServer   *grpc.Server
	grpcListener *port.Listener
	overHTTP     httpSide
	makeClient   sync.Once
	client       atomic.Pointer[http.Client] // nil until somebody asks for it
	serving      sync.WaitGroup

	certs   *certs.Set // nil without TLS
	certDir string     // where their files are

	outages   outages
	outageErr atomic.Pointer[error]
	closing   sync.Once
	closeErr  error
}

// Start starts a server for a test. It is ready when Start returns; an error
// is fatal. At the test's end, after the cleanups that were registered later,
// it is closed: the test's log then names connections that are still open, and
// the test fails for scripted faults that no export met, unless it has failed
// already or [WithUnusedFaultsAllowed] is given.
//
// In a testing/synctest bubble it needs [WithInMemory]: a goroutine that waits
// for a real network keeps a bubble's clock from moving.
func Start(t testing.TB, opts ...Option) *Server {
	t.Helper()
	if newOptions(opts).memory == nil && inBubble(t) {
		t.Fatal("otlptest: Start: a bubble of testing/synctest needs WithInMemory: its clock stands still while a goroutine waits for a real network")
	}
	s, err := New(append(opts[:len(opts):len(opts)], func(o *options) { o.tempDir, o.test = t.TempDir, t.Name() })...)
	if err != nil {
		t.Fatalf("otlptest: Start: %v", err)
	}
	t.Cleanup(func() {
		t.Helper()
		s.finish(t)
	})
	return s
}

// New starts a server without a test; the caller closes it. It is ready when
// New returns. An error names the option or the listener that failed.
func New(opts ...Option) (*Server, error) {
	o := newOptions(opts)
	if o.err != nil {
		return nil, o.err
	}
	s := &Server{options: o, store: store.New(o.waitTimeout), script: script.New()}
	s.source = store.SourceOf(s.store)
	s.store.SetRoundTrip(o.roundTrip)
	s.store.SetSurroundings(s.surroundings)
	s.store.Limit(o.memoryLimit, o.dropOldest)
	if err := s.Inject(o.rules...); err != nil {
		return nil, fmt.Errorf("WithFaults: %w", err)
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	if s.certify != nil {
		if err := s.certify(s); err != nil {
			s.closeListeners()
			return nil, err
		}
	}
	s.recv = receiver.New(receiver.Config{
		Store: s.store, Script: s.script, MaxRequestSize: o.maxRequest, HangLimit: o.hangLimit,
		TLS: s.serverTLS(), PathPrefix: o.prefix, Authorization: o.auth, Decoders: o.decoders, Strict: o.strict,
		Outage: s.outage,
	})
	s.grpcServer = s.recv.GRPC()
	s.runner = running.add(s, o.test)
	s.serve()
	return s, nil
}

// serve begins to serve gRPC, and HTTP if that does not wait until somebody asks
// for its address.
func (s *Server) serve() {
	var forGRPC net.Listener
	if s.onePort {
		forGRPC, s.overHTTP.served = s.recv.ListenBoth(s.grpcListener)
	} else {
		forGRPC = s.recv.ListenGRPC(s.grpcListener)
	}
	s.serving.Go(func() { s.grpcServer.Serve(forGRPC) })
	if s.httpAtOnce != nil {
		s.httpAtOnce(s)
	}
}

// The ports of OTLP (S-15), on an in-memory host of the server's own.
const (
	portOfGRPC = 4317
	portOfHTTP = 4318
)

// listen opens the listeners that no option gave, but for one of HTTP whose
// address nobody can know yet.
func (s *Server) listen() error {
	open := func(int) (*port.Listener, error) { return openLoopback() }
	if s.memory != nil {
		open = s.memory.host(s.roundTrip)
	}
	var errGRPC, errHTTP error
	if s.grpc != nil {
		s.grpcListener = port.Keep(s.grpc)
	} else {
		s.grpcListener, errGRPC = open(portOfGRPC)
	}
	switch {
	case s.onePort:
		s.overHTTP.port = s.grpcListener
	case s.http != nil:
		s.overHTTP.port = port.Keep(s.http)
	case s.memory != nil:
		s.overHTTP.port, errHTTP = open(portOfHTTP)
	}
	err := errors.Join(errGRPC, errHTTP)
	if err == nil {
		return nil
	}
	s.closeListeners()
	return fmt.Errorf("listen: %w", err)
}

// closeListeners closes those that New has made: after an error the others are
// still the caller's.
func (s *Server) closeListeners() {
	if s.grpcListener != nil && s.grpc == nil {
		s.grpcListener.Close()
	}
	if l := s.overHTTP.port; l != nil && s.http == nil && !s.onePort {
		l.Close()
	}
}

// Inject adds rules behind those that are there. Where one cannot work the
// error names the rule and the term, and none is added.
func (s *Server) Inject(rules ...faults.Rule) error {
	for i, r := range rules {
		err := r.Check()
		for _, f := range r.Faults {
			if d := max(f.Delay, f.ReadDelay); err == nil && d > s.hangLimit {
				err = fmt.Errorf("a delay of %s is longer than the hang limit of %s (WithHangLimit)", d, s.hangLimit)
			}
		}
		if err != nil {
			return fmt.Errorf("rule %d (%s): %w", i+1, r.String(), err)
		}
	}
	s.script.Add(rules...)
	return nil
}

// Faults is the rules that can still be met, each as far as it is not used up.
func (s *Server) Faults() []faults.Rule { return s.script.Rules() }

// PendingFaults is the rules with faults that no export has met yet, cut down
// to these faults. A fault that is repeated counts as met once it was met
// once, and one that never ends likewise.
func (s *Server) PendingFaults() []faults.Rule { return s.script.Unmet() }

// ClearFaults drops all rules, met or not.
func (s *Server) ClearFaults() { s.script.Clear() }

// Reset drops all data and all rules. An export that is not answered yet lands
// in what comes after the reset.
func (s *Server) Reset() {
	s.script.Reset()
	s.store.Reset()
	s.runner.note(running.others(s.runner))
}

// Spans is the spans that match every filter.
func (s *Server) Spans(where ...query.Filter) query.View[query.Span] {
	return query.NewView(store.Spans{Source: s.source}, where...)
}

// Points is the metric data points that match every filter.
func (s *Server) Points(where ...query.Filter) query.View[query.Point] {
	return query.NewView(store.Points{Source: s.source}, where...)
}

// Logs is the log records that match every filter.
func (s *Server) Logs(where ...query.Filter) query.View[query.Log] {
	return query.NewView(store.Logs{Source: s.source}, where...)
}

// Exports is every request that reached the server, whatever became of it. A
// filter for spans, points or log records holds for an export in which one of
// them matches all such filters.
func (s *Server) Exports(where ...query.Filter) query.View[query.Export] {
	return query.NewView(store.Exports{Source: s.source}, where...)
}

// Connections is the network connections that clients made, with why one could
// not be used, such as a handshake that failed. The filters that apply to them
// are where.Func of a query.Connection, and Not and Any of these. [Server.Reset]
// drops those that are closed.
func (s *Server) Connections(where ...query.Filter) query.View[query.Connection] {
	return query.NewView(store.Connections{Source: s.source}, where...)
}

// exports and connections are all of them, for the server's own use: a view
// links what only some tests use.
func (s *Server) exports() iter.Seq[query.Export] { return store.Exports{Source: s.source}.Scan(nil) }

func (s *Server) connections() iter.Seq[query.Connection] {
	return store.Connections{Source: s.source}.Scan(nil)
}

// Report is the ledger of what clients tried to deliver so far.
func (s *Server) Report() query.Report { return store.Report(s.store) }

// closeLimit is how long Close waits for what should have ended at once.
const closeLimit = 5 * time.Second

// Close stops the server: it ends requests that hang or are open, closes every
// connection and frees the ports. When it returns no goroutine is left. Further
// calls return the same error, which is nil unless something could not be
// stopped, and then names it.
func (s *Server) Close() error {
	s.closing.Do(func() { s.closeErr = s.close() })
	return s.closeErr
}

func (s *Server) close() error {
	defer running.remove(s.runner)
	defer s.store.Close()
	defer s.removeFiles()
	s.recv.Stop()
	if err := s.end(); err != nil {
		return err
	}
	if err := s.outageErr.Load(); err != nil {
		return fmt.Errorf("a scripted outage: %w", *err)
	}
	return nil
}

// end ends what serves, once the receiver has stopped. What is the user's may
// never return, a decoder or a filter in a request that is open, or a listener:
// where there is any it takes no longer than the limit.
func (s *Server) end() error {
	if open, _ := s.store.Quiet(); open == 0 && s.grpc == nil && s.http == nil { // and none begins any more
		s.endServers()
		return nil
	}
	ended := make(chan struct{})
	go func() {
		s.endServers()
		close(ended)
	}()
	limit := time.NewTimer(closeLimit)
	defer limit.Stop()
	select {
	case <-ended:
		return nil
	case <-limit.C:
		return fmt.Errorf("close: still open after %s: %s", closeLimit, s.stuck())
	}
}

func (s *Server) endServers() {
	s.endHTTP() // first, since it waits for nobody
	s.grpcServer.Stop()
	s.serving.Wait()
	s.recv.Wait()
	if c := s.client.Load(); c != nil {
		c.CloseIdleConnections()
	}
	s.drain()
	time.Sleep(s.roundTrip) // until clients know: a bubble's clock may stand still afterwards
}

// drain waits until no request is open.
func (s *Server) drain() {
	for {
		changed := s.store.Changed()
		if open, _ := s.store.Quiet(); open == 0 || changed == nil {
			return
		}
		<-changed
	}
}

// stuck names what is still open.
func (s *Server) stuck() string {
	var names []string
	for c := range s.connections() {
		if c.Closed.IsZero() {
			names = append(names, c.String())
		}
	}
	for e := range s.exports() {
		if e.Outcome == query.Open {
			names = append(names, "export "+e.String())
		}
	}
	if open, _ := s.store.Quiet(); open > 0 {
		names = append(names, fmt.Sprintf("%d requests", open))
	}
	return strings.Join(names, ", ")
}
