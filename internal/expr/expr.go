// Package expr is the filter tree that query/where builds, that
// internal/wire evaluates on the kept bytes, and that every text of the
// product prints in the one grammar of package where.
package expr

import "fmt"

// Op says what a node of the tree does.
type Op uint8

// The operations. Those from Less to OneOf compare the field with Arg, as
// Equal does.
const (
	Equal      Op = iota // the field equals Arg; it is the zero Op
	Exists               // the field is there, whatever its value
	Not                  // its one Sub does not hold
	Any                  // at least one Sub holds
	Func                 // the function in Func says so
	Less                 // the field is less than Arg
	AtMost               // it is Arg or less
	AtLeast              // it is Arg or more
	More                 // it is more than Arg
	Matches              // the regular expression Arg matches somewhere in it
	Contains             // the string Arg is somewhere in it
	OneOf                // it equals one of Arg, which is an []any
	Child                // every Sub holds for the span's parent
	Descendant           // every Sub holds for one of the span's ancestors
)

// Label is an enumeration's or an id's value: what it is on the wire, and how
// it is written in the grammar, bare.
type Label struct {
	Value any // int64, string, Range or Window
	Text  string
}

// Range is a label's value that stands for several numbers, ends included.
type Range struct{ Low, High int64 }

// Window is a span of time in nanoseconds since 1970, ends included.
type Window struct{ From, To uint64 }

// Expr is one node. The zero Expr is not valid; package where builds them.
type Expr struct {
	Op   Op
	Key  Key    // of Exists and of comparisons
	Name string // the attribute's key, for Attr and Resource, or the header field's name
	Arg  any    // of a comparison: string, bool, int64, float64, time.Duration or Label
	Sub  []Expr // of Not (one), Any, Child and Descendant
	Desc string // of Func: what it looks for, in words
	Func any    // of Func: func(T) bool
	For  Items  // of Func: what T is
	Err  error  // why the term cannot work, if it cannot
}

// Check says why the filter cannot apply to items of a kind, or nil.
func (e Expr) Check(to Items) error {
	if e.Err != nil {
		return e.Err
	}
	of := to
	if e.Op == Child || e.Op == Descendant {
		of = Span
	}
	for _, s := range e.Sub {
		if err := s.Check(of); err != nil {
			return err
		}
	}
	if e.Op == Not || e.Op == Any {
		if to == Trace && e.Applies()&(Trace|Span) == 0 {
			return fmt.Errorf("filter %s asks in one about traces and about spans, want them apart", e)
		}
		return nil
	}
	can := e.Applies()
	if (to|to.in())&can == 0 {
		return fmt.Errorf("filter %s applies to %s, not to %s", e, can, to)
	}
	return nil
}

// Applies is the set of items that a single term can look at. For Not and Any
// it is what all of their terms have in common.
func (e Expr) Applies() Items {
	switch e.Op {
	case Not, Any:
		all := Item | Export | Connection | Violation | Trace
		for _, s := range e.Sub {
			all &= s.Applies()
		}
		return all
	case Func:
		return e.For
	case Child, Descendant:
		return Span
	}
	return e.Key.Applies()
}

// AboutExport says whether the filter looks only at exports themselves, and
// not at the items in them.
func (e Expr) AboutExport() bool {
	switch e.Op {
	case Not, Any:
		for _, s := range e.Sub {
			if !s.AboutExport() {
				return false
			}
		}
		return len(e.Sub) > 0
	case Child, Descendant:
		return false
	}
	return e.Applies()&Export != 0
}

// Among is the kinds of item for which the filter can hold, where terms about
// exports hold for the items in them.
func (e Expr) Among() Items {
	switch {
	case e.Op == Not || e.Op == Any:
		all := Item
		for _, s := range e.Sub {
			all &= s.Among()
		}
		return all
	case e.AboutExport():
		return Item
	}
	return e.Applies()
}

// Find is the first single term of the filter, from front to back, that is as
// asked.
func (e Expr) Find(is func(Expr) bool) (Expr, bool) {
	if is(e) {
		return e, true
	}
	for _, s := range e.Sub {
		if found, ok := s.Find(is); ok {
			return found, true
		}
	}
	return Expr{}, false
}
