package wire

import (
	"math"
	"slices"
	"testing"

	"github.com/otlptest/otlptest/query"
)

// oddities are encodings that no exporter writes but that the official
// unmarshaler has an opinion on.
var oddities = []struct {
	name string
	sig  query.Signal
	body []byte
}{
	{"name twice", query.Traces, inSpan(text(5, "a"), text(5, "b"))},
	{"name twice, empty at last", query.Traces, inSpan(text(5, "a"), text(5, ""))},
	{"kind of 64 bits", query.Traces, inSpan(varintField(6, 1<<40|3))},
	{"negative kind", query.Traces, inSpan(varintField(6, math.MaxUint64))},
	{"dropped count of 64 bits", query.Traces, inSpan(varintField(10, math.MaxUint64))},
	{"status in two pieces", query.Traces, inSpan(lenField(15, text(2, "m")), lenField(15, varintField(3, 2)))},
	{"status in three pieces", query.Traces, inSpan(lenField(15, varintField(3, 1)), lenField(15, text(2, "m")), lenField(15, varintField(3, 2)))},
	{"ids of odd lengths", query.Traces, inSpan(text(1, "short"), text(2, "123456789"), text(4, "1234567"))},
	{"a good id, then a bad one", query.Traces, inSpan(text(1, "0123456789abcdef"), text(1, "x"))},
	{"name as a varint", query.Traces, inSpan(varintField(5, 3))},
	{"flags as a varint", query.Traces, inSpan(varintField(16, 3), text(5, "n"))},
	{"status as a group", query.Traces, inSpan(groupField(15, varintField(3, 2)))},
	{"spans as groups", query.Traces, lenField(1, lenField(2, groupField(2, text(5, "n")), lenField(2)))},
	{"unknown fields", query.Traces, inSpan(text(100, "x"), varintField(1<<29-1, 1), fixed32Field(99, 1), fixed64Field(98, 1), groupField(97, text(5, "n")))},
	{"an unknown field of a reserved number", query.Traces, slices.Concat(varintField(19500, 1), inSpan())},
	{"nested groups", query.Traces, groupField(50, groupField(51, varintField(1, 1)), groupField(50))},
	{"a group number too high for a field", query.Traces, groupField(50, []byte{0x80, 0x80, 0x80, 0x80, 0x10, 0})},
	{"a group with the wrong end", query.Traces, []byte{50<<3&0x7f | 3 | 0x80, 3, 51<<3&0x7f | 4 | 0x80, 3}},
	{"a group without an end", query.Traces, []byte{0x93, 3}},
	{"an end without a group", query.Traces, []byte{1<<3 | 4}},
	{"wire type 6", query.Traces, []byte{1<<3 | 6}},
	{"wire type 7", query.Traces, []byte{1<<3 | 7, 0}},
	{"field number 0", query.Traces, []byte{2, 0}},
	{"field number too high", query.Traces, []byte{0x80, 0x80, 0x80, 0x80, 0x10, 0}},
	{"a tag of ten bytes", query.Traces, []byte{0x8a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0}},
	{"an overlong length", query.Traces, []byte{10, 0x82, 0x80, 0x00, 18, 0}},
	{"a varint of eleven bytes", query.Traces, []byte{0x98, 6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
	{"a varint of 65 bits", query.Traces, []byte{0x98, 6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}},
	{"a varint of 64 bits", query.Traces, []byte{0x98, 6, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
	{"a length beyond the end", query.Traces, []byte{10, 5, 0}},
	{"a length of 64 bits", query.Traces, []byte{10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}},
	{"a fixed64 cut short", query.Traces, inSpan([]byte{7<<3 | 1, 1, 2, 3, 4, 5, 6, 7})},
	{"a fixed32 cut short", query.Traces, inSpan([]byte{0x85, 1, 1, 2, 3})},
	{"invalid UTF-8 in a name", query.Traces, inSpan(text(5, "a\xff"))},
	{"invalid UTF-8 in a key", query.Traces, inSpan(attrField(9, "long key \xc3", varintField(3, 1)))},
	{"invalid UTF-8 in a value", query.Traces, inSpan(attrField(9, "k", text(1, "\xe2\x82")))},
	{"invalid UTF-8 in bytes", query.Traces, inSpan(attrField(9, "k", text(7, "\xff")))},
	{"invalid UTF-8 in a value that another replaces", query.Traces, inSpan(attrField(9, "k", text(1, "\xff"), varintField(3, 1)))},
	{"invalid UTF-8 in an unknown field", query.Traces, inSpan(text(100, "\xff"))},
	{"invalid UTF-8 in entities", query.Traces, lenField(1, lenField(1, lenField(3, text(4, "ok"), text(4, "\xff"))))},

	{"resource in two pieces, after the spans", query.Traces, lenField(1,
		lenField(2, lenField(2, text(5, "n"))),
		lenField(1, attrField(1, "a", text(1, "x"))), text(3, "u1"),
		lenField(2, lenField(2, text(5, "m")), lenField(1, text(1, "s")), lenField(1, text(2, "v")), text(3, "w")),
		lenField(1, attrField(1, "a", text(1, "y")), varintField(2, 4)), text(3, "u2"))},
	{"empty groups", query.Traces, slices.Concat(lenField(1), lenField(1, lenField(2)), lenField(1, lenField(2, lenField(2))))},

	{"attribute without a key", query.Traces, inSpan(lenField(9, lenField(2, varintField(3, 1))))},
	{"attribute without a value", query.Traces, inSpan(lenField(9, text(1, "k")))},
	{"attribute with an empty value", query.Traces, inSpan(attrField(9, "k"))},
	{"attribute with its key last", query.Traces, inSpan(lenField(9, lenField(2, varintField(3, 1)), text(1, "k")))},
	{"attribute with two keys", query.Traces, inSpan(lenField(9, text(1, "j"), lenField(2, varintField(3, 1)), text(1, "k")))},
	{"attribute with its value in two pieces", query.Traces, inSpan(lenField(9, text(1, "k"), lenField(2, text(1, "a")), lenField(2, varintField(2, 0))))},
	{"attribute with an array in two pieces", query.Traces, inSpan(lenField(9, text(1, "k"),
		lenField(2, lenField(5, lenField(1, varintField(3, 1)))), lenField(2, lenField(5, lenField(1, varintField(3, 2)))), lenField(2, text(99, "x"))))},
	{"oneof twice", query.Traces, inSpan(attrField(9, "k", text(1, "a"), varintField(3, 5)))},
	{"oneof there and back", query.Traces, inSpan(attrField(9, "k", lenField(5, lenField(1, varintField(3, 1))), varintField(3, 5), lenField(5, lenField(1, varintField(3, 2)))))},
	{"oneof array, map, map", query.Traces, inSpan(attrField(9, "k", lenField(5, lenField(1)), lenField(6, lenField(1, text(1, "a"))), lenField(6, lenField(1, text(1, "b")))))},
	{"oneof with the wrong wire type between", query.Traces, inSpan(attrField(9, "k", lenField(5, lenField(1)), text(3, "x"), varintField(5, 1), lenField(5, lenField(1))))},
	{"oneof with a member of a later version", query.Traces, inSpan(attrField(9, "k", text(1, "a"), varintField(8, 7)))},
	{"oneof with a member of a later version between", query.Traces, inSpan(attrField(9, "k", lenField(5, lenField(1)), varintField(8, 7), lenField(5, lenField(1))))},
	{"bool of 64 bits", query.Traces, inSpan(attrField(9, "k", varintField(2, 1<<40)))},
	{"bool of two bytes", query.Traces, inSpan(attrField(9, "k", []byte{2 << 3, 0x80, 0}))},
	{"negative integer", query.Traces, inSpan(attrField(9, "k", varintField(3, math.MaxUint64)))},
	{"integer of two varints", query.Traces, inSpan(attrField(9, "k", []byte{3 << 3, 1, 1}))},
	{"value cut short", query.Traces, inSpan(lenField(9, text(1, "k"), []byte{2<<3 | 2, 3, 3 << 3, 0x80}))},
	{"nested maps and arrays", query.Traces, inSpan(attrField(9, "k", maps(one, 20)), attrField(9, "k", arrays(one, 20)))},

	{"data twice, of the same kind", query.Metrics, inMetric(lenField(7, lenField(1), varintField(2, 1)), lenField(7, lenField(1), varintField(3, 1), varintField(2, 2)))},
	{"data twice, of two kinds", query.Metrics, inMetric(lenField(5, lenField(1), lenField(1)), lenField(7, lenField(1)))},
	{"data there and back", query.Metrics, inMetric(lenField(5, lenField(1)), lenField(9, lenField(1)), text(1, "n"), lenField(5, lenField(1), lenField(1)))},
	{"data with the wrong wire type between", query.Metrics, inMetric(lenField(5, lenField(1)), varintField(9, 1), lenField(5, lenField(1)))},
	{"data of two kinds in two metrics", query.Metrics, lenField(1, lenField(2, lenField(2, lenField(5, lenField(1))), lenField(2, lenField(7, lenField(1)), lenField(11, lenField(1)))))},
	{"no data", query.Metrics, inMetric(text(1, "n"))},
	{"data without points", query.Metrics, inMetric(lenField(5), lenField(11))},
	{"metric's name after its data", query.Metrics, inMetric(lenField(5, lenField(1)), text(1, "n"), text(2, "d"), text(3, "u"), attrField(12, "m", varintField(3, 1)))},
	{"points as groups", query.Metrics, inMetric(lenField(5, groupField(1), lenField(1)))},
	{"value twice", query.Metrics, inNumber(fixed64Field(4, math.Float64bits(1.5)), fixed64Field(6, 3))},
	{"value as a varint", query.Metrics, inNumber(varintField(4, 1), varintField(6, 1))},
	{"NaN", query.Metrics, inNumber(fixed64Field(4, math.Float64bits(math.NaN())))},
	{"exemplar's value twice", query.Metrics, inNumber(lenField(5, fixed64Field(6, 3), fixed64Field(3, math.Float64bits(1.5))))},
	{"flags of 64 bits", query.Metrics, inNumber(varintField(8, math.MaxUint64))},
	{"buckets one by one", query.Metrics, inMetric(lenField(9, lenField(1, fixed64Field(6, 1), fixed64Field(6, 2), fixed64Field(7, math.Float64bits(.5)))))},
	{"buckets packed and one by one", query.Metrics, inMetric(lenField(9, lenField(1, lenField(6, make([]byte, 16)), fixed64Field(6, 2), lenField(6), lenField(6, make([]byte, 8)))))},
	{"buckets of none", query.Metrics, inMetric(lenField(9, lenField(1, lenField(6), lenField(7))))},
	{"buckets cut short", query.Metrics, inMetric(lenField(9, lenField(1, lenField(6, make([]byte, 15)))))},
	{"bounds cut short", query.Metrics, inMetric(lenField(9, lenField(1, lenField(7, make([]byte, 1)))))},
	{"exponential buckets in pieces", query.Metrics, inMetric(lenField(10, lenField(1,
		lenField(8, lenField(2, []byte{1, 0xac, 2}), varintField(2, 9)), lenField(8, varintField(1, 5), lenField(2, []byte{7})), varintField(6, 3), lenField(9))))},
	{"exponential buckets cut short", query.Metrics, inMetric(lenField(10, lenField(1, lenField(8, lenField(2, []byte{1, 0xac})))))},
	{"scale of 64 bits", query.Metrics, inMetric(lenField(10, lenField(1, varintField(6, math.MaxUint64), lenField(8, varintField(1, 1<<33|5)))))},
	{"an empty sum", query.Metrics, inMetric(lenField(9, lenField(1, fixed64Field(5, 0), fixed64Field(11, 0), fixed64Field(12, 0))))},
	{"a quantile of minus zero", query.Metrics, inMetric(lenField(11, lenField(1, lenField(6, fixed64Field(1, 1<<63)))))},
	{"summary", query.Metrics, inMetric(lenField(11, lenField(1, lenField(6, fixed64Field(1, 1), fixed64Field(1, 2)), lenField(6), varintField(8, 1))))},

	{"body in two pieces", query.Logs, inLog(lenField(5, lenField(6, lenField(1, text(1, "a")))), lenField(5, lenField(6, lenField(1, text(1, "b")))))},
	{"body replaced", query.Logs, inLog(lenField(5, text(1, "a")), lenField(5), lenField(5, fixed64Field(4, 0)))},
	{"an empty body", query.Logs, inLog(lenField(5))},
	{"body of empty strings", query.Logs, inLog(lenField(5, lenField(5, lenField(1, text(1, "")), lenField(1, text(7, "")), lenField(1))))},
	{"severity of 64 bits", query.Logs, inLog(varintField(2, 1<<32|9))},
	{"time far away", query.Logs, inLog(fixed64Field(1, math.MaxUint64), fixed64Field(11, 1))},
	{"log with a field that was removed", query.Logs, inLog(text(4, "name"))},
}

func TestOdditiesAreReadAsOfficially(t *testing.T) {
	for _, odd := range oddities {
		t.Run(odd.name, func(t *testing.T) {
			agree(t, odd.sig, odd.body)
			for _, sig := range signals {
				agree(t, sig, odd.body)
			}
		})
	}
}

func TestNestingHasTheOfficialLimit(t *testing.T) {
	for _, c := range []struct {
		name  string
		body  []byte
		valid bool
	}{
		// A span's attribute's value is the 6th message. An array adds 2.
		{"arrays within", inSpan(attrField(9, "k", arrays(one, 4997))), true},
		{"arrays beyond", inSpan(attrField(9, "k", arrays(one, 4998))), false},
		// A map adds 3.
		{"maps within", inSpan(attrField(9, "k", maps(one, 3331))), true},
		{"maps beyond", inSpan(attrField(9, "k", maps(one, 3332))), false},
		{"a plain attribute within", deepAttr(9999), true},
		{"a plain attribute just within", deepAttr(10000), true},
		{"a plain attribute just beyond", deepAttr(10001), false},
		{"a plain attribute beyond", deepAttr(10002), false},
		{"groups within", inSpan(groups(10001)), true},
		{"groups beyond", inSpan(groups(10002)), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := agree(t, query.Traces, c.body); got != c.valid {
				t.Errorf("got valid %v, want %v", got, c.valid)
			}
		})
	}
}

// deepAttr is a body whose deepest attribute's value is the n-th message.
func deepAttr(n int) []byte {
	v := lenField(6, attrField(1, "k", varintField(3, 1))) // from the value to the inner value: 4 messages
	if n%2 == 1 {
		return inSpan(attrField(9, "k", arrays(v, (n-9)/2)))
	}
	return lenField(1, lenField(1, attrField(1, "k", arrays(v, (n-8)/2))))
}
