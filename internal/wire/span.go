package wire

import "github.com/otlptest/otlptest/query"

// decodeSpan decodes a Span, without what stands outside of it.
func decodeSpan(message []byte) (s query.Span) {
	var status pieces
	r := read(message)
	for r.next() {
		switch r.tag {
		case spanTraceID:
			s.TraceID = decodeTraceID(r.raw())
		case spanID:
			s.SpanID = decodeSpanID(r.raw())
		case spanParentID:
			s.ParentSpanID = decodeSpanID(r.raw())
		case spanState:
			s.TraceState = str(r.raw())
		case spanFlags:
			s.Flags = query.SpanFlags(r.num())
		case spanName:
			s.Name = str(r.raw())
		case spanKind:
			s.Kind = query.SpanKind(int32(r.num()))
		case spanStart:
			s.Start = query.Time(r.num())
		case spanEnd:
			s.End = query.Time(r.num())
		case spanAttrs:
			s.Attrs = addAttr(s.Attrs, &r)
		case spanDropped:
			s.DroppedAttrs = uint32(r.num())
		case spanEvents:
			s.Events = append(room(s.Events, &r), decodeEvent(r.raw()))
		case spanDroppedEvents:
			s.DroppedEvents = uint32(r.num())
		case spanLinks:
			s.Links = append(room(s.Links, &r), decodeLink(r.raw()))
		case spanDroppedLinks:
			s.DroppedLinks = uint32(r.num())
		case spanStatus:
			status.add(r.raw())
		}
	}
	s.Status = decodeStatus(status.bytes)
	return s
}

func decodeStatus(message []byte) (s query.SpanStatus) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case statusMessage:
			s.Message = str(r.raw())
		case statusCode:
			s.Code = query.StatusCode(int32(r.num()))
		}
	}
	return s
}

func decodeEvent(message []byte) (e query.Event) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case eventTime:
			e.Time = query.Time(r.num())
		case eventName:
			e.Name = str(r.raw())
		case eventAttrs:
			e.Attrs = addAttr(e.Attrs, &r)
		case eventDropped:
			e.DroppedAttrs = uint32(r.num())
		}
	}
	return e
}

func decodeLink(message []byte) (l query.Link) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case linkTraceID:
			l.TraceID = decodeTraceID(r.raw())
		case linkSpanID:
			l.SpanID = decodeSpanID(r.raw())
		case linkState:
			l.TraceState = str(r.raw())
		case linkAttrs:
			l.Attrs = addAttr(l.Attrs, &r)
		case linkDropped:
			l.DroppedAttrs = uint32(r.num())
		case linkFlags:
			l.Flags = query.SpanFlags(r.num())
		}
	}
	return l
}

// decodeTraceID is the zero id for bytes that are none.
func decodeTraceID(b []byte) (id query.TraceID) {
	if len(b) == len(id) {
		copy(id[:], b)
	}
	return id
}

// decodeSpanID is the zero id for bytes that are none.
func decodeSpanID(b []byte) (id query.SpanID) {
	if len(b) == len(id) {
		copy(id[:], b)
	}
	return id
}
