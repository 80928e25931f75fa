package wire

import "github.com/otlptest/otlptest/query"

// decodeResource decodes a Resource.
func decodeResource(message []byte) (res query.Resource) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case resourceAttrs:
			res.Attrs = addAttr(res.Attrs, &r)
		case resourceDropped:
			res.DroppedAttrs = uint32(r.num())
		case resourceEntities:
			res.Entities = append(room(res.Entities, &r), decodeEntity(r.raw()))
		}
	}
	return res
}

func decodeEntity(message []byte) (e query.EntityRef) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case entitySchema:
			e.SchemaURL = str(r.raw())
		case entityType:
			e.Type = str(r.raw())
		case entityIDs:
			e.IDKeys = append(room(e.IDKeys, &r), str(r.raw()))
		case entityDescriptions:
			e.DescriptionKeys = append(room(e.DescriptionKeys, &r), str(r.raw()))
		}
	}
	return e
}

// decodeScope decodes an InstrumentationScope.
func decodeScope(message []byte) (s query.Scope) {
	r := read(message)
	for r.next() {
		switch r.tag {
		case scopeName:
			s.Name = str(r.raw())
		case scopeVersion:
			s.Version = str(r.raw())
		case scopeAttrs:
			s.Attrs = addAttr(s.Attrs, &r)
		case scopeDropped:
			s.DroppedAttrs = uint32(r.num())
		}
	}
	return s
}
