package query

// Resource is what produced an item (opentelemetry.proto.resource.v1), with
// the schema URL that stands beside it.
type Resource struct {
	Attrs        Attrs       `json:"attributes,omitempty"`
	DroppedAttrs uint32      `json:"droppedAttributesCount,omitempty"`
	Entities     []EntityRef `json:"entityRefs,omitempty"`
	SchemaURL    string      `json:"schemaUrl,omitempty"`
}

// Service is the resource's service.name, and "" where it has none.
func (r Resource) Service() string { return r.Attrs.Get("service.name").Str() }

// EntityRef says which of a resource's attributes identify and describe an
// entity (opentelemetry.proto.common.v1.EntityRef).
type EntityRef struct {
	SchemaURL       string   `json:"schemaUrl,omitempty"`
	Type            string   `json:"type"`
	IDKeys          []string `json:"idKeys,omitempty"`
	DescriptionKeys []string `json:"descriptionKeys,omitempty"`
}

// Scope is the instrumentation scope that made an item
// (opentelemetry.proto.common.v1), with the schema URL that stands beside it.
type Scope struct {
	Name         string `json:"name,omitempty"`
	Version      string `json:"version,omitempty"`
	Attrs        Attrs  `json:"attributes,omitempty"`
	DroppedAttrs uint32 `json:"droppedAttributesCount,omitempty"`
	SchemaURL    string `json:"schemaUrl,omitempty"`
}

// Ref leads from an item back to what was received. Two Refs are always
// [Ref.Equal], so that comparing items needs no options.
type Ref struct {
	origin Origin
	number int
	raw    []byte
	index  int
}

// Origin is the received export that an item came in; sources implement it.
type Origin interface {
	Export() Export
}

// NewRef is for sources: the item has a number, counted from 1 among all items
// of its kind, and its message's bytes (for a point its metric's, and which of
// the metric's points it is).
func NewRef(o Origin, number int, raw []byte, index int) Ref {
	return Ref{o, number, raw, index}
}

// Number is the item's place, from 1, among all items of its kind that were
// received since the start or the last reset. It is 0 for an item that was
// not received.
func (r Ref) Number() int { return r.number }

// Export is the export that brought the item, as it stands now. It is the zero
// Export for an item that was not received.
func (r Ref) Export() Export {
	if r.origin == nil {
		return Export{}
	}
	return r.origin.Export()
}

// Equal is always true.
func (Ref) Equal(Ref) bool { return true }
