package faults_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestRulesThatCannotWork(t *testing.T) {
	hang := faults.Sequence(faults.Hang())
	span := where.Func("odd", func(query.Span) bool { return true })
	log := where.Func("loud", func(query.Log) bool { return true })
	for _, c := range []struct {
		rule faults.Rule
		want string
	}{
		{faults.Rule{}, "the rule has no fault"},
		{faults.Sequence(faults.Hang(), faults.Fault{Kind: "nope"}), `got fault "nope", want one of ` + kinds},
		{faults.Sequence(faults.Hang(), faults.HTTPStatus(399)), "http: got status 399, want 400 to 599"},
		{faults.Sequence(faults.Capacity(1, 0)), "capacity: got it in a sequence, want it in a rule without end: always"},
		{hang.Times(-1), "got -1 times, want 1 to 2147483647, or 0 for no number"},
		{faults.Sequence(faults.Hang(), faults.Accept()).Times(math.MaxInt32), "got 2147483647 times, want 1 to 1073741823, or 0 for no number"},
		{hang.On("spans"), `got signal "spans", want traces, metrics or logs`},
		{hang.Via("http"), `got protocol "http", want grpc, http/protobuf or http/json`},
		{hang.On(query.Metrics).Where(where.Root()), "filter root applies to spans: the rule is for points"},
		{hang.On(query.Logs).Where(where.Not(where.Name("x"))), `filter not name="x" applies to spans and points: the rule is for logs`},
		{hang.Where(where.Root(), log), `filter func("loud") applies to logs: the rule is for spans`},
		{hang.Where(where.Any(span, log)), `filter (func("odd") or func("loud")) has terms that apply to no item together`},
		{hang.Where(where.Outcome(query.Refused)), "filter outcome=refused: an outcome is not known before the answer"},
		{hang.Where(where.Not(where.InExport(3))), "filter export=3: an export has no number before it is decided"},
		{hang.Where(where.Any(where.Root(), where.Child(where.Root()))), "filter child(root): a span's parent may come later"},
		{hang.Where(where.Not(where.Descendant(where.Root()))), "filter descendant(root): a span's parent may come later"},
		{hang.On(query.Logs).Where(where.Attempt(1), where.MinDuration(1)), "filter duration>=1ns applies to spans: the rule is for logs"},
		{hang.Where(where.Name(where.Matches("("))), "filter name~\"(\": got \"(\", want a regular expression: error parsing regexp: missing closing ): `(`"},
		{hang.Where(where.Not(where.Any())), "where.Any: got no filter, want at least one"},

		{faults.Rate(0, 1, faults.Hang()), "rate: got 0 or no number, want more than 0, up to 1"},
		{faults.Rate(math.NaN(), 1, faults.Hang()), "rate: got 0 or no number, want more than 0, up to 1"},
		{faults.Rate(-0.5, 1, faults.Hang()), "rate: got -0.5, want more than 0, up to 1"},
		{faults.Rate(1.5, 1, faults.Hang()), "rate: got 1.5, want more than 0, up to 1"},
		{faults.Rule{Faults: hang.Faults, Chance: 0.5}, "rate: got it for a sequence, want it for a rule without end"},
		{faults.Rule{Faults: hang.Faults, Forever: true, Seed: 7}, "seed: got 7 without a rate, want both"},
		{faults.Always(faults.Hang()).PerBatch(), "per batch: got it for a rule without end, which is the same for every batch"},

		{hang.Via(query.GRPC).OnHeader("", ""), "got header field \"\", want a name of letters, digits and !#$%&'*+-.^_`|~"},
		{hang.OnHeader("x-tenant", "a\x00"), `got "a\x00" in header field x-tenant, want UTF-8 without control characters`},
		{hang.OnConnection(1, 0), "connection: got 0, want 1 or more"},
		{hang.OnAttempt(2).OnAttempt(2), "attempt: got 2 twice, want each number once"},
		{hang.OnRequest(-1), "request: got -1, want 1 or more"},
		{hang.Between(-1, 0), "from: got -1ns, want 0 or more"},
		{hang.Between(time.Second, time.Second), "until: got 1s, want more than from, which is 1s, or 0 for no end"},
		{hang.Between(0, -1), "until: got -1ns, want more than from, which is 0s, or 0 for no end"},

		{faults.Sequence(faults.Throttle(5).AsDate()).Via(query.GRPC), "throttle: dated changes nothing on grpc, which the rule is for"},
		{faults.Sequence(faults.Reject("").AfterHeaders()).Via(query.HTTPJSON), "reject: headers-first changes nothing on http/json, which the rule is for"},
		{faults.Sequence(faults.HTTPStatus(500).WithDetails(quota)).Via(query.GRPC), "http: detail changes nothing on grpc, which the rule is for"},

		{faults.Sequence(faults.RejectItems("", where.Root())).On(query.Logs), "partial: filter root applies to spans: the rule is for logs"},
		{faults.Sequence(faults.RejectItems("", log)).Where(where.Root()), `partial: filter func("loud") applies to logs: the rule is for spans`},

		{faults.Sequence(faults.Accept(), faults.Hang().BeforeReading()).Where(where.Root()), "hang: unread begins before the body is read, and [root] is not known before"},
		{faults.Sequence(faults.Hang().ReadAfter(1)).OnAttempt(1, 3), "hang: read-after begins before the body is read, and attempt 1|3 is not known before"},
		{faults.Sequence(faults.Accept().ReadSlowly(9)).PerBatch(), "accept: read-rate begins before the body is read, and per batch is not known before"},
		{faults.Sequence(faults.Hang(), faults.Accept()).OnRequest(4), "request 4: got 2 faults for it, want 1 or fewer: the others are never met"},
		{hang.Times(3).OnAttempt(1, 2).PerBatch(), "attempt 1|2: got 3 faults for it, want 2 or fewer: the others are never met"},
	} {
		err := c.rule.Check()
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.rule, err, c.want)
		}
	}
}

func TestRulesThatWork(t *testing.T) {
	hang := faults.Sequence(faults.Hang())
	for _, r := range []faults.Rule{
		hang, hang.Times(math.MaxInt32), faults.Always(faults.Accept()), faults.Sequence(faults.Code(codes.OK)),
		hang.On(query.Logs).Where(where.Attr("x", 1)),
		hang.Where(where.Any(where.Name("x"), where.Root()), where.Kind(query.SpanKindServer)),
		faults.Rate(1, 0, faults.Capacity(0, 1)), faults.Rate(1e-9, math.MaxUint64, faults.Hang()).OnRequest(1),
		faults.Always(faults.OldServer()).Via(query.HTTPJSON).Times(3),
		faults.Always(faults.Redirect(307, "")).Via(query.GRPC), faults.Sequence(faults.HTML()).Via(query.GRPC),
		hang.Between(time.Second, 0).OnHeader("X-Tenant", "").OnConnection(2, 1), hang.Times(2).OnRequest(1, 9),
		faults.Sequence(faults.Hang(), faults.Accept()).PerBatch().OnAttempt(2, 3).Where(where.Root()),
		faults.Sequence(faults.RejectItems("", where.Root()).ReadAfter(1)).On(query.Traces),
		hang.On(query.Traces).Where(where.Func("big", func(e query.Export) bool { return e.Items > 9 }), where.Root()),
	} {
		if err := r.Check(); err != nil {
			t.Errorf("%s: %v", r, err)
		}
	}
}

func TestLenOfRules(t *testing.T) {
	two := faults.Sequence(faults.Hang(), faults.Accept())
	for _, c := range []struct {
		rule faults.Rule
		want int
	}{
		{two, 2},
		{two.Times(1), 2},
		{two.Times(3), 6},
		{faults.Always(faults.Hang()), -1},
		{faults.Always(faults.Hang()).Times(3), 3},
		{faults.Rule{}, 0},
		{two.PerBatch(), -1},
		{faults.Rate(0.5, 1, faults.Hang()).Times(2), 2},
	} {
		if got := c.rule.Len(); got != c.want {
			t.Errorf("Len of %s: got %d, want %d", c.rule, got, c.want)
		}
	}
}

func TestWhereAddsToEarlierFilters(t *testing.T) {
	base := faults.Sequence(faults.Hang()).Where(where.Name("a"))
	left, right := base.Where(where.Name("b")), base.Where(where.Name("c"))
	if got, want := left.String()+"; "+right.String(), `[name="a" name="b"]: hang; [name="a" name="c"]: hang`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRulesCompare(t *testing.T) {
	rule := func(attr any) faults.Rule {
		return faults.Sequence(faults.Throttle(5), faults.Hang()).On(query.Logs).Where(where.Attr("k", attr))
	}
	if diff := cmp.Diff(rule(1), rule(1)); diff != "" {
		t.Errorf("the same rule differs:\n%s", diff)
	}
	if cmp.Equal(rule(1), rule("1")) {
		t.Error("different rules are equal")
	}
}

func TestEarlyRules(t *testing.T) {
	for text, want := range map[string]bool{
		"hang": false, "hang after 1s": false, "hang unread": true, "accept read-after 1s": true, "accept, accept read-rate 1": true,
	} {
		rules, err := faults.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := rules[0].Early(); got != want {
			t.Errorf("%s: got early %t, want %t", text, got, want)
		}
	}
}
