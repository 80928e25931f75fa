package wire

import (
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// This file says what filters mean, written from the decoded items and not from
// the bytes, to compare the matcher with.

// world is all that a filter can look at.
type world struct {
	spans  []query.Span
	export carrier
}

// carrier is an export with one value of everything.
type carrier struct{ origin }

func (carrier) Protocol() query.Protocol { return query.HTTPJSON }

func (carrier) Header(name string) []string {
	return map[string][]string{"x-tenant": {"a", "b"}}[name]
}

func (c carrier) Number() int          { return int(c.origin) }
func (c carrier) Place() int64         { return 10 + int64(c.origin) }
func (carrier) Outcome() query.Outcome { return query.Partial }
func (carrier) Attempt() int           { return 2 }

// naive says whether a filter holds for an item, which is a query.Span,
// query.Point or query.Log.
func (w world) naive(e expr.Expr, item any) bool {
	sub := func(s expr.Expr) bool { return w.naive(s, item) }
	switch e.Op {
	case expr.Not:
		return !sub(e.Sub[0])
	case expr.Any:
		return slices.ContainsFunc(e.Sub, sub)
	case expr.Child, expr.Descendant:
		return w.related(e, item.(query.Span), map[query.SpanID]bool{})
	}
	values, there := w.values(e, item)
	if e.Op == expr.Exists {
		return there
	}
	return slices.ContainsFunc(values, func(v query.Value) bool { return wanted(e.Op, e.Arg, v) })
}

// related says whether a parent of the span matches or, for a descendant, is
// one itself. It passes over spans that it has seen.
func (w world) related(e expr.Expr, s query.Span, seen map[query.SpanID]bool) bool {
	if s.ParentSpanID.IsZero() || s.TraceID.IsZero() || seen[s.ParentSpanID] {
		return false
	}
	seen[s.ParentSpanID] = true
	for _, p := range w.spans {
		if p.TraceID != s.TraceID || p.SpanID != s.ParentSpanID {
			continue
		}
		matches := !slices.ContainsFunc(e.Sub, func(sub expr.Expr) bool { return !w.naive(sub, p) })
		if matches || e.Op == expr.Descendant && w.related(e, p, seen) {
			return true
		}
	}
	return false
}

// values is what a field has to be compared, and whether it is there.
func (w world) values(e expr.Expr, item any) (list []query.Value, there bool) {
	if list, ok := w.ofExport(e); ok {
		return list, len(list) > 0
	}
	switch item := item.(type) {
	case query.Span:
		return ofSpan(e, item)
	case query.Point:
		return ofPoint(e, item)
	}
	return ofLog(e, item.(query.Log))
}

func (w world) ofExport(e expr.Expr) ([]query.Value, bool) {
	c := w.export
	switch e.Key {
	case expr.Protocol:
		return texts(string(c.Protocol())), true
	case expr.Header:
		return texts(c.Header(e.Name)...), true
	case expr.InExport:
		return ints(int64(c.Number())), true
	case expr.Since:
		if mark := e.Arg.(expr.Label).Value.(int64); c.Place() > mark {
			return ints(mark), true
		}
		return nil, true
	}
	return nil, false
}

func ofSpan(e expr.Expr, s query.Span) ([]query.Value, bool) {
	switch e.Key {
	case expr.Name:
		return texts(s.Name), s.Name != ""
	case expr.Kind:
		return ints(int64(s.Kind)), true
	case expr.Status:
		return ints(int64(s.Status.Code)), true
	case expr.TraceID:
		return texts(s.TraceID.String()), !s.TraceID.IsZero()
	case expr.SpanID:
		return texts(s.SpanID.String()), !s.SpanID.IsZero()
	case expr.Root:
		return nil, s.IsRoot()
	case expr.Duration:
		if s.Start.IsZero() || s.End.IsZero() {
			return nil, false
		}
		return ints(int64(s.Duration())), true
	case expr.HasEvent:
		for _, ev := range s.Events {
			if slices.ContainsFunc(texts(ev.Name), func(v query.Value) bool { return wanted(e.Op, e.Arg, v) }) {
				return texts(ev.Name), true
			}
		}
		return nil, false
	case expr.HasLink:
		for _, l := range s.Links {
			if wanted(e.Op, e.Arg, query.StringValue(l.TraceID.String())) {
				return texts(l.TraceID.String()), true
			}
		}
		return nil, false
	case expr.During:
		start, end := s.Start, s.End
		if start.IsZero() {
			start = end
		}
		if end.IsZero() {
			end = start
		}
		return during(e, start, end)
	}
	return shared(e, s.Attrs, s.Resource, s.Scope)
}

func ofPoint(e expr.Expr, p query.Point) ([]query.Value, bool) {
	switch e.Key {
	case expr.Name:
		return texts(p.Name), p.Name != ""
	case expr.Unit:
		return texts(p.Unit), p.Unit != ""
	case expr.Type:
		return texts(string(p.Type)), true
	case expr.Temporality:
		return ints(int64(p.Temporality)), true
	case expr.Monotonic:
		return nil, p.Monotonic
	case expr.During:
		return during(e, p.Time, p.Time)
	}
	return shared(e, p.Attrs, p.Resource, p.Scope)
}

func ofLog(e expr.Expr, l query.Log) ([]query.Value, bool) {
	switch e.Key {
	case expr.TraceID:
		return texts(l.TraceID.String()), !l.TraceID.IsZero()
	case expr.SpanID:
		return texts(l.SpanID.String()), !l.SpanID.IsZero()
	case expr.Severity:
		return ints(int64(l.Severity)), true
	case expr.Body:
		return []query.Value{l.Body}, !l.Body.IsEmpty()
	case expr.Event:
		return texts(l.EventName), l.EventName != ""
	case expr.During:
		t := l.Time
		if t.IsZero() {
			t = l.ObservedTime
		}
		return during(e, t, t)
	}
	return shared(e, l.Attrs, l.Resource, l.Scope)
}

func shared(e expr.Expr, attrs query.Attrs, r query.Resource, s query.Scope) ([]query.Value, bool) {
	name := e.Name
	switch e.Key {
	case expr.Scope:
		return texts(s.Name), s.Name != ""
	case expr.Resource:
		attrs = r.Attrs
	case expr.Service:
		attrs, name = r.Attrs, "service.name"
	}
	v, ok := attrs.Lookup(name)
	return []query.Value{v}, ok
}

// during gives the window where the times overlap it.
func during(e expr.Expr, from, to time.Time) ([]query.Value, bool) {
	text := e.Arg.(expr.Label).Text
	first, last, _ := strings.Cut(text, "/")
	start, err1 := time.Parse(time.RFC3339Nano, first)
	end, err2 := time.Parse(time.RFC3339Nano, last)
	if err1 != nil || err2 != nil || from.IsZero() || from.After(end) || to.Before(start) {
		return nil, false
	}
	return texts(""), true // which is what bounds says of a window
}

func texts(list ...string) (vs []query.Value) {
	for _, s := range list {
		vs = append(vs, query.StringValue(s))
	}
	return vs
}

func ints(i int64) []query.Value { return []query.Value{query.IntValue(i)} }

// wanted says whether a value is what a comparison wants.
func wanted(op expr.Op, arg any, v query.Value) bool {
	switch op {
	case expr.OneOf:
		return slices.ContainsFunc(arg.([]any), func(a any) bool { return wanted(expr.Equal, a, v) })
	case expr.Matches:
		return v.Kind() == query.KindString && regexp.MustCompile(arg.(string)).MatchString(v.Str())
	case expr.Contains:
		return v.Kind() == query.KindString && strings.Contains(v.Str(), arg.(string))
	}
	low, high := bounds(arg)
	switch n, number := exact(v); {
	case !number && op == expr.Equal:
		return v.Kind() == low.Kind() && v.Equal(low)
	case !number:
		return false
	default:
		l, ok := exact(low)
		h, _ := exact(high)
		return ok && ordered(op, n.Cmp(l), n.Cmp(h))
	}
}

// bounds is the least and the greatest value that an argument stands for.
func bounds(arg any) (low, high query.Value) {
	switch a := arg.(type) {
	case expr.Label:
		return bounds(a.Value)
	case expr.Range:
		return query.IntValue(a.Low), query.IntValue(a.High)
	case expr.Window:
		return bounds("")
	case time.Duration:
		return bounds(int64(a))
	}
	v, err := query.ValueOf(arg)
	if err != nil {
		panic(err)
	}
	return v, v
}

func ordered(op expr.Op, low, high int) bool {
	switch op {
	case expr.Less:
		return low < 0
	case expr.AtMost:
		return high <= 0
	case expr.AtLeast:
		return low >= 0
	case expr.More:
		return high > 0
	}
	return low >= 0 && high <= 0
}

// exact is a number without rounding.
func exact(v query.Value) (*big.Float, bool) {
	switch v.Kind() {
	case query.KindInt:
		return new(big.Float).SetInt64(v.Int()), true
	case query.KindFloat:
		if !math.IsNaN(v.Float()) {
			return big.NewFloat(v.Float()), true
		}
	}
	return nil, false
}
