package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/internal/store"
	"github.com/otlptest/otlptest/query"
)

// Attempts are counted as they come as the report counts them afterwards.
func TestAttemptsAreThoseOfTheReport(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 0))
		s := store.New(time.Second)
		now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		counted := map[int]int{}
		for n := range 60 {
			now = now.Add(time.Second)
			e := query.Export{Signal: query.Traces, Protocol: query.GRPC, Items: 1, Arrived: now, Outcome: query.Open}
			rec := s.NewRecord(e, oneSpan(t, r.IntN(3), r.IntN(2) == 0))
			asked := r.IntN(2) == 0
			if asked {
				counted[n+1] = s.Attempt(rec)
			}
			s.Append(rec)
			if r.IntN(5) == 0 {
				continue // it stays open
			}
			outcome := []query.Outcome{query.Accepted, query.Partial, query.Refused, query.Abandoned, query.Cut}[r.IntN(5)]
			s.Finish(rec, func(e *query.Export) { e.Outcome, e.Answered = outcome, now.Add(time.Millisecond) })
		}
		for _, b := range store.Report(s).Batches {
			for i, e := range b.Attempts() {
				if got, ok := counted[e.Number]; ok && got != i+1 {
					t.Errorf("seed %d: export %d was counted as attempt %d, and is %d\n%s", seed, e.Number, got, i+1, store.Report(s))
				}
			}
		}
	}
}

// oneSpan is a request with one of several spans, which may be encoded in two
// ways: a zero that is left away, or written out.
func oneSpan(t *testing.T, which int, zeros bool) []byte {
	t.Helper()
	span := &tracepb.Span{TraceId: make([]byte, 16), SpanId: []byte{0, 0, 0, 0, 0, 0, 0, byte(which + 1)}, Name: fmt.Sprint(which)}
	span.TraceId[0] = 1
	body, err := proto.Marshal(span)
	if err != nil {
		t.Fatal(err)
	}
	if zeros {
		body = append(body, 6<<3, 0) // kind
	}
	wrap := func(field byte, b []byte) []byte { return append([]byte{field<<3 | 2, byte(len(b))}, b...) }
	return wrap(1, wrap(2, wrap(2, body)))
}
