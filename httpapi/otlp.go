package httpapi

import (
	"reflect"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/internal/otlpjson"
	"github.com/otlptest/otlptest/query"
)

// otlpJSON is a message as OTLP JSON.
func otlpJSON(sig query.Signal, m proto.Message) (answer, error) {
	body, err := proto.Marshal(m)
	if err != nil {
		return answer{}, err
	}
	if body, err = otlpjson.FromProto(nil, sig, body); err != nil {
		return answer{}, err
	}
	return answer{contentType: "application/json", body: append(body, '\n')}, nil
}

// groups says where items that follow each other belong to another resource or
// scope than the one before.
type groups struct {
	began    bool
	resource query.Resource
	scope    query.Scope
}

func (g *groups) next(r query.Resource, s query.Scope) (resource, scope bool) {
	resource = !g.began || !reflect.DeepEqual(g.resource, r)
	scope = resource || !reflect.DeepEqual(g.scope, s)
	*g = groups{true, r, s}
	return resource, scope
}

// tracesData is spans as the message that brings them.
func tracesData(spans []query.Span) *tracepb.TracesData {
	m := &tracepb.TracesData{}
	var g groups
	var rs *tracepb.ResourceSpans
	var ss *tracepb.ScopeSpans
	for _, s := range spans {
		resource, scope := g.next(s.Resource, s.Scope)
		if resource {
			rs = &tracepb.ResourceSpans{Resource: resourceProto(s.Resource), SchemaUrl: s.Resource.SchemaURL}
			m.ResourceSpans = append(m.ResourceSpans, rs)
		}
		if scope {
			ss = &tracepb.ScopeSpans{Scope: scopeProto(s.Scope), SchemaUrl: s.Scope.SchemaURL}
			rs.ScopeSpans = append(rs.ScopeSpans, ss)
		}
		ss.Spans = append(ss.Spans, s.Proto())
	}
	return m
}

// logsData is log records as the message that brings them.
func logsData(records []query.Log) *logspb.LogsData {
	m := &logspb.LogsData{}
	var g groups
	var rl *logspb.ResourceLogs
	var sl *logspb.ScopeLogs
	for _, l := range records {
		resource, scope := g.next(l.Resource, l.Scope)
		if resource {
			rl = &logspb.ResourceLogs{Resource: resourceProto(l.Resource), SchemaUrl: l.Resource.SchemaURL}
			m.ResourceLogs = append(m.ResourceLogs, rl)
		}
		if scope {
			sl = &logspb.ScopeLogs{Scope: scopeProto(l.Scope), SchemaUrl: l.Scope.SchemaURL}
			rl.ScopeLogs = append(rl.ScopeLogs, sl)
		}
		sl.LogRecords = append(sl.LogRecords, l.Proto())
	}
	return m
}

// metricsData is points as the message that brings them. Points of one metric
// that follow each other share it.
func metricsData(points []query.Point) *metricspb.MetricsData {
	m := &metricspb.MetricsData{}
	var g groups
	var rm *metricspb.ResourceMetrics
	var sm *metricspb.ScopeMetrics
	for i, p := range points {
		resource, scope := g.next(p.Resource, p.Scope)
		if resource {
			rm = &metricspb.ResourceMetrics{Resource: resourceProto(p.Resource), SchemaUrl: p.Resource.SchemaURL}
			m.ResourceMetrics = append(m.ResourceMetrics, rm)
		}
		if scope {
			sm = &metricspb.ScopeMetrics{Scope: scopeProto(p.Scope), SchemaUrl: p.Scope.SchemaURL}
			rm.ScopeMetrics = append(rm.ScopeMetrics, sm)
		}
		metric := p.Proto()
		if !scope && sameMetric(points[i-1], p) {
			metric.Metadata = nil // merging would repeat it
			proto.Merge(sm.Metrics[len(sm.Metrics)-1], metric)
			continue
		}
		sm.Metrics = append(sm.Metrics, metric)
	}
	return m
}

// sameMetric says whether two points of one scope belong to the same metric.
func sameMetric(a, b query.Point) bool {
	head := func(p query.Point) query.Point {
		return query.Point{
			Name: p.Name, Description: p.Description, Unit: p.Unit, Metadata: p.Metadata,
			Type: p.Type, Temporality: p.Temporality, Monotonic: p.Monotonic,
		}
	}
	return a.Type != "" && reflect.DeepEqual(head(a), head(b))
}
