package otlptest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/otlptest/otlptest/internal/store"
)

// running is the servers of this process that are not closed, so that one that
// nothing reaches can say which other one the data went to. It keeps none of
// them alive. Servers are in bubbles of testing/synctest of their own: there is
// nothing here but a mutex.
var running registry

type registry struct {
	mu   sync.Mutex
	list []weak.Pointer[runner]
}

// runner is one server as others see it. Only its server keeps it.
type runner struct {
	received  func() uint64 // how many exports it has got
	addresses func() string
	test      string       // the name of its test; empty without one
	before    atomic.Value // of type counts: what others had received when it began
}

// counts is how many exports servers have got.
type counts map[weak.Pointer[runner]]uint64

// add enters a server.
func (r *registry) add(s *Server, test string) *runner {
	entry := &runner{received: s.store.Total, addresses: s.addresses, test: test}
	entry.note(r.others(entry))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, weak.Make(entry))
	return entry
}

// remove forgets a server, and those that are gone.
func (r *registry) remove(entry *runner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = r.except(entry)
}

// others is all servers but one.
func (r *registry) others(than *runner) []weak.Pointer[runner] {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.except(than)
}

func (r *registry) except(one *runner) (list []weak.Pointer[runner]) {
	for _, p := range r.list {
		if other := p.Value(); other != nil && other != one {
			list = append(list, p)
		}
	}
	return list
}

// note remembers what other servers have received by now.
func (r *runner) note(others []weak.Pointer[runner]) {
	before := counts{}
	for _, p := range others {
		if other := p.Value(); other != nil {
			before[p] = other.received()
		}
	}
	r.before.Store(before)
}

// elsewhere says which other servers have received something since this one
// began.
func (r *runner) elsewhere() (texts []string) {
	before := r.before.Load().(counts)
	for _, p := range running.others(r) {
		other := p.Value()
		if other == nil {
			continue
		}
		if n := other.received() - before[p]; n > 0 {
			texts = append(texts, fmt.Sprintf("%s, at %s, has received %s meanwhile: does the exporter point there?",
				other.title(r), other.addresses(), store.CountExports(n)))
		}
	}
	return texts
}

// title is what the server is called in a failure of another one.
func (r *runner) title(by *runner) string {
	switch r.test {
	case "":
		return "another server of this process"
	case by.test:
		return "another server of this test"
	}
	return "the server of " + r.test
}
