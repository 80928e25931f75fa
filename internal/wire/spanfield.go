package wire

import (
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

func enumValue(n uint64) value {
	return value{kind: query.KindInt, num: uint64(int64(int32(n)))}
}

func kindOf(it *Item, _ string) (value, bool) {
	return enumValue(lastNum(it.raw, spanKind)), true
}

func showKind(v value) query.Value { return query.StringValue(query.SpanKind(int32(v.num)).String()) }

func statusOf(it *Item, _ string) (value, bool) {
	return enumValue(lastNum(merged(it.raw, spanStatus), statusCode)), true
}

func showStatus(v value) query.Value {
	return query.StringValue(query.StatusCode(int32(v.num)).String())
}

func traceOf(it *Item, _ string) (value, bool) {
	return it.id(spanTraceID, logTraceID, len(query.TraceID{}))
}

func spanOf(it *Item, _ string) (value, bool) {
	return it.id(spanID, logSpanID, len(query.SpanID{}))
}

// id does not find one that has not so many bytes.
func (it *Item) id(ofSpan, ofLog uint64, size int) (value, bool) {
	tag := ofSpan
	if it.kind == expr.Log {
		tag = ofLog
	}
	id := last(it.raw, tag)
	return value{kind: query.KindBytes, raw: id}, len(id) == size
}

func showTrace(v value) query.Value { return query.StringValue(decodeTraceID(v.raw).String()) }

func showSpan(v value) query.Value { return query.StringValue(decodeSpanID(v.raw).String()) }

// rootOf finds a root where the parent's id is none.
func rootOf(it *Item, _ string) (value, bool) {
	root := decodeSpanID(last(it.raw, spanParentID)).IsZero()
	return boolValue(root), root
}

// durationOf is that of query.Span, but for one where a time is unknown, which
// it does not find.
func durationOf(it *Item, _ string) (value, bool) {
	start, end := spanTimes(it.raw)
	if start == 0 || end == 0 {
		return value{}, false
	}
	return intValue(int64(query.Time(end).Sub(query.Time(start)))), true
}

func showDuration(v value) query.Value {
	return query.StringValue(expr.Literal(time.Duration(v.num)))
}

// spanTimes is a span's start and end.
func spanTimes(span []byte) (start, end uint64) {
	r := read(span)
	for r.next() {
		switch r.tag {
		case spanStart:
			start = r.num()
		case spanEnd:
			end = r.num()
		}
	}
	return start, end
}

func someEvent(it *Item, _ string, t test) bool {
	r := read(it.raw)
	for r.next() {
		if r.tag == spanEvents {
			if v, _ := stringValue(last(r.raw(), eventName)); t(v) {
				return true
			}
		}
	}
	return false
}

// someLink passes over links whose id has not 16 bytes.
func someLink(it *Item, _ string, t test) bool {
	r := read(it.raw)
	for r.next() {
		if r.tag != spanLinks {
			continue
		}
		id := last(r.raw(), linkTraceID)
		if len(id) == len(query.TraceID{}) && t(value{kind: query.KindBytes, raw: id}) {
			return true
		}
	}
	return false
}
