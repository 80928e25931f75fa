package receiver

import (
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// readLater waits before the body is read, and says whether the client ended
// the request meanwhile.
func (x *exchange) readLater(d time.Duration) (ended bool) {
	defer x.watch()()
	return x.pause(d)
}

// watch makes waits end with the connection, until stop is called, where nobody
// else would notice its end.
func (x *exchange) watch() (stop func()) {
	if !x.unread || x.line.conn == nil {
		return func() {}
	}
	x.gone, stop = x.line.conn.watch()
	return stop
}

// linger waits as long as a fault and those who hold answers back say. The
// export may end before, and then has none.
func (x *exchange) linger(rec *store.Record, f *faults.Fault) (a answer, ended bool) {
	if f.Delay > 0 {
		if a, ended = x.wait(f.Delay); ended {
			return a, ended
		}
	}
	if a, ended = x.heldBack(rec); ended {
		return a, ended
	}
	if f.Kind == faults.KindHang || f.Kind == faults.KindBlackhole {
		return x.wait(x.HangLimit)
	}
	return answer{}, false
}

// wait lasts for d, and no longer than the hang limit, unless the client gives
// up or the server stops before: then it returns the answer that there is none.
func (x *exchange) wait(d time.Duration) (a answer, ended bool) {
	return x.waitFor(nil, d)
}

// pause is wait for those who know what to do then.
func (x *exchange) pause(d time.Duration) (ended bool) {
	_, ended = x.wait(d)
	return ended
}

// waitFor is wait that ends with done, too.
func (x *exchange) waitFor(done <-chan struct{}, d time.Duration) (a answer, ended bool) {
	timer := time.NewTimer(min(d, x.HangLimit))
	defer timer.Stop()
	select {
	case <-timer.C:
		return answer{}, false
	case <-done:
		return answer{}, false
	case <-x.ctx.Done():
	case <-x.gone:
	case <-x.stop:
	}
	return answer{outcome: x.broken()}, true
}

// broken is what became of an export whose connection or call ended before its
// answer.
func (x *exchange) broken() query.Outcome {
	if x.stopped.Load() || x.line.cut() {
		return query.Cut
	}
	return query.Abandoned
}
