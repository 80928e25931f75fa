package easy

import "github.com/VictoriaMetrics/easyproto"

// Unmarshal decodes src; r keeps references into src.
func (r *Request) Unmarshal(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		if fc.FieldNum == 1 {
			d, ok := fc.MessageData()
			if !ok {
				return badField("request", 1)
			}
			var rs *ResourceSpans
			r.ResourceSpans, rs = grow(r.ResourceSpans)
			if err = rs.unmarshal(d); err != nil {
				return err
			}
		}
	}
	return nil
}

func (rs *ResourceSpans) unmarshal(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			var d []byte
			if d, ok = fc.MessageData(); ok {
				if rs.Resource, err = attributes(d, 1, rs.Resource); err != nil {
					return err
				}
			}
		case 2:
			var d []byte
			if d, ok = fc.MessageData(); ok {
				var ss *ScopeSpans
				rs.ScopeSpans, ss = grow(rs.ScopeSpans)
				if err = ss.unmarshal(d); err != nil {
					return err
				}
			}
		case 3:
			rs.SchemaURL, ok = fc.String()
		}
		if !ok {
			return badField("ResourceSpans", fc.FieldNum)
		}
	}
	return nil
}

func (ss *ScopeSpans) unmarshal(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		var d []byte
		switch fc.FieldNum {
		case 1:
			if d, ok = fc.MessageData(); ok {
				if err = ss.scope(d); err != nil {
					return err
				}
			}
		case 2:
			if d, ok = fc.MessageData(); ok {
				var s *Span
				ss.Spans, s = grow(ss.Spans)
				if err = s.unmarshal(d); err != nil {
					return err
				}
			}
		case 3:
			ss.SchemaURL, ok = fc.String()
		}
		if !ok {
			return badField("ScopeSpans", fc.FieldNum)
		}
	}
	return nil
}

func (ss *ScopeSpans) scope(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			ss.Name, ok = fc.String()
		case 2:
			ss.Version, ok = fc.String()
		case 3:
			var d []byte
			if d, ok = fc.MessageData(); ok {
				var kv *KeyValue
				ss.Attributes, kv = grow(ss.Attributes)
				if err = kv.unmarshal(d); err != nil {
					return err
				}
			}
		}
		if !ok {
			return badField("InstrumentationScope", fc.FieldNum)
		}
	}
	return nil
}

func (s *Span) unmarshal(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		var d []byte
		switch fc.FieldNum {
		case 1:
			s.TraceID, ok = fc.Bytes()
		case 2:
			s.SpanID, ok = fc.Bytes()
		case 3:
			s.TraceState, ok = fc.String()
		case 4:
			s.ParentSpanID, ok = fc.Bytes()
		case 5:
			s.Name, ok = fc.String()
		case 6:
			s.Kind, ok = fc.Int32()
		case 7:
			s.Start, ok = fc.Fixed64()
		case 8:
			s.End, ok = fc.Fixed64()
		case 9:
			if d, ok = fc.MessageData(); ok {
				var kv *KeyValue
				s.Attributes, kv = grow(s.Attributes)
				if err = kv.unmarshal(d); err != nil {
					return err
				}
			}
		case 10:
			s.DroppedAttributes, ok = fc.Uint32()
		case 11:
			if d, ok = fc.MessageData(); ok {
				var e *Event
				s.Events, e = grow(s.Events)
				if err = e.unmarshal(d); err != nil {
					return err
				}
			}
		case 12:
			s.DroppedEvents, ok = fc.Uint32()
		case 13:
			if d, ok = fc.MessageData(); ok {
				var l *Link
				s.Links, l = grow(s.Links)
				if err = l.unmarshal(d); err != nil {
					return err
				}
			}
		case 14:
			s.DroppedLinks, ok = fc.Uint32()
		case 15:
			if d, ok = fc.MessageData(); ok {
				if err = s.status(d); err != nil {
					return err
				}
			}
		case 16:
			s.Flags, ok = fc.Fixed32()
		}
		if !ok {
			return badField("Span", fc.FieldNum)
		}
	}
	return nil
}

func (s *Span) status(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 2:
			s.StatusMessage, ok = fc.String()
		case 3:
			s.StatusCode, ok = fc.Int32()
		}
		if !ok {
			return badField("Status", fc.FieldNum)
		}
	}
	return nil
}

func (e *Event) unmarshal(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			e.Time, ok = fc.Fixed64()
		case 2:
			e.Name, ok = fc.String()
		case 3:
			var d []byte
			if d, ok = fc.MessageData(); ok {
				var kv *KeyValue
				e.Attributes, kv = grow(e.Attributes)
				if err = kv.unmarshal(d); err != nil {
					return err
				}
			}
		case 4:
			e.Dropped, ok = fc.Uint32()
		}
		if !ok {
			return badField("Event", fc.FieldNum)
		}
	}
	return nil
}

func (l *Link) unmarshal(src []byte) (err error) {
	var fc easyproto.FieldContext
	for len(src) > 0 {
		if src, err = fc.NextField(src); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			l.TraceID, ok = fc.Bytes()
		case 2:
			l.SpanID, ok = fc.Bytes()
		case 3:
			l.TraceState, ok = fc.String()
		case 4:
			var d []byte
			if d, ok = fc.MessageData(); ok {
				var kv *KeyValue
				l.Attributes, kv = grow(l.Attributes)
				if err = kv.unmarshal(d); err != nil {
					return err
				}
			}
		case 5:
			l.Dropped, ok = fc.Uint32()
		case 6:
			l.Flags, ok = fc.Fixed32()
		}
		if !ok {
			return badField("Link", fc.FieldNum)
		}
	}
	return nil
}
