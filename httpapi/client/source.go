package client

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// Spans is the spans that match every filter.
func (c *Client) Spans(where ...query.Filter) query.View[query.Span] {
	return view(c, "spans", spans, where)
}

// Points is the metric data points that match every filter.
func (c *Client) Points(where ...query.Filter) query.View[query.Point] {
	return view(c, "points", points, where)
}

// Logs is the log records that match every filter.
func (c *Client) Logs(where ...query.Filter) query.View[query.Log] {
	return view(c, "logs", logs, where)
}

// Traces is the traces that match every filter, put together from the spans
// that the server has at that moment.
func (c *Client) Traces(where ...query.Filter) query.View[query.Trace] {
	return view(c, "traces", traces, where)
}

// Exports is every request that reached the server, whatever became of it.
func (c *Client) Exports(where ...query.Filter) query.View[query.Export] {
	return view(c, "exports", exports, where)
}

// Violations is every departure from OTLP that the server has seen.
func (c *Client) Violations(where ...query.Filter) query.View[query.Violation] {
	return view(c, "violations", violations, where)
}

// Connections is the network connections that clients made.
func (c *Client) Connections(where ...query.Filter) query.View[query.Connection] {
	return view(c, "connections", connections, where)
}

// Ping says why the server cannot be asked, and nil where it can.
func (c *Client) Ping() error {
	_, err := c.stats()
	return err
}

func view[T any](c *Client, path string, read func(*Client, answer) ([]T, error), where []query.Filter) query.View[T] {
	return query.NewView[T](&source[T]{c: c, path: path, read: read}, where...)
}

// Check says which filter cannot travel; for query.View.Err.
func (*source[T]) Check(where []query.Filter) error {
	for _, f := range where {
		if e, found := f.Expr().Find(func(e expr.Expr) bool { return e.Op == expr.Func }); found {
			return fmt.Errorf("filter %s is a Go function, which cannot be asked of a server in another process", e)
		}
	}
	return nil
}

// answer is a list as the API writes it.
type answer struct {
	Items rawList `json:"items"`
}

// source is what a view of a Client reads.
type source[T any] struct {
	c      *Client
	path   string
	read   func(*Client, answer) ([]T, error)
	failed atomic.Pointer[error] // why nothing was found the last time
}

// Scan implements query.Source.
func (s *source[T]) Scan(where []query.Filter) iter.Seq[T] {
	return func(yield func(T) bool) {
		found, err := s.ask(where)
		s.failed.Store(&err)
		for _, item := range found {
			if !yield(item) {
				return
			}
		}
	}
}

// Failure is why the last scan found nothing that it could have; for
// otlptest.Exactly and otlptest.Never.
func (s *source[T]) Failure() error {
	if err := s.failed.Load(); err != nil {
		return *err
	}
	return nil
}

func (s *source[T]) ask(where []query.Filter) ([]T, error) {
	parameters := asked(where)
	switch s.path {
	case "spans", "points", "logs", "traces":
		parameters.Set("format", "protobuf")
	}
	var a answer
	if err := s.c.get(s.path, parameters, &a); err != nil {
		return nil, err
	}
	return s.read(s.c, a)
}

// asked is filters as the API takes them.
func asked(where []query.Filter) url.Values {
	parameters := url.Values{}
	if len(where) > 0 {
		parameters.Set("q", expr.Join(query.Exprs(where), " "))
	}
	return parameters
}

// Changed implements query.Source.
func (s *source[T]) Changed() <-chan struct{} {
	if hopeless(s.Failure()) {
		return nil
	}
	return s.c.changed()
}

// Explain implements query.Source.
func (s *source[T]) Explain(where []query.Filter) string {
	if err := s.Failure(); err != nil {
		return fmt.Sprintf("  the API  %v\n", err)
	}
	why, err := s.diagnosis(where)
	if err != nil {
		return fmt.Sprintf("  the API  %v\n", err)
	}
	return why.Explanation
}

// Missing is what may keep more items away; for query.View.Wait.
func (s *source[T]) Missing(where []query.Filter) string {
	why, err := s.diagnosis(where)
	if err != nil {
		return ""
	}
	return why.Missing
}

// diagnosis is what the server says of a wait that has to fail.
func (s *source[T]) diagnosis(where []query.Filter) (*refusal, error) {
	parameters := asked(where)
	parameters.Set("wait", strconv.Itoa(math.MaxInt32))
	parameters.Set("timeout", "0s")
	err := s.c.get(s.path, parameters, new(answer))
	var why *refusal
	if errors.As(err, &why) && (why.status == http.StatusConflict || why.status == http.StatusServiceUnavailable) {
		return why, nil
	}
	return new(refusal), err
}

// stats is what the API says beside the items.
type stats struct {
	Open        int
	Reached     bool
	Idle        string
	WaitTimeout string
}

func (c *Client) stats() (s stats, err error) {
	err = c.get("stats", nil, &s)
	return s, err
}

// Quiet says how many requests are open, and when the last byte came by this
// process's clock; for otlptest.Never.
func (s *source[T]) Quiet() (open int, last time.Time) {
	st, err := s.c.stats()
	if err != nil {
		return 1, time.Now() // nobody knows, and nothing must follow from that
	}
	if idle, err := time.ParseDuration(st.Idle); err == nil {
		last = time.Now().Add(-idle)
	}
	return st.Open, last
}

// Reached says whether a request has come; for otlptest.Exactly.
func (s *source[T]) Reached() bool {
	st, err := s.c.stats()
	return err != nil || st.Reached
}

// WaitTimeout is how long the server's own waits last; for otlptest.Await.
func (s *source[T]) WaitTimeout() time.Duration {
	const usual = 10 * time.Second
	st, err := s.c.stats()
	if err != nil {
		return usual
	}
	d, err := time.ParseDuration(st.WaitTimeout)
	if err != nil || d <= 0 {
		return usual
	}
	return d
}
