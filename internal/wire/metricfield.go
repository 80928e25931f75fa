package wire

import "github.com/otlptest/otlptest/query"

func unitOf(it *Item, _ string) (value, bool) {
	return stringValue(last(it.metric.raw, metricUnit))
}

// typeNames is what each member of a metric's data is called.
var typeNames = map[uint64][]byte{
	metricGauge: []byte(query.Gauge), metricSum: []byte(query.Sum), metricHistogram: []byte(query.HistogramType),
	metricExponential: []byte(query.ExponentialType), metricSummary: []byte(query.SummaryType),
}

func typeOf(it *Item, _ string) (value, bool) { return stringValue(typeNames[it.metric.tag]) }

// temporalityOf does not find that of a gauge or summary, which is unspecified.
func temporalityOf(it *Item, _ string) (value, bool) {
	if it.metric.tag == metricGauge || it.metric.tag == metricSummary {
		return enumValue(0), false
	}
	return enumValue(lastNum(it.metric.data, dataTemporality)), true
}

func showTemporality(v value) query.Value {
	return query.StringValue(query.Temporality(int32(v.num)).String())
}

func monotonicOf(it *Item, _ string) (value, bool) {
	m := it.metric.tag == metricSum && lastNum(it.metric.data, dataMonotonic) != 0
	return boolValue(m), m
}
