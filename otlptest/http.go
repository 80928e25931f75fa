package otlptest

import (
	"fmt"
	"net"
	"sync"

	"github.com/otlptest/otlptest/internal/port"
)

// httpSide is what serves HTTP. On a port of its own that begins when somebody
// asks for the address, so that a test of gRPC pays for one server and links
// one: only what leads to the address, and options by which it is known before,
// lead to serveHTTP.
type httpSide struct {
	mu     sync.Mutex
	port   *port.Listener // that of gRPC where they share one; nil before it is open
	served net.Listener   // over port; nil before
	stop   func()         // closes the server; nil before there is one
	over   bool           // the Server is closed
}

// httpListener is where HTTP is reached, and nil while nobody can know that.
func (s *Server) httpListener() *port.Listener {
	s.overHTTP.mu.Lock()
	defer s.overHTTP.mu.Unlock()
	return s.overHTTP.port
}

// openLoopback opens a port that the system chooses.
func openLoopback() (*port.Listener, error) { return port.Listen("tcp", "127.0.0.1:0") }

// serveHTTP begins to serve HTTP, unless it has begun or is over. It panics if
// it has to open a port and there is none.
func (s *Server) serveHTTP() {
	side := &s.overHTTP
	side.mu.Lock()
	defer side.mu.Unlock()
	if side.stop != nil || side.over {
		return
	}
	if side.port == nil {
		side.port = s.openHTTP()
	}
	if side.served == nil {
		side.served = s.recv.ListenHTTP(side.port)
	}
	server := s.recv.HTTP()
	side.stop = func() { server.Close() }
	s.serving.Go(func() { server.Serve(side.served) })
}

// openHTTP opens a port in the state that the others are in.
func (s *Server) openHTTP() *port.Listener {
	l, err := openLoopback()
	if err == nil && s.outages.is() != StateUp {
		err = l.Down()
	}
	if err != nil {
		panic(fmt.Sprintf("otlptest: open a port for HTTP: %v", err))
	}
	return l
}

// endHTTP closes the HTTP server.
func (s *Server) endHTTP() {
	s.overHTTP.mu.Lock()
	s.overHTTP.over = true
	stop := s.overHTTP.stop
	s.overHTTP.mu.Unlock()
	if stop != nil {
		stop()
	}
}
