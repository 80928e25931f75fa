package script

import (
	"slices"
	"time"

	"github.com/otlptest/otlptest/faults"
)

// room is what a capacity has taken on. The script's lock guards it.
type room struct {
	free     time.Time // when the items taken on so far are worked off
	inFlight []time.Time
}

// behind is how much work may be waiting: without any, a client that comes back
// in whole seconds, as Retry-After tells it, would find the backend idle.
const behind = time.Second

// admit decides whether there is room for so many items: the decision becomes
// to accept, or to throttle until there is.
func (s *Script) admit(r *room, items int, d *Decision) {
	now, f := time.Now(), *d.Fault
	if r.free.Before(now) {
		r.free = now
	}
	if wait := r.free.Sub(now) - behind; wait > 0 {
		d.Fault = pointer(faults.Throttle(wait))
		return
	}
	if f.MaxInFlight > 0 && len(r.inFlight) >= f.MaxInFlight {
		d.Fault = pointer(faults.Unavailable())
		if wait := r.inFlight[0].Add(f.Delay).Sub(now); wait > 0 {
			d.Fault = pointer(faults.Throttle(wait))
		}
		return
	}
	if f.ItemsPerSecond > 0 {
		r.free = r.free.Add(time.Duration(float64(items) / f.ItemsPerSecond * float64(time.Second)))
	}
	r.inFlight = append(r.inFlight, now)
	d.done = func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		i := slices.Index(r.inFlight, now)
		r.inFlight = slices.Delete(r.inFlight, i, i+1)
	}
	f.Kind, f.ItemsPerSecond, f.MaxInFlight = faults.KindAccept, 0, 0
	d.Fault = &f
}

func pointer(f faults.Fault) *faults.Fault { return &f }
