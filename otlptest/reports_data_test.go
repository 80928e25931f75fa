package otlptest_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

var dataReports = []report{
	{"open-telemetry/opentelemetry-go#8784", "the zero threshold was dropped", exponentialHistogramsAreWhole},
	{"open-telemetry/opentelemetry-collector-contrib#50737", "there were as many bucket counts as bounds", bucketsWithoutABoundAreNamed},
	{"Effect-TS/effect#7037", "a failed export consumed the delta", lostDeltasCanBeTold},
	{"MindfulSoftwareLLC/dartastic_opentelemetry#288", "exemplars lacked ids", exemplarsAreWhole},
	{"open-telemetry/opentelemetry-collector#13727", "unpacked lists were refused", listsMayBeUnpacked},
	{"open-telemetry/opentelemetry-java#1164", "a root's parent was sent as zeros", zeroParentsAreRoots},
	{"open-telemetry/opentelemetry-go#7436", "flags lacked the lower bits", flagsHaveThreeMeanings},
}

func exponentialHistogramsAreWhole(t *testing.T) {
	type side = metricspb.ExponentialHistogramDataPoint_Buckets
	for _, threshold := range []float64{0.01, 0, math.SmallestNonzeroFloat64, 1e300} {
		lowest, total, highest := -3.5, 0.25, 7.0
		p := &metricspb.ExponentialHistogramDataPoint{
			Count: 10, Sum: &total, Min: &lowest, Max: &highest, Scale: -2, ZeroCount: 1, ZeroThreshold: threshold,
			Positive: &side{Offset: -7, BucketCounts: []uint64{2, 0, 3}}, Negative: &side{Offset: 4, BucketCounts: []uint64{4}},
			Attributes: []*commonpb.KeyValue{attr("k", "v")},
		}
		points := sameOver(t, metrics(exponential("latency", p)), pointsOf)
		want := []query.Point{{
			Name: "latency", Type: query.ExponentialType, Temporality: query.Delta, Start: query.Time(at), Time: query.Time(at + 1000),
			Attrs: query.Attrs{query.Attr("k", "v")},
			Exponential: &query.ExponentialHistogram{
				Count: 10, Sum: query.FloatValue(total), Min: query.FloatValue(lowest), Max: query.FloatValue(highest), Scale: -2, ZeroCount: 1,
				ZeroThreshold: query.Float(threshold),
				Positive:      query.Buckets{Offset: -7, Counts: []uint64{2, 0, 3}}, Negative: query.Buckets{Offset: 4, Counts: []uint64{4}},
			},
			Resource: query.Resource{Attrs: query.Attrs{query.Attr("service.name", "shop")}}, Scope: query.Scope{Name: "shop/pay"},
		}}
		if diff := cmp.Diff(want, points); diff != "" {
			t.Errorf("point (-want +got):\n%s", diff)
		}
	}
}

func bucketsWithoutABoundAreNamed(t *testing.T) {
	for n := 1; n <= 4; n++ {
		wrong := &metricspb.HistogramDataPoint{Count: uint64(n)}
		for i := range n {
			wrong.BucketCounts, wrong.ExplicitBounds = append(wrong.BucketCounts, 1), append(wrong.ExplicitBounds, float64(i))
		}
		right := &metricspb.HistogramDataPoint{Count: 3, BucketCounts: []uint64{1, 2}, ExplicitBounds: []float64{5}}
		accepted(t, metrics(histogram("right", right), histogram("latency", right, wrong)), func(t *testing.T, srv *otlptest.Server) {
			v := otlptest.One(t, srv.Violations(where.Rule("S-45")))
			if v.Item != "latency" || v.Service != "shop" || v.Got != fmt.Sprintf("%d bucket counts and %[1]d bounds", n) || v.Level != query.LevelError || v.Export != 1 {
				t.Errorf("got violation %+v, want the metric's name, and %d counts and bounds", v, n)
			}
			if p := otlptest.Exactly(t, srv.Points(where.Name("latency")), 2)[1]; len(p.Histogram.Counts) != n || len(p.Histogram.Bounds) != n {
				t.Errorf("got %+v, want the point kept as it came", p.Histogram)
			}
		})
	}
}

// OTLP does not say which is right after a refusal: that the next delta covers
// it too, or that it is lost. What is on record tells them apart.
func lostDeltasCanBeTold(t *testing.T) {
	point := func(start, end uint64, value int64) *metricspb.NumberDataPoint {
		return &metricspb.NumberDataPoint{StartTimeUnixNano: start, TimeUnixNano: end, Value: &metricspb.NumberDataPoint_AsInt{AsInt: value}}
	}
	first := point(at, at+10, 5)
	for name, second := range map[string]*metricspb.NumberDataPoint{"kept": point(at, at+20, 8), "lost": point(at+10, at+20, 3)} {
		for _, via := range protocols {
			srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Unavailable(), faults.Accept())))
			w := newWire(t, srv)
			w.export(via, metrics(sum("jobs", delta, first)))
			w.export(via, metrics(sum("jobs", delta, second)))
			p := otlptest.One(t, srv.Points(where.Name("jobs")))
			exports := otlptest.Exactly(t, srv.Exports(where.Name("jobs")), 2)
			refused := exports[0].Proto().(*metricspb.MetricsData).ResourceMetrics[0].ScopeMetrics[0].Metrics[0].GetSum().DataPoints[0]
			kept := p.Start.Equal(query.Time(refused.StartTimeUnixNano)) && p.Value.Int() == 8
			lost := p.Start.Equal(query.Time(refused.TimeUnixNano)) && p.Value.Int() == 3
			if exports[0].Acknowledged() || p.Ref.Export().Number != 2 || kept != (name == "kept") || lost != (name == "lost") {
				t.Errorf("got %s from %s after %s, want to tell that 5 was %s", p.Value, p.Start, refused, name)
			}
			conforms(t, srv)
		}
	}
}

func exemplarsAreWhole(t *testing.T) {
	for _, value := range []float64{2.5, 3} {
		e := &metricspb.Exemplar{
			TimeUnixNano: at, TraceId: traceID[:], SpanId: spanID[:], Value: &metricspb.Exemplar_AsDouble{AsDouble: value},
			FilteredAttributes: []*commonpb.KeyValue{attr("user", "u1"), attr("n", 7)},
		}
		want := []query.Exemplar{{
			Time: query.Time(at), Value: query.FloatValue(value), TraceID: traceID, SpanID: spanID,
			Attrs: query.Attrs{query.Attr("user", "u1"), query.Attr("n", 7)},
		}}
		if value == 3 {
			e.Value, want[0].Value = &metricspb.Exemplar_AsInt{AsInt: 3}, query.IntValue(3)
		}
		p := intPoint(3)
		p.Exemplars = []*metricspb.Exemplar{e}
		m := metrics(gauge("g", p), sum("s", delta, p),
			histogram("h", &metricspb.HistogramDataPoint{Exemplars: p.Exemplars}),
			exponential("e", &metricspb.ExponentialHistogramDataPoint{Exemplars: p.Exemplars}))
		points := sameOver(t, m, pointsOf)
		if len(points) != 4 {
			t.Fatalf("got %d points, want 4", len(points))
		}
		for _, p := range points {
			if diff := cmp.Diff(want, p.Exemplars); diff != "" {
				t.Errorf("exemplars of a %s (-want +got):\n%s", p.Type, diff)
			}
		}
	}
}

func listsMayBeUnpacked(t *testing.T) {
	for _, split := range []int{0, 1, 2, 3} { // how many of three come packed, before the others
		h := &metricspb.HistogramDataPoint{Count: 6}
		e := &metricspb.ExponentialHistogramDataPoint{Count: 600, Positive: &metricspb.ExponentialHistogramDataPoint_Buckets{}}
		var list, buckets []byte
		for i, n := range []uint64{1, 2, 3} {
			if i < split {
				h.BucketCounts, h.ExplicitBounds = append(h.BucketCounts, n), append(h.ExplicitBounds, float64(n))
				e.Positive.BucketCounts = append(e.Positive.BucketCounts, 100*n)
				continue
			}
			list = protowire.AppendFixed64(protowire.AppendTag(list, 6, protowire.Fixed64Type), n)
			list = protowire.AppendFixed64(protowire.AppendTag(list, 7, protowire.Fixed64Type), math.Float64bits(float64(n)))
			buckets = protowire.AppendVarint(protowire.AppendTag(buckets, 2, protowire.VarintType), 100*n)
		}
		h.ProtoReflect().SetUnknown(list)
		e.Positive.ProtoReflect().SetUnknown(buckets)
		for _, via := range []query.Protocol{query.GRPC, query.HTTPProtobuf} {
			srv := otlptest.Start(t)
			if got := newWire(t, srv).export(via, metrics(histogram("h", h), exponential("e", e))).String(); got != success(via) {
				t.Errorf("got %s over %s with %d packed, want %s", got, via, split, success(via))
			}
			points := otlptest.Exactly(t, srv.Points(), 2)
			if got := points[0].Histogram; !cmp.Equal(got.Counts, []uint64{1, 2, 3}) || !cmp.Equal(got.Bounds, []query.Float{1, 2, 3}) {
				t.Errorf("got %+v over %s with %d packed, want 1, 2, 3", got, via, split)
			}
			if got := points[1].Exponential.Positive; !cmp.Equal(got.Counts, []uint64{100, 200, 300}) {
				t.Errorf("got %+v over %s with %d packed, want 100, 200, 300", got, via, split)
			}
			violates(t, srv, "S-46", query.LevelError)
			violates(t, srv, "S-45", query.LevelError, "metrics[0].histogram.data_points[0].bucket_counts")
		}
	}
}

func zeroParentsAreRoots(t *testing.T) {
	for _, zeros := range []int{0, 8} {
		s := goodSpan()
		s.ParentSpanId = make([]byte, zeros)
		accepted(t, traces(s), func(t *testing.T, srv *otlptest.Server) {
			got := otlptest.One(t, srv.Spans(where.Root()))
			if !got.IsRoot() || !bytes.Equal(got.Proto().ParentSpanId, s.ParentSpanId) {
				t.Errorf("got parent %x, want a root, and %d bytes kept", got.Proto().ParentSpanId, zeros)
			}
			if zeros == 0 {
				conforms(t, srv)
				return
			}
			v := otlptest.One(t, srv.Violations(where.Rule("S-40")))
			if v.Got != "8 zero bytes" || !strings.Contains(v.Want, "empty") || v.Item != "charge" || v.Ref.Export().Number != 1 {
				t.Errorf("got violation %+v, want it to say what is wrong with which span", v)
			}
		})
	}
}

func flagsHaveThreeMeanings(t *testing.T) {
	for flags, want := range map[uint32][3]bool{0x301: {true, true, true}, 0xfffffd00: {false, false, true}, 0x101: {true, false, true}, 0x200: {}} {
		s := goodSpan()
		s.Flags = flags
		got := sameOver(t, traces(s), spansOf)[0].Flags
		remote, known := got.Remote()
		if (([3]bool{got.Sampled(), remote, known}) != want) || uint32(got) != flags {
			t.Errorf("got sampled %t, remote %t, known %t of %#x, want %t", got.Sampled(), remote, known, uint32(got), want)
		}
	}
}
