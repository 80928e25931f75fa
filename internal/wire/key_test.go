package wire

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// recode writes a message anew, as differently as the encoding allows: fields
// of different numbers in another order, zero values written out, lists of
// numbers one by one or packed in pieces, messages in pieces, values that
// others replace.
func recode(r *rand.Rand, t *table, b []byte) []byte {
	queues := map[uint64][][]byte{} // the fields of each number
	for _, part := range split(t, b, func(sub *table, b []byte) []byte { return recode(r, sub, b) }) {
		rd := read(part)
		rd.next()
		num := rd.tag >> 3
		f, in := t.field(num)
		switch {
		case in.list && in.wire != bytesType && rd.packed():
			queues[num] = append(queues[num], unpacked(r, in, num, rd.raw())...)
		case f.check == aMessage && !in.list:
			queues[num] = append(queues[num], inPieces(r, num, rd.raw())...)
		default:
			queues[num] = append(queues[num], part)
		}
	}
	for num, in := range t.infos {
		if in.name != "" && !in.list && !in.presence && r.Intn(2) == 0 {
			zero := map[uint64][]byte{
				varintType: varintField(protowire.Number(num), 0), bytesType: lenField(protowire.Number(num)),
				fixed32Type: fixed32Field(protowire.Number(num), 0), fixed64Type: fixed64Field(protowire.Number(num), 0),
			}[in.wire]
			queues[uint64(num)] = slices.Insert(queues[uint64(num)], 0, zero)
		}
	}
	return interleaved(r, queues)
}

// unpacked is a packed list of numbers one by one, or some of them packed.
func unpacked(r *rand.Rand, in *info, num uint64, b []byte) (parts [][]byte) {
	for len(b) > 0 {
		_, rest := unpack(b, in.wire)
		one := b[:len(b)-len(rest)]
		if r.Intn(2) == 0 {
			one = append(protowire.AppendVarint(nil, num<<3|in.wire), one...)
		} else {
			one = lenField(protowire.Number(num), one)
		}
		parts = append(parts, one)
		b = rest
	}
	return parts
}

// inPieces is a message's fields in two messages, cut where one field ends.
func inPieces(r *rand.Rand, num uint64, b []byte) [][]byte {
	cut := 0
	for rd := read(b); rd.next() && r.Intn(3) > 0; {
		cut = rd.at
	}
	return [][]byte{lenField(protowire.Number(num), b[:cut]), lenField(protowire.Number(num), b[cut:])}
}

// interleaved takes fields from the queues at random.
func interleaved(r *rand.Rand, queues map[uint64][][]byte) (b []byte) {
	var nums []uint64
	for num, q := range queues {
		nums = append(nums, slices.Repeat([]uint64{num}, len(q))...)
	}
	slices.Sort(nums)
	r.Shuffle(len(nums), func(i, j int) { nums[i], nums[j] = nums[j], nums[i] })
	for _, num := range nums {
		b = append(b, queues[num][0]...)
		queues[num] = queues[num][1:]
	}
	return b
}

func TestKeyIsTheSameHoweverAMessageIsEncoded(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, sig := range signals {
		for _, body := range append(captured(t, sig), encode(t, full(sig))) {
			for range 8 {
				other := recode(r, tables()[sig], body)
				if !agree(t, sig, other) {
					t.Fatalf("recode made a malformed body")
				}
				if Key(sig, other) != Key(sig, body) {
					t.Errorf("%s: got another key for %x recoded as %x", sig, body, other)
				}
			}
		}
	}
}

func TestKeyDiffersWhereverAMessageDiffers(t *testing.T) {
	for _, sig := range signals {
		body := encode(t, full(sig))
		seen := map[[32]byte]protoreflect.FullName{Key(sig, body): "nothing"}
		m := full(sig)
		withoutEach(m.ProtoReflect(), func(what protoreflect.FullName) {
			k := Key(sig, encode(t, m))
			if other, dup := seen[k]; dup {
				t.Errorf("%s: got the same key without %s as without %s", sig, what, other)
			}
			seen[k] = what
		})
		if !proto.Equal(m, full(sig)) {
			t.Error("the message was changed")
		}
		t.Logf("%s: %d keys", sig, len(seen))
	}
}

// withoutEach calls f with each field of m and of the messages in it removed
// in turn. A field that is in several places it removes in the first.
func withoutEach(m protoreflect.Message, f func(protoreflect.FullName)) {
	without(m, map[protoreflect.FullName]bool{}, f)
}

func without(m protoreflect.Message, done map[protoreflect.FullName]bool, f func(protoreflect.FullName)) {
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if fd.IsList() { // clearing a list takes its elements away
			list := m.NewField(fd).List()
			for i := range v.List().Len() {
				list.Append(v.List().Get(i))
			}
			v = protoreflect.ValueOfList(list)
		}
		if name := fd.FullName(); !done[name] {
			done[name] = true
			m.Clear(fd)
			f(name)
			m.Set(fd, v)
		}
		switch {
		case fd.Message() == nil:
		case fd.IsList():
			for i := range v.List().Len() {
				without(v.List().Get(i).Message(), done, f)
			}
		default:
			without(v.Message(), done, f)
		}
		return true
	})
}

func TestKeyTellsApart(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []byte
		same bool
	}{
		{"order of spans", lenField(1, lenField(2, lenField(2, text(5, "a")), lenField(2, text(5, "b")))), lenField(1, lenField(2, lenField(2, text(5, "b")), lenField(2, text(5, "a")))), false},
		{"two scopes from one", lenField(1, lenField(2, lenField(2), lenField(2))), lenField(1, lenField(2, lenField(2)), lenField(2, lenField(2))), false},
		{"spans without fields", inSpan(), lenField(1, lenField(2, lenField(2), lenField(2))), false},
		{"no resource from an empty one", lenField(1), lenField(1, lenField(1)), false},
		{"an empty name from none", inSpan(text(5, "")), inSpan(), true},
		{"a name of two from the last", inSpan(text(5, "a"), text(5, "b")), inSpan(text(5, "b")), true},
		{"an empty string from no value", inSpan(attrField(9, "k", text(1, ""))), inSpan(attrField(9, "k")), false},
		{"a string from bytes", inSpan(attrField(9, "k", text(1, "x"))), inSpan(attrField(9, "k", text(7, "x"))), false},
		{"an integer from a bool", inSpan(attrField(9, "k", varintField(2, 1))), inSpan(attrField(9, "k", varintField(3, 1))), false},
		{"a bool of 2 from one of 1", inSpan(attrField(9, "k", varintField(2, 2))), inSpan(attrField(9, "k", varintField(2, 1))), true},
		{"the sign of zero", inSpan(attrField(9, "k", double64(0))), inSpan(attrField(9, "k", double64(math.Copysign(0, -1)))), false},
		{"a kind of 64 bits", inSpan(varintField(6, 1<<40|3)), inSpan(varintField(6, 3)), true},
		{"an unknown field from none", inSpan(varintField(99, 0)), inSpan(), false},
		{"unknown fields by value", inSpan(varintField(99, 1)), inSpan(varintField(99, 2)), false},
		{"unknown fields by wire type", inSpan(fixed64Field(99, 1)), inSpan(varintField(99, 1)), false},
		{"unknown fields by place", inSpan(varintField(99, 1), text(5, "n"), text(98, "x")), inSpan(text(98, "x"), varintField(99, 1), text(5, "n")), true},
		{"a name of the wrong type from an unknown field", inSpan(varintField(5, 1)), inSpan(varintField(99, 1)), false},
		{"malformed bodies", []byte{10}, []byte{11}, false},
		{"the same malformed body", []byte{10}, []byte{10}, true},
		{"a malformed body from none", []byte{0}, nil, false},
	} {
		if got := Key(query.Traces, c.a) == Key(query.Traces, c.b); got != c.same {
			t.Errorf("%s: got the same key %v, want %v", c.name, got, c.same)
		}
	}
	if Key(query.Traces, nil) == Key(query.Logs, nil) {
		t.Error("signals: got the same key")
	}
	sum := func(parts ...[]byte) []byte { return inMetric(lenField(9, lenField(1, parts...))) }
	if Key(query.Metrics, sum(fixed64Field(5, 0))) == Key(query.Metrics, sum()) {
		t.Error("a sum of zero from none: got the same key")
	}
}

// Two bodies have the same key exactly if the official messages are equal.
func TestKeyAgreesWithOfficialEquality(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	equal := 0
	for _, sig := range signals {
		for _, body := range seeds(t, sig) {
			a := official(sig)
			if proto.Unmarshal(body, a) != nil {
				continue
			}
			for range 20 {
				b, other := official(sig), rearrange(r, tables()[sig], body)
				if err := proto.Unmarshal(other, b); err != nil {
					t.Fatal(err)
				}
				want := proto.Equal(a, b)
				if got := Key(sig, body) == Key(sig, other); got != want {
					t.Errorf("got the same key %v for %x and %x, want %v", got, body, other, want)
				}
				if want {
					equal++
				}
			}
		}
	}
	t.Logf("%d pairs are equal", equal)
}
