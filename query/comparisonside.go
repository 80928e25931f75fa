package query

import "fmt"

// side is the items of one view, each once.
type side[T any] struct {
	items []seen[T]
	first map[ItemID]int // by identity, which is the first
	order []int          // the first ones
}

// seen is an item, and the next one that has the same identity.
type seen[T any] struct {
	id    ItemID
	bytes [24]byte
	item  T
	next  int // 0 for none
}

func sideOf[T any](name string, v View[T]) (s side[T], err error) {
	s.first = map[ItemID]int{}
	if err := v.Err(); err != nil {
		return s, fmt.Errorf("compare: view %s: %w", name, err)
	}
	src, ok := v.src.(IdentitySource[T])
	if !ok {
		return s, fmt.Errorf("compare: view %s: its source, a %T, cannot tell items apart", name, v.src)
	}
	for item, id := range src.Identify(v.where) {
		s.add(seen[T]{id: id.ID, bytes: id.Bytes, item: item})
	}
	return s, nil
}

// add adds an item, unless one with the same bytes is there.
func (s *side[T]) add(x seen[T]) {
	at, known := s.first[x.id]
	for last := at; known; last = s.items[last].next {
		if s.items[last].bytes == x.bytes {
			return
		}
		if s.items[last].next == 0 {
			s.items[last].next = len(s.items)
			break
		}
	}
	if !known {
		s.first[x.id] = len(s.items)
		s.order = append(s.order, len(s.items))
	}
	s.items = append(s.items, x)
}

func (s *side[T]) has(id ItemID) bool {
	_, ok := s.first[id]
	return ok
}

// forms is all forms of the item at i.
func (s *side[T]) forms(i int) (list []*seen[T]) {
	for {
		list = append(list, &s.items[i])
		if i = s.items[i].next; i == 0 {
			return list
		}
	}
}
