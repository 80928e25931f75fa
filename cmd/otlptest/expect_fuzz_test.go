package main

import (
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// Whatever filters package where reads, and writes, stand in an expectation as
// they do everywhere else, and what is wrong with one is told.
func FuzzExpectation(f *testing.F) {
	for _, seed := range []string{
		`name="checkout" attr.http.route="/pay"`, `name="a|b" not kind=client`, `body~"a\"|b" severity>=error`, `(name="x" or root) duration>1s`,
		`child(name="|")`, `attr."a | b"="\\"`, `spans | >= 1`, `"`, `name=|`, `name=a|b`, "no loss", "max attempts 5", "", "points | total == 1e9",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parseExpectation(text); err != nil && !strings.HasPrefix(err.Error(), "expectation ") {
			t.Errorf("%q: got error %v, want it to name the expectation", text, err)
		}
		filters, wrong := where.Parse(text)
		view := query.NewView[query.Span](nil, filters...)
		if wrong == nil {
			wrong = view.Err()
		}
		if _, err := parseExpectation("spans " + text + " | >= 1"); wrong == nil && err != nil {
			t.Errorf("%q: got error %v, although it can be asked of spans", text, err)
		}
		if wrong != nil {
			return
		}
		if _, err := parseExpectation("spans " + view.String() + " | count >= 1"); err != nil {
			t.Errorf("%q: got error %v, although it is how the filters are written", view, err)
		}
	})
}
