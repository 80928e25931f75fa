package httpapi

import "slices"

// clues is what can be asked of an item so that it is found again.
type clues struct {
	name  []term // what it is called, which is always asked
	lasts []term // what holds for every run of a test, what is telling first
	runs  []term // what holds for this run only
}

// single is the fewest terms that hold for only one item: the name, and of what
// lasts as little as possible. What is of this run only stands among them where
// nothing else tells the item from others, and not where that does not either.
// Matching is the numbers of the items for which terms hold.
func (c clues) single(matching func([]term) []int) []term {
	s := search{clues: c, matching: matching, named: matching(c.name)}
	if len(s.named) == 1 {
		return c.name
	}
	lasting, left := s.narrow(c.lasts)
	if left == 1 {
		return lasting
	}
	if all, left := s.narrow(c.runs); left == 1 {
		return all
	}
	return lasting
}

// search looks for terms that tell an item from others with its name.
type search struct {
	clues
	matching func([]term) []int
	named    []int // the items with the name
	known    []clue
}

// clue is a term and the items with the name for which it holds.
type clue struct {
	term
	holds []int
}

// narrow takes further terms into account. It returns the name and as few terms
// as leave the fewest items, and how many these are.
func (s *search) narrow(further []term) (terms []term, left int) {
	for _, t := range further {
		k := clue{t, s.matching(append(slices.Clone(s.name), t))}
		if len(k.holds) == 1 {
			return append(slices.Clone(s.name), t), 1
		}
		s.known = append(s.known, k)
	}
	var needed []clue
	rest := s.named
	for _, k := range s.known {
		if fewer := meet(rest, k.holds); len(fewer) < len(rest) {
			needed, rest = append(needed, k), fewer
		}
	}
	terms = slices.Clone(s.name)
	for _, k := range s.without(needed, len(rest)) {
		terms = append(terms, k.term)
	}
	return terms, len(rest)
}

// without drops the clues that change nothing beside those behind them.
func (s *search) without(needed []clue, left int) []clue {
	for i := 0; i < len(needed); {
		fewer := slices.Delete(slices.Clone(needed), i, i+1)
		rest := s.named
		for _, k := range fewer {
			rest = meet(rest, k.holds)
		}
		if len(rest) > left {
			i++
			continue
		}
		needed = fewer
	}
	return needed
}

// meet is the numbers that are in both lists, which rise.
func meet(a, b []int) (both []int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			both = append(both, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return both
}
