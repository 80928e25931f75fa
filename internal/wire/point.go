package wire

import (
	"math"

	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/encoding/protowire"
)

// decodeNumber decodes a NumberDataPoint into p.
func decodeNumber(p *query.Point, message []byte) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case pointStart:
			p.Start = query.Time(r.num())
		case pointTime:
			p.Time = query.Time(r.num())
		case numberDouble:
			p.Value = double(r.num())
		case numberInt:
			p.Value = query.IntValue(int64(r.num()))
		case numberAttrs:
			p.Attrs = addAttr(p.Attrs, &r)
		case numberExemplars:
			p.Exemplars = addExemplar(p.Exemplars, &r)
		case numberFlags:
			p.Flags = query.PointFlags(uint32(r.num()))
		}
	}
}

// decodeHistogram decodes a HistogramDataPoint into p.
func decodeHistogram(p *query.Point, message []byte) {
	h := new(query.Histogram)
	p.Histogram = h
	r := read(message)
	for r.next() {
		switch r.tag {
		case pointStart:
			p.Start = query.Time(r.num())
		case pointTime:
			p.Time = query.Time(r.num())
		case histogramCount:
			h.Count = r.num()
		case histogramSum:
			h.Sum = double(r.num())
		case histogramMin:
			h.Min = double(r.num())
		case histogramMax:
			h.Max = double(r.num())
		case histogramCounts, histogramCount1:
			h.Counts = addFixed64(h.Counts, &r)
		case histogramBounds, histogramBound1:
			h.Bounds = addFloats(h.Bounds, &r)
		case histogramAttrs:
			p.Attrs = addAttr(p.Attrs, &r)
		case histogramExemplars:
			p.Exemplars = addExemplar(p.Exemplars, &r)
		case histogramFlags:
			p.Flags = query.PointFlags(uint32(r.num()))
		}
	}
}

// decodeExponential decodes an ExponentialHistogramDataPoint into p.
func decodeExponential(p *query.Point, message []byte) {
	e := new(query.ExponentialHistogram)
	p.Exponential = e
	var positive, negative pieces
	r := read(message)
	for r.next() {
		switch r.tag {
		case pointStart:
			p.Start = query.Time(r.num())
		case pointTime:
			p.Time = query.Time(r.num())
		case exponentialCount:
			e.Count = r.num()
		case exponentialSum:
			e.Sum = double(r.num())
		case exponentialMin:
			e.Min = double(r.num())
		case exponentialMax:
			e.Max = double(r.num())
		case exponentialScale:
			e.Scale = zigzag32(r.num())
		case exponentialZeros:
			e.ZeroCount = r.num()
		case exponentialThreshold:
			e.ZeroThreshold = query.Float(math.Float64frombits(r.num()))
		case exponentialPositive:
			positive.add(r.raw())
		case exponentialNegative:
			negative.add(r.raw())
		case exponentialAttrs:
			p.Attrs = addAttr(p.Attrs, &r)
		case exponentialExemplars:
			p.Exemplars = addExemplar(p.Exemplars, &r)
		case exponentialFlags:
			p.Flags = query.PointFlags(uint32(r.num()))
		}
	}
	e.Positive, e.Negative = decodeBuckets(positive.bytes), decodeBuckets(negative.bytes)
}

func decodeBuckets(message []byte) (b query.Buckets) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case bucketsOffset:
			b.Offset = zigzag32(r.num())
		case bucketsCounts, bucketsCount1:
			b.Counts = addVarints(b.Counts, &r)
		}
	}
	return b
}

// decodeSummary decodes a SummaryDataPoint into p.
func decodeSummary(p *query.Point, message []byte) {
	s := new(query.Summary)
	p.Summary = s
	r := read(message)
	for r.next() {
		switch r.tag {
		case pointStart:
			p.Start = query.Time(r.num())
		case pointTime:
			p.Time = query.Time(r.num())
		case summaryCount:
			s.Count = r.num()
		case summarySum:
			s.Sum = query.Float(math.Float64frombits(r.num()))
		case summaryQuantiles:
			s.Quantiles = append(room(s.Quantiles, &r), decodeQuantile(r.raw()))
		case summaryAttrs:
			p.Attrs = addAttr(p.Attrs, &r)
		case summaryFlags:
			p.Flags = query.PointFlags(uint32(r.num()))
		}
	}
}

func decodeQuantile(message []byte) query.Quantile {
	return query.Quantile{
		Quantile: query.Float(math.Float64frombits(lastNum(message, quantileQuantile))),
		Value:    query.Float(math.Float64frombits(lastNum(message, quantileValue))),
	}
}

// addExemplar decodes the exemplar that a reader has just read.
func addExemplar(list []query.Exemplar, r *reader) []query.Exemplar {
	return append(room(list, r), decodeExemplar(r.raw()))
}

func decodeExemplar(message []byte) (e query.Exemplar) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case exemplarTime:
			e.Time = query.Time(r.num())
		case exemplarDouble:
			e.Value = double(r.num())
		case exemplarInt:
			e.Value = query.IntValue(int64(r.num()))
		case exemplarAttrs:
			e.Attrs = addAttr(e.Attrs, &r)
		case exemplarTraceID:
			e.TraceID = decodeTraceID(r.raw())
		case exemplarSpanID:
			e.SpanID = decodeSpanID(r.raw())
		}
	}
	return e
}

func double(bits uint64) query.Value { return query.FloatValue(math.Float64frombits(bits)) }

func zigzag32(n uint64) int32 { return int32(protowire.DecodeZigZag(n & math.MaxUint32)) }
