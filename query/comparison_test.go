package query_test

import (
	"iter"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
)

// nameless is a source that cannot tell items apart.
type nameless struct{}

func (nameless) Scan([]query.Filter) iter.Seq[query.Span] { return func(func(query.Span) bool) {} }
func (nameless) Changed() <-chan struct{}                 { return nil }
func (nameless) Explain([]query.Filter) string            { return "" }

func TestOnlySourcesThatTellItemsApartCompare(t *testing.T) {
	v := query.NewView[query.Span](nameless{})
	err := query.Compare(v, v).Err()
	if err == nil || !strings.HasPrefix(err.Error(), "compare: view a: its source, a query_test.nameless, cannot tell items apart") {
		t.Errorf("got %v, want that the source cannot", err)
	}
}

// identified is a source of spans with identities of their names, and bytes of
// their kind.
type identified struct {
	nameless
	spans []query.Span
}

func (s identified) Identify([]query.Filter) iter.Seq2[query.Span, query.Identity] {
	return func(yield func(query.Span, query.Identity) bool) {
		for _, span := range s.spans {
			id := query.Identity{Bytes: [24]byte{byte(span.Kind)}}
			copy(id.ID.Hash[:], span.Name)
			if !yield(span, id) {
				return
			}
		}
	}
}

func TestAComparisonListsTheFirstOfEachKind(t *testing.T) {
	of := func(kind query.SpanKind, names string) query.View[query.Span] {
		var s identified
		for _, n := range strings.Fields(names) {
			s.spans = append(s.spans, query.Span{Name: n, Kind: kind})
		}
		return query.NewView[query.Span](s)
	}
	same := query.Compare(of(1, "a b a"), of(1, "b b a"))
	if err := same.Err(); err != nil || !same.Equal() || same.String() != "2 spans in both, 0 of them different; 0 only in a, 0 only in b\n" {
		t.Errorf("got %v, %s", err, same)
	}
	const ids = `"  trace 00000000000000000000000000000000  span 0000000000000000  service=`
	golden(t, query.Compare(of(1, "a b c d e f g"), of(2, "h g")).String(), `
1 span in both, 1 of them different; 6 only in a, 1 only in b
  only a   "a`+ids+`
           "b`+ids+`
           "c`+ids+`
           "d`+ids+`
           "e`+ids+`
           … and 1 more
  only b   "h`+ids+`
  differs  "g`+ids+`: kind
`)
}
