package wire

import "github.com/otlptest/otlptest/query"

// decodeLog decodes a LogRecord, without what stands outside of it.
func decodeLog(message []byte) (l query.Log) {
	var body pieces
	r := read(message)
	for r.next() {
		switch r.tag {
		case logTime:
			l.Time = query.Time(r.num())
		case logObserved:
			l.ObservedTime = query.Time(r.num())
		case logSeverity:
			l.Severity = query.Severity(int32(r.num()))
		case logSeverityText:
			l.SeverityText = str(r.raw())
		case logBody:
			body.add(r.raw())
		case logEventName:
			l.EventName = str(r.raw())
		case logAttrs:
			l.Attrs = addAttr(l.Attrs, &r)
		case logDropped:
			l.DroppedAttrs = uint32(r.num())
		case logFlags:
			l.Flags = query.LogFlags(r.num())
		case logTraceID:
			l.TraceID = decodeTraceID(r.raw())
		case logSpanID:
			l.SpanID = decodeSpanID(r.raw())
		}
	}
	l.Body = valueOf(body.bytes).decode(maxDepth)
	return l
}
