package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// twins tells which exports have equal contents, for less than their content
// keys cost: these are made only where two exports look alike at first sight
// and differ in their bytes. It is empty until somebody asks.
type twins struct {
	mu       sync.Mutex
	alike    map[shape]*lookalikes
	contents map[*Record]uint64 // the number of what an export contains
	last     uint64             // the highest number
}

// lookalikes is the contents of exports that have the same shape.
type lookalikes struct {
	first *Record
	byKey map[[sha256.Size]byte]uint64 // nil where all have the first one's bytes
}

// key is the same for exports with equal contents only.
func (t *twins) key(r *Record) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.contents[r]
	if n == 0 {
		n = t.find(r)
		t.contents[r] = n
	}
	return string(binary.BigEndian.AppendUint64(nil, n))
}

func (t *twins) find(r *Record) uint64 {
	sh := r.shape()
	l := t.alike[sh]
	if l == nil {
		t.alike[sh] = &lookalikes{first: r}
		return t.number()
	}
	first := t.contents[l.first]
	if r.body != nil && l.first.body != nil && bytes.Equal(r.body, l.first.body) {
		return first
	}
	if l.byKey == nil {
		l.byKey = map[[sha256.Size]byte]uint64{l.first.key(): first}
	}
	key := r.key()
	if l.byKey[key] == 0 {
		l.byKey[key] = t.number()
	}
	return l.byKey[key]
}

func (t *twins) number() uint64 {
	t.last++
	return t.last
}

// equals is the twins of this generation.
func (s *Store) equals() *twins {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.twins == nil {
		s.twins = &twins{alike: map[shape]*lookalikes{}, contents: map[*Record]uint64{}}
	}
	return s.twins
}
