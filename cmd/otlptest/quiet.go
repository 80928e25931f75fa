package main

import (
	"time"

	"github.com/otlptest/otlptest/otlptest"
)

// traffic is what the sources of a server know about what is under way.
type traffic interface {
	Quiet() (open int, last time.Time)
	Reached() bool
}

// drained waits until no request is open, and returns how many still are after
// the limit.
func drained(srv *otlptest.Server, limit time.Duration) (open int) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		changed := srv.Exports().Source().Changed()
		open, _ := openRequests(srv)
		if open == 0 || changed == nil {
			return 0
		}
		select {
		case <-changed:
		case <-timer.C:
			return open
		}
	}
}

func openRequests(srv *otlptest.Server) (open int, last time.Time) {
	if t, ok := srv.Exports().Source().(traffic); ok {
		return t.Quiet()
	}
	return 0, time.Time{}
}

func reached(srv *otlptest.Server) bool {
	t, ok := srv.Exports().Source().(traffic)
	return !ok || t.Reached()
}

// How long it has to be quiet once the client has ended, until nothing more is
// on its way: what it had sent is then read, and its connections are closed. A
// connection that is open all the same belongs to a process that outlived it.
const (
	quietTime    = 50 * time.Millisecond
	survivorTime = time.Second
)

// settled waits, once the client has ended, until nothing more is on its way,
// and returns how many requests are still open after the limit.
func settled(srv *otlptest.Server, limit time.Duration) (open int) {
	begun := time.Now()
	for {
		changed := srv.Exports().Source().Changed()
		open, last := openRequests(srv)
		if last.Before(begun) {
			last = begun
		}
		quiet, left := quietTime, limit-time.Since(begun)
		if openConnections(srv) > 0 {
			quiet = survivorTime
		}
		switch wait := quiet - time.Since(last); {
		case open == 0 && wait <= 0 || changed == nil:
			return 0
		case left <= 0:
			return open
		case open == 0:
			left = min(left, wait)
		}
		await(changed, left)
	}
}

// await waits for a change, but no longer than d.
func await(changed <-chan struct{}, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-changed:
	case <-timer.C:
	}
}

func openConnections(srv *otlptest.Server) (n int) {
	for c := range srv.Connections().All() {
		if c.Closed.IsZero() {
			n++
		}
	}
	return n
}
