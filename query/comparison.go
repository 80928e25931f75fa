package query

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"
)

// Identity is what tells an item from others, and from other forms of itself.
type Identity struct {
	ID ItemID

	// Bytes stands for the bytes that make up the item: its own message, and
	// what its resource, scope and metric say about it. Two Identities with
	// equal Bytes were encoded alike, byte for byte.
	Bytes [24]byte
}

// IdentitySource is a [Source] that can tell items apart, which [Compare]
// needs of both sides. The sources of a server's spans, points and logs can.
type IdentitySource[T any] interface {
	Source[T]

	// Identify is Scan with the identity of each item.
	Identify(where []Filter) iter.Seq2[T, Identity]
}

// Compare holds what two backends have received against each other, or two
// views of one: which items both have, by [ItemID], and which only one. Each
// item counts once on each side, however often it was stored. Both views are
// looked at as of now.
func Compare[T Span | Point | Log](a, b View[T]) Comparison[T] {
	sideA, errA := sideOf("a", a)
	sideB, errB := sideOf("b", b)
	c := Comparison[T]{err: errors.Join(errA, errB)}
	for _, at := range sideA.order {
		x := &sideA.items[at]
		if other, both := sideB.first[x.id]; both {
			c.Both = append(c.Both, pairOf[T](sideA.forms(at), sideB.forms(other)))
		} else {
			c.OnlyA = append(c.OnlyA, x.item)
		}
	}
	for _, at := range sideB.order {
		if x := &sideB.items[at]; !sideA.has(x.id) {
			c.OnlyB = append(c.OnlyB, x.item)
		}
	}
	return c
}

// Comparison is what two views have in common, and what not. The zero
// Comparison is one of two empty views. It is a snapshot and safe to share.
type Comparison[T Span | Point | Log] struct {
	Both  []Pair[T] // in the order in which A received them
	OnlyA []T       // in the order in which they were received
	OnlyB []T
	err   error
}

// Pair is an item as each side has it. Where a side has several, those are
// shown of which the bytes are equal, if there are such, and otherwise the
// first of each.
type Pair[T Span | Point | Log] struct {
	A, B T

	// SameBytes says whether both were encoded alike, byte for byte: the item,
	// its resource, its scope, and a point's metric. JSON is compared in the
	// form of protobuf in which it is kept.
	SameBytes bool
}

// pairOf pairs two forms of an item that are equal, if there are such.
func pairOf[T Span | Point | Log](a, b []*seen[T]) Pair[T] {
	for _, x := range a {
		for _, y := range b {
			if x.bytes == y.bytes {
				return Pair[T]{x.item, y.item, true}
			}
		}
	}
	return Pair[T]{A: a[0].item, B: b[0].item}
}

// Equal says whether both sides have the same items, with the same bytes. It
// is false where the comparison could not be made, and true for two empty
// views.
func (c Comparison[T]) Equal() bool {
	return c.err == nil && len(c.OnlyA) == 0 && len(c.OnlyB) == 0 && len(c.differing()) == 0
}

// Err is nil if both sides have the same items with the same bytes, and
// otherwise says how they differ, as [Comparison.String] does. It is an error,
// too, if there is no item on either side ([ErrNothingToCheck]), or if a view
// cannot be compared ([View.Err]).
func (c Comparison[T]) Err() error {
	switch {
	case c.err != nil:
		return c.err
	case len(c.Both)+len(c.OnlyA)+len(c.OnlyB) == 0:
		return fmt.Errorf("compare: %w: neither a nor b has an item", ErrNothingToCheck)
	case c.Equal():
		return nil
	}
	return errors.New("compare: " + strings.TrimSuffix(c.String(), "\n"))
}

// differing is the pairs of which the bytes are not equal.
func (c Comparison[T]) differing() (list []Pair[T]) {
	for _, p := range c.Both {
		if !p.SameBytes {
			list = append(list, p)
		}
	}
	return list
}

// String is a line about the whole, and one for each of the first few items
// that differ.
func (c Comparison[T]) String() string {
	if c.err != nil {
		return c.err.Error() + "\n"
	}
	differ := c.differing()
	var b strings.Builder
	fmt.Fprintf(&b, "%s in both, %d of them different; %d only in a, %d only in b\n", countOf[T](len(c.Both)), len(differ), len(c.OnlyA), len(c.OnlyB))
	writeSome(&b, "only a", c.OnlyA, func(x T) string { return name(x) })
	writeSome(&b, "only b", c.OnlyB, func(x T) string { return name(x) })
	writeSome(&b, "differs", differ, func(p Pair[T]) string { return name(p.A) + ": " + p.differences() })
	return b.String()
}

func countOf[T any](n int) string {
	return plural(n, strings.TrimSuffix(itemsOf[T]().String(), "s"))
}

func writeSome[X any](b *strings.Builder, label string, list []X, text func(X) string) {
	const most = 5
	for i, x := range list {
		if i == most {
			fmt.Fprintf(b, "  %-8s … and %d more\n", "", len(list)-most)
			return
		}
		fmt.Fprintf(b, "  %-8s %s\n", label, text(x))
		label = ""
	}
}

// name is how an item is called in a text.
func name(item any) string {
	switch x := item.(type) {
	case Span:
		return fmt.Sprintf("%q  trace %s  span %s  service=%s", x.Name, x.TraceID, x.SpanID, x.Resource.Service())
	case Point:
		text := fmt.Sprintf("%q  service=%s", x.Name, x.Resource.Service())
		if len(x.Attrs) > 0 {
			text += "  " + x.Attrs.String()
		}
		return text + "  at " + x.Time.Format("15:04:05.000000000")
	case Log:
		return fmt.Sprintf("%.60s  service=%s", x.Body, x.Resource.Service())
	}
	return ""
}

// differences names the fields that differ, in the words of JSON.
func (p Pair[T]) differences() string {
	names := p.fields()
	if len(names) == 0 {
		return "encoded differently, or in fields that are not known"
	}
	return strings.Join(names, ", ")
}

// fields is the fields that differ, by their names in JSON.
func (p Pair[T]) fields() (names []string) {
	a, b := reflect.ValueOf(p.A), reflect.ValueOf(p.B)
	for i := range a.NumField() {
		tag, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("json"), ",")
		if tag != "-" && text(a.Field(i)) != text(b.Field(i)) {
			names = append(names, tag)
		}
	}
	return names
}

func text(v reflect.Value) string {
	out, err := marshal(v.Interface())
	if err != nil {
		return fmt.Sprintf("%#v", v)
	}
	return string(out)
}
