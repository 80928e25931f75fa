package query_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/query"
)

func TestTextOfTraces(t *testing.T) {
	far := made(2, 7, "far", 5, 6)
	wide := []query.Span{made(1, 0, "wide", 0, 100)}
	for i := range 70 {
		wide = append(wide, made(100+i, 1, fmt.Sprintf("child %02d", i), i, i+1))
	}
	odd := made(1, 0, strings.Repeat("long ", 30), 0, 1, of(""), as(query.SpanKind(9)))
	odd.End = time.Time{}
	changed := made(2, 1, "charge", 10, 61, with("currency", "USD"))
	var b strings.Builder
	for _, c := range []struct {
		name  string
		spans []query.Span
	}{
		{"complete", checkout()},
		{"orphans", append(checkout()[2:], made(9, 8, "audit", 0, 3), made(10, 8, "audit 2", 1, 3))},
		{"two roots", []query.Span{made(1, 0, "a", 0, 1), made(3, 0, "b", 3, 4), far}},
		{"duplicates", append(checkout(), checkout()[1], changed)},
		{"skew", []query.Span{made(1, 0, "root", 10, 20), made(2, 1, "early", 0, 20), made(3, 1, "late", 10, 25)}},
		{"ring", []query.Span{made(1, 2, "chicken", 0, 1), made(2, 1, "egg", 1, 2)}},
		{"odd names", []query.Span{odd, made(2, 1, "", 0, 1), made(3, 1, "line\n2", 0, 1), made(4, 1, " padded", 0, 1, failed(""))}},
		{"many", wide},
	} {
		fmt.Fprintf(&b, "=== %s\n%s", c.name, one(t, c.spans...))
	}
	goldenFile(t, "trace", b.String())
}

func TestTextDoesNotDependOnOrderOfArrival(t *testing.T) {
	spans := append(checkout(), made(9, 8, "audit", 0, 3))
	text := one(t, spans...).String()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Shuffle(len(spans), func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
		want(t, "text", one(t, spans...).String(), text)
	}
}
