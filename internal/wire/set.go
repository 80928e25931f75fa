package wire

import "math/bits"

// Set is a set of a body's items, each by its [Item.Index]. The zero Set is
// empty. It must not change any more once it is shared.
type Set struct{ words []uint64 }

// First is the set of the first n items.
func First(n int) (s Set) {
	for i := range max(n, 0) {
		s.Add(i)
	}
	return s
}

// Add adds an item.
func (s *Set) Add(i int) {
	for len(s.words) <= i/64 {
		s.words = append(s.words, 0)
	}
	s.words[i/64] |= 1 << (i % 64)
}

// Has says whether an item is in the set.
func (s *Set) Has(i int) bool {
	return i/64 < len(s.words) && s.words[i/64]&(1<<(i%64)) != 0
}

// Len is how many items are in the set.
func (s *Set) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}
