package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query/where"
)

// The demo's script, and how many log records it refuses for good.
const (
	script = `traces [service="web"]: throttle 1s
traces [service="payment"]: unavailable x2
metrics http/protobuf: throttle 1s
logs [service="web"]: reject "no debug logs, please"
logs [service="payment"]: partial 1 "a card number"`
	refusedLogs = 2
)

// demoLimit is when the demo gives up.
const demoLimit = 30 * time.Second

// demo is the command that shows what there is.
type demo struct{}

// Run sends telemetry to a backend in this process, shows it, and fails unless
// everything went as it should.
func (demo) Run(ctx context.Context, stdout io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, demoLimit)
	defer cancel()
	p := newPaper(stdout)
	rules, err := faults.Parse(strings.ReplaceAll(script, "\n", ";"))
	if err != nil {
		return err
	}
	p.introduce(rules)
	srv, err := otlptest.New(otlptest.WithFaults(rules...))
	if err != nil {
		return err
	}
	defer srv.Close()
	sent, reports, err := telemetry(ctx, srv)
	if err != nil {
		return err
	}
	e := gather(srv)
	e.sent, e.reports, e.script, e.refused = sent, reports, rules, refusedLogs
	checks := e.judge()
	p.waterfall(e.spans)
	p.metrics(e.points)
	p.logs(e.logs, e.spans)
	p.ledger(e.report, senders(srv))
	p.said(reports)
	p.verdict(checks)
	p.farewell()
	if !passed(checks) {
		return errors.New("demo: not everything went as it should: see the verdict")
	}
	return nil
}

// telemetry lets the shop sell something and send what it recorded. It returns
// what that was, and what the SDK reported about what became of it.
func telemetry(ctx context.Context, srv *otlptest.Server) (sent tally, reports []string, err error) {
	ignoreEnvironment()
	var told complaints
	otel.SetErrorHandler(&told)
	s, err := openShop(ctx, srv)
	if err != nil {
		return sent, nil, err
	}
	s.sell(ctx)
	if err := s.measure(ctx); err != nil {
		return sent, nil, err
	}
	if err := s.close(ctx); err != nil {
		told.Handle(err)
	}
	return s.sent, told.list(), nil
}

// complaints collects what the SDK reports.
type complaints struct {
	mu    sync.Mutex
	texts []string
}

// Handle implements otel.ErrorHandler.
func (c *complaints) Handle(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.texts = append(c.texts, strings.Split(err.Error(), "\n")...)
}

func (c *complaints) list() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.texts)
}

// ignoreEnvironment keeps OTEL_* from changing what the SDK does.
func ignoreEnvironment() {
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "OTEL_") {
			os.Unsetenv(name)
		}
	}
}

// gather asks the server for everything.
func gather(srv *otlptest.Server) evidence {
	return evidence{
		spans:  srv.Spans().Slice(),
		points: srv.Points().Slice(),
		logs:   srv.Logs().Slice(),
		report: srv.Report(),
		unmet:  srv.PendingFaults(),
	}
}

// senders says of each export, by its number, which service sent it.
func senders(srv *otlptest.Server) map[int]string {
	by := map[int]string{}
	for _, name := range []string{"web", "checkout", "payment"} {
		for e := range srv.Exports(where.Service(name)).All() {
			by[e.Number] = name
		}
	}
	return by
}
