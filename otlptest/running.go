package otlptest

import (
	"fmt"
	"slices"
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
	list []*runner
}

// runner is one server as others see it.
type runner struct {
	server weak.Pointer[Server]
	test   string                             // the name of its test; empty without one
	before atomic.Pointer[map[*runner]uint64] // what others had received when it began
}

// add enters a server.
func (r *registry) add(s *Server, test string) *runner {
	entry := &runner{server: weak.Make(s), test: test}
	entry.note(r.others(entry))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, entry)
	return entry
}

func (r *registry) remove(entry *runner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(other *runner) bool { return other == entry || other.server.Value() == nil })
}

// others is all servers but one.
func (r *registry) others(than *runner) (list []*runner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, other := range r.list {
		if other != than {
			list = append(list, other)
		}
	}
	return list
}

// note remembers what other servers have received by now.
func (r *runner) note(others []*runner) {
	before := map[*runner]uint64{}
	for _, other := range others {
		before[other] = other.received()
	}
	r.before.Store(&before)
}

func (r *runner) received() uint64 {
	if s := r.server.Value(); s != nil {
		return s.store.Total()
	}
	return 0
}

// elsewhere says which other servers have received something since this one
// began.
func (r *runner) elsewhere() (texts []string) {
	before := *r.before.Load()
	for _, other := range running.others(r) {
		s := other.server.Value()
		if s == nil || other.received() <= before[other] {
			continue
		}
		texts = append(texts, fmt.Sprintf("%s, at %s, has received %s meanwhile: does the exporter point there?",
			other.title(r), s.addresses(), store.CountExports(other.received()-before[other])))
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
