package store

import (
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/internal/wire"
	"github.com/otlptest/otlptest/query"
)

// stands says how an item stands to one term, which holds for it or not. It is
// empty where the item's title says it already.
func (t explained) stands(it *wire.Item, holds bool) string {
	switch t.Op {
	case expr.Not, expr.Any, expr.Func:
		return whole(t.Expr, holds)
	case expr.Child, expr.Descendant:
		if !holds {
			return t.String() + ": " + t.parent(it)
		}
		return t.String()
	}
	if t.Key == expr.Root || t.Key == expr.Monotonic {
		return alone(t.Expr, holds)
	}
	got, found := it.Field(t.Expr)
	if holds {
		return t.has(got)
	}
	switch {
	case !found:
		return t.lacks(it)
	case t.Key == expr.Since:
		return "since: it arrived before, want it after " + t.Want()
	}
	return fmt.Sprintf("%s: got %s, want %s", t.Field(), t.told(got), t.Want())
}

// whole is a term that is not taken apart.
func whole(e expr.Expr, holds bool) string {
	if holds {
		return e.String()
	}
	return "does not hold: " + e.String()
}

// parent says who a span's parent is.
func (t explained) parent(it *wire.Item) string {
	s := it.Span()
	if s.IsRoot() {
		return "it has no parent"
	}
	name, ok := t.names()[spanIDs{s.TraceID, s.ParentSpanID}]
	if !ok {
		return "its parent was not received"
	}
	return "its parent is " + name
}

// spanIDs is the ids of a span.
type spanIDs struct {
	trace query.TraceID
	span  query.SpanID
}

// namesOf is what each span is called, found out when it is first asked for.
func namesOf(spans iter.Seq[*wire.Item]) func() map[spanIDs]string {
	return sync.OnceValue(func() map[spanIDs]string {
		names := map[spanIDs]string{}
		for it := range spans {
			s := it.Span()
			names[spanIDs{s.TraceID, s.SpanID}] = title(it, query.Traces)
		}
		return names
	})
}

// alone is a term that takes no value.
func alone(e expr.Expr, holds bool) string {
	switch {
	case holds:
		return e.String()
	case e.Key == expr.Root:
		return "root: it has a parent"
	}
	return "not " + e.String()
}

// has writes a field for which the term holds.
func (t explained) has(got query.Value) string {
	switch {
	case t.Key == expr.Name:
		return ""
	case t.Key == expr.Since:
		return t.String()
	}
	return t.Field() + "=" + t.shown(got)
}

// lacks writes a field that is not there.
func (t explained) lacks(it *wire.Item) string {
	text := t.Field() + ": missing"
	if t.Op != expr.Exists {
		text += ", want " + t.Want()
	}
	return text + elsewhere(it, t.Expr)
}

// told is a field's value, with its type where no such value can be what is
// wanted.
func (t explained) told(got query.Value) string {
	text := t.shown(got)
	if t.mixed() && !t.fits(got.Kind()) {
		text += " (" + got.Kind().String() + ")"
	}
	return text
}

// mixed says whether the field's values are of several types.
func (t explained) mixed() bool {
	return t.Key == expr.Attr || t.Key == expr.Resource || t.Key == expr.Body
}

// fits says whether a value of a kind can be what is wanted.
func (t explained) fits(kind query.ValueKind) bool {
	args, ok := t.Arg.([]any)
	if !ok {
		args = []any{t.Arg}
	}
	for _, arg := range args {
		want, err := query.ValueOf(arg)
		if err != nil || want.Kind() == kind || number(want.Kind()) && number(kind) {
			return true
		}
	}
	return false
}

func number(k query.ValueKind) bool { return k == query.KindInt || k == query.KindFloat }

// shown writes a field's value: bare, where the grammar does not quote what it
// is compared with.
func (t explained) shown(v query.Value) string {
	if v.Kind() == query.KindArray && !t.mixed() {
		var texts []string
		for _, one := range v.Array() {
			texts = append(texts, t.shown(one))
		}
		return short(strings.Join(texts, " "))
	}
	if t.quoted() || v.Kind() != query.KindString {
		return short(v.String())
	}
	return v.Str()
}

// quoted says whether the field's strings stand in quotes.
func (t explained) quoted() bool {
	if t.mixed() || t.Op == expr.Exists {
		return true
	}
	arg := t.Arg
	if list, ok := arg.([]any); ok && len(list) > 0 {
		arg = list[0]
	}
	_, text := arg.(string)
	return text
}

// elsewhere says where an attribute that is missing stands instead: on the
// resource rather than on the item, or the other way round.
func elsewhere(it *wire.Item, e expr.Expr) string {
	other := e
	switch e.Key {
	case expr.Attr:
		other.Key = expr.Resource
	case expr.Resource:
		other.Key = expr.Attr
	default:
		return ""
	}
	v, ok := it.Field(other)
	if !ok {
		return ""
	}
	return fmt.Sprintf(" (it has %s=%s)", other.Field(), short(v.String()))
}

// missed says of an export that does not match in which of the terms about
// exports it differs.
func (f exportFilter) missed(r *Record) string {
	it := wire.Exported(f.origin(r))
	var texts []string
	for _, e := range f.export {
		t := explained{Expr: e, alone: wire.Compile([]expr.Expr{e})}
		if !it.Match(t.alone) {
			texts = append(texts, t.stands(it, false))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return " (" + strings.Join(texts, ", ") + ")"
}
