package script_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/internal/script"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

var (
	traces  = script.Request{Signal: query.Traces, Protocol: query.GRPC}
	metrics = script.Request{Signal: query.Metrics, Protocol: query.HTTPProtobuf}
)

func parse(t *testing.T, text string) *script.Script {
	t.Helper()
	s := script.New()
	add(t, s, text)
	return s
}

func add(t *testing.T, s *script.Script, text string) {
	t.Helper()
	rules, err := faults.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	s.Add(rules...)
}

// faultOf is the fault of a decision, which accepts where no rule decided.
func faultOf(d script.Decision) faults.Fault {
	if d.Fault == nil {
		return faults.Accept()
	}
	return *d.Fault
}

// decide writes what each of n exports meets: "1.2/3 hang" is the second of
// three faults of the first rule, and "-" is no rule.
func decide(s *script.Script, req script.Request, n int) string {
	var met []string
	for range n {
		d := s.Decide(req)
		switch f, ref := faultOf(d), d.Ref; {
		case ref == query.FaultRef{} && f.Equal(faults.Accept()):
			met = append(met, "-")
		case ref.Text != f.String():
			met = append(met, fmt.Sprintf("%s, but the reference says %s", f, ref.Text))
		default:
			met = append(met, fmt.Sprintf("%d.%d/%d %s", ref.Rule, ref.Fault, ref.Of, f))
		}
	}
	return strings.Join(met, ", ")
}

func line(rules []faults.Rule) string {
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = r.String()
	}
	return strings.Join(texts, "; ")
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %s\nwant %s", what, got, want)
	}
}

func TestNoRuleAccepts(t *testing.T) {
	s := script.New()
	want(t, "without rules", decide(s, traces, 2), "-, -")
	want(t, "rules", line(s.Rules())+line(s.Unmet()), "")
	s.Add()
	want(t, "no rules added", decide(s, traces, 1), "-")
}

func TestSequencesAreMetInOrder(t *testing.T) {
	s := parse(t, "hang x2, accept")
	want(t, "met", decide(s, traces, 4), "1.1/3 hang, 1.2/3 hang, 1.3/3 accept, -")
}

func TestRepetitionsAreCountedThrough(t *testing.T) {
	s := parse(t, "2 times hang, accept")
	want(t, "met", decide(s, traces, 5), "1.1/4 hang, 1.2/4 accept, 1.3/4 hang, 1.4/4 accept, -")
}

func TestAlwaysNeverEnds(t *testing.T) {
	s := parse(t, "always hang; accept")
	want(t, "met", decide(s, traces, 3), "1.1/0 hang, 1.2/0 hang, 1.3/0 hang")
	want(t, "rules", line(s.Rules()), "always hang; accept")
	want(t, "unmet", line(s.Unmet()), "accept")
}

func TestAlwaysWithANumberEnds(t *testing.T) {
	s := parse(t, "3 times always hang")
	want(t, "met", decide(s, traces, 1), "1.1/3 hang")
	want(t, "rules", line(s.Rules()), "2 times always hang")
	want(t, "unmet", line(s.Unmet()), "")
	want(t, "met", decide(s, traces, 3), "1.2/3 hang, 1.3/3 hang, -")
}

func TestUsedUpRulesFallThrough(t *testing.T) {
	s := parse(t, "hang; traces: reject, unavailable; http 500")
	want(t, "met", decide(s, traces, 5), "1.1/1 hang, 2.1/2 reject, 2.2/2 unavailable, 3.1/1 http 500, -")
}

func TestSelectors(t *testing.T) {
	s := parse(t, "metrics: hang; http/json: reject; traces grpc: unavailable; logs: hang")
	want(t, "traces", decide(s, traces, 2), "3.1/1 unavailable, -")
	want(t, "metrics", decide(s, metrics, 2), "1.1/1 hang, -")
	want(t, "left", line(s.Rules()), "http/json: reject; logs: hang")
	if got, want := line(s.Unmet()), line(s.Rules()); got != want {
		t.Errorf("unmet: got %s, want %s", got, want)
	}
}

func TestMatchIsAskedOnlyWhereItDecides(t *testing.T) {
	s := parse(t, `hang; metrics [name="m"]: hang; http/json [name="j"]: hang; [name="no"]: reject; [name="yes"]: unavailable; always accept; [name="late"]: hang`)
	var asked []string
	req := traces
	req.Match = func(fs []query.Filter) bool {
		asked = append(asked, fs[0].String())
		return fs[0].String() == `name="yes"`
	}
	want(t, "met", decide(s, req, 1), "1.1/1 hang")
	want(t, "asked", strings.Join(asked, " "), "")
	want(t, "met", decide(s, req, 1), "5.1/1 unavailable")
	want(t, "asked", strings.Join(asked, " "), `name="no" name="yes"`)
	want(t, "met", decide(s, traces, 1), "6.1/0 accept") // a nil Match matches nothing
}

func TestRulesAreWhatRemains(t *testing.T) {
	s := parse(t, "3 times hang, accept x2; 1 time reject")
	for i, left := range []string{
		"3 times hang, accept x2; ",
		"accept x2; 2 times hang, accept x2; ",
		"accept; 2 times hang, accept x2; ",
		"2 times hang, accept x2; ",
		"accept x2; hang, accept x2; ",
		"accept; hang, accept x2; ",
		"hang, accept x2; ",
		"accept x2; ",
		"accept; ",
		"",
	} {
		want(t, fmt.Sprintf("after %d", i), line(s.Rules()), left+"1 time reject")
		s.Decide(traces)
	}
	want(t, "at the end", line(s.Rules()), "")
}

// What remains of a script does the same as the script itself.
func TestWhatRemainsIsTheSame(t *testing.T) {
	const text = "3 times hang, accept, reject; 2 times always http 500; unavailable x2"
	for used := range 14 {
		s, rest := parse(t, text), script.New()
		decide(s, traces, used)
		rest.Add(s.Rules()...)
		for i := range 14 {
			f := faultOf(s.Decide(traces))
			if g := faultOf(rest.Decide(traces)); !f.Equal(g) {
				t.Errorf("used %d, then export %d: got %s, want %s", used, i+1, g, f)
			}
		}
	}
}

func TestUnmetIsWhatComesForTheFirstTime(t *testing.T) {
	s := parse(t, "traces: 2 times hang x2, accept; metrics: always reject; logs: hang")
	for i, left := range []string{
		"traces: 2 times hang x2, accept; ",
		"traces: hang, accept; ",
		"traces: accept; ",
		"",
		"",
	} {
		want(t, fmt.Sprintf("after %d", i), line(s.Unmet()), left+"metrics: always reject; logs: hang")
		s.Decide(traces)
	}
	s.Decide(metrics)
	want(t, "at the end", line(s.Unmet()), "logs: hang")
}

func TestNumbersCountInjections(t *testing.T) {
	s := parse(t, "hang; hang")
	want(t, "met", decide(s, traces, 3), "1.1/1 hang, 2.1/1 hang, -")
	add(t, s, "reject")
	want(t, "met", decide(s, traces, 1), "3.1/1 reject")
	s.Reset()
	add(t, s, "accept")
	want(t, "met", decide(s, traces, 1), "1.1/1 accept")
}

func TestResetDropsRules(t *testing.T) {
	s := parse(t, "always hang")
	s.Reset()
	want(t, "met", decide(s, traces, 1), "-")
	want(t, "rules", line(s.Rules())+line(s.Unmet()), "")
}

func TestResetWhileMatching(t *testing.T) {
	s := parse(t, `[name="x"]: hang; always reject`)
	req := traces
	req.Match = func([]query.Filter) bool { s.Reset(); return true }
	want(t, "met", decide(s, req, 1), "-")
}

func TestUsedUpWhileMatching(t *testing.T) {
	s := parse(t, `[name="x"]: hang; reject`)
	req, other := traces, traces
	other.Match = func([]query.Filter) bool { return true }
	req.Match = func([]query.Filter) bool { s.Decide(other); return true }
	want(t, "met", decide(s, req, 1), "2.1/1 reject")
}

func TestRulesAreCopied(t *testing.T) {
	r := faults.Sequence(faults.Hang(), faults.Accept()).Where(where.Name("x"))
	kept := faults.Sequence(faults.Hang(), faults.Accept()).Where(where.Name("x"))
	s := script.New()
	s.Add(r)
	for _, change := range [][]faults.Rule{{r}, s.Rules(), s.Unmet()} {
		change[0].Faults[0] = faults.Unavailable()
		change[0].Filters[0] = where.Root()
		if got := s.Rules(); !reflect.DeepEqual(got, []faults.Rule{kept}) {
			t.Errorf("got %v, want %v", got, kept)
		}
	}
}

func TestDelaysAreTheFaultsOwn(t *testing.T) {
	s := parse(t, "throttle 30s after 1s stored")
	if f := faultOf(s.Decide(traces)); !f.Equal(faults.Throttle(30 * time.Second).After(time.Second).Stored()) {
		t.Errorf("got %s", f)
	}
}
