package query

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
)

// askable says why a filter cannot be asked of a span that is already decoded,
// or nil.
func askable(e expr.Expr) error {
	if err := e.Check(expr.Span); err != nil {
		return err
	}
	switch e.Op {
	case expr.Not, expr.Any:
		for _, sub := range e.Sub {
			if err := askable(sub); err != nil {
				return err
			}
		}
		return nil
	case expr.Func:
		if _, ok := e.Func.(func(Span) bool); ok {
			return nil
		}
	case expr.Child, expr.Descendant:
	default:
		if _, known := (Span{}).values(e.Key, e.Name); known {
			return nil
		}
	}
	return fmt.Errorf("filter %s: only a server's views can answer it, want one about the span itself", e)
}

// satisfies says whether a filter that is [askable] holds for the span, as it
// would in a view.
func (s Span) satisfies(e expr.Expr) bool {
	switch e.Op {
	case expr.Not:
		return !slices.ContainsFunc(e.Sub, s.satisfies)
	case expr.Any:
		return slices.ContainsFunc(e.Sub, s.satisfies)
	case expr.Func:
		match, ok := e.Func.(func(Span) bool)
		return ok && match(s)
	}
	values, _ := s.values(e.Key, e.Name)
	return slices.ContainsFunc(values, func(v Value) bool { return v.meets(e.Op, e.Arg) })
}

// satisfiesAll says whether all of the filters hold.
func (s Span) satisfiesAll(es []expr.Expr) bool {
	for _, e := range es {
		if !s.satisfies(e) {
			return false
		}
	}
	return true
}

// values is what filters compare of a span in a field: no value where there is
// none, and several where one of them is enough. It is not known of fields that
// spans do not have.
func (s Span) values(field expr.Key, name string) (list []Value, known bool) {
	switch field {
	case expr.Name:
		list = []Value{StringValue(s.Name)}
	case expr.Scope:
		list = []Value{StringValue(s.Scope.Name)}
	case expr.Service:
		list = first(s.Resource.Attrs, "service.name")
	case expr.Attr:
		list = first(s.Attrs, name)
	case expr.Resource:
		list = first(s.Resource.Attrs, name)
	case expr.Kind:
		list = []Value{IntValue(int64(s.Kind))}
	case expr.Status:
		list = []Value{IntValue(int64(s.Status.Code))}
	case expr.TraceID:
		list = []Value{StringValue(s.TraceID.String())}
	case expr.SpanID:
		list = []Value{StringValue(s.SpanID.String())}
	case expr.Root:
		if s.IsRoot() {
			list = []Value{BoolValue(true)}
		}
	case expr.Duration:
		if !s.Start.IsZero() && !s.End.IsZero() {
			list = []Value{IntValue(int64(s.Duration()))}
		}
	case expr.HasEvent:
		for _, e := range s.Events {
			list = append(list, StringValue(e.Name))
		}
	case expr.HasLink:
		for _, l := range s.Links {
			list = append(list, StringValue(l.TraceID.String()))
		}
	default:
		return nil, false
	}
	return list, true
}

// first is the value of the first attribute with that key, if there is one.
func first(attrs Attrs, key string) []Value {
	if v, ok := attrs.Lookup(key); ok {
		return []Value{v}
	}
	return nil
}

// meets says whether a value is what a filter wants.
func (v Value) meets(op expr.Op, arg any) bool {
	switch op {
	case expr.Exists:
		return true
	case expr.Equal:
		return v.is(arg)
	case expr.OneOf:
		list, _ := arg.([]any)
		return slices.ContainsFunc(list, v.is)
	case expr.Matches:
		pattern, _ := arg.(string)
		matched, err := regexp.MatchString(pattern, v.str)
		return v.kind == KindString && matched && err == nil
	case expr.Contains:
		part, ok := arg.(string)
		return v.kind == KindString && ok && strings.Contains(v.str, part)
	}
	order, ok := v.order(arg)
	switch {
	case !ok:
		return false
	case op == expr.Less:
		return order < 0
	case op == expr.AtMost:
		return order <= 0
	case op == expr.AtLeast:
		return order >= 0
	}
	return op == expr.More && order > 0
}

// plain is a filter's right side as a value.
func plain(arg any) (Value, bool) {
	switch a := arg.(type) {
	case expr.Label:
		return plain(a.Value)
	case time.Duration:
		return IntValue(int64(a)), true
	}
	v, err := ValueOf(arg)
	return v, err == nil
}

// is says whether a filter's right side is equal to the value: numbers by
// value, whether integers or doubles, NaN equal to NaN.
func (v Value) is(arg any) bool {
	want, ok := plain(arg)
	if order, numbers := v.order(arg); numbers {
		return order == 0
	}
	return ok && v.Equal(want)
}

// order compares two numbers, without rounding: below 0 where the value is
// less. It cannot where one is NaN.
func (v Value) order(arg any) (int, bool) {
	a, okA := v.number()
	w, _ := plain(arg)
	b, okB := w.number()
	if !okA || !okB {
		return 0, false
	}
	return a.Cmp(b), true
}

func (v Value) number() (*big.Float, bool) {
	switch {
	case v.kind == KindInt:
		return new(big.Float).SetInt64(v.Int()), true
	case v.kind == KindFloat && !math.IsNaN(v.Float()):
		return big.NewFloat(v.Float()), true
	}
	return nil, false
}

// field is a filter's field as the span has it, such as status=error, and its
// value, which is empty where there is none. It is not ok for filters that are
// not about a field that can be shown.
func (s Span) field(e expr.Expr) (text, value string, ok bool) {
	list, known := s.values(e.Key, e.Name)
	if !known || len(e.Sub) > 0 || e.Op == expr.Func || e.Key == expr.Root {
		return "", "", false
	}
	if len(list) == 0 {
		return e.Field() + ": missing", "", true
	}
	switch e.Key {
	case expr.Kind:
		value = s.Kind.String()
	case expr.Status:
		value = s.Status.Code.String()
	case expr.Duration:
		value = s.Duration().String()
	case expr.TraceID, expr.SpanID, expr.HasLink:
		value = list[0].Str()
	default:
		value = cut(list[0].String(), maxNameColumns)
	}
	return e.Field() + "=" + value, value, true
}
