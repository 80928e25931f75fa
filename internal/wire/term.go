package wire

import (
	"math"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

const everyItem = expr.Span | expr.Point | expr.Log

// term is one node of a filter's tree, ready to be evaluated.
type term struct {
	items expr.Items // what it can apply to
	level level
	cost  cost
	holds func(*Item) bool
}

// cost orders the terms of a level: the cheap ones are asked first.
type cost uint8

const (
	looks cost = iota
	searches
	decodes
)

// never is a term that cannot work.
var never = term{holds: func(*Item) bool { return false }}

func compile(e expr.Expr) term {
	switch {
	case e.Err != nil:
		return never
	case e.Op == expr.Equal:
		return compileEqual(e)
	case e.Op == expr.Exists:
		return compileExists(e)
	case e.Op == expr.Not && len(e.Sub) == 1:
		return compileNot(e.Sub[0])
	case e.Op == expr.Any:
		return compileAny(e.Sub)
	case e.Op == expr.Func:
		return compileFunc(e.Func)
	}
	return never
}

func compileEqual(e expr.Expr) term {
	f, ok := fields[e.Key]
	want, valid := argument(e)
	if !ok || !valid {
		return never
	}
	return f.term(func(it *Item) bool {
		v, _ := f.value(it, e.Name)
		return v.equal(want)
	})
}

func compileExists(e expr.Expr) term {
	f, ok := fields[e.Key]
	if !ok {
		return never
	}
	return f.term(func(it *Item) bool {
		_, found := f.value(it, e.Name)
		return found
	})
}

// compileNot makes a term that applies to what the negated one applies to.
func compileNot(e expr.Expr) term {
	t := compile(e)
	holds := t.holds
	t.holds = func(it *Item) bool { return !holds(it) }
	return t
}

// argument is a term's right side in the form that the field's values have.
func argument(e expr.Expr) (v value, ok bool) {
	arg := e.Arg
	if l, ok := arg.(expr.Label); ok {
		arg = l.Value
	}
	switch a := arg.(type) {
	case string:
		if e.Key == expr.TraceID {
			id, err := query.ParseTraceID(a)
			return value{kind: query.KindBytes, raw: id[:]}, err == nil
		}
		return value{kind: query.KindString, raw: []byte(a)}, true
	case bool:
		return boolValue(a), true
	case int64:
		return value{kind: query.KindInt, num: uint64(a)}, true
	case float64:
		return value{kind: query.KindFloat, num: math.Float64bits(a)}, true
	}
	return value{}, false
}

// compileAny makes a term that holds if one of several does. It applies only
// where all of them do.
func compileAny(es []expr.Expr) term {
	subs := make([]term, len(es))
	t := term{items: everyItem}
	for i, e := range es {
		subs[i] = compile(e)
		t.items &= subs[i].items
		t.level = max(t.level, subs[i].level)
		t.cost = max(t.cost, subs[i].cost)
	}
	t.holds = func(it *Item) bool {
		for i := range subs {
			if subs[i].holds(it) {
				return true
			}
		}
		return false
	}
	return t
}

func compileFunc(fn any) term {
	switch fn := fn.(type) {
	case func(query.Span) bool:
		return call(expr.Span, ofItem, fn, (*Item).Span)
	case func(query.Point) bool:
		return call(expr.Point, ofItem, fn, (*Item).Point)
	case func(query.Log) bool:
		return call(expr.Log, ofItem, fn, (*Item).Log)
	case func(query.Export) bool:
		return call(everyItem, ofResource, fn, (*Item).export)
	}
	return never
}

// call is a term that calls a function with what it takes.
func call[T any](items expr.Items, l level, fn func(T) bool, arg func(*Item) T) term {
	if fn == nil {
		return never
	}
	return term{items: items, level: l, cost: decodes, holds: func(it *Item) bool { return fn(arg(it)) }}
}
