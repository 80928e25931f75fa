package faults_test

import (
	"testing"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query/where"
)

func TestTextErrors(t *testing.T) {
	const codes = "want one of OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, DEADLINE_EXCEEDED, NOT_FOUND, ALREADY_EXISTS, " +
		"PERMISSION_DENIED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED, OUT_OF_RANGE, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS, UNAUTHENTICATED"
	const http2 = "NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR, " +
		"REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY, HTTP_1_1_REQUIRED"
	_, unknown := where.Parse("nope")
	for _, c := range []struct{ text, want string }{
		{`nope`, `faults "nope": at character 1: got "nope", want one of ` + kinds},
		{`hang; "x"`, `faults "hang; \"x\"": at character 7: got "\"", want one of ` + kinds},
		{`hang,`, `faults "hang,": at character 6: got the end, want one of ` + kinds},
		{`hang, ; hang`, `faults "hang, ; hang": at character 7: got ";", want one of ` + kinds},
		{`traces:`, `faults "traces:": at character 8: got the end, want one of ` + kinds},
		{`: hang`, `faults ": hang": at character 1: got ":", want one of ` + kinds},
		{`hang x2 hang`, `faults "hang x2 hang": at character 9: got "hang", want one of ` + modifiers + `, x2, or a comma or a semicolon`},
		{`unavailable "why"`, `faults "unavailable \"why\"": at character 13: got "\"", want one of ` + modifiers + `, x2, or a comma or a semicolon`},

		{`trace: hang`, `faults "trace: hang": at character 1: got selector "trace", want ` + selectors},
		{`traces hang`, `faults "traces hang": at character 8: got "hang", want a colon or one of ` + selectors},
		{`traces logs: hang`, `faults "traces logs: hang": at character 8: got a second signal, logs, want one, or none for all`},
		{`grpc grpc: hang`, `faults "grpc grpc: hang": at character 6: got a second protocol, grpc, want one, or none for all`},
		{`traces [name="a]": hang`, `faults "traces [name=\"a]\": hang": at character 8: got filters that do not end, want a closing bracket`},
		{`[name=a]: hang`, `faults "[name=a]: hang": at character 2: filter "name=a": at character 6: got "a", want a string in double quotes, as in name="charge"`},
		{`metrics [kind=client]: hang`, `faults "metrics [kind=client]: hang": at character 1: filter kind=client applies to spans: the rule is for points`},
		{`hang; [nope]: hang`, `faults "hang; [nope]: hang": at character 8: ` + unknown.Error()},

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

		{`header: hang`, `faults "header: hang": at character 7: got ":" after header, want a name such as x-tenant, or a name and a value as in x-tenant="a"`},
		{`header x=a: hang`, `faults "header x=a: hang": at character 8: got "x=a" after header, want a name such as x-tenant, or a name and a value as in x-tenant="a"`},
		{`header x=: hang`, `faults "header x=: hang": at character 10: got ":", want the value of header field x in quotes`},
		{`header x="": hang`, `faults "header x=\"\": hang": at character 10: got an empty value of header field x, want one, or the name alone for any`},
		{`header x=": hang`, `faults "header x=\": hang": at character 10: got the value of header field x that does not end, or an escape that is none, want "…"`},
		{`header x@y: hang`, "faults \"header x@y: hang\": at character 1: got header field \"x@y\", want a name of letters, digits and !#$%&'*+-.^_`|~"},
		{`connection one: hang`, `faults "connection one: hang": at character 12: got "one" after connection, want a number, or several as in 1|3`},
		{`connection 1|: hang`, `faults "connection 1|: hang": at character 12: got "1|" after connection, want a number, or several as in 1|3`},
		{`request 0: hang`, `faults "request 0: hang": at character 1: request: got 0, want 1 or more`},
		{`attempt 1 attempt 2: hang`, `faults "attempt 1 attempt 2: hang": at character 11: got a second attempt for one rule`},
		{`from: hang`, `faults "from: hang": at character 5: got ":" after from, want a duration such as 1.5s or 200ms`},
		{`until 0s: hang`, `faults "until 0s: hang": at character 7: got 0 after until, want more`},
		{`from 2s until 1s: hang`, `faults "from 2s until 1s: hang": at character 1: until: got 1s, want more than from, which is 2s, or 0 for no end`},
		{`per request: hang`, `faults "per request: hang": at character 5: got "request" after per, want batch`},
		{`per batch hang`, `faults "per batch hang": at character 11: got "hang", want a colon or one of ` + selectors},
		{`per batch: always hang`, `faults "per batch: always hang": at character 1: per batch: got it for a rule without end, which is the same for every batch`},
		{`rate hang`, `faults "rate hang": at character 6: got "hang" after rate, want a share of more than 0, up to 1`},
		{`rate 0 hang`, `faults "rate 0 hang": at character 6: got "0" after rate, want a share of more than 0, up to 1`},
		{`rate 1.1 hang`, `faults "rate 1.1 hang": at character 6: got "1.1" after rate, want a share of more than 0, up to 1`},
		{`rate NaN hang`, `faults "rate NaN hang": at character 6: got "NaN" after rate, want a share of more than 0, up to 1`},
		{`rate 0.5 seed -1 hang`, `faults "rate 0.5 seed -1 hang": at character 15: got "-1" after seed, want a whole number of 0 or more`},
		{`rate 0.5 hang, ok`, `faults "rate 0.5 hang, ok": at character 1: got 2 faults for a rule without end, want 1`},
		{`always rate 0.5 hang`, `faults "always rate 0.5 hang": at character 8: got "rate", want one of ` + kinds},

		{`redirect 307 "a`, `faults "redirect 307 \"a": at character 14: got a URL that does not end, or an escape that is none, want "…"`},
		{`partial [root`, `faults "partial [root": at character 9: got filters that do not end, want a closing bracket`},
		{`partial [root=1]`, `faults "partial [root=1]": at character 10: filter "root=1": at character 5: root takes no value`},
		{`partial []`, `faults "partial []": at character 9: got no filter after partial, want at least one in []`},
		{`oversized 5MiB`, `faults "oversized 5MiB": at character 11: got "5MiB" after oversized, want a number`},
		{`encoded`, `faults "encoded": at character 8: got the end, want an encoding such as gzip in quotes`},
		{`encoded g@zip`, `faults "encoded g@zip": at character 1: encoded: got encoding "g@zip", want a name such as gzip`},
		{`raw 200 text/html`, `faults "raw 200 text/html": at character 9: got "text/html", want a content type in quotes`},
		{`raw 200 "text/html"`, `faults "raw 200 \"text/html\"": at character 20: got the end, want a body in quotes`},
		{`capacity`, `faults "capacity": at character 9: got the end after capacity, want items a second such as 1000/s, open requests such as 4 open, or both`},
		{`capacity x/s`, `faults "capacity x/s": at character 10: got "x/s" after capacity, want a number of items a second such as 1000/s`},
		{`capacity 0/s`, `faults "capacity 0/s": at character 10: got "0/s" after capacity, want a number of items a second such as 1000/s`},
		{`capacity 4`, `faults "capacity 4": at character 11: got the end after 4, want open after a number of 1 or more, as in 4 open`},
		{`capacity 0 open`, `faults "capacity 0 open": at character 12: got "open" after 0, want open after a number of 1 or more, as in 4 open`},
		{`capacity 5x open`, `faults "capacity 5x open": at character 10: got "5x" after capacity, want a number`},
		{`capacity 4 open`, `faults "capacity 4 open": at character 1: capacity: got it in a sequence, want it in a rule without end: always`},
		{`rst`, `faults "rst": at character 4: got the end after rst, want a name such as CANCEL`},
		{`rst 8`, `faults "rst 8": at character 5: got HTTP/2 error "8", want one of ` + http2},
		{`goaway`, `faults "goaway": at character 7: got the end after goaway, want the number of the last stream, or 0`},
		{`goaway -1`, `faults "goaway -1": at character 8: got "-1" after goaway, want the number of the last stream, or 0`},
		{`goaway 1 later`, `faults "goaway 1 later": at character 10: got HTTP/2 error "later", want one of ` + http2},
		{`goaway 2`, `faults "goaway 2": at character 1: goaway: got last stream 2, want 0 or an odd number up to 2147483647`},
		{`down`, `faults "down": at character 5: got the end after down, want a duration such as 1.5s or 200ms`},

		{`code ABORTED retry`, `faults "code ABORTED retry": at character 19: got the end after retry, want a duration such as 1.5s or 200ms`},
		{`ok lost lost`, `faults "ok lost lost": at character 9: got a second lost for one fault`},
		{`ok read-rate fast`, `faults "ok read-rate fast": at character 14: got "fast" after read-rate, want a number`},
		{`ok read-after`, `faults "ok read-after": at character 14: got the end after read-after, want a duration such as 1.5s or 200ms`},
		{`ok with`, `faults "ok with": at character 8: got the end after with, want the name of a header field`},
		{`ok with x`, `faults "ok with x": at character 10: got the end, want the value of header field x in quotes`},
		{`ok with te "x"`, `faults "ok with te \"x\"": at character 1: accept: got header field te, want one that the answer does not set itself`},
		{`reject detail "x"`, `faults "reject detail \"x\"": at character 15: got "\"" after detail, want a JSON object with @type`},
		{`reject detail {"a"`, `faults "reject detail {\"a\"": at character 15: got no JSON object after detail: unexpected EOF`},
		{`reject detail {}`, `faults "reject detail {}": at character 15: got no @type in a detail, want one such as "type.googleapis.com/google.rpc.QuotaFailure"`},

		{`code`, `faults "code": at character 5: got the end after code, want a name such as NOT_FOUND`},
		{`code 5`, `faults "code 5": at character 6: got code "5", ` + codes},
		{`code ok`, `faults "code ok": at character 1: code: got OK, want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)`},
		{`http`, `faults "http": at character 5: got the end after http, want a number`},
		{`http 200`, `faults "http 200": at character 1: http: got status 200, want 400 to 599`},
		{`http/json hang`, `faults "http/json hang": at character 11: got "hang", want a colon or one of ` + selectors},
		{`partial two`, `faults "partial two": at character 9: got "two" after partial, want a number`},
		{`partial -1`, `faults "partial -1": at character 1: partial: got -1 rejected items, want 0 or more`},
		{`reject "why`, `faults "reject \"why": at character 8: got a message that does not end, or an escape that is none, want "…"`},
		{`reject "\q"`, `faults "reject \"\\q\"": at character 8: got a message that does not end, or an escape that is none, want "…"`},
		{`reject "\xff"`, `faults "reject \"\\xff\"": at character 1: reject: got message "\xff", want valid UTF-8`},
		{`reject "ü", é`, `faults "reject \"ü\", é": at character 13: got "é", want one of ` + kinds},
	} {
		rules, err := faults.Parse(c.text)
		if err == nil {
			t.Errorf("Parse(%q): got %v, want an error", c.text, rules)
		} else if err.Error() != c.want {
			t.Errorf("Parse(%q)\n got %s\nwant %s", c.text, err, c.want)
		}
	}
}
