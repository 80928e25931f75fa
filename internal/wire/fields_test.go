package wire

import (
	"testing"

	"github.com/otlptest/otlptest/query"
	"google.golang.org/protobuf/encoding/protowire"
)

func TestFieldsAreReadInTheirOrder(t *testing.T) {
	b := text(2, "a")
	b = protowire.AppendVarint(protowire.AppendTag(b, 3, protowire.VarintType), 300)
	b = protowire.AppendFixed32(protowire.AppendTag(b, 4, protowire.Fixed32Type), 7)
	b = append(b, text(2, "b")...)
	var got []any
	for f := Read(b); f.Next(); {
		if f.Tag()&7 == bytesType {
			got = append(got, f.Tag()>>3, string(f.Raw()))
		} else {
			got = append(got, f.Tag()>>3, f.Num())
		}
	}
	want := []any{uint64(2), "a", uint64(3), uint64(300), uint64(4), uint64(7), uint64(2), "b"}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
	if s := string(Last(b, 2<<3|bytesType)); s != "b" {
		t.Errorf("got last %q, want b", s)
	}
	if s := string(Merged(b, 2<<3|bytesType)); s != "ab" {
		t.Errorf("got merged %q, want ab", s)
	}
	if n := LastNum(b, 4<<3|fixed32Type); n != 7 {
		t.Errorf("got %d, want 7", n)
	}
	for _, cut := range [][]byte{nil, {0x12}, {0x12, 5, 'x'}, {0x0b}} {
		for f := Read(cut); f.Next(); {
			t.Errorf("%x: got a field, want none", cut)
		}
	}
}

func TestListsAndTextsOfValues(t *testing.T) {
	list := text(1, "elements")
	for _, c := range []struct {
		value []byte
		kind  query.ValueKind
		list  string
		text  string
	}{
		{nil, query.KindEmpty, "", ""},
		{text(1, "x"), query.KindString, "", "x"},
		{protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), list), query.KindArray, string(list), ""},
		{protowire.AppendBytes(protowire.AppendTag(text(1, "x"), 6, protowire.BytesType), list), query.KindMap, string(list), ""},
		{protowire.AppendVarint(protowire.AppendTag(nil, 3, protowire.VarintType), 1), query.KindInt, "", ""},
	} {
		kind, got := List(c.value)
		if kind != c.kind || string(got) != c.list || string(Text(c.value)) != c.text {
			t.Errorf("%x: got %v, %q and %q", c.value, kind, got, Text(c.value))
		}
	}
}

func TestDataIsTheLastMemberOfAMetric(t *testing.T) {
	metric := append(text(1, "name"), text(5, "gauge")...)
	metric = append(append(metric, text(7, "sum")...), text(7, "med")...)
	if tag, data := Data(metric); tag != metricSum || string(data) != "summed" {
		t.Errorf("got %d %q, want the sum", tag>>3, data)
	}
	if tag, data := Data(text(1, "name")); tag != 0 || data != nil {
		t.Errorf("got %d %q, want none", tag, data)
	}
}
