package script_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/internal/script"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestEachFaultIsMetOnce(t *testing.T) {
	const first, second, exports, clients = 500, 300, 1000, 8
	s := script.New()
	s.Add(
		faults.Sequence(faults.Hang(), faults.Unavailable()).Times(first/2).Where(where.Name("x")),
		faults.Always(faults.Reject("")).Times(second),
	)
	req := traces
	req.Match = func([]query.Filter) bool { return true }

	var mu sync.Mutex
	met := map[query.FaultRef]int{}
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range exports / clients {
				ref := s.Decide(req).Ref
				mu.Lock()
				met[ref]++
				mu.Unlock()
				s.Rules()
				s.Unmet()
			}
		})
	}
	wg.Wait()

	if got, want := met[query.FaultRef{}], exports-first-second; got != want {
		t.Errorf("got %d exports that no rule decided, want %d", got, want)
	}
	delete(met, query.FaultRef{})
	if got, want := len(met), first+second; got != want {
		t.Errorf("got %d different faults met, want %d", got, want)
	}
	for ref, n := range met {
		if n != 1 {
			t.Errorf("rule %d fault %d was met %d times, want once", ref.Rule, ref.Fault, n)
		}
	}
	if rules := s.Rules(); len(rules) != 0 {
		t.Errorf("got %v live, want none", rules)
	}
}

func TestEverythingAtOnce(t *testing.T) {
	s := script.New()
	req := traces
	req.Match = func([]query.Filter) bool { return true }
	var wg sync.WaitGroup
	for range 4 {
		for _, do := range []func(){
			func() { s.Add(faults.Sequence(faults.Hang(), faults.Accept()).Where(where.Name("x"))) },
			func() { s.Decide(req) },
			func() { s.Unmet() },
			func() { s.Rules() },
			s.Reset,
		} {
			wg.Go(func() {
				for range 100 {
					do()
				}
			})
		}
	}
	wg.Wait()
}

// A function that a user gave may wait, in a bubble too: the clock goes on, so
// no lock is held, and others decide meanwhile.
func TestMatchingMayWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := parse(t, `[name="x"]: hang; reject`)
		slow := traces
		slow.Match = func([]query.Filter) bool {
			time.Sleep(time.Hour)
			return true
		}
		done := make(chan string)
		go func() { done <- decide(s, slow, 1) }()
		synctest.Wait()
		want(t, "meanwhile", decide(s, traces, 1), "2.1/1 reject")
		want(t, "then", <-done, "1.1/1 hang")
	})
}

func BenchmarkDecide(b *testing.B) {
	for name, rules := range map[string][]faults.Rule{
		"none":   nil,
		"other":  {faults.Always(faults.Hang()).On(query.Logs)},
		"always": {faults.Always(faults.Hang())},
	} {
		b.Run(name, func(b *testing.B) {
			s := script.New()
			s.Add(rules...)
			b.ReportAllocs()
			for b.Loop() {
				s.Decide(traces)
			}
		})
	}
}
