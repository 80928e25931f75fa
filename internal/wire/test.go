package wire

import (
	"bytes"
	"math"
	"regexp"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// test says whether a value is what a comparison wants.
type test func(value) bool

func anyValue(value) bool { return true }

// compileTest makes the test of a comparison. It is false where the comparison
// or its argument cannot be.
func compileTest(e expr.Expr) (t test, ok bool) {
	if e.Op == expr.OneOf {
		return compileOneOf(e)
	}
	if text, ok := e.Arg.(string); ok && (e.Op == expr.Matches || e.Op == expr.Contains) {
		return compileSearch(e.Op, text)
	}
	low, high, ok := argument(e.Key, e.Arg)
	if !ok {
		return nil, false
	}
	switch e.Op {
	case expr.Equal:
		if low.kind == high.kind && low.num == high.num {
			return low.equal, true
		}
		return func(v value) bool { return atLeast(v, low) && atLeast(high, v) }, true
	case expr.AtLeast:
		return func(v value) bool { return atLeast(v, low) }, true
	case expr.AtMost:
		return func(v value) bool { return atLeast(high, v) }, true
	case expr.More:
		return func(v value) bool { return more(v, high) }, true
	case expr.Less:
		return func(v value) bool { return more(low, v) }, true
	}
	return nil, false
}

func compileOneOf(e expr.Expr) (t test, ok bool) {
	list, _ := e.Arg.([]any)
	tests := make([]test, len(list))
	for i, arg := range list {
		if tests[i], ok = compileTest(expr.Expr{Key: e.Key, Arg: arg}); !ok {
			return nil, false
		}
	}
	return func(v value) bool {
		for _, t := range tests {
			if t(v) {
				return true
			}
		}
		return false
	}, len(tests) > 0
}

func compileSearch(op expr.Op, text string) (t test, ok bool) {
	if op == expr.Contains {
		part := []byte(text)
		return func(v value) bool { return v.kind == query.KindString && bytes.Contains(v.raw, part) }, true
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, false
	}
	return func(v value) bool { return v.kind == query.KindString && re.Match(v.raw) }, true
}

// argument is a term's right side in the form that the field's values have: the
// least and the greatest value that it stands for.
func argument(key expr.Key, arg any) (low, high value, ok bool) {
	if l, ok := arg.(expr.Label); ok {
		arg = l.Value
	}
	if r, ok := arg.(expr.Range); ok {
		return intValue(r.Low), intValue(r.High), true
	}
	v, ok := single(key, arg)
	return v, v, ok
}

func single(key expr.Key, arg any) (v value, ok bool) {
	switch a := arg.(type) {
	case string:
		switch key {
		case expr.TraceID, expr.HasLink:
			id, err := query.ParseTraceID(a)
			return value{kind: query.KindBytes, raw: id[:]}, err == nil
		case expr.SpanID:
			id, err := query.ParseSpanID(a)
			return value{kind: query.KindBytes, raw: id[:]}, err == nil
		}
		return value{kind: query.KindString, raw: []byte(a)}, true
	case bool:
		return boolValue(a), true
	case int64:
		return intValue(a), true
	case time.Duration:
		return intValue(int64(a)), true
	case float64:
		return value{kind: query.KindFloat, num: math.Float64bits(a)}, true
	}
	return value{}, false
}
