package query

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/otlptest/otlptest/internal/expr"
)

// Source is what a [View] reads: a server's store, or a client of a server in
// another process. It is safe for concurrent use.
type Source[T any] interface {
	// Scan ranges over the items that match every filter, in the order in
	// which they were received. What it ranges over is fixed when the range
	// starts.
	Scan(where []Filter) iter.Seq[T]

	// Changed is closed when something may have changed since the call. It
	// is nil when nothing can change any more.
	Changed() <-chan struct{}

	// Explain says in lines of text, each indented by two spaces, which
	// items matched, which came closest and where they differ, and what
	// became of the exports.
	Explain(where []Filter) string
}

// View is a live list of the items that match some filters. It holds nothing
// itself: each call looks at what has been received by then. The zero View is
// not valid. Views are safe for concurrent use.
type View[T any] struct {
	src   Source[T]
	where []Filter
}

// NewView makes a view of all items of a source that match every filter.
func NewView[T any](src Source[T], where ...Filter) View[T] {
	return View[T]{src, slices.Clone(where)}
}

// Source is what the view reads.
func (v View[T]) Source() Source[T] { return v.src }

// Where is the view narrowed by further filters.
func (v View[T]) Where(where ...Filter) View[T] {
	return View[T]{v.src, slices.Concat(v.where, where)}
}

// Err says why a filter cannot apply to this kind of item, or has a value that
// cannot be, and is nil otherwise. A view with an error has no items.
func (v View[T]) Err() error {
	return check(v.src, itemsOf[T](), v.where)
}

// check is Err of a view: what is not generic is compiled once.
func check(src any, items expr.Items, where []Filter) error {
	for _, f := range where {
		if err := f.e.Check(items); err != nil {
			return err
		}
	}
	if src, ok := src.(choosy); ok {
		return src.Check(where)
	}
	return nil
}

// choosy is a source that cannot be asked every filter that applies to its
// items. Check says why.
type choosy interface{ Check(where []Filter) error }

// fixed is a source of decoded items that never change.
type fixed interface{ fixed() }

// All ranges over the matching items in the order in which they were received.
// The range is a snapshot of the moment it starts, may be used again for a new
// one, and never keeps the backend from receiving.
func (v View[T]) All() iter.Seq[T] {
	if v.Err() != nil {
		return func(func(T) bool) {}
	}
	return v.src.Scan(v.where)
}

// Slice is the matching items as of now.
func (v View[T]) Slice() []T { return slices.Collect(v.All()) }

// Len is how many items match as of now.
func (v View[T]) Len() int {
	n := 0
	for range v.All() {
		n++
	}
	return n
}

// String is the filters in the grammar of package where.
func (v View[T]) String() string { return expr.Join(Exprs(v.where), " ") }

// Wait waits until at least n items match and returns them all. It returns
// early with what there is and an error when ctx ends, which is then in the
// error's chain, when the backend is closed, and at once for a view with an
// error. The error's text is the whole diagnosis.
func (v View[T]) Wait(ctx context.Context, n int) ([]T, error) {
	if err := v.Err(); err != nil {
		return nil, err
	}
	start := time.Now()
	for {
		changed := v.src.Changed() // before looking, so that nothing is missed
		items := v.Slice()
		if len(items) >= n {
			return items, nil
		}
		if changed == nil {
			return items, v.mismatch(len(items), start, n, ErrClosed)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			if items = v.Slice(); len(items) >= n {
				return items, nil
			}
			return items, v.mismatch(len(items), start, n, ctx.Err())
		}
	}
}

// ErrClosed is in the chain of a wait's error when the backend was closed, so
// that nothing more could come.
var ErrClosed = fmt.Errorf("the backend is closed")

func (v View[T]) mismatch(got int, start time.Time, n int, cause error) error {
	text := v.Explain(got, time.Since(start), fmt.Sprintf("at least %d", n))
	return &waitError{text + missing(v.src, v.where, got, cause), cause}
}

// missing is what a wait adds that ended too soon.
func missing(src any, where []Filter, got int, cause error) (text string) {
	if src, ok := src.(hinting); ok && got > 0 && cause != ErrClosed {
		text += "\n" + strings.TrimRight(src.Missing(where), "\n")
	}
	if _, always := src.(fixed); cause == ErrClosed && !always {
		text += "\n  " + cause.Error() + ": nothing more can arrive"
	}
	return text
}

// hinting is a source that knows what may keep items away where some have come
// and more are wanted, in lines as those of Explain.
type hinting interface{ Missing(where []Filter) string }

type waitError struct {
	text  string
	cause error
}

func (e *waitError) Error() string { return e.text }
func (e *waitError) Unwrap() error { return e.cause }

// Explain is the diagnosis of an expectation that failed: how many items were
// got, after how long (0: not waited for), what was wanted in words, and why.
func (v View[T]) Explain(got int, waited time.Duration, want string) string {
	return counted(itemsOf[T](), v.where, got, waited, want) + strings.TrimRight("\n"+v.src.Explain(v.where), "\n")
}

// counted is the first line of a diagnosis.
func counted(items expr.Items, where []Filter, got int, waited time.Duration, want string) string {
	text := "got " + plural(got, strings.TrimSuffix(items.String(), "s"))
	if waited > 0 {
		text += " in " + Round(waited).String()
	}
	text += ", want " + want
	if len(where) > 0 {
		text += asked(where, len(text))
	}
	return text
}

// asked is the filters behind so many columns of text: on the same line if that
// stays short, and otherwise on lines of their own.
func asked(where []Filter, column int) string {
	const before, most = len("otlptest: Exactly: "), 100
	text := " where " + expr.Join(Exprs(where), " ")
	if before+column+utf8.RuneCountInString(text) <= most {
		return text
	}
	var b strings.Builder
	label := "where"
	column = most
	for _, f := range where {
		text := f.String()
		if column += 1 + utf8.RuneCountInString(text); column > most {
			fmt.Fprintf(&b, "\n  %-8s", label)
			label = ""
			column = 11 + utf8.RuneCountInString(text)
		}
		b.WriteString(" " + text)
	}
	return b.String()
}

// Round rounds a duration for reading to about three digits.
func Round(d time.Duration) time.Duration {
	for _, unit := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= unit || -d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}
