package receiver

import (
	"slices"
	"sync"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// holds is those that are in effect.
type holds struct {
	mu   sync.Mutex
	list []*Hold
}

// Hold keeps answers back until they are released.
type Hold struct {
	recv  *Receiver
	where []query.Filter

	mu      sync.Mutex
	held    []*held
	changed chan struct{} // closed at the next one that is held
	over    bool
}

type held struct {
	rec     *store.Record
	release func()
	done    <-chan struct{}
}

// Hold begins to keep back the answers to exports that match all of the
// filters.
func (r *Receiver) Hold(where []query.Filter) *Hold {
	h := &Hold{recv: r, where: where, changed: make(chan struct{})}
	r.holds.mu.Lock()
	defer r.holds.mu.Unlock()
	r.holds.list = append(slices.Clone(r.holds.list), h)
	return h
}

// Exports is those that were held so far, in the order in which they were, and
// a channel that is closed at the next.
func (h *Hold) Exports() ([]query.Export, <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	exports := make([]query.Export, len(h.held))
	for i, x := range h.held {
		exports[i] = x.rec.Export()
	}
	return exports, h.changed
}

// Stopped is closed when nothing more can be held.
func (h *Hold) Stopped() <-chan struct{} { return h.recv.stop }

// Release lets one answer go, and is false where there is none with that index.
func (h *Hold) Release(i int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i < 0 || i >= len(h.held) {
		return false
	}
	h.held[i].release()
	return true
}

// End lets all answers go, and holds no more.
func (h *Hold) End() {
	r := h.recv
	r.holds.mu.Lock()
	r.holds.list = slices.DeleteFunc(slices.Clone(r.holds.list), func(x *Hold) bool { return x == h })
	r.holds.mu.Unlock()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	for _, x := range h.held {
		x.release()
	}
}

// take holds an export that matches. It is nil where the hold is over.
func (h *Hold) take(rec *store.Record) *held {
	if len(h.where) > 0 && !rec.Match(h.where) {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return nil
	}
	done := make(chan struct{})
	x := &held{rec, sync.OnceFunc(func() { close(done) }), done}
	h.held = append(h.held, x)
	close(h.changed)
	h.changed = make(chan struct{})
	return x
}

func (hs *holds) all() []*Hold {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	return hs.list
}

// heldBack waits until every hold that the export matches has let it go. The
// export may end before.
func (x *exchange) heldBack(rec *store.Record) (a answer, ended bool) {
	var by []*held
	for _, h := range x.holds.all() {
		if held := h.take(rec); held != nil {
			by = append(by, held)
		}
	}
	for _, held := range by {
		if a, ended = x.waitFor(held.done, x.HangLimit); ended {
			return a, ended
		}
	}
	return answer{}, false
}
