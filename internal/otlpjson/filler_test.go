package otlpjson

import (
	"math"
	"math/rand"

	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// filler makes messages of any content.
type filler struct {
	*rand.Rand
	sparse int // one in so many fields is left out; 0 for none
	nested int // how deep AnyValues go
}

// full is a message of a signal in which every field is set, and somewhere
// each member of each oneof.
func full(sig query.Signal) proto.Message {
	m := official(sig)
	for seed := range int64(40) { // merging makes lists longer
		one := official(sig)
		(&filler{rand.New(rand.NewSource(seed)), 0, 2}).fill(one.ProtoReflect())
		proto.Merge(m, one)
	}
	return m
}

// random is a message of a signal.
func random(r *rand.Rand, sig query.Signal) proto.Message {
	m := official(sig)
	(&filler{r, 2 + r.Intn(4), 3}).fill(m.ProtoReflect())
	return m
}

func (f *filler) fill(m protoreflect.Message) {
	if m.Descriptor().Name() == "AnyValue" {
		f.nested--
		defer func() { f.nested++ }()
	}
	fds := m.Descriptor().Fields()
	chosen := map[protoreflect.Name]int{}
	for i := range fds.Len() {
		fd := fds.Get(i)
		if o := fd.ContainingOneof(); o != nil && !o.IsSynthetic() {
			if _, ok := chosen[o.Name()]; !ok {
				chosen[o.Name()] = f.Intn(o.Fields().Len())
			}
			if o.Fields().Get(chosen[o.Name()]) != fd {
				continue
			}
		}
		if f.sparse > 0 && f.Intn(f.sparse) == 0 || fd.Message() != nil && f.nested <= 0 {
			continue
		}
		switch {
		case fd.IsList():
			f.list(m.Mutable(fd).List(), fd)
		case fd.Message() != nil:
			f.fill(m.Mutable(fd).Message())
		default:
			m.Set(fd, f.scalar(fd))
		}
	}
}

func (f *filler) list(list protoreflect.List, fd protoreflect.FieldDescriptor) {
	n := 1
	if f.sparse > 0 {
		n = f.Intn(4)
	}
	for range n {
		if fd.Message() != nil {
			f.fill(list.AppendMutable().Message())
		} else {
			list.Append(f.scalar(fd))
		}
	}
}

// pick is one of the values that are of interest, or any.
func pick[T any](f *filler, random T, odd ...T) T {
	if i := f.Intn(2 * len(odd)); i < len(odd) {
		return odd[i]
	}
	return random
}

func (f *filler) scalar(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(f.text())
	case protoreflect.BytesKind:
		size := f.Intn(9)
		if n := idSizes[fd.Name()]; n > 0 {
			size = pick(f, n, 0)
		}
		b := make([]byte, size)
		f.Read(b)
		return protoreflect.ValueOfBytes(b)
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(f.Intn(3) > 0)
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(pick(f, protoreflect.EnumNumber(f.Intn(25)), -1, math.MinInt32, math.MaxInt32))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(pick(f, f.Uint32(), 0, 1, 127, 128, math.MaxUint32))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(pick(f, int32(f.Uint32()), 0, -1, math.MinInt32, math.MaxInt32))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(pick(f, f.Uint64(), 0, 1, math.MaxUint64, 1<<63, 1544712660000000001))
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(pick(f, int64(f.Uint64()), 0, -1, math.MinInt64, math.MaxInt64))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(pick(f, math.Float64frombits(f.Uint64()), 0, math.Copysign(0, -1), 1, -.25, 1e21, 1e-7,
			math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64))
	}
	panic("no value for " + fd.Kind().String())
}

func (f *filler) text() string {
	const alphabet = "abcdefghijklmnop \"\\/\b\f\n\r\t\x00\x1f\x7fé€\u2028😀\ufffd<>&"
	runes := []rune(alphabet)
	var s []rune
	for range f.Intn(12) {
		if f.Intn(4) > 0 {
			s = append(s, 'a'+rune(f.Intn(26)))
		} else {
			s = append(s, runes[f.Intn(len(runes))])
		}
	}
	return string(s)
}

// tidy takes from a message what FromProto does not write: what is unknown, or
// only for profiles. With ids, these also get their length.
func tidy(m protoreflect.Message, ids bool) {
	m.SetUnknown(nil)
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch n := idSizes[fd.Name()]; {
		case isOfProfiles(fd):
			m.Clear(fd)
		case n > 0 && len(v.Bytes()) != n && ids:
			m.Set(fd, protoreflect.ValueOfBytes(append(v.Bytes(), make([]byte, n)...)[:n]))
		case fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				tidy(v.List().Get(i).Message(), ids)
			}
		default:
			tidy(v.Message(), ids)
		}
		return true
	})
}

func isOfProfiles(fd protoreflect.FieldDescriptor) bool {
	return fd.Name() == "key_strindex" || fd.Name() == "string_value_strindex"
}

// unset says which fields of a message and of those below are nowhere set in
// it.
func unset(m protoreflect.Message) (missing []protoreflect.FullName) {
	set, known := map[protoreflect.FullName]bool{}, map[protoreflect.FullName]bool{}
	var visit func(m protoreflect.Message)
	visit = func(m protoreflect.Message) {
		for i := range m.Descriptor().Fields().Len() {
			if fd := m.Descriptor().Fields().Get(i); !isOfProfiles(fd) {
				known[fd.FullName()] = true
			}
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
	for name := range known {
		if !set[name] {
			missing = append(missing, name)
		}
	}
	return missing
}
