package faults_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// What errors list.
const (
	kinds = "accept, unavailable, throttle, exhausted, reject, code, http, redirect, partial, newer, garbage, truncated, oversized, trailers, encoded, raw, " +
		"capacity, old, hang, half, reset, close, blackhole, rst, goaway, down"
	modifiers = "retry, dated, with, detail, unread, read-after, read-rate, after, headers-first, closing, stored, lost"
	selectors = "traces, metrics, logs, grpc, http/protobuf, http/json, header, connection, from, until, attempt, request, per batch or filters in []"
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
	{text: "exhausted 1s", rules: rules(faults.Sequence(faults.ResourceExhausted(time.Second)))},
	{text: "redirect 307", rules: rules(faults.Sequence(faults.Redirect(307, "")))},
	{text: `redirect 302 "http://a:4318"`, rules: rules(faults.Sequence(faults.Redirect(302, "http://a:4318")))},
	{text: `partial [name="a" not root] "why"`, rules: rules(faults.Sequence(faults.RejectItems("why", where.Name("a"), where.Not(where.Root()))))},
	{text: "newer", rules: rules(faults.Sequence(faults.NewerAnswer()))},
	{text: "garbage, truncated", rules: rules(faults.Sequence(faults.Garbage(), faults.Truncated()))},
	{text: "oversized 5000000, trailers 20000", rules: rules(faults.Sequence(faults.Oversized(5e6), faults.HugeTrailers(20_000)))},
	{text: "encoded gzip", rules: rules(faults.Sequence(faults.Encoded("gzip")))},
	{text: `encoded "x-a"`, rules: rules(faults.Sequence(faults.Encoded("x-a"))), print: "encoded x-a"},
	{text: `raw 200 "text/html" "<p>\n\xff\x00"`, rules: rules(faults.Sequence(faults.Raw(200, "text/html", "<p>\n\xff\x00")))},
	{text: `raw 204 "" ""`, rules: rules(faults.Sequence(faults.Raw(204, "", "")))},
	{text: "always capacity 1000/s", rules: rules(faults.Always(faults.Capacity(1000, 0)))},
	{text: "always capacity 4 open", rules: rules(faults.Always(faults.Capacity(0, 4)))},
	{text: "always capacity 0.5/s 4 open closing", rules: rules(faults.Always(faults.Capacity(0.5, 4).ThenClose()))},
	{text: "always capacity 1e300/s", rules: rules(faults.Always(faults.Capacity(1e300, 0))), print: "always capacity 1e+300/s"},
	{text: "old, half, reset, close, blackhole", rules: rules(faults.Sequence(faults.OldServer(), faults.HalfAnswer(), faults.Reset(), faults.Close(), faults.Blackhole()))},
	{text: "rst REFUSED_STREAM, rst NO_ERROR", rules: rules(faults.Sequence(faults.ResetStream(faults.RefusedStream), faults.ResetStream(faults.NoError)))},
	{text: "rst cancel", rules: rules(faults.Sequence(faults.ResetStream(faults.Cancel))), print: "rst CANCEL"},
	{text: "goaway 0", rules: rules(faults.Sequence(faults.GoAway(0, faults.NoError)))},
	{text: "goaway 1 ENHANCE_YOUR_CALM after 1s", rules: rules(faults.Sequence(faults.GoAway(1, faults.EnhanceYourCalm).After(time.Second)))},
	{text: "goaway 3 no_error x2", rules: rules(faults.Sequence(faults.GoAway(3, 0), faults.GoAway(3, 0))), print: "goaway 3 x2"},
	{text: "goaway 3 unread", rules: rules(faults.Sequence(faults.GoAway(3, 0).BeforeReading()))},
	{text: "down 5s", rules: rules(faults.Sequence(faults.Outage(5 * time.Second)))},

	{text: "accept lost", rules: rules(faults.Sequence(faults.Accept().Lost()))},
	{text: "code RESOURCE_EXHAUSTED retry 0s dated", rules: rules(faults.Sequence(faults.Code(codes.ResourceExhausted).RetryIn(0).AsDate()))},
	{text: `http 503 "m" retry 1s`, rules: rules(faults.Sequence(faults.Fault{Kind: faults.KindHTTP, HTTP: 503, Message: "m", Retry: true, RetryDelay: time.Second}))},
	{text: "reject unread", rules: rules(faults.Sequence(faults.Reject("").BeforeReading()))},
	{text: "accept read-after 1s read-rate 100 after 2s", rules: rules(faults.Sequence(faults.Accept().ReadAfter(time.Second).ReadSlowly(100).After(2 * time.Second)))},
	{text: "unavailable headers-first closing stored", rules: rules(faults.Sequence(faults.Unavailable().AfterHeaders().ThenClose().Stored()))},
	{
		text:  `unavailable with grpc-retry-pushback-ms "-1" with X-A "b; c" with x-a ""`,
		rules: rules(faults.Sequence(faults.Unavailable().With("grpc-retry-pushback-ms", "-1").With("X-A", "b; c").With("x-a", ""))),
	},
	{
		text:  `unavailable detail {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"tenant","description":"too much"}]} detail {"@type":"type.googleapis.com/my.Own","@value":"AQI="}`,
		rules: rules(faults.Sequence(detailed())),
	},
	{
		text:  `unavailable closing detail { "@type": "google.rpc.RequestInfo", "requestId": "}, \"{ü" }x2,hang`,
		rules: rules(faults.Sequence(requestInfo, requestInfo, faults.Hang())),
		print: `unavailable detail {"@type":"type.googleapis.com/google.rpc.RequestInfo","requestId":"}, \"{ü"} closing x2, hang`,
	},

	{text: "always unavailable", rules: rules(faults.Always(faults.Unavailable()))},
	{text: "3 times always unavailable", rules: rules(faults.Always(faults.Unavailable()).Times(3))},
	{text: "1 times hang, accept", rules: rules(faults.Sequence(faults.Hang(), faults.Accept()).Times(1)), print: "1 time hang, accept"},
	{text: "20 times hang, accept", rules: rules(faults.Sequence(faults.Hang(), faults.Accept()).Times(20))},
	{text: "rate 0.3 seed 7 hang", rules: rules(faults.Rate(0.3, 7, faults.Hang()))},
	{text: "5 times rate 1e-9 seed 18446744073709551615 hang", rules: rules(faults.Rate(1e-9, math.MaxUint64, faults.Hang()).Times(5)), print: "5 times rate 1e-09 seed 18446744073709551615 hang"},
	{text: "rate 1 hang", rules: rules(faults.Rate(1, 0, faults.Hang())), print: "rate 1 seed 0 hang"},

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
	{text: "header X-Tenant header x-b=\"c: \\\"d\": hang", rules: rules(faults.Sequence(faults.Hang()).OnHeader("X-Tenant", "").OnHeader("x-b", `c: "d`))},
	{text: "connection 1|20: hang", rules: rules(faults.Sequence(faults.Hang()).OnConnection(1, 20))},
	{text: "from 1s until 1m0s attempt 1|3 request 2: hang", rules: rules(faults.Sequence(faults.Hang()).Between(time.Second, time.Minute).OnAttempt(1, 3).OnRequest(2))},
	{
		text:  "per batch attempt 1|2 logs: hang, accept",
		rules: rules(faults.Sequence(faults.Hang(), faults.Accept()).PerBatch().OnAttempt(1, 2).On(query.Logs)),
		print: "logs attempt 1|2 per batch: hang, accept",
	},
	{text: "[]: hang", rules: rules(faults.Sequence(faults.Hang())), print: "hang"},
}

var requestInfo = faults.Unavailable().WithDetails(&errdetails.RequestInfo{RequestId: `}, "{ü`}).ThenClose()

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
