package wire

import "github.com/otlptest/otlptest/query"

// metric is the metric that a data point belongs to.
type metric struct {
	raw   []byte // its message
	tag   uint64 // which member its data is, 0 for none
	data  []byte // the message of that member
	index int    // which of its points is being looked at

	decoded bool // whether the item's header is its
	series  known
}

// newMetric looks for the metric's data, before its first point. Of the
// members the last one counts; one that comes several times in a row is
// merged.
func newMetric(raw []byte) metric {
	m := metric{raw: raw, index: -1}
	var data pieces
	r := read(raw)
	for r.next() {
		switch r.tag {
		case metricGauge, metricSum, metricHistogram, metricExponential, metricSummary:
			if r.tag != m.tag {
				m.tag, data = r.tag, pieces{}
			}
			data.add(r.raw())
		}
	}
	m.data = data.bytes
	return m
}

// attrs is the tag of the attributes in a data point.
func (m *metric) attrs() uint64 {
	switch m.tag {
	case metricHistogram:
		return histogramAttrs
	case metricExponential:
		return exponentialAttrs
	case metricSummary:
		return summaryAttrs
	}
	return numberAttrs
}

// decodeHeader decodes what all of the metric's points share.
func (m *metric) decodeHeader() (p query.Point) {
	r := read(m.raw)
	for r.next() {
		switch r.tag {
		case metricName:
			p.Name = str(r.raw())
		case metricDescription:
			p.Description = str(r.raw())
		case metricUnit:
			p.Unit = str(r.raw())
		case metricMetadata:
			p.Metadata = addAttr(p.Metadata, &r)
		}
	}
	m.decodeKind(&p)
	return p
}

// decodeKind tells what kind of metric it is.
func (m *metric) decodeKind(p *query.Point) {
	switch m.tag {
	case metricGauge:
		p.Type = query.Gauge
		return
	case metricSummary:
		p.Type = query.SummaryType
		return
	case metricSum:
		p.Type = query.Sum
		p.Monotonic = lastNum(m.data, dataMonotonic) != 0
	case metricHistogram:
		p.Type = query.HistogramType
	case metricExponential:
		p.Type = query.ExponentialType
	}
	p.Temporality = query.Temporality(int32(lastNum(m.data, dataTemporality)))
}

// decodePoint decodes one of the metric's data points into p.
func (m *metric) decodePoint(p *query.Point, message []byte) {
	switch m.tag {
	case metricGauge, metricSum:
		decodeNumber(p, message)
	case metricHistogram:
		decodeHistogram(p, message)
	case metricExponential:
		decodeExponential(p, message)
	case metricSummary:
		decodeSummary(p, message)
	}
}
