package where_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

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
	switch g.IntN(40) {
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
		if g.IntN(2) == 0 {
			return where.SpanID(query.SpanID{byte(g.Uint32()), 7: 1})
		}
		return where.TraceID(query.TraceID{byte(g.Uint32()), 15: 1})
	case 15:
		return where.Rule([]string{"S-40", "C-07", "R-01"}[g.IntN(3)])
	case 16:
		return where.Child(g.filter())
	case 17:
		return where.Descendant(g.filter(), g.filter())
	case 18:
		return where.Name(g.onText())
	case 19:
		return where.Attr(g.text(), g.onText())
	case 20:
		return where.ResourceAttr(g.text(), g.onNumber(g.number()))
	case 21:
		return where.Attr(g.text(), where.OneOf(g.value(), g.value(), g.value()))
	case 22:
		return where.Duration(g.onNumber(time.Duration(g.Uint64())))
	case 23:
		from := time.Unix(g.Int64N(1<<32), g.Int64N(1e9))
		return where.During(from, from.Add(time.Duration(g.Int64N(1<<50))))
	case 24:
		return where.HasEvent(g.text())
	case 25:
		return where.HasLink(query.TraceID{byte(g.Uint32()), 15: 1})
	case 26:
		return where.Unit(g.onText())
	case 27:
		return where.Type(query.Gauge, query.ExponentialType)
	case 28:
		return where.Temporality(query.Temporality(g.IntN(6) - 1))
	case 29:
		return where.Monotonic()
	case 30:
		return where.Severity(g.onNumber(query.Severity(g.IntN(25))))
	case 31:
		return where.Severity(g.onNumber(g.IntN(25)))
	case 32:
		return where.Body(g.value())
	case 33:
		return where.EventName(g.onText())
	case 34:
		return where.ViaProtocol([]query.Protocol{query.GRPC, query.HTTPProtobuf, query.HTTPJSON}[g.IntN(3):]...)
	case 35:
		return where.Header("x-"+string(rune('a'+g.IntN(26))), g.onText())
	case 36:
		return where.InExport(g.onNumber(1 + g.IntN(9)))
	case 37:
		return where.Since(query.NewMark(g.Uint64() >> 1))
	case 38:
		return where.Outcome([]query.Outcome{query.Open, query.Accepted, query.Partial, query.Refused, query.Malformed, query.Abandoned, query.Cut}[g.IntN(7):]...)
	case 39:
		return where.Attempt(g.onNumber(1 + g.IntN(9)))
	}
	return where.Root()
}

func (g generator) onText() where.Condition {
	switch g.IntN(4) {
	case 0:
		return where.Matches(regexp.QuoteMeta(strings.ToValidUTF8(g.text(), "")))
	case 1:
		return where.Contains(g.text())
	case 2:
		return where.OneOf(g.text(), g.text())
	}
	return where.Is(g.text())
}

func (g generator) onNumber(n any) where.Condition {
	switch g.IntN(6) {
	case 0:
		return where.AtLeast(n)
	case 1:
		return where.AtMost(n)
	case 2:
		return where.LessThan(n)
	case 3:
		return where.MoreThan(n)
	case 4:
		return where.OneOf(n, n)
	}
	return where.Is(n)
}

func (g generator) number() any {
	if g.IntN(2) == 0 {
		return int64(g.Uint64())
	}
	return g.NormFloat64()
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
