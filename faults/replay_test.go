package faults_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// reply is one of traces over gRPC, with what is set in r.
func reply(outcome query.Outcome, r query.Reply) query.Reply {
	r.Signal, r.Protocol, r.Outcome = query.Traces, query.GRPC, outcome
	return r
}

func answer(code query.Code, http int, message string) query.Status {
	return query.Status{Code: code, HTTP: http, Message: message}
}

func TestReplayOfOneReply(t *testing.T) {
	web := func(r query.Reply) query.Reply {
		r.Protocol = query.HTTPProtobuf
		return r
	}
	for _, c := range []struct {
		reply query.Reply
		want  string
	}{
		{reply(query.Accepted, query.Reply{Stored: true}), ""},
		{reply(query.Accepted, query.Reply{Stored: true, Fault: "accept"}), ""},
		{reply(query.Accepted, query.Reply{Stored: true, Took: time.Second}), "accept after 1s"},
		{reply(query.Accepted, query.Reply{Stored: true, Took: 499 * time.Microsecond}), ""},
		{reply(query.Accepted, query.Reply{Stored: true, Took: 1500 * time.Microsecond}), "accept after 2ms"},
		{reply(query.Accepted, query.Reply{}), "accept lost"},
		{reply(query.Partial, query.Reply{Rejected: 2, Stored: true, Status: answer(0, 0, "old")}), `partial 2 "old"`},
		{reply(query.Partial, query.Reply{Rejected: 2}), `partial 2 lost`},

		{reply(query.Refused, query.Reply{Status: answer(14, 0, "")}), "unavailable"},
		{reply(query.Refused, query.Reply{Status: answer(14, 0, "why"), Stored: true}), `code UNAVAILABLE "why" stored`},
		{reply(query.Refused, query.Reply{Status: answer(14, 0, ""), Throttled: true, RetryDelay: time.Minute}), "throttle 1m0s"},
		{reply(query.Refused, query.Reply{Status: answer(14, 0, "why"), Throttled: true}), `code UNAVAILABLE "why" retry 0s`},
		{reply(query.Refused, query.Reply{Status: answer(8, 0, ""), Throttled: true, RetryDelay: time.Minute}), "exhausted 1m0s"},
		{reply(query.Refused, query.Reply{Status: answer(8, 0, "too large"), Took: 5 * time.Millisecond}), `code RESOURCE_EXHAUSTED "too large" after 5ms`},
		{reply(query.Malformed, query.Reply{Status: answer(3, 0, "no OTLP")}), `reject "no OTLP"`},
		{reply(query.Refused, query.Reply{Status: answer(14, 502, "")}), "http 502"},
		{reply(query.Refused, query.Reply{Status: answer(14, 503, "")}), "http 503"}, // bare

		{web(reply(query.Refused, query.Reply{Status: answer(14, 503, "")})), "unavailable"},
		{web(reply(query.Refused, query.Reply{Status: answer(14, 502, "why")})), `http 502 "why"`},
		{web(reply(query.Refused, query.Reply{Status: answer(8, 413, "too large")})), `code RESOURCE_EXHAUSTED "too large"`},
		{web(reply(query.Refused, query.Reply{Status: answer(8, 429, ""), Throttled: true, RetryDelay: time.Second})), "exhausted 1s"},
		{web(reply(query.Refused, query.Reply{Status: answer(14, 429, ""), Throttled: true, RetryDelay: time.Second})), "http 429 retry 1s"},
		{web(reply(query.Malformed, query.Reply{Status: answer(3, 400, "no OTLP")})), `reject "no OTLP"`},
		{web(reply(query.Malformed, query.Reply{Status: answer(3, 415, "no OTLP")})), `http 415 "no OTLP"`},
		{web(reply(query.Refused, query.Reply{Status: answer(16, 401, "who")})), `code UNAUTHENTICATED "who"`},

		{reply(query.Abandoned, query.Reply{Took: time.Second}), "hang"},
		{reply(query.Abandoned, query.Reply{Stored: true}), "hang stored"},
		{reply(query.Cut, query.Reply{Took: time.Second}), "close after 1s"},

		{reply(query.Refused, query.Reply{Fault: "throttle 1s dated stored", Took: time.Second}), "throttle 1s dated after 1s stored"},
		{reply(query.Refused, query.Reply{Fault: "throttle 1s after 2s", Took: 3 * time.Second}), "throttle 1s after 2s"},
		{reply(query.Accepted, query.Reply{Fault: "accept read-rate 9", Stored: true, Took: 3 * time.Second}), "accept read-rate 9"},
		{reply(query.Abandoned, query.Reply{Fault: "hang", Took: time.Second}), "hang"},
		{reply(query.Cut, query.Reply{Fault: "blackhole", Took: time.Second}), "blackhole"},
		{reply(query.Cut, query.Reply{Fault: "goaway 3 CANCEL unread", Took: time.Second}), "goaway 3 CANCEL unread"},
		{reply(query.Partial, query.Reply{Fault: `partial [name="a"] "why"`, Stored: true}), `partial [name="a"] "why"`},
		{reply(query.Accepted, query.Reply{Fault: "capacity 9/s closing", Stored: true}), "accept closing"},
		{reply(query.Refused, query.Reply{Fault: "capacity 9/s", Status: answer(14, 0, "full"), Throttled: true, RetryDelay: time.Second}), "throttle 1s"},
	} {
		rules, err := faults.Replay([]query.Reply{c.reply})
		want := c.want
		if want != "" {
			want = "traces: " + want
		}
		if got := join(rules); err != nil || got != want {
			t.Errorf("%+v\n got %s, %v\nwant %s", c.reply, got, err, want)
		}
	}
}

func TestReplayKeepsOrder(t *testing.T) {
	ok := query.Reply{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Accepted, Stored: true}
	down := query.Reply{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Refused, Status: query.Status{Code: 14}}
	logs, web := down, down
	logs.Signal, logs.Protocol = query.Logs, query.HTTPJSON
	web.Protocol, web.Fault = query.HTTPProtobuf, "reject headers-first"
	dated := down
	dated.Fault = `throttle 1s dated`
	for _, c := range []struct {
		replies []query.Reply
		want    string
	}{
		{nil, ""},
		{[]query.Reply{ok, ok}, ""},
		{[]query.Reply{ok, down, down, ok, down, ok, ok}, "traces: accept, unavailable x2, accept, unavailable"},
		{[]query.Reply{down, logs, ok, logs}, "traces: unavailable; logs: unavailable x2"},
		{[]query.Reply{logs, ok, web, dated, web}, "logs: unavailable; traces grpc: accept, throttle 1s; traces http/protobuf: reject x2"},
		{[]query.Reply{ok, web}, "traces http/protobuf: reject"},
	} {
		rules, err := faults.Replay(c.replies)
		if got := join(rules); err != nil || got != c.want {
			t.Errorf("got %s, %v, want %s", got, err, c.want)
		}
		for _, r := range rules {
			if err := r.Check(); err != nil {
				t.Errorf("%s: %v", r, err)
			}
		}
	}
}

func TestReplayCannot(t *testing.T) {
	ok := query.Reply{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Accepted, Stored: true}
	_, function := where.Parse(`func("big")`)
	for _, c := range []struct {
		reply query.Reply
		want  string
	}{
		{query.Reply{Outcome: query.Malformed}, "reply 2: got no signal, want traces, metrics or logs"},
		{query.Reply{Signal: "spans", Outcome: query.Cut}, `reply 2: got signal "spans", want traces, metrics or logs`},
		{reply(query.Open, query.Reply{}), `reply 2: got outcome "open", want one of an export that is over`},
		{query.Reply{Signal: query.Traces, Outcome: query.Cut}, "reply 2: got no protocol, want one, as others of its signal have"},
		{reply(query.Refused, query.Reply{}), "reply 2: code: got OK, want one of the codes 1 (CANCELLED) to 16 (UNAUTHENTICATED)"},
		{reply(query.Cut, query.Reply{Took: -time.Second}), "reply 2: close: got a delay of -1s before the answer, want 0 or more"},
		{reply(query.Refused, query.Reply{Status: answer(2, 302, "")}), "reply 2: http: got status 302, want 400 to 599"},
		{reply(query.Refused, query.Reply{Status: answer(3, 0, "\xff")}), `reply 2: reject: got message "\xff", want valid UTF-8`},
		{reply(query.Partial, query.Reply{Fault: `partial [func("big")]`}), `reply 2: "partial [func(\"big\")]": at character 10: ` + function.Error()},
	} {
		rules, err := faults.Replay([]query.Reply{ok, c.reply, ok})
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v\n got %v, %v\nwant %s", c.reply, rules, err, c.want)
		}
	}
}

func ExampleReplay() {
	transcript := []query.Reply{
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Accepted, Stored: true, Took: 200 * time.Millisecond},
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Refused, Status: query.Status{Code: 14}, Throttled: true, RetryDelay: 30 * time.Second},
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Abandoned, Took: 10 * time.Second},
		{Signal: query.Traces, Protocol: query.GRPC, Outcome: query.Accepted, Stored: true},
	}
	rules, err := faults.Replay(transcript)
	fmt.Println(rules, err)
	// Output:
	// [traces: accept after 200ms, throttle 30s, hang] <nil>
}
