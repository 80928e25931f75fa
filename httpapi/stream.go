package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/otlptest/otlptest/query"
)

// How many items a stream keeps for a reader, where the request does not say
// and at most, and how often it says that it is there.
const (
	defaultBuffer = 1000
	maxBuffer     = 100_000
	keepAlive     = 15 * time.Second
	lastWrites    = time.Second // for what is left when the server closes
)

// streams counts those of an API.
type streams struct{ open, total, sent, dropped atomic.Int64 }

// streamsInUse is streams as JSON.
type streamsInUse struct {
	Open    int64 `json:"open"`
	Total   int64 `json:"total"`   // that have begun, those that are open included
	Sent    int64 `json:"sent"`    // items, in all of them
	Dropped int64 `json:"dropped"` // items left out, since nobody read them
}

func (s *streams) inUse() streamsInUse {
	return streamsInUse{s.open.Load(), s.total.Load(), s.sent.Load(), s.dropped.Load()}
}

// stream is the endpoint for server-sent events.
func (a *api) stream(w http.ResponseWriter, r *http.Request) {
	s, err := a.newStream(r)
	if err != nil {
		problemOf(err).write(w)
		return
	}
	a.streams.open.Add(1)
	a.streams.total.Add(1)
	defer a.streams.open.Add(-1)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	s.out = &writer{w: w, control: http.NewResponseController(w)}
	defer s.out.endWith(a.hub.over)()
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead && s.out.write("retry: 1000\n\n") == nil {
		s.run(r.Context())
	}
}

// stream is one reader's.
type stream struct {
	api    *api
	out    *writer
	feeds  []feed
	base   uint64 // what numbers are relative to
	behind bool   // what is there was not all looked at yet, which is nobody's fault
	untold bool   // nor that there was a reset
	buffer int
}

// newStream reads a request.
func (a *api) newStream(r *http.Request) (*stream, error) {
	p, err := parse(r, "of", "q", "after", "buffer")
	if err != nil {
		return nil, err
	}
	s := &stream{api: a, behind: true}
	if s.buffer, err = p.number("buffer", 1, maxBuffer, defaultBuffer); err != nil {
		return nil, err
	}
	filters, err := p.filters()
	if err != nil {
		return nil, err
	}
	if s.feeds, err = a.feeds(p, filters); err != nil {
		return nil, err
	}
	place, after := "after", p["after"]
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		place, after = "Last-Event-ID", id
	}
	a.hub.watch()
	if err := s.begin(after); err != nil {
		return nil, invalid(place, "%v", err)
	}
	return s, nil
}

// feeds is what a stream is of.
func (a *api) feeds(p parameters, filters []query.Filter) ([]feed, error) {
	of, given := p["of"]
	if !given {
		of = "exports"
	}
	var list []feed
	var seen []string
	for name := range strings.SplitSeq(of, ",") {
		f := a.feed(name, filters)
		if f == nil || slices.Contains(seen, name) {
			return nil, invalid("of", "got %q, want some of exports, spans, points, logs, with commas between them", of)
		}
		if err := f.err(); err != nil {
			return nil, invalid("q", "%v", err)
		}
		list, seen = append(list, f), append(seen, name)
	}
	return list, nil
}

// begin takes up where an id says: at the start, or where it is empty, with what
// comes from now on. Numbers from before a reset say nothing any more.
func (s *stream) begin(id string) (err error) {
	s.base = dropped(s.api.srv)
	switch id {
	case "":
		for _, f := range s.feeds {
			f.skip()
		}
	case "start":
	default:
		var base uint64
		if base, err = s.resume(id); base != s.base {
			s.rewind(s.base)
		}
	}
	return err
}

// rewind starts over where numbers are relative to another base.
func (s *stream) rewind(base uint64) {
	s.base, s.behind, s.untold = base, true, true
	for _, f := range s.feeds {
		f.seek(place{})
	}
}

// run writes events until ctx or the server ends, or nobody is there to read.
func (s *stream) run(ctx context.Context) {
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		now := s.api.hub.moment() // before looking, so that nothing is missed
		if now.dropped > s.base {
			s.rewind(now.dropped)
		}
		if err := s.catchUp(); err != nil {
			return
		}
		if now.closed {
			_ = s.out.event(s.id(), "end", map[string]string{"reason": query.ErrClosed.Error()}) // nothing follows it
			return
		}
		select {
		case <-now.next:
		case <-alive.C:
			if s.out.write(": still here\n\n") != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// catchUp writes what has come: all of it where the reader was not there, and
// else the last of it. What is seen of a reset before the hub has, is told again
// behind it.
func (s *stream) catchUp() error {
	if s.untold {
		if err := s.out.event(s.id(), "reset", struct{}{}); err != nil {
			return err
		}
	}
	most := s.buffer
	if s.behind {
		most = 0
	}
	for _, f := range s.feeds {
		found, left := f.collect(most)
		if err := s.tell(f, found, left); err != nil {
			return err
		}
	}
	s.behind, s.untold = false, false
	return nil
}

// tell writes the events of one feed.
func (s *stream) tell(f feed, found []found, left int) error {
	if left > 0 {
		s.api.streams.dropped.Add(int64(left))
		if err := s.out.event("", "dropped", map[string]any{"of": f.name(), "count": left}); err != nil {
			return err
		}
	}
	for _, e := range found {
		f.sent(e.at)
		if err := s.out.event(s.id(), strings.TrimSuffix(f.name(), "s"), e.item); err != nil {
			return err
		}
		s.api.streams.sent.Add(1)
	}
	return nil
}

// writer writes a stream.
type writer struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// endWith ends writes that hang soon after over is closed. What it returns is to
// be called when nothing is written any more.
func (w *writer) endWith(over <-chan struct{}) (stop func()) {
	_ = w.control.SetWriteDeadline(time.Time{}) // a stream outlasts the server's; what cannot have one needs none
	written, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-over:
			_ = w.control.SetWriteDeadline(time.Now().Add(lastWrites)) // likewise
		case <-written:
		}
	}()
	return func() {
		close(written)
		<-ended
	}
}

// event writes one; without an id a reader goes on behind the one before.
func (w *writer) event(id, name string, data any) error {
	body, err := encode(data)
	if err != nil {
		return err
	}
	if id != "" {
		id = "id: " + id + "\n"
	}
	return w.write(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", id, name, bytes.TrimSpace(body)))
}

func (w *writer) write(s string) error {
	if _, err := w.w.Write([]byte(s)); err != nil {
		return err
	}
	return w.control.Flush()
}
