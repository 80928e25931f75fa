package httpapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// feed is the items of one kind that a stream is of.
type feed interface {
	name() string
	err() error
	skip()                                     // what is there
	collect(most int) (list []found, left int) // moves on; of more than most (0: any number) only the last
	seek(place)
	sent(place) // up to there it has been written
	written() place
}

// found is an item of a feed, with the place behind it.
type found struct {
	at   place
	item any
}

// place is behind the item with a number, but for the numbers in open, which
// have not been told of.
type place struct {
	number int
	open   []int // rising
}

// String is such as "12-3-7".
func (p place) String() string {
	text := strconv.Itoa(p.number)
	for _, n := range p.open {
		text += "-" + strconv.Itoa(n)
	}
	return text
}

// parsePlace reads what String writes.
func parsePlace(text string) (p place, err error) {
	var numbers []int
	for part := range strings.SplitSeq(text, "-") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || len(numbers) > 1 && n <= numbers[len(numbers)-1] {
			return p, fmt.Errorf("got place %q", text)
		}
		numbers = append(numbers, n)
	}
	return place{numbers[0], numbers[1:]}, nil
}

// take moves behind the item with a number, if it has not been told of and is
// done.
func (p *place) take(number int, done bool) bool {
	at, open := slices.BinarySearch(p.open, number)
	switch {
	case number > p.number:
		p.number = number
		if !done {
			p.open = append(slices.Clone(p.open), number)
		}
		return done
	case open && done:
		p.open = slices.Delete(slices.Clone(p.open), at, at+1)
		return true
	}
	return false
}

// feedOf is a feed.
type feedOf[T any] struct {
	kind[T]
	label  string
	all    query.View[T]
	told   query.View[T] // those that match
	late   bool          // what is not done yet may match later
	done   func(T) bool
	export func(T) int // its number

	at, behind place
	from       int // no export before it has an item that was not collected
}

// feed is the one with a name, and nil where there is none.
func (a *api) feed(name string, filters []query.Filter) feed {
	switch name {
	case "exports":
		ended := func(e query.Export) bool { return e.Outcome != query.Open }
		f := newFeed(exportsOf(a.srv), name, filters, ended, func(e query.Export) int { return e.Number })
		f.late = true
		return f
	case "spans":
		return newFeed(spansOf(a.srv), name, filters, always, func(s query.Span) int { return s.Ref.Export().Number })
	case "points":
		return newFeed(pointsOf(a.srv), name, filters, always, func(p query.Point) int { return p.Ref.Export().Number })
	case "logs":
		return newFeed(logsOf(a.srv), name, filters, always, func(l query.Log) int { return l.Ref.Export().Number })
	}
	return nil
}

func always[T any](T) bool { return true }

func newFeed[T any](k kind[T], label string, filters []query.Filter, done func(T) bool, export func(T) int) *feedOf[T] {
	return &feedOf[T]{kind: k, label: label, all: k.view(), told: k.view(filters...), done: done, export: export}
}

func (f *feedOf[T]) name() string   { return f.label }
func (f *feedOf[T]) err() error     { return f.told.Err() }
func (f *feedOf[T]) sent(p place)   { f.behind = p }
func (f *feedOf[T]) written() place { return f.behind }

func (f *feedOf[T]) seek(p place) {
	f.at, f.behind, f.from = p, p, 0
}

// skip leaves those that are not done for later.
func (f *feedOf[T]) skip() {
	f.move(f.all, func(T) {})
	f.behind = f.at
}

// move goes behind all that is there, with a call for each that is done, when
// the feed is behind it.
func (f *feedOf[T]) move(v query.View[T], done func(T)) {
	var last []T
	for item := range v.All() {
		last = append(last[:0], item)
		if f.at.take(f.number(item), f.done(item)) {
			done(item)
		}
	}
	if len(last) > 0 && len(f.at.open) == 0 {
		f.from = f.export(last[0])
	}
}

// rest is a view without what has been collected for certain.
func (f *feedOf[T]) rest(v query.View[T]) query.View[T] {
	if f.from > 1 {
		return v.Where(where.InExport(where.AtLeast(f.from)))
	}
	return v
}

func (f *feedOf[T]) collect(most int) (list []found, left int) {
	tell := func(item T, at place) {
		list = append(list, found{at, f.flat(item)})
		if most > 0 && len(list) > most {
			list, left = list[1:], left+1
		}
	}
	all, told := f.rest(f.all), f.rest(f.told)
	if !f.late {
		f.move(told, func(item T) { tell(item, f.at) })
		return list, left
	}
	done := map[int]place{}
	f.move(all, func(item T) { done[f.number(item)] = f.at })
	if len(done) == 0 {
		return nil, 0
	}
	for item := range told.All() {
		if at, is := done[f.number(item)]; is {
			tell(item, at)
		}
	}
	return list, left
}

// id is where the stream is: base.kind-place.kind-place.
func (s *stream) id() string {
	text := strconv.FormatUint(s.base, 10)
	for _, f := range s.feeds {
		text += "." + f.name() + "-" + f.written().String()
	}
	return text
}

// resume takes up where an id says, and returns what it is relative to.
func (s *stream) resume(id string) (base uint64, err error) {
	wrong := fmt.Errorf("got %q, want the id of an event of a stream of the same things", id)
	text, rest, _ := strings.Cut(id, ".")
	if base, err = strconv.ParseUint(text, 10, 64); err != nil {
		return 0, wrong
	}
	parts := strings.Split(rest, ".")
	if len(parts) != len(s.feeds) {
		return 0, wrong
	}
	for i, f := range s.feeds {
		name, text, _ := strings.Cut(parts[i], "-")
		p, err := parsePlace(text)
		if err != nil || name != f.name() {
			return 0, wrong
		}
		f.seek(p)
	}
	return base, nil
}
