package expr_test

import (
	"errors"
	"testing"
	"time"

	"github.com/otlptest/otlptest/internal/expr"
)

var (
	name    = expr.Expr{Key: expr.Name, Arg: "a"}
	attempt = expr.Expr{Key: expr.Attempt, Arg: int64(2)}
	header  = expr.Expr{Op: expr.Exists, Key: expr.Header, Name: "x-tenant"}
)

func not(e expr.Expr) expr.Expr { return expr.Expr{Op: expr.Not, Sub: []expr.Expr{e}} }

func either(es ...expr.Expr) expr.Expr { return expr.Expr{Op: expr.Any, Sub: es} }

func child(e expr.Expr) expr.Expr { return expr.Expr{Op: expr.Child, Sub: []expr.Expr{e}} }

func TestWhatFiltersAreAbout(t *testing.T) {
	for _, c := range []struct {
		e           expr.Expr
		aboutExport bool
		among       expr.Items
	}{
		{name, false, expr.Span | expr.Point},
		{attempt, true, expr.Item},
		{header, true, expr.Item},
		{not(attempt), true, expr.Item},
		{either(attempt, header), true, expr.Item},
		{either(attempt, name), false, expr.Span | expr.Point},
		{either(), false, expr.Item},
		{child(header), false, expr.Span},
		{expr.Expr{Op: expr.Func, For: expr.Export}, true, expr.Item},
		{expr.Expr{Op: expr.Func, For: expr.Log}, false, expr.Log},
	} {
		if got := c.e.AboutExport(); got != c.aboutExport {
			t.Errorf("%s is about exports: got %t, want %t", c.e, got, c.aboutExport)
		}
		if got := c.e.Among(); got != c.among {
			t.Errorf("%s is among: got %s, want %s", c.e, got, c.among)
		}
	}
}

func TestAParentIsASpanWhateverIsAsked(t *testing.T) {
	severity := expr.Expr{Op: expr.AtLeast, Key: expr.Severity, Arg: expr.Label{Text: "error"}}
	for _, to := range []expr.Items{expr.Span, expr.Export, expr.Trace} {
		if err := child(name).Check(to); err != nil {
			t.Errorf("%s: %v", to, err)
		}
		if err := child(severity).Check(to); err == nil {
			t.Errorf("%s: got no error of %s", to, child(severity))
		}
	}
	if err := child(name).Check(expr.Log); err == nil {
		t.Error("got no error of a child among logs")
	}
	bad := errors.New("bad")
	if err := not(child(expr.Expr{Key: expr.Name, Err: bad})).Check(expr.Span); !errors.Is(err, bad) {
		t.Errorf("got %v, want the error within", err)
	}
}

func TestWhatIsWantedInWords(t *testing.T) {
	for want, e := range map[string]expr.Expr{
		`"a"`:                   name,
		"500 or more":           {Op: expr.AtLeast, Arg: int64(500)},
		"500 or less":           {Op: expr.AtMost, Arg: int64(500)},
		"more than 0.5":         {Op: expr.More, Arg: 0.5},
		"less than 1.5us":       {Op: expr.Less, Arg: 1500 * time.Nanosecond},
		"at least 1s":           {Op: expr.AtLeast, Arg: time.Second},
		"at most 1s":            {Op: expr.AtMost, Arg: time.Second},
		`a match of "^a"`:       {Op: expr.Matches, Arg: "^a"},
		`one that contains "a"`: {Op: expr.Contains, Arg: "a"},
		`one of 200, "x"`:       {Op: expr.OneOf, Arg: []any{int64(200), "x"}},
		"error":                 {Arg: expr.Label{Text: "error"}},
	} {
		if got := e.Want(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
