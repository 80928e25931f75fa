package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/otlptest/otlptest/query"
)

func TestSetHasWhatWasAdded(t *testing.T) {
	var s Set
	want := map[int]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		i := r.IntN(2000)
		s.Add(i)
		want[i] = true
	}
	for i := range 4000 {
		if s.Has(i) != want[i] {
			t.Fatalf("%d: got %v, want %v", i, s.Has(i), want[i])
		}
	}
	if s.Len() != len(want) {
		t.Errorf("got %d, want %d", s.Len(), len(want))
	}
}

func TestFirstIsTheFirstItems(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 63, 64, 65, 1000} {
		s := First(n)
		if n := max(n, 0); s.Len() != n || s.Has(n) || n > 0 && (!s.Has(0) || !s.Has(n-1)) {
			t.Errorf("%d: got %d items", n, s.Len())
		}
	}
}

func TestItemsThatAreSkippedHaveNoNumber(t *testing.T) {
	body := many(func(name string) []byte { return text(5, name) })
	var got []int
	for it := range Items(query.Traces, body, nil, 10) {
		if it.Index()%3 == 1 {
			it.Skip()
			continue
		}
		if n := it.Span().Ref.Number(); n != it.Number() {
			t.Errorf("got number %d of the span, want %d", n, it.Number())
		}
		got = append(got, it.Number()*100+it.Index())
	}
	want := []int{1000, 1102, 1203, 1305, 1406}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v: the number and the index", got, want)
		}
	}
}
