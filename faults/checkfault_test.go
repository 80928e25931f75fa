package faults_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

var quota = &errdetails.QuotaFailure{Violations: []*errdetails.QuotaFailure_Violation{{Subject: "tenant", Description: "too much"}}}

func TestFaultsThatCannotWork(t *testing.T) {
	const names = "want a name of letters, digits and !#$%&'*+-.^_`|~"
	const own = "want one that the answer does not set itself"
	size := func(k faults.Kind, n int64) faults.Fault { return faults.Fault{Kind: k, Size: n} }
	for _, c := range []struct {
		fault faults.Fault
		want  string
	}{
		{faults.Fault{Kind: "nope"}, `got fault "nope", want one of ` + kinds},
		{faults.Fault{Kind: "accept"}, `got fault "accept", want one of ` + kinds},

		{faults.Code(17), "code: got CODE(17), want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)"},
		{faults.Fault{Kind: faults.KindCode}, "code: got OK, want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)"},
		{faults.HTTPStatus(399), "http: got status 399, want 400 to 599"},
		{faults.HTTPStatus(600), "http: got status 600, want 400 to 599"},
		{faults.Redirect(304, ""), "redirect: got status 304, want 301, 302, 303, 307 or 308"},
		{faults.Redirect(307, "/v1/traces"), `redirect: got URL "/v1/traces", want one with http or https and a host, or none for the server itself`},
		{faults.Redirect(307, "ftp://a"), `redirect: got URL "ftp://a", want one with http or https and a host, or none for the server itself`},
		{faults.Redirect(307, "http://"), `redirect: got URL "http://", want one with http or https and a host, or none for the server itself`},
		{faults.Redirect(307, "http://a/\n"), `redirect: got URL "http://a/\n", want one with http or https and a host, or none for the server itself`},
		{faults.Redirect(307, "http://a/\xff"), `redirect: got URL "http://a/\xff", want one with http or https and a host, or none for the server itself`},
		{faults.Raw(199, "", ""), "raw: got status 199, want 200 to 599"},
		{faults.Raw(600, "", ""), "raw: got status 600, want 200 to 599"},
		{faults.Raw(204, "", "x"), "raw: got a body with status 204, which has none"},
		{faults.Raw(200, "text/html\r\nx: y", ""), `raw: got content type "text/html\r\nx: y", want UTF-8 without control characters`},
		{faults.PartialSuccess(-1, ""), "partial: got -1 rejected items, want 0 or more"},
		{faults.Fault{Kind: faults.KindPartial, Rejected: 1, Filters: []query.Filter{where.Root()}}, "partial: got 1 rejected items and filters, want one of the two"},
		{faults.RejectItems("", where.Root(), where.Rule("S-40")), `partial: filter rule="S-40" applies to violations, not to spans and points and logs`},
		{faults.RejectItems("", where.Func("big", func(query.Export) bool { return true })), `partial: filter func("big") applies to exports, not to spans and points and logs`},
		{faults.RejectItems("", where.Attempt(1)), `partial: filter attempt=1 applies to exports, not to spans and points and logs`},
		{faults.RejectItems("", where.Child(where.Root())), `partial: filter child(root): a span's parent may come later`},
		{faults.RejectItems("", where.Root(), where.Func("loud", func(query.Log) bool { return true })), `partial: filter func("loud") applies to logs: the fault is for spans`},
		{faults.Oversized(0), "oversized: got 0 bytes, want 1 to 1073741824"},
		{faults.Oversized(1<<30 + 1), "oversized: got 1073741825 bytes, want 1 to 1073741824"},
		{faults.HugeTrailers(-1), "trailers: got -1 bytes, want 1 to 16777216"},
		{faults.HugeTrailers(1<<24 + 1), "trailers: got 16777217 bytes, want 1 to 16777216"},
		{faults.Encoded(""), `encoded: got encoding "", want a name such as gzip`},
		{faults.Encoded("g zip"), `encoded: got encoding "g zip", want a name such as gzip`},
		{faults.Capacity(0, 0), "capacity: got no limit, want items per second, open requests or both"},
		{faults.Capacity(-1, 0), "capacity: got -1 items per second, want a number of 0 or more"},
		{faults.Capacity(math.NaN(), 1), "capacity: got NaN items per second, want a number of 0 or more"},
		{faults.Capacity(math.Inf(1), 1), "capacity: got +Inf items per second, want a number of 0 or more"},
		{faults.Capacity(1, -1), "capacity: got -1 open requests, want 0 or more"},
		{faults.Capacity(1, 1).ReadAfter(1), "capacity: read-after begins before the body is read, and items are not known before"},
		{faults.ResetStream(14), "rst: got error code 14, want 0 (NO_ERROR) to 13 (HTTP_1_1_REQUIRED)"},
		{faults.GoAway(0, 14), "goaway: got error code 14, want 0 (NO_ERROR) to 13 (HTTP_1_1_REQUIRED)"},
		{faults.GoAway(2, 0), "goaway: got last stream 2, want 0 or an odd number up to 2147483647"},
		{faults.GoAway(1<<31+1, 0), "goaway: got last stream 2147483649, want 0 or an odd number up to 2147483647"},
		{faults.Outage(0), "down: got a time of outage of 0s, want more than 0"},
		{faults.Outage(-1), "down: got a time of outage of -1ns, want more than 0"},

		{faults.Throttle(-1), "throttle: got a retry delay of -1ns, want 0 or more"},
		{faults.Accept().After(-1), "accept: got a delay of -1ns before the answer, want 0 or more"},
		{faults.Accept().ReadAfter(-1), "accept: got a delay of -1ns before reading, want 0 or more"},
		{faults.Accept().ReadSlowly(-1), "accept: got read-rate -1, want 1 or more bytes a second, or 0 for as fast as they come"},
		{faults.Hang().BeforeReading().ReadAfter(1), "hang: got unread with read-after, want one of the two"},
		{faults.Hang().BeforeReading().ReadSlowly(1), "hang: got unread with read-rate, want one of the two"},
		{faults.Hang().BeforeReading().Stored(), "hang: got unread with stored: what is not read cannot be stored"},

		{faults.Fault{Kind: faults.KindCode, Code: 14, RetryDelay: 1}, "code: got a retry delay of 1ns without retry, want both"},
		{faults.HTTPStatus(503).AsDate(), "http: got dated without retry, want both"},
		{faults.Unavailable().RetryIn(1), "unavailable: does not use a retry delay"},
		{faults.Code(codes.OK).RetryIn(0), "accept: does not use retry"},
		{faults.Throttle(1).RetryIn(1), "throttle: does not use retry"},
		{faults.Unavailable().AsDate(), "unavailable: does not use dated"},

		{faults.Reject("\xff"), `reject: got message "\xff", want valid UTF-8`},
		{faults.Accept().With("x y", ""), `accept: got header field "x y", ` + names},
		{faults.Accept().With(":status", "1"), `accept: got header field ":status", ` + names},
		{faults.Accept().With("grpc-retry-pushback-ms", "1").With("Grpc-Status", "1"), `accept: got header field Grpc-Status, ` + own},
		{faults.Accept().With("Connection", "close"), `accept: got header field Connection, ` + own},
		{faults.Accept().With("X-Tenant", "a\r\nb"), `accept: got "a\r\nb" in header field X-Tenant, want UTF-8 without control characters`},
		{faults.Accept().With("x", "\xff"), `accept: got "\xff" in header field x, want UTF-8 without control characters`},
		{faults.Fault{Kind: faults.KindReject, Details: []faults.Detail{{Type: "a/b"}}}, `reject: got a detail of type "a/b", want a message's full name such as google.rpc.QuotaFailure`},

		{faults.PartialSuccess(1, "").Stored(), "partial: does not use stored"},
		{faults.Raw(200, "", "").Stored(), "raw: does not use stored"},
		{faults.Raw(300, "", "").Lost(), "raw: does not use lost"},
		{faults.Hang().Lost(), "hang: does not use lost"},
		{faults.Accept().BeforeReading(), "accept: does not use unread"},
		{faults.HalfAnswer().BeforeReading(), "half: does not use unread"},
		{faults.Redirect(307, "").BeforeReading(), "redirect: does not use unread"},
		{faults.HTTPStatus(500).AfterHeaders(), "http: does not use headers-first"},
		{faults.PartialSuccess(1, "").AfterHeaders(), "partial: does not use headers-first"},
		{faults.Hang().ThenClose(), "hang: does not use closing"},
		{faults.HalfAnswer().ThenClose(), "half: does not use closing"},
		{faults.Reset().With("a", "b"), "reset: does not use header fields"},
		{faults.Redirect(307, "").WithDetails(quota), "redirect: does not use details"},
		{faults.Fault{Code: 5}, "accept: does not use a code"},
		{faults.Fault{Kind: faults.KindHang, HTTP: 500}, "hang: does not use an HTTP status"},
		{faults.Fault{Kind: faults.KindUnavailable, Message: "x"}, "unavailable: does not use a message"},
		{faults.Fault{Kind: faults.KindHang, RetryDelay: 1}, "hang: does not use a retry delay"},
		{faults.Fault{Kind: faults.KindHTTP, HTTP: 500, Rejected: 1}, "http: does not use a number of rejected items"},
		{faults.Fault{Kind: faults.KindHang, Filters: []query.Filter{where.Root()}}, "hang: does not use filters"},
		{faults.Fault{Kind: faults.KindHang, Type: "gzip"}, "hang: does not use a type"},
		{faults.Fault{Kind: faults.KindEncoded, Type: "gzip", Body: "x"}, "encoded: does not use a body"},
		{faults.Fault{Kind: faults.KindHTTP, HTTP: 500, Location: "http://a"}, "http: does not use a URL"},
		{size(faults.KindNewer, 1), "newer: does not use a size"},
		{faults.Fault{Kind: faults.KindReset, HTTP2: 1}, "reset: does not use an error code of HTTP/2"},
		{faults.Fault{Kind: faults.KindRST, Last: 1}, "rst: does not use a last stream"},
		{faults.Fault{Kind: faults.KindHang, For: 1}, "hang: does not use a time of outage"},
		{faults.Fault{ItemsPerSecond: 1}, "accept: does not use items per second"},
		{faults.Fault{MaxInFlight: 1}, "accept: does not use a number of open requests"},
	} {
		err := c.fault.Check()
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.fault, err, c.want)
		}
	}
}

// anyOf is a fault of each kind that works.
var anyOf = map[faults.Kind]faults.Fault{
	faults.KindThrottle: faults.Throttle(0), faults.KindExhausted: faults.ResourceExhausted(1), faults.KindCode: faults.Code(1),
	faults.KindHTTP: faults.HTTPStatus(500), faults.KindRedirect: faults.Redirect(301, ""), faults.KindOversized: faults.Oversized(1),
	faults.KindTrailers: faults.HugeTrailers(1), faults.KindEncoded: faults.Encoded("gzip"), faults.KindRaw: faults.Raw(200, "", ""),
	faults.KindCapacity: faults.Capacity(0, 1), faults.KindDown: faults.Outage(1),
}

func TestWhatEachKindCanHave(t *testing.T) {
	const whole = "accept unavailable throttle exhausted reject code http redirect partial newer oversized trailers encoded raw"
	for _, c := range []struct {
		what  string
		with  func(faults.Fault) faults.Fault
		kinds string // empty for all
	}{
		{"after", func(f faults.Fault) faults.Fault { return f.After(1) }, ""},
		{"read-after", func(f faults.Fault) faults.Fault { return f.ReadAfter(1) }, ""},
		{"read-rate", func(f faults.Fault) faults.Fault { return f.ReadSlowly(1) }, ""},
		{"with", func(f faults.Fault) faults.Fault { return f.With("x-a", "b") }, whole},
		{"closing", faults.Fault.ThenClose, whole + " garbage truncated capacity old"},
		{"detail", func(f faults.Fault) faults.Fault { return f.WithDetails(quota) }, "unavailable throttle exhausted reject code http"},
		{"headers-first", faults.Fault.AfterHeaders, "unavailable throttle exhausted reject code"},
		{"unread", faults.Fault.BeforeReading, "unavailable throttle exhausted reject code http hang reset close blackhole rst goaway down"},
		{"retry", func(f faults.Fault) faults.Fault { return f.RetryIn(0) }, "code http"},
		{"lost", faults.Fault.Lost, "accept partial newer garbage truncated oversized trailers encoded raw capacity old half"},
		{"stored", faults.Fault.Stored, "unavailable throttle exhausted reject code http redirect hang reset close blackhole rst goaway down"},
	} {
		for _, k := range faults.Kinds() {
			f, ok := anyOf[k]
			if !ok {
				f = faults.Fault{Kind: k}
			}
			name, _, _ := strings.Cut(f.String(), " ")
			err := c.with(f).Check()
			if can := c.kinds == "" || slices.Contains(strings.Fields(c.kinds), name); can != (err == nil) {
				t.Errorf("%s %s: got %v, want it to work: %t", f, c.what, err, can)
			}
		}
	}
}

func TestWhatIsStored(t *testing.T) {
	for text, want := range map[string]bool{
		"accept": true, "accept lost": false, "partial 1": true, "garbage": true, "half": true, "half lost": false,
		`raw 200 "" ""`: true, `raw 299 "" "" lost`: false, `raw 300 "" ""`: false, `raw 500 "" "" stored`: true,
		"unavailable": false, "unavailable stored": true, "hang": false, "hang stored": true, "redirect 307": false, "down 1s": false,
	} {
		rules, err := faults.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := rules[0].Faults[0].Stores(); got != want {
			t.Errorf("%s: got stored %t, want %t", text, got, want)
		}
	}
}
