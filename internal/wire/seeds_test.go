package wire

import (
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

var signals = []query.Signal{query.Traces, query.Metrics, query.Logs}

// filler sets every field of a message, lists and all members of a oneof
// included, each to another value.
type filler struct {
	n     uint64 // the last value used
	lists int    // how many AnyValues may still nest
	which int    // which member of each oneof to set
}

// full is a message of a signal in which every field is set. Each of a list's
// elements sets another member of the oneofs inside.
func full(sig query.Signal) proto.Message {
	m := official(sig)
	(&filler{lists: 1}).fill(m.ProtoReflect())
	return m
}

func (f *filler) fill(m protoreflect.Message) {
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() && o.Fields().Get(f.which%o.Fields().Len()) != fd {
			continue
		}
		switch {
		case fd.IsList():
			f.fillList(m.Mutable(fd).List(), fd)
		case fd.Message() != nil:
			f.sub(m.Mutable(fd).Message())
		default:
			m.Set(fd, f.scalar(fd))
		}
	}
}

// fillList makes elements enough for every member of a oneof.
func (f *filler) fillList(list protoreflect.List, fd protoreflect.FieldDescriptor) {
	if fd.Message() == nil {
		list.Append(f.scalar(fd))
		list.Append(f.scalar(fd))
		return
	}
	which := f.which
	for i := range elements(fd.Message()) {
		f.which = i
		f.sub(list.AppendMutable().Message())
	}
	f.which = which
}

func (f *filler) sub(m protoreflect.Message) {
	if m.Descriptor().Name() == "AnyValue" {
		if f.lists == 0 {
			f.which = 0 // a string, which holds nothing further
		}
		f.lists--
		defer func() { f.lists++ }()
	}
	f.fill(m)
}

// elements is how many of a message show every member of its oneof, or of the
// oneof of its value.
func elements(md protoreflect.MessageDescriptor) int {
	if md.Name() == "KeyValue" {
		md = md.Fields().ByName("value").Message()
	}
	n := 1
	for i := range md.Oneofs().Len() {
		n = max(n, md.Oneofs().Get(i).Fields().Len())
	}
	return n
}

func (f *filler) scalar(fd protoreflect.FieldDescriptor) protoreflect.Value {
	f.n++
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(string(fd.Name()) + " é" + string(rune('a'+f.n%26)))
	case protoreflect.BytesKind:
		size := map[protoreflect.Name]int{"trace_id": 16}[fd.Name()]
		return protoreflect.ValueOfBytes(slices.Repeat([]byte{byte(f.n) | 1}, max(8, size)))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(f.n%5 + 1))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(uint32(f.n) + 300)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(-int32(f.n))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(f.n<<40 + 300)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(-int64(f.n) << 30)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(float64(f.n) + .5)
	}
	panic("no value for " + fd.Kind().String())
}

// unset says which fields of a descriptor and of those below are nowhere set
// in a message.
func unset(m protoreflect.Message) []protoreflect.FullName {
	set, all := map[protoreflect.FullName]bool{}, map[protoreflect.FullName]bool{}
	var visit func(m protoreflect.Message)
	visit = func(m protoreflect.Message) {
		for i := range m.Descriptor().Fields().Len() {
			all[m.Descriptor().Fields().Get(i).FullName()] = true
		}
		m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			set[fd.FullName()] = true
			switch {
			case fd.Message() == nil:
			case fd.IsList():
				for i := range v.List().Len() {
					visit(v.List().Get(i).Message())
				}
			default:
				visit(v.Message())
			}
			return true
		})
	}
	visit(m)
	var missing []protoreflect.FullName
	for name := range all {
		if !set[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

func encode(tb testing.TB, m proto.Message) []byte {
	tb.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// captured is what the exporters of the Go SDK (v1.47, over HTTP) sent for a
// signal.
func captured(tb testing.TB, sig query.Signal) (bodies [][]byte) {
	tb.Helper()
	names, err := filepath.Glob("testdata/" + string(sig) + "-*.bin")
	if err != nil || len(names) == 0 {
		tb.Fatalf("no testdata for %s: %v", sig, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		bodies = append(bodies, b)
	}
	return bodies
}

// seeds is where mutations of a signal's bodies start from.
func seeds(tb testing.TB, sig query.Signal) [][]byte {
	list := append(captured(tb, sig), encode(tb, full(sig)), nil)
	for _, odd := range oddities {
		if odd.sig == sig {
			list = append(list, odd.body)
		}
	}
	return list
}

// The encodings below are written field by field.

func lenField(num protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, num, protowire.BytesType), slices.Concat(parts...))
}

func text(num protowire.Number, s string) []byte { return lenField(num, []byte(s)) }

func varintField(num protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.VarintType), v)
}

func fixed64Field(num protowire.Number, v uint64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, num, protowire.Fixed64Type), v)
}

func fixed32Field(num protowire.Number, v uint32) []byte {
	return protowire.AppendFixed32(protowire.AppendTag(nil, num, protowire.Fixed32Type), v)
}

func groupField(num protowire.Number, parts ...[]byte) []byte {
	b := append(protowire.AppendTag(nil, num, protowire.StartGroupType), slices.Concat(parts...)...)
	return protowire.AppendTag(b, num, protowire.EndGroupType)
}

// attrField is an attribute with an AnyValue of the given fields.
func attrField(num protowire.Number, key string, value ...[]byte) []byte {
	return lenField(num, text(1, key), lenField(2, value...))
}

// inSpan, inMetric, inLog and inNumber put fields into an item of a body.
func inSpan(parts ...[]byte) []byte { return lenField(1, lenField(2, lenField(2, parts...))) }

func inMetric(parts ...[]byte) []byte { return inSpan(parts...) }

func inLog(parts ...[]byte) []byte { return inSpan(parts...) }

func inNumber(parts ...[]byte) []byte { return inMetric(lenField(5, lenField(1, parts...))) }

// one is the fields of an AnyValue that is the integer 1.
var one = varintField(3, 1)

// arrays puts an AnyValue into arrays of one element, that many levels.
func arrays(v []byte, levels int) []byte { return nest(v, levels, 1, 5) }

// maps puts an AnyValue into maps of one entry without a key.
func maps(v []byte, levels int) []byte { return nest(v, levels, 2, 1, 6) }

// nest puts a message into fields of the given numbers, the innermost first,
// over and over.
func nest(v []byte, levels int, nums ...protowire.Number) []byte {
	size, heads := len(v), [][]byte{v}
	for range levels {
		for _, num := range nums {
			head := protowire.AppendVarint(protowire.AppendTag(nil, num, protowire.BytesType), uint64(size))
			size += len(head)
			heads = append(heads, head)
		}
	}
	slices.Reverse(heads)
	return slices.Concat(heads...)
}

func groups(depth int) []byte {
	b := slices.Repeat(protowire.AppendTag(nil, 9, protowire.StartGroupType), depth)
	return append(b, slices.Repeat(protowire.AppendTag(nil, 9, protowire.EndGroupType), depth)...)
}

// mutate changes, inserts or removes a few bytes of b, or cuts it.
func mutate(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range r.Intn(3) + 1 {
		if len(b) == 0 {
			return b
		}
		i := r.Intn(len(b))
		switch r.Intn(7) {
		case 0:
			b[i] = byte(r.Intn(256))
		case 1:
			b[i] ^= 1 << r.Intn(8)
		case 2:
			b = slices.Delete(b, i, i+1)
		case 3:
			b = slices.Insert(b, i, byte(r.Intn(256)))
		case 4:
			b = b[:i]
		case 5:
			b[i]++
		case 6: // the same bytes twice: repeated fields, where it hits one
			j := i + r.Intn(min(len(b)-i, 40))
			b = slices.Insert(b, j, b[i:j]...)
		}
	}
	return b
}

// rearrange swaps, doubles or removes fields here and there in a message and
// in those inside it. It stays valid.
func rearrange(r *rand.Rand, t *table, b []byte) []byte {
	parts := split(t, b, func(sub *table, b []byte) []byte { return rearrange(r, sub, b) })
	if len(parts) == 0 || r.Intn(4) > 0 {
		return slices.Concat(parts...)
	}
	i, j := r.Intn(len(parts)), r.Intn(len(parts))
	switch r.Intn(3) {
	case 0:
		parts[i], parts[j] = parts[j], parts[i]
	case 1:
		parts = slices.Insert(parts, i, parts[j])
	case 2:
		parts = slices.Delete(parts, i, i+1)
	}
	return slices.Concat(parts...)
}

// split is the encodings of a message's fields, with those that are messages
// changed by a function.
func split(t *table, b []byte, change func(*table, []byte) []byte) (parts [][]byte) {
	r := read(b)
	for {
		at := r.at
		if !r.next() {
			return parts
		}
		part := b[at:r.at]
		if f, in := t.field(r.tag >> 3); f.check == aMessage && in.has(r.tag) {
			part = lenField(protowire.Number(r.tag>>3), change(f.sub, r.raw()))
		}
		parts = append(parts, part)
	}
}
