package wire

import (
	"sync"

	"github.com/otlptest/otlptest/query"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// table is a message's descriptor in the form that one walker needs to
// validate any message.
type table struct {
	fields []field // by number
	infos  []info  // likewise
	item   bool    // the message is a span, a data point or a log record
	attr   bool    // the message is a KeyValue, for which there is a short cut
	oneof  bool    // the message has a oneof
}

// field is what validation needs to know of a field. The zero field is one
// that the message does not have.
type field struct {
	check check
	data  bool // a member of the oneof that holds a metric's points
	sub   *table
}

// check is what has to be looked at in a field whose wire type is
// length-delimited.
type check uint8

const (
	nothing check = iota
	aString
	aMessage
	packedVarint
	packed32
	packed64
)

// info is the rest of a field's description.
type info struct {
	name     string
	kind     protoreflect.Kind
	wire     uint64 // the wire type of one value
	list     bool
	presence bool // zero is different from absent
	oneof    bool // it is a member of the message's oneof; there is at most one
}

// itemNames are the messages that count as items.
var itemNames = map[protoreflect.FullName]bool{
	"opentelemetry.proto.trace.v1.Span":                            true,
	"opentelemetry.proto.logs.v1.LogRecord":                        true,
	"opentelemetry.proto.metrics.v1.NumberDataPoint":               true,
	"opentelemetry.proto.metrics.v1.HistogramDataPoint":            true,
	"opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint": true,
	"opentelemetry.proto.metrics.v1.SummaryDataPoint":              true,
}

// tables is the table of each signal's message.
var tables = sync.OnceValue(func() map[query.Signal]*table {
	made := map[protoreflect.FullName]*table{}
	of := func(m proto.Message) *table { return newTable(m.ProtoReflect().Descriptor(), made) }
	return map[query.Signal]*table{
		query.Traces:  of(&tracepb.TracesData{}),
		query.Metrics: of(&metricspb.MetricsData{}),
		query.Logs:    of(&logspb.LogsData{}),
	}
})

// newTable makes the table of a message and of all that it can hold.
func newTable(md protoreflect.MessageDescriptor, made map[protoreflect.FullName]*table) *table {
	if t := made[md.FullName()]; t != nil {
		return t
	}
	t := &table{
		item: itemNames[md.FullName()],
		attr: md.FullName() == "opentelemetry.proto.common.v1.KeyValue",
	}
	made[md.FullName()] = t
	for i := range md.Fields().Len() {
		t.add(md.Fields().Get(i), made)
	}
	return t
}

func (t *table) add(fd protoreflect.FieldDescriptor, made map[protoreflect.FullName]*table) {
	n := int(fd.Number())
	for len(t.fields) <= n {
		t.fields = append(t.fields, field{})
		t.infos = append(t.infos, info{})
	}
	f := &t.fields[n]
	f.data = fd.FullName().Parent() == "opentelemetry.proto.metrics.v1.Metric" && fd.ContainingOneof() != nil
	if fd.Message() != nil {
		f.sub = newTable(fd.Message(), made)
	}
	in := info{
		name: string(fd.Name()), kind: fd.Kind(), wire: wireType(fd.Kind()),
		list: fd.IsList(), presence: fd.HasPresence(),
	}
	if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() {
		in.oneof, t.oneof = true, true
	}
	t.infos[n] = in
	f.check = in.check()
}

func wireType(k protoreflect.Kind) uint64 {
	switch k {
	case protoreflect.MessageKind, protoreflect.StringKind, protoreflect.BytesKind:
		return bytesType
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return fixed64Type
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return fixed32Type
	}
	return varintType
}

func (in info) check() check {
	switch {
	case in.kind == protoreflect.MessageKind:
		return aMessage
	case in.kind == protoreflect.StringKind:
		return aString
	case !in.list || in.wire == bytesType:
		return nothing
	}
	return map[uint64]check{varintType: packedVarint, fixed32Type: packed32, fixed64Type: packed64}[in.wire]
}

// Those of a number that a message does not have.
var (
	noField field
	noInfo  info
)

// field is the field with a number, and the zero field for one that the
// message does not have. Neither may be changed.
func (t *table) field(num uint64) (*field, *info) {
	if num < uint64(len(t.fields)) {
		return &t.fields[num], &t.infos[num]
	}
	return &noField, &noInfo
}
