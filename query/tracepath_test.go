package query_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
)

func pathOf(t query.Trace) string {
	var parts []string
	for _, s := range t.CriticalPath() {
		parts = append(parts, fmt.Sprintf("%s %d-%d", s.Span.Name, s.Start.Sub(began).Milliseconds(), s.End.Sub(began).Milliseconds()))
	}
	return strings.Join(parts, ", ")
}

func TestCriticalPath(t *testing.T) {
	for _, c := range []struct {
		name  string
		spans []query.Span
		want  string
	}{
		{"one span", []query.Span{made(1, 0, "a", 0, 10)}, "a 0-10"},
		{"in a row", checkout(), "checkout 0-10, charge 10-20, POST /pay 20-50, charge 50-60, ship 60-90, checkout 90-100"},
		{"side by side", []query.Span{made(1, 0, "a", 0, 10), made(2, 1, "short", 1, 5), made(3, 1, "long", 1, 9)}, "a 0-1, long 1-9, a 9-10"},
		{"overlapping", []query.Span{made(1, 0, "a", 0, 10), made(2, 1, "b", 1, 5), made(3, 1, "c", 4, 9), made(4, 1, "d", 2, 4)}, "a 0-2, d 2-4, c 4-9, a 9-10"},
		{"ends together", []query.Span{made(1, 0, "a", 0, 10), made(2, 1, "b", 3, 9), made(3, 1, "c", 1, 9)}, "a 0-1, c 1-9, a 9-10"},
		{"the same times", []query.Span{made(1, 0, "a", 0, 10), made(3, 1, "b", 1, 9), made(2, 1, "c", 1, 9)}, "a 0-1, c 1-9, a 9-10"},
		{"as long as its parent", []query.Span{made(1, 0, "a", 0, 10), made(2, 1, "b", 0, 10)}, "b 0-10"},
		{"not within its parent", []query.Span{made(1, 0, "a", 5, 10), made(2, 1, "b", 4, 9), made(3, 1, "c", 6, 11), made(4, 1, "d", 6, 7)}, "a 5-6, d 6-7, a 7-10"},
		{"of no length", []query.Span{made(1, 0, "a", 0, 10), made(2, 1, "b", 5, 5)}, "a 0-10"},
		{"two roots", []query.Span{made(1, 0, "a", 0, 10), made(2, 0, "b", 5, 12), made(3, 1, "c", 5, 7)}, "b 5-12"},
		{"no root", []query.Span{made(2, 1, "a", 0, 10)}, ""},
		{"a root of no length", []query.Span{made(1, 0, "a", 5, 5), made(2, 1, "b", 5, 5)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) { want(t, "path", pathOf(one(t, c.spans...)), c.want) })
	}
}

func TestCriticalPathHasNoGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		spans := []query.Span{made(1, 0, "root", 0, 1000)}
		for n := 2; n < 2+r.IntN(40); n++ {
			from := r.IntN(1000)
			spans = append(spans, made(n, 1+r.IntN(n-1), "s", from, from+r.IntN(400)))
		}
		at, sum := began, time.Duration(0)
		for _, s := range one(t, spans...).CriticalPath() {
			if !s.Start.Equal(at) || s.Duration() <= 0 || s.Start.Before(s.Span.Start) || s.End.After(s.Span.End) {
				t.Fatalf("got %s to %s of a span from %s to %s, want it to begin at %s", s.Start, s.End, s.Span.Start, s.Span.End, at)
			}
			at, sum = s.End, sum+s.Duration()
		}
		if sum != time.Second {
			t.Fatalf("got %s, want the whole second", sum)
		}
	}
}
