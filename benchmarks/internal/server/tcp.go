package server

import (
	"encoding/binary"
	"io"
	"net"
	"sync"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/benchmarks/internal/payload"
)

// sink keeps messages as they come: the least that any receiver can do.
type sink struct {
	mu   sync.Mutex
	kept [][]byte
}

// serveTCP serves no protocol at all: a message is four bytes of length and
// that many bytes, and the answer is one byte.
func serveTCP([]string) (running, error) {
	l, err := listen()
	if err != nil {
		return running{}, err
	}
	s := &sink{}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.receive(c)
		}
	}()
	return running{Addresses: Addresses{TCP: l.Addr().String()}, count: s.count, query: s.query}, nil
}

func (s *sink) receive(c net.Conn) {
	defer func() { _ = c.Close() }()
	var head [4]byte
	for {
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return
		}
		b := make([]byte, binary.BigEndian.Uint32(head[:]))
		if _, err := io.ReadFull(c, b); err != nil {
			return
		}
		s.mu.Lock()
		s.kept = append(s.kept, b)
		s.mu.Unlock()
		if _, err := c.Write([]byte{0}); err != nil {
			return
		}
	}
}

func (s *sink) count() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.kept {
		n += payload.Count(b)
	}
	return n
}

// query decodes all that was kept, looks through it, and keeps it decoded for
// the next time.
func (s *sink) query() (found int, _ any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*tracepb.TracesData, len(s.kept))
	for i, b := range s.kept {
		all[i] = &tracepb.TracesData{}
		if err := proto.Unmarshal(b, all[i]); err != nil {
			panic(err) // the load generator's messages can be decoded
		}
		for _, rs := range all[i].ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				for _, span := range ss.Spans {
					if matches(span) {
						found++
					}
				}
			}
		}
	}
	return found, all
}

func matches(s *tracepb.Span) bool {
	if s.Name != "load-generator-span" {
		return false
	}
	for _, kv := range s.Attributes {
		if kv.Key == payload.SequenceKey {
			return kv.GetValue().GetIntValue() == QueryFor
		}
	}
	return false
}
