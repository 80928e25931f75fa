package wire

import (
	"math/rand"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/internal/expr"
	"github.com/otlptest/otlptest/query"
)

// The matcher agrees with the naive filter over the official messages, for
// random data and random filters of every kind.
func TestMatchingAgreesWithANaiveFilter(t *testing.T) {
	held := map[expr.Key]int{} // how often a term held, so that nothing is tested in vain
	c := chance{rand.New(rand.NewSource(1))}
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	for range rounds {
		sig := signals[c.Intn(len(signals))]
		body := encode(t, c.message(sig))
		if c.Intn(3) == 0 {
			body = rearrange(c.Rand, tables()[sig], body)
		}
		m := official(sig)
		if err := proto.Unmarshal(body, m); err != nil {
			t.Fatal(err)
		}
		w := world{export: carrier{origin(c.Intn(4))}}
		items := model(m)
		for _, it := range items {
			if s, ok := it.item.(query.Span); ok {
				w.spans = append(w.spans, s)
			}
		}
		for range 20 {
			es := query.Exprs([]query.Filter{c.filter(sig, 2), c.filter(sig, 2)})[:1+c.Intn(2)]
			among := func(yield func(*Item) bool) { new(Item).Scan(query.Traces, body, w.export, 1, yield) }
			if sig != query.Traces {
				among = nil
			}
			matcher, i := Compile(es, among), 0
			for it := range Items(sig, body, w.export, 1) {
				want := true
				for _, e := range es {
					want = want && w.naive(e, items[i].item)
				}
				if got := it.Match(matcher); got != want {
					t.Fatalf("%s of\n%+v\ngot %v, want %v", expr.Join(es, " "), items[i].item, got, want)
				}
				if want {
					for _, e := range es {
						e.Find(func(e expr.Expr) bool { held[key(e)]++; return false })
					}
				}
				i++
			}
		}
	}
	for k := range fields {
		if held[k] < rounds/100 && k != expr.Outcome && k != expr.Attempt {
			t.Errorf("%s: it held %d times, want more: make likelier what it looks for", k, held[k])
		}
	}
	if held["child"] < rounds/100 || held["descendant"] < rounds/100 {
		t.Errorf("child held %d times, descendant %d times, want more", held["child"], held["descendant"])
	}
}

func key(e expr.Expr) expr.Key {
	switch e.Op {
	case expr.Child:
		return "child"
	case expr.Descendant:
		return "descendant"
	}
	return e.Key
}
