package wire

import "github.com/otlptest/otlptest/query"

// Fields walks over the fields of one message in the order on the wire, for
// packages that look at more of a body than its items. It stops where the
// bytes are no message.
//
// Fields are told apart by their whole tag, number<<3 | wire type: one whose
// wire type is not its own is thereby unknown, as it has to be.
type Fields struct{ r reader }

// Read makes the Fields of a message, before its first one.
func Read(message []byte) Fields { return Fields{read(message)} }

// Next reads the next field, if there is one.
func (f *Fields) Next() bool { return f.r.next() }

// Tag is the field's tag.
func (f *Fields) Tag() uint64 { return f.r.tag }

// Raw is the field's value, where that is length-delimited.
func (f *Fields) Raw() []byte { return f.r.raw() }

// Num is the field's value, where that is a varint or fixed.
func (f *Fields) Num() uint64 { return f.r.num() }

// Step reads the field at i: its tag, and from where to where its value is.
// The tag is 0, which no field has, where the bytes are no field; they end
// there. It does what Fields do for those who are in a hurry.
func Step(message []byte, i int) (tag uint64, from, to int) { return step(message, i) }

// Number is the value at i of a field that is a varint or fixed.
func Number(message []byte, tag uint64, i int) uint64 { return number(message, tag, i) }

// Merged is a sub-message that is not repeated, as the protocol has it where it
// comes several times all the same, and nil where it does not come.
func Merged(message []byte, tag uint64) []byte { return merged(message, tag) }

// Last is the value of a string or bytes.
func Last(message []byte, tag uint64) []byte { return last(message, tag) }

// LastNum is the value of a varint or fixed field.
func LastNum(message []byte, tag uint64) uint64 { return lastNum(message, tag) }

// Data is the tag of the member that holds a metric's points, 0 for none, and
// that member's message.
func Data(metric []byte) (tag uint64, message []byte) {
	m := newMetric(metric)
	return m.tag, m.data
}

// List is what kind of value an AnyValue is, and of an array or a map its
// message.
func List(anyValue []byte) (kind query.ValueKind, message []byte) {
	v := valueOf(anyValue)
	if v.kind != query.KindArray && v.kind != query.KindMap {
		return v.kind, nil
	}
	return v.kind, v.raw
}

// Text is an AnyValue's string, and empty if it is none.
func Text(anyValue []byte) []byte {
	v := valueOf(anyValue)
	if v.kind != query.KindString {
		return nil
	}
	return v.raw
}
