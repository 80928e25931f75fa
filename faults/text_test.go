package faults_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

var texts = []struct {
	text  string
	rules []faults.Rule
	print string // where it is not text
}{
	{text: "", rules: nil},
	{text: " ;\n; ", rules: nil},
	{text: "unavailable", rules: rules(faults.Sequence(faults.Unavailable()))},
	{text: "accept", rules: rules(faults.Sequence(faults.Accept()))},
	{text: "ok", rules: rules(faults.Sequence(faults.Accept())), print: "accept"},
	{text: "hang", rules: rules(faults.Sequence(faults.Hang()))},
	{text: "throttle 1m30s", rules: rules(faults.Sequence(faults.Throttle(90 * time.Second)))},
	{text: "throttle 0", rules: rules(faults.Sequence(faults.Throttle(0))), print: "throttle 0s"},
	{text: "throttle 1.5µs", rules: rules(faults.Sequence(faults.Throttle(1500)))},
	{text: "reject", rules: rules(faults.Sequence(faults.Reject("")))},
	{text: `reject "too; \"big\": [1, 2]"`, rules: rules(faults.Sequence(faults.Reject(`too; "big": [1, 2]`)))},
	{text: "code NOT_FOUND", rules: rules(faults.Sequence(faults.Code(codes.NotFound)))},
	{text: "code not_found", rules: rules(faults.Sequence(faults.Code(codes.NotFound))), print: "code NOT_FOUND"},
	{text: `code DATA_LOSS "gone"`, rules: rules(faults.Sequence(faults.Fault{Kind: faults.KindCode, Code: 15, Message: "gone"}))},
	{text: "http 502", rules: rules(faults.Sequence(faults.HTTPStatus(502)))},
	{text: `http 429 "slow"`, rules: rules(faults.Sequence(faults.Fault{Kind: faults.KindHTTP, HTTP: 429, Message: "slow"}))},
	{text: "partial 2", rules: rules(faults.Sequence(faults.PartialSuccess(2, "")))},
	{text: `partial 0 "deprecated"`, rules: rules(faults.Sequence(faults.PartialSuccess(0, "deprecated")))},

	{text: "unavailable after 200ms stored", rules: rules(faults.Sequence(faults.Unavailable().After(200 * time.Millisecond).Stored()))},
	{
		text:  "unavailable x2 stored after 200ms",
		rules: rules(faults.Sequence(faults.Unavailable().After(200*time.Millisecond).Stored(), faults.Unavailable().After(200*time.Millisecond).Stored())),
		print: "unavailable after 200ms stored x2",
	},
	{text: "unavailable x1", rules: rules(faults.Sequence(faults.Unavailable())), print: "unavailable"},
	{text: "hang,hang,accept,hang", rules: rules(faults.Sequence(faults.Hang(), faults.Hang(), faults.Accept(), faults.Hang())), print: "hang x2, accept, hang"},

	{text: "always unavailable", rules: rules(faults.Always(faults.Unavailable()))},
	{text: "3 times always unavailable", rules: rules(faults.Always(faults.Unavailable()).Times(3))},
	{text: "1 times hang, accept", rules: rules(faults.Sequence(faults.Hang(), faults.Accept()).Times(1)), print: "1 time hang, accept"},
	{text: "20 times hang, accept", rules: rules(faults.Sequence(faults.Hang(), faults.Accept()).Times(20))},

	{text: "traces: unavailable", rules: rules(faults.Sequence(faults.Unavailable()).On(query.Traces))},
	{text: "http/json : http 500", rules: rules(faults.Sequence(faults.HTTPStatus(500)).Via(query.HTTPJSON)), print: "http/json: http 500"},
	{
		text: `traces grpc [name="]: \"" not kind=client]: throttle 30s x2, unavailable; metrics: accept`,
		rules: rules(
			faults.Sequence(faults.Throttle(30*time.Second), faults.Throttle(30*time.Second), faults.Unavailable()).
				On(query.Traces).Via(query.GRPC).Where(where.Name(`]: "`), where.Not(where.Kind(query.SpanKindClient))),
			faults.Sequence(faults.Accept()).On(query.Metrics),
		),
	},
	{
		text:  `[attr.n=1]http/protobuf[attr.a:b]logs:hang;`,
		rules: rules(faults.Sequence(faults.Hang()).On(query.Logs).Via(query.HTTPProtobuf).Where(where.Attr("n", 1), where.HasAttr("a:b"))),
		print: `logs http/protobuf [attr.n=1 attr.a:b]: hang`,
	},
	{
		text:  "\nlogs: hang,accept\r\n\n  metrics: accept\n",
		rules: rules(faults.Sequence(faults.Hang(), faults.Accept()).On(query.Logs), faults.Sequence(faults.Accept()).On(query.Metrics)),
		print: "logs: hang, accept; metrics: accept",
	},
	{text: "[]: hang", rules: rules(faults.Sequence(faults.Hang())), print: "hang"},
}

func rules(rs ...faults.Rule) []faults.Rule { return rs }

func TestTextIsReadAndWritten(t *testing.T) {
	for _, c := range texts {
		got, err := faults.Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if !reflect.DeepEqual(got, c.rules) {
			t.Errorf("Parse(%q)\n got %#v\nwant %#v", c.text, got, c.rules)
		}
		want := c.print
		if want == "" && len(c.rules) > 0 {
			want = c.text
		}
		if got := join(got); got != want {
			t.Errorf("Parse(%q) is printed as\n got %s\nwant %s", c.text, got, want)
		}
	}
}

func TestTextErrors(t *testing.T) {
	const kinds = "want one of accept, unavailable, throttle, reject, code, http, partial, hang"
	const codes = "want one of OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, " +
		"PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS, UNAUTHENTICATED"
	for _, c := range []struct{ text, want string }{
		{`nope`, `faults "nope": at character 1: got "nope", ` + kinds},
		{`hang; "x"`, `faults "hang; \"x\"": at character 7: got "\"", ` + kinds},
		{`hang,`, `faults "hang,": at character 6: got the end, ` + kinds},
		{`hang, ; hang`, `faults "hang, ; hang": at character 7: got ";", ` + kinds},
		{`traces:`, `faults "traces:": at character 8: got the end, ` + kinds},
		{`: hang`, `faults ": hang": at character 1: got ":", ` + kinds},
		{`hang x2 hang`, `faults "hang x2 hang": at character 9: got "hang", want after, stored, x2, a comma or a semicolon`},
		{`unavailable "why"`, `faults "unavailable \"why\"": at character 13: got "\"", want after, stored, x2, a comma or a semicolon`},

		{`trace: hang`, `faults "trace: hang": at character 1: got selector "trace", want traces, metrics, logs, grpc, http/protobuf, http/json or filters in []`},
		{`traces hang`, `faults "traces hang": at character 8: got "hang", want a signal, a protocol, filters in [] or a colon`},
		{`traces logs: hang`, `faults "traces logs: hang": at character 8: got a second signal, logs, want one, or none for all`},
		{`grpc grpc: hang`, `faults "grpc grpc: hang": at character 6: got a second protocol, grpc, want one, or none for all`},
		{`traces [name="a]": hang`, `faults "traces [name=\"a]\": hang": at character 8: got filters that do not end, want a closing bracket`},
		{`[name=a]: hang`, `faults "[name=a]: hang": at character 2: filter "name=a": at character 6: got "a", want a string in double quotes, as in name="charge"`},
		{`metrics [kind=client]: hang`, `faults "metrics [kind=client]: hang": at character 1: filter kind=client applies to spans: the rule is for points`},
		{`hang; [unit]: hang`, `faults "hang; [unit]: hang": at character 8: filter "unit": at character 1: got "unit", want one of name, service, scope, attr.KEY, resource.KEY, kind, status, trace, root, rule, not, (`},

		{`0 times hang`, `faults "0 times hang": at character 1: got "0" times, want a number of 1 or more`},
		{`2.5 times hang`, `faults "2.5 times hang": at character 1: got "2.5" times, want a number of 1 or more`},
		{`2 hang`, `faults "2 hang": at character 3: got "hang", want times after 2`},
		{`2147483647 times hang, ok`, `faults "2147483647 times hang, ok": at character 1: got 2147483647 times, want 1 to 1073741823, or 0 for no number`},
		{`always hang, accept`, `faults "always hang, accept": at character 1: got 2 faults for a rule without end, want 1`},
		{`always hang x2`, `faults "always hang x2": at character 1: got 2 faults for a rule without end, want 1`},

		{`throttle`, `faults "throttle": at character 9: got the end after throttle, want a duration such as 1.5s or 200ms`},
		{`throttle 30`, `faults "throttle 30": at character 10: got "30" after throttle, want a duration such as 1.5s or 200ms`},
		{`throttle -1s`, `faults "throttle -1s": at character 1: throttle: got a retry delay of -1s, want 0 or more`},
		{`hang after`, `faults "hang after": at character 11: got the end after after, want a duration such as 1.5s or 200ms`},
		{`hang after -1s`, `faults "hang after -1s": at character 1: hang: got a delay of -1s before the answer, want 0 or more`},
		{`hang after 1s after 1s`, `faults "hang after 1s after 1s": at character 15: got a second after for one fault`},
		{`hang stored stored`, `faults "hang stored stored": at character 13: got a second stored for one fault`},
		{`accept stored`, `faults "accept stored": at character 1: accept: does not use stored`},
		{`hang x2 x2`, `faults "hang x2 x2": at character 9: got a second x2 for one fault`},
		{`hang x0`, `faults "hang x0": at character 6: got "x0", want x and a number of 1 or more, as in x3`},
		{`hang x`, `faults "hang x": at character 6: got "x", want x and a number of 1 or more, as in x3`},
		{`hang x10000; hang`, `faults "hang x10000; hang": at character 14: got more than 10000 faults, want fewer: "N times" repeats a sequence`},

		{`code`, `faults "code": at character 5: got the end after code, want a name such as NOT_FOUND`},
		{`code 5`, `faults "code 5": at character 6: got code "5", ` + codes},
		{`code ok`, `faults "code ok": at character 1: code: got OK, want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)`},
		{`http`, `faults "http": at character 5: got the end after http, want a number`},
		{`http 200`, `faults "http 200": at character 1: http: got status 200, want 400 to 599`},
		{`http/json hang`, `faults "http/json hang": at character 11: got "hang", want a signal, a protocol, filters in [] or a colon`},
		{`partial two`, `faults "partial two": at character 9: got "two" after partial, want a number`},
		{`partial -1`, `faults "partial -1": at character 1: partial: got -1 rejected items, want 0 or more`},
		{`reject "why`, `faults "reject \"why": at character 8: got a message that does not end, or an escape that is none, want "…"`},
		{`reject "\q"`, `faults "reject \"\\q\"": at character 8: got a message that does not end, or an escape that is none, want "…"`},
		{`reject "\xff"`, `faults "reject \"\\xff\"": at character 1: reject: got message "\xff", want valid UTF-8`},
		{`reject "ü", é`, `faults "reject \"ü\", é": at character 13: got "é", ` + kinds},
	} {
		rules, err := faults.Parse(c.text)
		if err == nil {
			t.Errorf("Parse(%q): got %v, want an error", c.text, rules)
		} else if err.Error() != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, err, c.want)
		}
	}
}

func TestTextOfRulesThatCannotWork(t *testing.T) {
	for want, r := range map[string]faults.Rule{
		"no fault":              {},
		"-1 times no fault":     {Repeat: -1},
		`nope "why"`:            faults.Sequence(faults.Fault{Kind: "nope", Message: "why"}),
		"code CODE(99)":         faults.Sequence(faults.Code(99)),
		"[func(\"big\")]: hang": faults.Sequence(faults.Hang()).Where(where.Func("big", func(query.Span) bool { return true })),
		"always hang, throttle 2562047h47m16.854775807s": {
			Faults:  []faults.Fault{faults.Hang(), faults.Throttle(math.MaxInt64)},
			Forever: true,
		},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
