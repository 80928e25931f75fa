package wire

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/otlptest/otlptest/query"
)

// A list of numbers comes packed, as one length-delimited field, or one by
// one; a reader of either must take both, and any mixture.

// packed says whether the reader has just read several numbers.
func (r *reader) packed() bool { return r.tag&7 == bytesType }

// addFixed64 adds the fixed64 numbers that a reader has just read.
func addFixed64(list []uint64, r *reader) []uint64 {
	if !r.packed() {
		return append(list, r.num())
	}
	list = slices.Grow(list, len(r.raw())/8)
	for b := r.raw(); len(b) >= 8; b = b[8:] {
		list = append(list, binary.LittleEndian.Uint64(b))
	}
	return list
}

// addFloats is addFixed64 for doubles.
func addFloats(list []query.Float, r *reader) []query.Float {
	if !r.packed() {
		return append(list, query.Float(math.Float64frombits(r.num())))
	}
	list = slices.Grow(list, len(r.raw())/8)
	for b := r.raw(); len(b) >= 8; b = b[8:] {
		list = append(list, query.Float(math.Float64frombits(binary.LittleEndian.Uint64(b))))
	}
	return list
}

// addVarints is addFixed64 for varints.
func addVarints(list []uint64, r *reader) []uint64 {
	if !r.packed() {
		return append(list, r.num())
	}
	n := 0
	for _, c := range r.raw() {
		if c < 0x80 {
			n++ // a varint ends here
		}
	}
	list = slices.Grow(list, n)
	for i := 0; i < len(r.raw()); {
		var v uint64
		if v, i = varint(r.raw(), i); i < 0 {
			break
		}
		list = append(list, v)
	}
	return list
}
