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

// stands says how an item stands to one term, which holds for it or not, and
// whether there is something to remark, so that it may nearly hold. It is empty
// where the item's title says it already.
func (t explained) stands(it *wire.Item, holds bool) (text string, remarked bool) {
	switch t.Op {
	case expr.Not, expr.Any, expr.Func:
		return whole(t.Expr, holds), false
	case expr.Child, expr.Descendant:
		return t.related(it, holds)
	}
	if t.Key == expr.Root || t.Key == expr.Monotonic {
		return t.bare(it, holds), false
	}
	got, found := it.Field(t.Expr)
	if holds {
		return t.has(got), false
	}
	text = t.differs(got, found)
	if remark := t.remark(it, got, found); remark != "" {
		return text + " (" + remark + ")", true
	}
	return text, false
}

// differs is a field against what was wanted of it.
func (t explained) differs(got query.Value, found bool) string {
	switch {
	case t.Key == expr.Since:
		return "since: it arrived before, want it after " + t.Want()
	case found:
		return fmt.Sprintf("%s: got %s, want %s", t.Field(), t.told(got), t.wanted(got))
	case t.Op == expr.Exists:
		return t.Field() + ": missing"
	}
	return t.Field() + ": missing, want " + t.Want()
}

// whole is a term that is not taken apart.
func whole(e expr.Expr, holds bool) string {
	if holds {
		return e.String()
	}
	return "does not hold: " + e.String()
}

// related says how a span stands to its ancestors.
func (t explained) related(it *wire.Item, holds bool) (text string, remarked bool) {
	if holds {
		return t.String(), false
	}
	text = t.String() + ": " + t.parent(it)
	if t.Op == expr.Child && it.Match(t.above) {
		return text + " (it stands further up: where.Descendant finds it)", true
	}
	if it.Span().IsRoot() {
		return text + " (was its parent's context handed to Start?)", false
	}
	return text, false
}

// parent says who a span's parent is.
func (t explained) parent(it *wire.Item) string {
	s := it.Span()
	if s.IsRoot() {
		return "it has no parent"
	}
	name, ok := t.names()[spanIDs{s.TraceID, s.ParentSpanID}]
	if !ok {
		return fmt.Sprintf("its parent %s was not received", s.ParentSpanID)
	}
	return "its parent is " + name
}

// spanIDs is the ids of a span.
type spanIDs struct {
	trace query.TraceID
	span  query.SpanID
}

func idsOf(it *wire.Item) spanIDs {
	s := it.Span()
	return spanIDs{s.TraceID, s.SpanID}
}

// namesOf is what each span is called, found out when it is first asked for.
func namesOf(spans iter.Seq[*wire.Item]) func() map[spanIDs]string {
	return sync.OnceValue(func() map[spanIDs]string {
		names := map[spanIDs]string{}
		for it := range spans {
			names[idsOf(it)] = title(it, query.Traces)
		}
		return names
	})
}

// bare is a term that takes no value.
func (t explained) bare(it *wire.Item, holds bool) string {
	switch {
	case holds:
		return t.String()
	case t.Key == expr.Root:
		return "root: " + t.parent(it)
	}
	return "not " + t.String()
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

// told is a field's value, with its type where no such value can be what is
// wanted.
func (t explained) told(got query.Value) string {
	text := t.shown(got)
	if t.mistyped(got) {
		text += " (" + got.Kind().String() + ")"
	}
	return text
}

// wanted is what is wanted of the field, with its type where that is what is
// wrong.
func (t explained) wanted(got query.Value) string {
	if want, err := query.ValueOf(t.Arg); err == nil && t.mistyped(got) {
		return fmt.Sprintf("%s (%s)", t.Want(), want.Kind())
	}
	return t.Want()
}

func (t explained) mistyped(got query.Value) bool { return t.mixed() && !t.fits(got.Kind()) }

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

// missed says of an export that does not match in which of the terms about
// exports it differs.
func (f exportFilter) missed(r *Record) string {
	it := wire.Exported(f.origin(r))
	var texts []string
	for _, e := range f.export {
		t := explained{Expr: e, alone: wire.Compile([]expr.Expr{e})}
		if !it.Match(t.alone) {
			text, _ := t.stands(it, false)
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return " (" + strings.Join(texts, ", ") + ")"
}
