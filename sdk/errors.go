package sdk

import (
	"log"
	"slices"
	"sync"
	"testing"

	"go.opentelemetry.io/otel"
)

// Errors is the errors that the SDK has reported to its error handler while a
// test runs. Its methods are safe for concurrent use.
type Errors struct {
	mu    sync.Mutex
	t     testing.TB
	all   []error
	ended bool
}

// CaptureErrors takes the place of the SDK's global error handler
// (otel.SetErrorHandler) until the test's end: what the SDK would print to
// standard error, such as an export that failed in the background or a partial
// success, is written to the test's log instead, where it is seen if the test
// fails, and kept. Call it before providers are made, so that what goes wrong
// when they are shut down is in it.
//
// There is one such handler in the process, and it does not say whose error it
// is: where tests run in parallel, each one that captures gets the errors of
// all. A test that asserts on them must not be parallel to others that use the
// SDK. The handler that was there before gets nothing until the last such test
// has ended; then it is put back, unless somebody has set another one.
func CaptureErrors(t testing.TB) *Errors {
	t.Helper()
	e := &Errors{t: t}
	captures.add(e)
	t.Cleanup(func() {
		captures.remove(e)
		e.end()
	})
	return e
}

// All is the errors until now, in the order in which they were reported.
func (e *Errors) All() []error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.all)
}

func (e *Errors) handle(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return // the test's log is closed
	}
	e.all = append(e.all, err)
	e.t.Logf("otlptest/sdk: the SDK reported: %v", err)
}

func (e *Errors) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = true
}

// captures is the process's handler while any test captures.
var captures capturing

// capturing hands errors to every test that captures. The SDK keeps the first
// handler that it is ever given for good, so that some may come when none does.
type capturing struct {
	mu       sync.Mutex
	live     []*Errors
	previous otel.ErrorHandler
}

// Handle hands an error to all that capture, or prints it as the SDK does.
func (c *capturing) Handle(err error) {
	c.mu.Lock()
	live := slices.Clone(c.live)
	c.mu.Unlock()
	if len(live) == 0 {
		log.Print(err)
	}
	for _, e := range live {
		e.handle(err)
	}
}

func (c *capturing) add(e *Errors) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live = append(c.live, e)
	if !c.installed() {
		c.previous = otel.GetErrorHandler()
		otel.SetErrorHandler(c)
	}
}

func (c *capturing) remove(e *Errors) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live = slices.DeleteFunc(c.live, func(other *Errors) bool { return other == e })
	if len(c.live) == 0 && c.installed() {
		otel.SetErrorHandler(c.previous)
	}
}

func (c *capturing) installed() bool {
	current, ok := otel.GetErrorHandler().(*capturing)
	return ok && current == c
}
