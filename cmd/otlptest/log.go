package main

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// logFlags is how much is logged, and how.
type logFlags struct {
	LogLevel  slog.Level `placeholder:"LEVEL" default:"info" group:"log" help:"debug has a line for each export, info the addresses, warn each departure from OTLP; or error."`
	LogFormat string     `placeholder:"FORMAT" enum:"text,json" default:"text" group:"log" help:"text or json."`
}

func (f logFlags) logger(w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: f.LogLevel}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// follow logs what a server receives, until stop is called, which returns once
// everything is logged.
func follow(srv *otlptest.Server, log *slog.Logger) (stop func()) {
	f := &follower{srv: srv, log: log, told: map[violationKey]bool{}}
	stopped, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		f.run(stopped)
	}()
	return func() {
		close(stopped)
		<-done
	}
}

// follower remembers what it has logged.
type follower struct {
	srv  *otlptest.Server
	log  *slog.Logger
	mark query.Mark     // up to where exports are known
	open []query.Export // of these the ones that are not logged yet
	told map[violationKey]bool
	full bool // exports have been refused or dropped for want of room
}

// violationKey tells a violation from others, over resets.
type violationKey struct {
	rule, path, item, got string
	export                int
	arrived               time.Time
}

// run looks at every change, but spends no more than a small share of its time
// on that.
func (f *follower) run(stopped <-chan struct{}) {
	const share = 10
	for {
		changed := f.srv.Exports().Source().Changed()
		begun := time.Now()
		f.look()
		pause := time.NewTimer(max(share*time.Since(begun), 20*time.Millisecond))
		select {
		case <-pause.C:
		case <-stopped:
		}
		pause.Stop()
		select {
		case <-changed: // never, once the server is closed
		case <-stopped:
			f.look()
			return
		}
	}
}

func (f *follower) look() {
	if f.enabled(slog.LevelDebug) {
		f.exports()
	}
	if f.enabled(slog.LevelWarn) {
		f.violations()
		f.memory()
	}
}

func (f *follower) enabled(l slog.Level) bool { return f.log.Enabled(context.Background(), l) }

// exports logs those that have ended since.
func (f *follower) exports() {
	mark := f.srv.Mark()
	fresh := f.srv.Exports(where.Since(f.mark), where.Not(where.Since(mark))).Slice()
	f.mark = mark
	open := f.open[:0]
	for _, e := range append(f.open, fresh...) {
		if e = e.Ref.Export(); e.Outcome == query.Open {
			open = append(open, e)
			continue
		}
		f.log.Debug("export", "number", e.Number, "signal", e.Signal, "protocol", e.Protocol, "items", e.Items, "stored", e.Stored,
			"bytes", e.WireSize, "became", e.Became(), "took", e.Answered.Sub(e.Arrived).String(), "connection", e.Conn)
	}
	f.open = open
}

// violations logs those that are new.
func (f *follower) violations() {
	for v := range f.srv.Violations().All() {
		key := violationKey{v.Rule, v.Path, v.Item, v.Got, v.Export, v.Ref.Export().Arrived}
		if f.told[key] {
			continue
		}
		f.told[key] = true
		level := slog.LevelWarn
		if v.Level == query.LevelInfo {
			level = slog.LevelInfo
		}
		f.log.Log(context.Background(), level, "violation", "rule", v.Rule, "level", v.Level, "export", v.Export, "service", v.Service, "item", v.Item,
			"path", v.Path, "got", v.Got, "want", v.Want, "more", v.More)
	}
}

// memory logs once that the memory limit has been reached.
func (f *follower) memory() {
	m := f.srv.Memory()
	if reached := m.Refused+m.Dropped > 0; reached != f.full {
		f.full = reached
		if reached {
			f.log.Warn("memory limit reached", "limit", m.Limit, "kept", m.Kept, "refused", m.Refused, "dropped", m.Dropped)
		}
	}
}
