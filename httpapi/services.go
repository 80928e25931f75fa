package httpapi

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/otlptest/otlptest/query"
)

// serviceMap is the answer of services.
type serviceMap struct {
	Services []service `json:"services"` // by name
	Calls    []edge    `json:"calls"`    // by the names of both ends
}

// service is what has spans, or what spans say that they called.
type service struct {
	Name   string `json:"name"`             // the resource's service.name, "" for none
	Remote bool   `json:"remote,omitempty"` // it has sent no span: Spans and Errors are of those that called it
	Spans  int    `json:"spans"`
	Errors int    `json:"errors"`
}

// edge is all that leads from one service to another.
type edge struct {
	link
	Count  int    `json:"count"`
	Errors int    `json:"errors"` // spans with the status error
	Median string `json:"median"` // of how long they took, as is Max
	Max    string `json:"max"`
}

// link is between whom an edge is, and of what kind: a call leads to a span from
// its parent, a link to a span from one that it has a link to.
type link struct {
	From string `json:"from"`
	To   string `json:"to"`
	Kind string `json:"kind"` // call or link
}

// services is the endpoint for who calls whom.
func (a *api) services(r *http.Request) (any, error) {
	p, err := parse(r, "q")
	if err != nil {
		return nil, err
	}
	q, err := questionOf(p, a.srv.Traces)
	if err != nil {
		return nil, err
	}
	traces := q.view.Slice()
	m := mapper{own: map[string]*service{}, remote: map[string]*service{}, edges: map[link][]query.Span{}}
	m.nodes(traces)
	m.calls(traces)
	m.links(traces)
	return m.result(), nil
}

// mapper puts services together.
type mapper struct {
	own, remote map[string]*service
	edges       map[link][]query.Span
}

func (m *mapper) nodes(traces []query.Trace) {
	for _, t := range traces {
		for _, n := range t.Walk() {
			count(m.own, n.Resource.Service(), n.Span)
		}
	}
}

// count adds a span to those of a service.
func count(in map[string]*service, name string, s query.Span) {
	if in[name] == nil {
		in[name] = &service{Name: name}
	}
	in[name].Spans++
	if s.Status.Code == query.StatusError {
		in[name].Errors++
	}
}

// calls needs all services to be known.
func (m *mapper) calls(traces []query.Trace) {
	for _, t := range traces {
		for _, n := range t.Walk() {
			from, left := n.Resource.Service(), false
			for _, c := range n.Children {
				if to := c.Resource.Service(); to != from {
					left = true
					m.add(from, to, "call", c.Span)
				}
			}
			if to := called(n.Span); to != "" && to != from && !left {
				m.add(from, to, "call", n.Span)
				if m.own[to] == nil {
					count(m.remote, to, n.Span)
				}
			}
		}
	}
}

// links has those between the spans of the traces.
func (m *mapper) links(traces []query.Trace) {
	type id struct {
		trace query.TraceID
		span  query.SpanID
	}
	of := map[id]string{}
	for _, t := range traces {
		for _, n := range t.Walk() {
			of[id{n.TraceID, n.SpanID}] = n.Resource.Service()
		}
	}
	for _, t := range traces {
		for _, n := range t.Walk() {
			for _, l := range n.Links {
				if from, known := of[id{l.TraceID, l.SpanID}]; known && from != n.Resource.Service() {
					m.add(from, n.Resource.Service(), "link", n.Span)
				}
			}
		}
	}
}

func (m *mapper) add(from, to, kind string, s query.Span) {
	l := link{from, to, kind}
	m.edges[l] = append(m.edges[l], s)
}

// called is the database, queue or service that a client or producer names, and
// "" where it names none.
func called(s query.Span) string {
	if s.Kind != query.SpanKindClient && s.Kind != query.SpanKindProducer {
		return ""
	}
	for _, key := range []string{"db.system.name", "db.system", "messaging.system", "peer.service", "server.address"} {
		if name := s.Attrs.Get(key).Str(); name != "" {
			return name
		}
	}
	return ""
}

func (m *mapper) result() serviceMap {
	r := serviceMap{Services: []service{}, Calls: []edge{}}
	for _, s := range m.own {
		r.Services = append(r.Services, *s)
	}
	for _, s := range m.remote {
		r.Services = append(r.Services, service{s.Name, true, s.Spans, s.Errors})
	}
	slices.SortFunc(r.Services, func(a, b service) int { return cmp.Compare(a.Name, b.Name) })
	links := slices.SortedFunc(maps.Keys(m.edges), func(a, b link) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
	})
	for _, l := range links {
		r.Calls = append(r.Calls, edgeOf(l, m.edges[l]))
	}
	return r
}

func edgeOf(l link, spans []query.Span) edge {
	e := edge{link: l, Count: len(spans)}
	took := make([]time.Duration, len(spans))
	for i, s := range spans {
		if took[i] = s.Duration(); s.Status.Code == query.StatusError {
			e.Errors++
		}
	}
	slices.Sort(took)
	e.Median, e.Max = took[(len(took)-1)/2].String(), took[len(took)-1].String()
	return e
}
