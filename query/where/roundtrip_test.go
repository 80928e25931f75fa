package where_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestTextRoundTrip(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for range 10_000 {
		want := []query.Filter{g.filter(), g.filter()}
		got, err := where.Parse(join(want))
		if err != nil {
			t.Fatalf("%v", err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %#v\nwant %#v", join(want), got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range texts {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fs, err := where.Parse(text)
		if err != nil {
			return
		}
		again, err := where.Parse(join(fs))
		if err != nil {
			t.Fatalf("Parse(%q) is printed as what cannot be read: %v", text, err)
		}
		// A NaN is equal to nothing, so that texts stand for filters.
		if join(again) != join(fs) || !strings.Contains(text, "NaN") && !reflect.DeepEqual(again, fs) {
			t.Fatalf("Parse(%q)\n got %#v\nwant %#v", text, again, fs)
		}
	})
}

// generator makes filters that are not functions and have no NaN.
type generator struct{ *rand.Rand }

func (g generator) filter() query.Filter {
	switch g.IntN(17) {
	case 0, 1:
		return where.Not(g.filter())
	case 2, 3:
		return where.Any(g.filter())
	case 4:
		return where.Any(g.filter(), g.filter(), g.filter())
	case 5:
		return where.Name(g.text())
	case 6:
		return where.Service(g.text())
	case 7:
		return where.ScopeName(g.text())
	case 8:
		return where.Attr(g.text(), g.value())
	case 9:
		return where.HasAttr(g.text())
	case 10:
		return where.ResourceAttr(g.text(), g.value())
	case 11:
		return where.HasResourceAttr(g.text())
	case 12:
		return where.Kind(query.SpanKind(g.IntN(9) - 1))
	case 13:
		return where.Status(query.StatusCode(g.IntN(6) - 1))
	case 14:
		return where.TraceID(query.TraceID{byte(g.Uint32()), 15: 1})
	case 15:
		return where.Rule([]string{"S-40", "C-07", "R-01"}[g.IntN(3)])
	}
	return where.Root()
}

func (g generator) value() any {
	switch g.IntN(6) {
	case 0:
		return g.text()
	case 1:
		return g.IntN(2) == 0
	case 2:
		return int64(g.Uint64())
	case 3:
		return float64(g.IntN(1000) - 500)
	case 4:
		return g.NormFloat64()
	}
	for {
		if f := math.Float64frombits(g.Uint64()); f == f {
			return f
		}
	}
}

// text is a few characters of those that the grammar has a use for, and others.
func (g generator) text() string {
	const from = "ab.=\"\\()[] \n\x00or not\xff\xc3ü-+09"
	b := make([]byte, g.IntN(8))
	for i := range b {
		b[i] = from[g.IntN(len(from))]
	}
	return string(b)
}
