package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/otlptest/otlptest/query"
)

// assertion is how a test says that it wants an item.
type assertion struct {
	Go      string   `json:"go"`      // an expression for a test that calls its server srv
	Q       string   `json:"q"`       // the filters as text
	Matches int      `json:"matches"` // how many items they hold for
	Imports []string `json:"imports"` // what the expression needs
}

// assert is the endpoint for the assertion that singles an item out. Method is
// what the items are asked of a server by.
func assert[T any](k kind[T], method string, clues func(T) clues) endpoint {
	return func(r *http.Request) (any, error) {
		found, err := k.one(r)
		if err != nil {
			return nil, err
		}
		terms := clues(found).single(func(terms []term) []int { return k.numbers(filtersOf(terms)...) })
		return assertionOf(method, terms, len(k.numbers(filtersOf(terms)...))), nil
	}
}

// The packages that an assertion can name.
const (
	module       = "github.com/otlptest/otlptest/"
	inAssertions = module + "otlptest"
	inFilters    = module + "query/where"
	inValues     = module + "query"
)

func assertionOf(method string, terms []term, matches int) assertion {
	a := assertion{Matches: matches, Imports: []string{inAssertions}}
	var code, text []string
	for _, t := range terms {
		code, text = append(code, t.code), append(text, t.filter.String())
		a.Imports = append(a.Imports, t.imports...)
	}
	slices.Sort(a.Imports)
	a.Imports = slices.Compact(a.Imports)
	a.Q = strings.Join(text, " ")
	a.Go = fmt.Sprintf("srv.%s(%s)", method, strings.Join(code, ", "))
	if matches > 1 {
		a.Go = fmt.Sprintf("otlptest.Await(t, %s, 1)", a.Go)
	} else {
		a.Go = fmt.Sprintf("otlptest.One(t, %s)", a.Go)
	}
	return a
}

// term is a filter and the Go expression that makes it.
type term struct {
	code    string
	filter  query.Filter
	imports []string
}

func filtersOf(terms []term) []query.Filter {
	filters := make([]query.Filter, len(terms))
	for i, t := range terms {
		filters[i] = t.filter
	}
	return filters
}
