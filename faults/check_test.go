package faults_test

import (
	"math"
	"testing"

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
		{faults.Sequence(faults.Hang(), faults.Fault{Kind: "nope"}), `got fault "nope", want one of accept, unavailable, throttle, reject, code, http, partial, hang`},
		{faults.Sequence(faults.Code(17)), "code: got CODE(17), want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)"},
		{faults.Sequence(faults.HTTPStatus(399)), "http: got status 399, want 400 to 599"},
		{faults.Sequence(faults.PartialSuccess(1, "").Stored()), "partial: does not use stored"},
		{faults.Sequence(faults.Fault{Kind: faults.KindHang, HTTP: 500}), "hang: does not use an HTTP status"},
		{faults.Sequence(faults.Fault{Code: 5}), "accept: does not use a code"},
		{faults.Sequence(faults.Fault{Kind: faults.KindHang, RetryDelay: 1}), "hang: does not use a retry delay"},
		{faults.Sequence(faults.Fault{Kind: faults.KindHTTP, HTTP: 500, Rejected: 1}), "http: does not use a number of rejected items"},
		{faults.Sequence(faults.Reject("\xff")), `reject: got message "\xff", want valid UTF-8`},
		{hang.Times(-1), "got -1 times, want 1 to 2147483647, or 0 for no number"},
		{faults.Sequence(faults.Hang(), faults.Accept()).Times(math.MaxInt32), "got 2147483647 times, want 1 to 1073741823, or 0 for no number"},
		{hang.On("spans"), `got signal "spans", want traces, metrics or logs`},
		{hang.Via("http"), `got protocol "http", want grpc, http/protobuf or http/json`},
		{hang.On(query.Metrics).Where(where.Root()), "filter root applies to spans: the rule is for points"},
		{hang.On(query.Logs).Where(where.Not(where.Name("x"))), `filter not name="x" applies to spans and points: the rule is for logs`},
		{hang.Where(where.Root(), log), `filter func("loud") applies to logs: the rule is for spans`},
		{hang.Where(where.Any(span, log)), `filter (func("odd") or func("loud")) has terms that apply to no item together`},
		{hang.Where(where.Not(where.Any())), "where.Any: got no filter, want at least one"},
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
