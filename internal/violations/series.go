package violations

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"slices"
	"sort"

	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// point is a data point of a sum or a histogram as one of a series, which is
// what has the same resource, scope, metric and attributes.
type point struct {
	series      [sha256.Size]byte
	start, time uint64
	value       float64 // of a histogram its count
	delta       bool    // otherwise cumulative
	monotonic   bool

	name, service string
	kind          string   // what the metric's data is called
	at            [4]int32 // which resource, scope, metric and point
}

// path is where in its request the point is.
func (p *point) path() string {
	n := namesOf[query.Metrics]
	return fmt.Sprintf("%s[%d].%s[%d].%s[%d].%s.data_points[%d]", n.groups, p.at[0], n.scopes, p.at[1], n.items, p.at[2], p.kind, p.at[3])
}

// seriesKeys is what a walker knows of the series that it goes over.
type seriesKeys struct {
	wanted bool // somebody asks
	head   [sha256.Size]byte
	shared point    // what all points of the metric have in common; kind is empty where there is no series
	attrs  [][]byte // of the point
}

// metric begins the points of a metric.
func (s *seriesKeys) metric(w *walker, kind uint64, data []byte) {
	s.shared = point{}
	temporality := int32(wire.LastNum(data, dataTemporality))
	if !s.wanted || kind == metricGauge || kind == metricSummary || temporality < 1 || temporality > 2 {
		return
	}
	s.shared = point{
		delta: temporality == 1, monotonic: kind != metricSum || wire.LastNum(data, dataMonotonic) != 0,
		name: w.itemName(), service: short(string(w.service)), kind: kinds[kind],
	}
	h := sha256.New()
	canonical(h, listOf(w.resource, resourceAttrs))
	canonical(h, listOf(w.scope, scopeAttrs))
	for _, b := range [][]byte{
		wire.Last(w.scope, scopeName), wire.Last(w.scope, scopeVersion), wire.Last(w.item, metricName), wire.Last(w.item, metricUnit),
		{byte(kind >> 3), byte(temporality), byte(wire.LastNum(data, dataMonotonic))},
	} {
		write(h, b)
	}
	h.Sum(s.head[:0])
}

// listOf is the fields of a message that have a tag.
func listOf(message []byte, tag uint64) (list [][]byte) {
	for r := wire.Read(message); r.Next(); {
		if r.Tag() == tag {
			list = append(list, r.Raw())
		}
	}
	return list
}

// canonical writes a list whose order does not matter, and sorts it.
func canonical(h hash.Hash, list [][]byte) {
	slices.SortFunc(list, bytes.Compare)
	for _, b := range list {
		write(h, b)
	}
	h.Write([]byte{0})
}

// write writes a value in a form that tells it from a list's end.
func write(h hash.Hash, b []byte) {
	h.Write(binary.AppendUvarint(nil, uint64(len(b))+1))
	h.Write(b)
}

// observe takes note of a point whose start is known and which has a value.
func (w *walker) observe(h head, value float64) {
	if w.series.shared.kind == "" || h.start == 0 || h.time < h.start || h.unrecorded() {
		return
	}
	p := w.series.shared
	p.start, p.time, p.value = h.start, h.time, value
	p.at = [4]int32{int32(w.path[0].index), int32(w.path[1].index), int32(w.path[2].index), int32(w.path[4].index)}
	d := sha256.New()
	d.Write(w.series.head[:])
	canonical(d, w.series.attrs)
	d.Sum(p.series[:0])
	w.points = append(w.points, p)
}

// seenPoint is a point and the export that brought it, of several.
type seenPoint struct {
	*point
	export int
	number int // the export's
}

// series looks at how the points of each series follow each other.
func series(seen []Evidence) []placed {
	all := map[[sha256.Size]byte][]seenPoint{}
	var order [][sha256.Size]byte
	for i, s := range seen {
		for j := range s.Found.points {
			p := &s.Found.points[j]
			if p.delta && !s.Export.Acknowledged() {
				continue // the client may add it to the next interval
			}
			if all[p.series] == nil {
				order = append(order, p.series)
			}
			all[p.series] = append(all[p.series], seenPoint{p, i, s.Export.Number})
		}
	}
	c := seriesChecks{seen: seen}
	for _, key := range order {
		c.follow(all[key])
	}
	return c.found
}

type seriesChecks struct {
	seen  []Evidence
	found []placed
}

// follow looks at the points of a series in order of time. One that was sent
// several times counts once.
func (c *seriesChecks) follow(ps []seenPoint) {
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].time < ps[j].time })
	type value struct {
		start, time uint64
		bits        uint64
	}
	sent := map[value]bool{}
	var before seenPoint
	for _, p := range ps {
		v := value{p.start, p.time, math.Float64bits(p.value)}
		if sent[v] {
			continue
		}
		if len(sent) > 0 {
			c.pair(before, p)
		}
		sent[v], before = true, p
	}
}

// pair looks at two points of a series that follow each other.
func (c *seriesChecks) pair(before, p seenPoint) {
	switch {
	case p.delta:
		if p.start < before.time {
			c.report(overlap, p, "start_time_unix_nano", fmt.Sprintf("a start of %s, before the end %s of the interval in export %d",
				clock(p.start), clock(before.time), before.number), "intervals that do not overlap")
		}
	case p.start != before.start:
		if p.start < before.time {
			c.report(restart, p, "start_time_unix_nano", fmt.Sprintf("a new start of %s, before the time %s that export %d reported",
				clock(p.start), clock(before.time), before.number), "a start after what was reported")
		}
	case p.monotonic && p.value < before.value && p.time > before.time:
		c.report(falling, p, "", fmt.Sprintf("a total of %s after %s in export %d, with the same start",
			float(p.value), float(before.value), before.number), "a total that does not fall, or a new start")
	}
}

func (c *seriesChecks) report(check *Check, p seenPoint, field, got, want string) {
	v := finding(check, got, want)
	v.Path, v.Item, v.Service = p.path(), p.name, p.service
	if field != "" {
		v.Path += "." + field
	}
	if c.seen[p.export].Export.Protocol == query.HTTPJSON {
		v.Path = camel(v.Path)
	}
	c.found = append(c.found, place(p.export, v))
}
