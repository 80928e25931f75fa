package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// Surroundings is what is known around a store to which nothing has come.
type Surroundings struct {
	Listening string   // the addresses of its server, in words
	Hints     []string // what is likely to send the data elsewhere, in words
}

// SetSurroundings says, before the store is used, whom to ask for them when
// nothing has come of a signal, or at all where that is empty. It is told
// whether a client has connected.
func (s *Store) SetSurroundings(ask func(sig query.Signal, connected bool) Surroundings) {
	s.surroundings = ask
}

// listening asks for the surroundings.
func (s *Store) listening(sig query.Signal, connected bool) Surroundings {
	if s.surroundings == nil {
		return Surroundings{}
	}
	return s.surroundings(sig, connected)
}

// text is a line with the addresses.
func (a Surroundings) text() string {
	if a.Listening == "" {
		return ""
	}
	return flow("server", []string{a.Listening}, "", 0)
}

// nothing says what to look at where no export has come.
func (s *Store) nothing(sig query.Signal) string {
	conns := s.connections()
	around := s.listening(sig, len(conns) > 0)
	hints := append(slices.Clone(around.Hints), s.forgotten()...)
	hints = append(hints, s.silence(conns)...)
	return around.text() + listed("hint", hints, maxHints)
}

// silence says why clients may send nothing.
func (s *Store) silence(conns []query.Connection) (hints []string) {
	if open, _ := s.Quiet(); open > 0 {
		return []string{"a request has begun whose body is not here: its client still sends, or waits to send"}
	}
	used := false
	for _, c := range conns {
		used = used || c.Err != "" || c.Requests > 0
		if hint := mismatch(c.Err); hint != "" && !slices.Contains(hints, hint) {
			hints = append(hints, hint)
		}
	}
	const flushed = "with a context that is not over, as t.Context() is in cleanups?"
	switch {
	case used:
	case len(conns) > 0:
		return []string{"a client has connected and sent no request: is its provider flushed before, " + flushed}
	default:
		return []string{"does the exporter point at the server? is its provider flushed before, " + flushed + " was anything recorded, and sampled?"}
	}
	return hints
}

// mismatch says what to do about a connection that failed.
func mismatch(why string) string {
	switch has := func(text string) bool { return strings.Contains(why, text) }; {
	case has("on a port of plaintext"):
		return "make the exporter WithInsecure(), or its URL http://; or start the server WithTLS"
	case has("on a port of TLS"), has("bad certificate"), has("unknown certificate"):
		return "make the exporter trust the server: srv.ClientTLS() has what it needs, srv.TLSFiles() and srv.Env() the files"
	case has("didn't provide a certificate"):
		return "the server was started WithMutualTLS: srv.ClientTLS() has a certificate for the exporter"
	case has("on the port of gRPC"):
		return "an exporter of OTLP over HTTP goes to srv.HTTPEndpoint(), one over gRPC to srv.GRPCEndpoint()"
	}
	return ""
}

// Total is how many exports have come since the start, whatever was reset.
func (s *Store) Total() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// CountExports writes a number of exports.
func CountExports[N int | uint64](n N) string {
	if n == 1 {
		return "1 export"
	}
	return fmt.Sprintf("%d exports", n)
}
