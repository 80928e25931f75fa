package script_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/internal/script"
	"github.com/otlptest/otlptest/query"
)

func TestHeadersSelect(t *testing.T) {
	s := parse(t, `header x-tenant="b": 9 times always hang; header X-Any: 9 times always reject`)
	for _, c := range []struct {
		header query.Header
		want   string
	}{
		{nil, "-"},
		{query.Header{"x-tenant": {"a"}}, "-"},
		{query.Header{"x-tenant": {"a", "b"}}, "1.1/9 hang"},
		{query.Header{"x-any": {""}}, "2.1/9 reject"},
	} {
		req := traces
		req.Header = c.header
		want(t, fmt.Sprint(c.header), decide(s, req, 1), c.want)
	}
}

func TestConnectionsSelect(t *testing.T) {
	s := parse(t, "connection 2|4: 9 times always hang")
	var met []string
	for n := range 5 {
		req := traces
		req.Connection = n
		met = append(met, decide(s, req, 1))
	}
	want(t, "met", strings.Join(met, ", "), "-, -, 1.1/9 hang, -, 1.2/9 hang")
}

func TestWindowsCountFromTheStartAndFromTheReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := parse(t, "from 10s until 20s: always hang; from 20s: always reject")
		met := func(after time.Duration) string {
			req := traces
			req.Arrived = time.Now().Add(after)
			return decide(s, req, 1)
		}
		for after, w := range map[time.Duration]string{
			0: "-", 10*time.Second - 1: "-", 10 * time.Second: "hang", 20*time.Second - 1: "hang", 20 * time.Second: "reject", time.Hour: "reject",
		} {
			if got := met(after); !strings.HasSuffix(got, w) {
				t.Errorf("after %s: got %s, want %s", after, got, w)
			}
		}
		time.Sleep(time.Minute)
		s.Clear()
		add(t, s, "from 10s: always hang")
		want(t, "cleared", met(0), "1.1/0 hang")
		s.Reset()
		add(t, s, "from 10s: always hang")
		want(t, "reset", met(0), "-")
	})
}

func TestRequestsCountWhatMatchesOtherwise(t *testing.T) {
	s := parse(t, "metrics request 2|4: hang, reject; request 3: unavailable")
	want(t, "traces", decide(s, traces, 2), "-, -")
	want(t, "metrics", decide(s, metrics, 1), "2.1/1 unavailable")
	want(t, "left", line(s.Rules()), "metrics request 1|3: hang, reject")
	want(t, "unmet", line(s.Unmet()), "metrics request 2|4: hang, reject")
	want(t, "metrics", decide(s, metrics, 4), "1.1/2 hang, -, 1.2/2 reject, -")
}

func TestRateDrawsBySeed(t *testing.T) {
	draws := func(text string) string {
		s := parse(t, text)
		var b strings.Builder
		for range 1000 {
			met := "1"
			if decide(s, traces, 1) == "-" {
				met = "-"
			}
			b.WriteString(met)
		}
		return b.String()
	}
	some := draws("rate 0.3 seed 7 hang")
	if n := strings.Count(some, "1"); n < 250 || n > 350 {
		t.Errorf("got %d of 1000 with a share of 0.3", n)
	}
	if draws("rate 0.3 seed 7 hang") != some {
		t.Error("the same seed draws something else")
	}
	if draws("rate 0.3 seed 8 hang") == some {
		t.Error("another seed draws the same")
	}
	// What else there is changes nothing: the k-th match gets the k-th draw.
	if draws("metrics: always reject; traces: rate 0.3 seed 7 hang") != some {
		t.Error("another rule changes the draws")
	}
	want(t, "all", draws("rate 1 seed 7 hang"), strings.Repeat("1", 1000))
}

func TestAttemptsSelect(t *testing.T) {
	s := parse(t, "attempt 1|3: 9 times always hang; attempt 2: reject")
	var met []string
	for n := range 4 {
		req := traces
		req.Attempt = func() int { return n + 1 }
		met = append(met, decide(s, req, 1))
	}
	want(t, "met", strings.Join(met, ", "), "1.1/9 hang, 2.1/1 reject, 1.2/9 hang, -")
}

func TestEveryBatchGoesThroughARuleByItself(t *testing.T) {
	s := parse(t, "per batch: 2 times hang, reject; accept x9")
	var met []string
	for _, n := range []int{1, 1, 2, 1, 3, 4, 2, 5} {
		req := traces
		req.Attempt = func() int { return n }
		met = append(met, strings.Fields(decide(s, req, 1))[0])
	}
	want(t, "met", strings.Join(met, " "), "1.1/4 1.1/4 1.2/4 1.1/4 1.3/4 1.4/4 1.2/4 2.1/9")
}

func TestUnmetOfRulesForEachBatchIsTheAttemptsThatNoneMade(t *testing.T) {
	s := parse(t, "per batch: hang, reject, unavailable")
	for n, left := range []string{"per batch: hang, reject, unavailable", "per batch: reject, unavailable", "per batch: unavailable", ""} {
		want(t, fmt.Sprintf("after attempt %d", n), line(s.Unmet()), left)
		req := traces
		req.Attempt = func() int { return n + 1 }
		s.Decide(req)
	}
}

func begin(s *script.Script, req script.Request) string {
	if d, ok := s.Begin(req); ok {
		return fmt.Sprintf("%d.%d %s", d.Ref.Rule, d.Ref.Fault, faultOf(d))
	}
	return "-"
}

func TestEarlyRulesAreDecidedByTheHead(t *testing.T) {
	s := parse(t, `metrics: reset unread; [name="x"]: reject; traces: accept, reset unread; hang`)
	want(t, "first", begin(s, traces), "3.1 accept")
	want(t, "second", begin(s, traces), "3.2 reset unread")
	want(t, "then", begin(s, traces), "-")
	want(t, "left to the body", decide(s, traces, 1), "4.1/1 hang")
	want(t, "another signal", begin(s, metrics), "1.1 reset unread")
}

// An export counts once, although it is asked about twice.
func TestEarlyRulesCountAnExportOnce(t *testing.T) {
	for text, want := range map[string]string{
		"request 2: reset unread":           "-, 1.1 reset unread, -, -",
		"request 2|4: accept read-after 1s": "-, 1.1 accept read-after 1s, -, -",
	} {
		s := parse(t, text)
		var met []string
		for range 4 {
			d, ok := s.Begin(traces)
			if !ok {
				req := traces
				req.Begun = d
				d = s.Decide(req)
			}
			if d.Ref == (query.FaultRef{}) {
				met = append(met, "-")
			} else {
				met = append(met, fmt.Sprintf("%d.%d %s", d.Ref.Rule, d.Ref.Fault, faultOf(d)))
			}
		}
		if got := strings.Join(met, ", "); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// The k-th match gets the k-th draw, whether it is decided early or not.
func TestEarlyRatesDrawAsOthersDo(t *testing.T) {
	early, late := parse(t, "rate 0.5 seed 7 hang unread"), parse(t, "rate 0.5 seed 7 hang")
	for n := range 1000 {
		d, got := early.Begin(traces)
		if !got {
			req := traces
			req.Begun = d
			got = early.Decide(req).Ref != (query.FaultRef{})
		}
		if want := late.Decide(traces).Ref != (query.FaultRef{}); got != want {
			t.Fatalf("export %d: got %t, want %t", n+1, got, want)
		}
	}
}

func TestARuleBeforeAnEarlyOneWins(t *testing.T) {
	s := parse(t, "unavailable; reset unread")
	want(t, "head", begin(s, traces), "-")
	want(t, "body", decide(s, traces, 1), "1.1/1 unavailable")
	want(t, "head", begin(s, traces), "2.1 reset unread")
}

// capacity says what a backend of a capacity does with exports.
func capacity(s *script.Script, items int) (string, script.Decision) {
	req := traces
	req.Items = items
	d := s.Decide(req)
	return faultOf(d).String(), d
}

func TestCapacityTakesItemsAtItsPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := parse(t, "always capacity 100/s after 1ms")
		for _, step := range []struct {
			wait  time.Duration
			items int
			want  string
		}{
			{0, 150, "accept after 1ms"},
			{0, 1, "throttle 500ms"}, // one second may be waiting
			{400 * time.Millisecond, 1, "throttle 100ms"},
			{100 * time.Millisecond, 50, "accept after 1ms"},
			{500*time.Millisecond - 1, 0, "throttle 1ns"},
			{time.Hour, 0, "accept after 1ms"},
			{0, 100, "accept after 1ms"},
			{0, 10, "accept after 1ms"},
			{0, 10, "throttle 100ms"},
		} {
			time.Sleep(step.wait)
			got, d := capacity(s, step.items)
			d.Done()
			want(t, fmt.Sprintf("%s later, %d items", step.wait, step.items), got, step.want)
		}
		want(t, "unmet", line(s.Unmet()), "")
	})
}

func TestCapacityTakesSoManyRequestsAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := parse(t, "always capacity 2 open after 10s")
		_, first := capacity(s, 1)
		time.Sleep(time.Second)
		_, second := capacity(s, 1)
		got, third := capacity(s, 1)
		want(t, "third", got, "throttle 9s")
		third.Done()
		second.Done()
		got, _ = capacity(s, 1)
		want(t, "after one was answered", got, "accept after 10s")
		first.Done()
		time.Sleep(20 * time.Second)
		capacity(s, 1)
		got, _ = capacity(s, 1)
		want(t, "with one that takes longer than it should", got, "unavailable")
	})
}
