package httpapi

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// dropped is how many exports resets have dropped: it grows exactly when the
// numbers of those that stayed may be others.
func dropped(srv *otlptest.Server) uint64 {
	n := 0
	return droppedBehind(srv, &n)
}

// droppedBehind is dropped where there were n exports before, which it updates.
func droppedBehind(srv *otlptest.Server, n *int) uint64 {
	mark := srv.Mark()
	ever, _ := strconv.ParseUint(mark.String(), 10, 64) // a mark is such a number
	there := srv.Exports(where.Not(where.Since(mark)))
	last := query.Export{}
	for e := range there.Where(where.InExport(where.AtLeast(max(1, *n)))).All() {
		last = e
	}
	if *n > 0 && last.Number == 0 { // there are fewer than before
		*n = 0
		return droppedBehind(srv, n)
	}
	*n = last.Number
	return ever - uint64(last.Number)
}

// hub gives everything that can be asked a version.
type hub struct {
	srv   *otlptest.Server
	begin sync.Once
	over  chan struct{} // closed when nothing can change any more

	mu  sync.Mutex
	now moment
}

// moment is what a hub knows of one.
type moment struct {
	version int64
	dropped uint64        // how many exports resets had dropped by then
	next    chan struct{} // closed at the next version
	closed  bool          // there is no next
}

// String is the version as clients know it.
func (m moment) String() string { return strconv.FormatInt(m.version, 36) }

func newHub(srv *otlptest.Server) *hub {
	now := moment{version: time.Now().UnixNano(), next: make(chan struct{})} // not that of an earlier process
	return &hub{srv: srv, over: make(chan struct{}), now: now}
}

// watch begins to count versions, until the server is closed.
func (h *hub) watch() {
	h.begin.Do(func() {
		changed, exports := h.srv.Exports().Source().Changed, 0
		next := func() <-chan struct{} {
			change := changed() // before the new version, which covers all before it
			h.bump(droppedBehind(h.srv, &exports), change == nil)
			return change
		}
		change := next() // what is there is no change for those who ask from now on
		go func() {
			defer close(h.over)
			for change != nil {
				<-change
				change = next()
			}
		}()
	})
}

func (h *hub) bump(dropped uint64, last bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.now.next)
	h.now = moment{h.now.version + 1, dropped, make(chan struct{}), last}
}

func (h *hub) moment() moment {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// change is the answer of changes.
type change struct {
	Version string `json:"version"`
	Closed  bool   `json:"closed"` // nothing can change any more
}

// changes is the endpoint that waits for another version.
func (a *api) changes(r *http.Request) (any, error) {
	p, err := parse(r, "since", "timeout")
	if err != nil {
		return nil, err
	}
	timeout, err := p.duration()
	if err != nil {
		return nil, err
	}
	if _, since := p["since"]; !since && p["timeout"] != "" {
		return nil, invalid("timeout", "is given without since, want since=VERSION beside it")
	}
	a.hub.watch()
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	for {
		now := a.hub.moment()
		if now.String() != p["since"] || now.closed || ctx.Err() != nil {
			return change{now.String(), now.closed}, nil
		}
		select {
		case <-now.next:
		case <-ctx.Done():
		}
	}
}
