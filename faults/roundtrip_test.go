package faults_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// rounds is how many random rules each property is tried with.
const rounds = 2_000

func TestTextRoundTrip(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	for range rounds {
		want := []faults.Rule{g.rule(), g.rule()}
		got, err := faults.Parse(join(want))
		if err != nil {
			t.Fatalf("Parse(%s): %v", join(want), err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %#v\nwant %#v", join(want), got, want)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	for range rounds {
		want := g.rule()
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatalf("Marshal(%s): %v", want, err)
		}
		var got faults.Rule
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("Unmarshal(%s): %v", text, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %#v\nwant %#v", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range texts {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := faults.Parse(text)
		if err != nil {
			return
		}
		again, err := faults.Parse(join(rules))
		if err != nil {
			t.Fatalf("Parse(%q) is printed as what cannot be read: %v", text, err)
		}
		// A NaN in a filter is equal to nothing, so that texts stand for rules.
		if join(again) != join(rules) || !strings.Contains(text, "NaN") && !reflect.DeepEqual(again, rules) {
			t.Fatalf("Parse(%q)\n got %#v\nwant %#v", text, again, rules)
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, c := range texts {
		for _, r := range c.rules {
			text, err := json.Marshal(r)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Add([]byte(`{"faults": ["throttle 30s after 1s", "ok"], "always": false}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var rule, again faults.Rule
		if err := json.Unmarshal(text, &rule); err != nil {
			return
		}
		written, err := json.Marshal(rule)
		if err != nil {
			t.Fatalf("%s cannot be written: %v", text, err)
		}
		if err := json.Unmarshal(written, &again); err != nil || again.String() != rule.String() {
			t.Fatalf("%s is written as %s and read as %s, %v", text, written, again, err)
		}
	})
}

func join(rules []faults.Rule) string {
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = r.String()
	}
	return strings.Join(texts, "; ")
}

// generator makes rules that can work, without functions.
type generator struct{ *rand.Rand }

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

func (g generator) rule() faults.Rule {
	for {
		r := faults.Rule{
			Repeat:   pick(g, 0, 0, 1, 2, 1000),
			Signal:   pick(g, "", query.Traces, query.Metrics, query.Logs),
			Protocol: pick(g, "", query.GRPC, query.HTTPProtobuf, query.HTTPJSON),
		}
		for range 1 + g.IntN(4) {
			f := g.fault()
			for range pick(g, 1, 1, 2, 5) {
				r.Faults = append(r.Faults, f)
			}
		}
		if g.IntN(4) == 0 {
			r.Faults, r.Forever = r.Faults[:1], true
		}
		for range g.IntN(4) {
			r.Filters = append(r.Filters, g.filter())
		}
		if r.Check() == nil {
			return r
		}
	}
}

func (g generator) fault() faults.Fault {
	f := pick(g,
		faults.Accept(), faults.Unavailable(), faults.Hang(), faults.Throttle(g.duration()),
		faults.Reject(g.text()), faults.PartialSuccess(g.Int64(), g.text()),
		faults.Fault{Kind: faults.KindCode, Code: query.Code(1 + g.IntN(16)), Message: g.text()},
		faults.Fault{Kind: faults.KindHTTP, HTTP: 400 + g.IntN(200), Message: g.text()},
	)
	if g.IntN(2) == 0 {
		f = f.After(g.duration())
	}
	if g.IntN(2) == 0 && !f.Accepts() {
		f = f.Stored()
	}
	return f
}

func (g generator) duration() time.Duration {
	return time.Duration(g.Int64N(pick(g, 1, 1000, int64(time.Second), int64(time.Hour), math.MaxInt64)))
}

func (g generator) text() string {
	return pick(g, "", "why", `"; traces: ok`, "]", "[", ", x2", `\`, "line\nline", "größer <&> \u2028", "\x00\x7f", "stored")
}

func (g generator) filter() query.Filter {
	switch g.IntN(8) {
	case 0:
		return where.Not(g.filter())
	case 1:
		return where.Any(g.filter(), g.filter())
	}
	return pick(g,
		where.Name(g.text()), where.Service(g.text()), where.ScopeName(g.text()), where.Root(),
		where.Attr(g.text(), g.text()), where.Attr("n", g.Int64()), where.Attr("f", g.Float64()), where.Attr("b", true),
		where.HasAttr("http.route"), where.ResourceAttr("tenant/x", "]\xff"), where.HasResourceAttr(g.text()),
		where.Kind(query.SpanKind(g.IntN(7))), where.Status(query.StatusError), where.TraceID(query.TraceID{1: 9}),
	)
}
