package httpapi

import (
	"net/http"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// statistics is the answer of stats.
type statistics struct {
	State       otlptest.State  `json:"state"`
	Endpoints   endpoints       `json:"endpoints"`
	Mark        query.Mark      `json:"mark"` // for q=since=MARK
	Exports     int             `json:"exports"`
	Open        int             `json:"open"` // requests that have begun and are not answered
	Spans       int             `json:"spans"`
	Points      int             `json:"points"`
	Logs        int             `json:"logs"`
	Connections int             `json:"connections"`
	Reached     bool            `json:"reached"`        // a request has come since the start or the last reset
	Idle        string          `json:"idle,omitempty"` // since the last byte came; empty where none has
	WaitTimeout string          `json:"waitTimeout"`    // how long the server's own waits last
	Rules       int             `json:"rules"`
	Holds       int             `json:"holds"`
	Memory      otlptest.Memory `json:"memory"`
	Streams     streamsInUse    `json:"streams"`
}

// endpoints is where the backend is reached.
type endpoints struct {
	GRPC string `json:"grpc"` // host:port
	HTTP string `json:"http"` // the base URL
}

// observed is what a server's sources know beside the items.
type observed interface {
	Quiet() (open int, last time.Time)
	Reached() bool
	WaitTimeout() time.Duration
}

// stats is the endpoint for how much there is.
func (a *api) stats(r *http.Request) (any, error) {
	if _, err := parse(r); err != nil {
		return nil, err
	}
	s := statistics{
		State: a.srv.State(), Mark: a.srv.Mark(), Connections: a.srv.Connections().Len(),
		Rules: len(a.srv.Faults()), Holds: a.holds.count(), Memory: a.srv.Memory(), Streams: a.streams.inUse(),
		Endpoints: endpoints{a.srv.GRPCEndpoint(), a.srv.HTTPEndpoint()},
	}
	for e := range a.srv.Exports().All() {
		s.count(e)
	}
	if o, ok := a.srv.Exports().Source().(observed); ok {
		s.observe(o)
	}
	return s, nil
}

func (s *statistics) count(e query.Export) {
	s.Exports++
	switch e.Signal {
	case query.Traces:
		s.Spans += e.Stored
	case query.Metrics:
		s.Points += e.Stored
	case query.Logs:
		s.Logs += e.Stored
	}
}

func (s *statistics) observe(o observed) {
	open, last := o.Quiet()
	s.Open, s.Reached, s.WaitTimeout = open, o.Reached(), o.WaitTimeout().String()
	if !last.IsZero() {
		s.Idle = time.Since(last).String()
	}
}
