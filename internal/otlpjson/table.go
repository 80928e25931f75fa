package otlpjson

import (
	"fmt"
	"strings"
	"sync"

	"github.com/otlptest/otlptest/query"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// table is a message's descriptor in the form that both walkers need.
type table struct {
	fields []field   // in the order of the descriptor
	number []*field  // by number
	keys   [64]*name // chains of names, by hash
	first  place
	oneof  bool // it has one
}

// field is what the walkers need to know of a field.
type field struct {
	name     string // in JSON
	quick    string // as most write it for a key, with its colon
	after    place
	num      uint64
	tag      uint64 // as it is written: of the packed form, if it has one
	shape    shape
	coding   coding
	bits     uint8 // of a number
	signed   bool
	list     bool
	packed   bool
	presence bool // zero is different from absent

	bit    uint64 // stands for it in a set of the message's fields
	rivals uint64 // the others of its oneof

	size  int              // of an id, in bytes
	sub   *table           // of a message
	attr  bool             // it is a list of KeyValues, for which there is a short cut
	enums map[string]int32 // the numbers by name

	rule string // which requirement a value breaks that is not as wanted
	want string
}

// shape is what a field's value looks like in JSON.
type shape uint8

const (
	aMessage shape = iota
	aString
	someBytes
	anID
	aBool
	anEnum
	anInteger
	aFloat
	ofProfiles // it counts as absent, whatever it is
)

// coding is how a field's value is written in protobuf.
type coding uint8

const (
	delimited coding = iota
	varint
	zigzag
	fixed32
	fixed64
)

// tables is the table of each signal's message, and all that these need.
var tables = sync.OnceValue(func() *set {
	s := &set{made: map[protoreflect.FullName]*table{}}
	of := func(m proto.Message) *table { return s.table(m.ProtoReflect().Descriptor()) }
	s.body = map[query.Signal]*table{
		query.Traces:  of(&tracepb.TracesData{}),
		query.Metrics: of(&metricspb.MetricsData{}),
		query.Logs:    of(&logspb.LogsData{}),
	}
	return s
})

// set is all tables.
type set struct {
	body map[query.Signal]*table
	made map[protoreflect.FullName]*table
	at   []*field // the field that a place is after
}

// place is where a key can be: the first in a message, or after a field, for
// which it also stands. Places are numbered through all the tables.
type place uint16

func (s *set) place(f *field) place {
	s.at = append(s.at, f)
	return place(len(s.at) - 1)
}

// table makes the table of a message and of all that it can hold.
func (s *set) table(md protoreflect.MessageDescriptor) *table {
	if t := s.made[md.FullName()]; t != nil {
		return t
	}
	t := &table{fields: make([]field, md.Fields().Len()), first: s.place(nil)}
	s.made[md.FullName()] = t
	for i := range t.fields {
		fd, f := md.Fields().Get(i), &t.fields[i]
		*f = newField(fd)
		f.after = s.place(f)
		t.oneof = t.oneof || f.rivals != 0
		if fd.Message() != nil {
			f.sub = s.table(fd.Message())
			f.attr = f.list && fd.Message().FullName() == "opentelemetry.proto.common.v1.KeyValue"
		}
		for uint64(len(t.number)) <= f.num {
			t.number = append(t.number, nil)
		}
		t.number[f.num] = f
		if f.shape != ofProfiles {
			t.add(f.name, f)
			t.add(string(fd.Name()), f)
		}
	}
	return t
}

func newField(fd protoreflect.FieldDescriptor) field {
	f := field{
		name: fd.JSONName(), quick: `"` + fd.JSONName() + `":`, num: uint64(fd.Number()),
		list: fd.IsList(), packed: fd.IsPacked(), presence: fd.HasPresence(),
		bit: 1 << fd.Index(),
	}
	f.describe(fd)
	typ := f.wireType()
	if f.packed {
		typ = protowire.BytesType
	}
	f.tag = protowire.EncodeTag(fd.Number(), typ)
	if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() {
		for i := range o.Fields().Len() {
			f.rivals |= 1 << o.Fields().Get(i).Index()
		}
		f.rivals &^= f.bit
	}
	return f
}

// idSizes are the fields that are ids and not base64 in JSON (S-32).
var idSizes = map[protoreflect.Name]int{"trace_id": 16, "span_id": 8, "parent_span_id": 8}

// profilesSuffix is how the names of fields end that refer to a table which
// only profiles have (S-50).
const profilesSuffix = "Strindex"

// describe fills in what depends on the field's type.
func (f *field) describe(fd protoreflect.FieldDescriptor) {
	f.rule = "S-37"
	switch k := fd.Kind(); k {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		f.want = "an object"
	case protoreflect.StringKind:
		f.shape, f.want = aString, "a string"
	case protoreflect.BytesKind:
		f.shape, f.rule, f.want = someBytes, "S-32", "a string in base64"
		if f.size = idSizes[fd.Name()]; f.size > 0 {
			f.shape, f.want = anID, fmt.Sprintf("%d hexadecimal digits", 2*f.size)
		}
	case protoreflect.BoolKind:
		f.shape, f.coding, f.want = aBool, varint, "true or false"
	case protoreflect.EnumKind:
		f.shape, f.coding, f.bits, f.signed = anEnum, varint, 32, true
		f.rule, f.want = "S-33", "the number of an enumeration's value"
		f.enums = enumNumbers(fd.Enum().Values())
	case protoreflect.DoubleKind:
		f.shape, f.coding, f.bits, f.want = aFloat, fixed64, 64, "a number"
	case protoreflect.FloatKind:
		f.shape, f.coding, f.bits, f.want = aFloat, fixed32, 32, "a number of 32 bits"
	default:
		f.integer(k)
	}
	if strings.HasSuffix(f.name, profilesSuffix) {
		f.shape = ofProfiles
	}
}

// integer fills in what depends on the kind of integer.
func (f *field) integer(k protoreflect.Kind) {
	f.shape, f.coding, f.bits, f.signed = anInteger, varint, 64, true
	f.rule = "S-36"
	switch k {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind, protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		f.bits, f.rule = 32, "S-37"
	}
	switch k {
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind, protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		f.signed = false
	}
	switch k {
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		f.coding = zigzag
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		f.coding = fixed32
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		f.coding = fixed64
	}
	sign := "a signed"
	if !f.signed {
		sign = "an unsigned"
	}
	f.want = fmt.Sprintf("%s integer of %d bits", sign, f.bits)
}

func enumNumbers(values protoreflect.EnumValueDescriptors) map[string]int32 {
	m := make(map[string]int32, values.Len())
	for i := range values.Len() {
		m[string(values.Get(i).Name())] = int32(values.Get(i).Number())
	}
	return m
}

// wireType is that of a single value.
func (f *field) wireType() protowire.Type {
	switch f.coding {
	case varint, zigzag:
		return protowire.VarintType
	case fixed32:
		return protowire.Fixed32Type
	case fixed64:
		return protowire.Fixed64Type
	}
	return protowire.BytesType
}
