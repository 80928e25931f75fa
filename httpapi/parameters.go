package httpapi

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// How long a wait lasts where the request does not say, and at most.
const (
	defaultTimeout = 5 * time.Second
	maxTimeout     = 5 * time.Minute
)

// parameters is the query of a URL.
type parameters map[string]string

// parse reads the query of a URL, in which only these names may stand, each
// once.
func parse(r *http.Request, names ...string) (parameters, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, invalid("query", "got %q: %v", r.URL.RawQuery, err)
	}
	p := parameters{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if len(names) == 0 {
			return nil, invalid("query", "got parameter %q, want none", name)
		}
		if !slices.Contains(names, name) {
			return nil, invalid("query", "got parameter %q, want one of %s", name, strings.Join(names, ", "))
		}
		if n := len(values[name]); n > 1 {
			return nil, invalid(name, "is given %d times, want it once", n)
		}
		p[name] = values.Get(name)
	}
	return p, nil
}

// filters reads q.
func (p parameters) filters() ([]query.Filter, error) {
	fs, err := where.Parse(p["q"])
	if err != nil {
		return nil, invalid("q", "%v", err)
	}
	return fs, nil
}

// number reads a parameter that is a number from least to most, and is or
// where it is left away.
func (p parameters) number(name string, least, most, or int) (int, error) {
	text, given := p[name]
	if !given {
		return or, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, invalid(name, "got %q, want a number of %d to %d", text, least, most)
	}
	return n, nil
}

// duration reads how long a wait may last.
func (p parameters) duration() (time.Duration, error) {
	text, given := p["timeout"]
	if !given {
		return defaultTimeout, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxTimeout {
		return 0, invalid("timeout", "got %q, want a duration of 0s to 5m, such as 30s", text)
	}
	return d, nil
}

// waiting reads how many items are waited for, 0 for none, and how long.
func (p parameters) waiting() (n int, timeout time.Duration, err error) {
	text, given := p["wait"]
	if !given {
		if _, given := p["timeout"]; given {
			return 0, 0, invalid("timeout", "is given without wait, want wait=N beside it")
		}
		return 0, 0, nil
	}
	if n, err = strconv.Atoi(text); err != nil || n < 1 {
		return 0, 0, invalid("wait", "got %q, want a number of items, 1 or more", text)
	}
	timeout, err = p.duration()
	return n, timeout, err
}

// word reads a parameter that is one of several words, of which the first
// stands where it is left away.
func (p parameters) word(name string, words ...string) (string, error) {
	word, given := p[name]
	if !given {
		return words[0], nil
	}
	if !slices.Contains(words, word) {
		return "", invalid(name, "got %q, want one of %s", word, strings.Join(words, ", "))
	}
	return word, nil
}
