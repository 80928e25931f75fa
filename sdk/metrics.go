package sdk

import (
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/otlptest/otlptest/query"
)

// ResourceMetrics is the points of a view as of now, put together again to the
// metrics that they belong to: one ResourceMetrics for each resource of each
// export, in the order received. One export is one collection of a reader
// (unless it splits them), so that several flushes are several values, of which
// the last one says how things stand.
//
// OTLP does not tell integer histograms from others: all are Histogram[float64]
// and ExponentialHistogram[float64]. A metric with points of both integers and
// doubles becomes two. A sum that was not sent is 0, as for instruments that
// have none. It is an error, which names the metric, if a point has no value or
// says that there is none, if an exemplar's value is not of its point's type,
// if a temporality is unknown, and if a set of attributes has a key twice.
func ResourceMetrics(v query.View[query.Point]) ([]metricdata.ResourceMetrics, error) {
	if err := v.Err(); err != nil {
		return nil, fmt.Errorf("resource metrics: %w", err)
	}
	var g grouping
	for p := range v.All() {
		if err := g.add(p); err != nil {
			return nil, fmt.Errorf("metric %q: %w", p.Name, err)
		}
	}
	return g.metrics(), nil
}

// grouping puts points together to metrics, scopes and resources, each in the
// order in which its first point came.
type grouping struct {
	resources groups[resourceKey, *resourceGroup]
}

type resourceKey struct {
	export int
	attrs  attribute.Distinct
	schema string
}

type resourceGroup struct {
	resource *resource.Resource
	scopes   groups[instrumentation.Scope, *scopeGroup]
}

type scopeGroup struct {
	scope   instrumentation.Scope
	metrics groups[metricKey, *metricdata.Metrics]
}

// metricKey is what points of a metric have in common.
type metricKey struct {
	name, description, unit string
	typ                     query.MetricType
	temporality             query.Temporality
	monotonic               bool
	number                  query.ValueKind // of gauges and sums
}

// add adds a point to its metric.
func (g *grouping) add(p query.Point) error {
	res, scope, err := origin(p.Resource, p.Scope)
	if err != nil {
		return err
	}
	r := g.resources.get(resourceKey{p.Ref.Export().Number, res.Equivalent(), res.SchemaURL()}, func() *resourceGroup {
		return &resourceGroup{resource: res}
	})
	s := r.scopes.get(scope, func() *scopeGroup { return &scopeGroup{scope: scope} })
	key := metricKey{p.Name, p.Description, p.Unit, p.Type, p.Temporality, p.Monotonic, p.Value.Kind()}
	m := s.metrics.get(key, func() *metricdata.Metrics {
		return &metricdata.Metrics{Name: p.Name, Description: p.Description, Unit: p.Unit}
	})
	m.Data, err = appendPoint(m.Data, p)
	return err
}

func (g *grouping) metrics() []metricdata.ResourceMetrics {
	var out []metricdata.ResourceMetrics
	for _, r := range g.resources.list {
		rm := metricdata.ResourceMetrics{Resource: r.resource}
		for _, s := range r.scopes.list {
			sm := metricdata.ScopeMetrics{Scope: s.scope}
			for _, m := range s.metrics.list {
				sm.Metrics = append(sm.Metrics, *m)
			}
			rm.ScopeMetrics = append(rm.ScopeMetrics, sm)
		}
		out = append(out, rm)
	}
	return out
}

// groups is values by key in the order in which they were made. The zero groups
// has none.
type groups[K comparable, V any] struct {
	byKey map[K]V
	list  []V
}

// get is the value of a key, made if there is none yet.
func (g *groups[K, V]) get(k K, newValue func() V) V {
	if v, ok := g.byKey[k]; ok {
		return v
	}
	if g.byKey == nil {
		g.byKey = map[K]V{}
	}
	v := newValue()
	g.byKey[k] = v
	g.list = append(g.list, v)
	return v
}
