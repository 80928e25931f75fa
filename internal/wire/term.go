package wire

import (
	"iter"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

const everyItem = expr.Item

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
	relates
	decodes
)

// never is a term that cannot work.
var never = term{holds: func(*Item) bool { return false }}

// compiler makes terms of filters. Parents are looked for among the spans,
// which are none where it has none.
type compiler struct {
	spans iter.Seq[*Item]
}

func (c compiler) compile(e expr.Expr) term {
	switch {
	case e.Err != nil:
		return never
	case e.Op == expr.Exists:
		return compileExists(e)
	case e.Op == expr.Not && len(e.Sub) == 1:
		return c.compileNot(e.Sub[0])
	case e.Op == expr.Any:
		return c.compileAny(e.Sub)
	case e.Op == expr.Child || e.Op == expr.Descendant:
		return c.compileRelation(e)
	case e.Op == expr.Func:
		return compileFunc(e.Func)
	}
	return compileComparison(e)
}

func compileComparison(e expr.Expr) term {
	switch e.Key {
	case expr.During:
		return compileDuring(e)
	case expr.Since:
		e.Op = expr.More
	}
	f, ok := fields[e.Key]
	test, valid := compileTest(e)
	if !ok || !valid {
		return never
	}
	if f.some != nil {
		return f.term(func(it *Item) bool { return f.some(it, e.Name, test) })
	}
	return f.term(func(it *Item) bool {
		v, _ := f.value(it, e.Name)
		return test(v)
	})
}

func compileExists(e expr.Expr) term {
	f, ok := fields[e.Key]
	if !ok {
		return never
	}
	if f.some != nil {
		return f.term(func(it *Item) bool { return f.some(it, e.Name, anyValue) })
	}
	return f.term(func(it *Item) bool {
		_, found := f.value(it, e.Name)
		return found
	})
}

// compileNot makes a term that applies to what the negated one applies to.
func (c compiler) compileNot(e expr.Expr) term {
	t := c.compile(e)
	holds := t.holds
	t.holds = func(it *Item) bool { return !holds(it) }
	return t
}

// compileAny makes a term that holds if one of several does. It applies only
// where all of them do.
func (c compiler) compileAny(es []expr.Expr) term {
	subs, t := c.compileAll(es)
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

// compileAll makes several terms, and one that applies where all of them do.
func (c compiler) compileAll(es []expr.Expr) (subs []term, t term) {
	subs = make([]term, len(es))
	t = term{items: everyItem | expr.Export}
	for i, e := range es {
		subs[i] = c.compile(e)
		t.items &= subs[i].items
		t.level = max(t.level, subs[i].level)
		t.cost = max(t.cost, subs[i].cost)
	}
	return subs, t
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
		return call(everyItem|expr.Export, ofExport, fn, (*Item).export)
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
