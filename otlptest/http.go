package otlptest

import (
	"net"
	"sync"
)

// httpSide is what serves HTTP. On a port of its own that begins when somebody
// asks for the address, so that a test of gRPC pays for one server and links
// one: only what leads to the address, and options by which it is known before,
// lead to serveHTTP.
type httpSide struct {
	mu       sync.Mutex
	listener net.Listener // what is served; nil before
	stop     func() error // closes the server; nil before there is one
	over     bool         // the Server is closed
}

// serveHTTP begins to serve HTTP, unless it has begun or is over.
func (s *Server) serveHTTP() {
	side := &s.overHTTP
	side.mu.Lock()
	defer side.mu.Unlock()
	if side.stop != nil || side.over {
		return
	}
	if side.listener == nil {
		side.listener = s.recv.ListenHTTP(s.httpListener)
	}
	server := s.recv.HTTP()
	side.stop = server.Close
	s.serving.Go(func() { server.Serve(side.listener) })
}

// endHTTP closes the HTTP server, or its port if that was never served.
func (s *Server) endHTTP() {
	side := &s.overHTTP
	side.mu.Lock()
	defer side.mu.Unlock()
	side.over = true
	if side.stop != nil {
		side.stop()
		return
	}
	s.httpListener.Close()
}
