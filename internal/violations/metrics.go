package violations

import "github.com/otlptest/otlptest/internal/wire"

// kinds is what the members of a metric's oneof are called.
var kinds = map[uint64]string{
	metricGauge: "gauge", metricSum: "sum", metricHistogram: "histogram",
	metricExponential: "exponential_histogram", metricSummary: "summary",
}

// metric goes over a metric.
func (w *walker) metric(b []byte) {
	if len(wire.Last(b, metricName)) == 0 {
		w.report(emptyName, "name", words("none"), "the name of the metric")
	}
	w.attrs("metadata", b, metricMetadata)
	kind, data := wire.Data(b)
	n := 0
	if kind != 0 {
		w.enter(kinds[kind], -1)
		w.temporality(kind, data)
		w.series.metric(w, kind, data)
		for r := wire.Read(data); r.Next(); {
			if r.Tag() == dataPoints {
				w.enter("data_points", n)
				w.at = ofItem
				w.point(kind, r.Raw())
				w.done()
				w.at = ofMetric
				w.leave()
				n++
			}
		}
		w.leave()
	}
	if n == 0 {
		w.report(envelope, "", words("a metric without data points"), "something in it")
	}
}

// temporality checks that a sum or a histogram says which it is.
func (w *walker) temporality(kind uint64, data []byte) {
	if kind == metricGauge || kind == metricSummary {
		return
	}
	n := wire.LastNum(data, dataTemporality)
	if int32(n) == 0 {
		w.report(noTemporality, "aggregation_temporality", words("unspecified"), "delta or cumulative")
	}
	w.enum("aggregation_temporality", n, 2)
}

// point goes over a data point.
func (w *walker) point(kind uint64, b []byte) {
	switch kind {
	case metricHistogram:
		w.histogram(b)
	case metricExponential:
		w.exponential(b)
	case metricSummary:
		w.summary(b)
	default:
		w.number(b)
	}
}

// head is what every kind of data point has.
type head struct{ start, time, flags uint64 }

// unrecorded says whether the point stands for a value that is missing.
func (h head) unrecorded() bool { return h.flags&1 != 0 }

// number goes over a point of a gauge or a sum.
func (w *walker) number(b []byte) {
	var h head
	var value float64
	valued, exemplars := false, 0
	k := w.openPoint()
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case pointStart:
			h.start = r.Num()
		case pointTime:
			h.time = r.Num()
		case numberDouble:
			value, valued = double(r.Num()), true
		case numberInt:
			value, valued = float64(int64(r.Num())), true
		case numberAttrs:
			w.pointAttr(&k, r.Raw())
		case numberExemplars:
			w.exemplar(r.Raw(), exemplars)
			exemplars++
		case numberFlags:
			h.flags = r.Num()
		}
	}
	w.close(&k)
	w.pointTimes(h.start, h.time)
	switch {
	case !valued && !h.unrecorded():
		w.report(noValue, "", words("no value"), "as_double or as_int")
	case valued && h.unrecorded():
		w.report(recorded, "", words("a value"), "none, as the flags say")
	}
	w.observe(h, value)
}

// openPoint is open for the attributes of a data point, which tell its series.
func (w *walker) openPoint() keys {
	w.series.attrs = w.series.attrs[:0]
	return w.open()
}

func (w *walker) pointAttr(k *keys, kv []byte) {
	w.series.attrs = append(w.series.attrs, kv)
	w.attr(k, "attributes", kv)
}

// exemplar goes over an exemplar, the i-th of its point.
func (w *walker) exemplar(b []byte, i int) {
	w.enter("exemplars", i)
	var in context
	valued := false
	k := w.open()
	for r := wire.Read(b); r.Next(); {
		switch r.Tag() {
		case exemplarDouble, exemplarInt:
			valued = true
		case exemplarSpanID:
			in.span = r.Raw()
		case exemplarTraceID:
			in.trace = r.Raw()
		case exemplarAttrs:
			w.attr(&k, "filtered_attributes", r.Raw())
		}
	}
	w.close(&k)
	w.exemplarIDs(in)
	if !valued {
		w.report(noExemplar, "", words("no value"), "as_double or as_int")
	}
	w.leave()
}
