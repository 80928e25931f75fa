package faults_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestFaultAsJSON(t *testing.T) {
	for want, f := range map[string]faults.Fault{
		`{"kind":"accept"}`:                                               faults.Accept(),
		`{"kind":"unavailable","stored":true}`:                            faults.Unavailable().Stored(),
		`{"kind":"hang","after":"1.5s"}`:                                  faults.Hang().After(1500 * time.Millisecond),
		`{"kind":"throttle","retryDelay":"30s"}`:                          faults.Throttle(30 * time.Second),
		`{"kind":"throttle","retryDelay":"0s"}`:                           faults.Throttle(0),
		`{"kind":"reject","message":"no"}`:                                faults.Reject("no"),
		`{"kind":"code","code":"NOT_FOUND"}`:                              faults.Code(codes.NotFound),
		`{"kind":"http","http":502}`:                                      faults.HTTPStatus(502),
		`{"kind":"partial","message":"old","rejected":0}`:                 faults.PartialSuccess(0, "old"),
		`{"kind":"exhausted","retryDelay":"1s","dated":true}`:             faults.ResourceExhausted(time.Second).AsDate(),
		`{"kind":"code","code":"ABORTED","retryDelay":"0s"}`:              faults.Code(codes.Aborted).RetryIn(0),
		`{"kind":"redirect","http":307}`:                                  faults.Redirect(307, ""),
		`{"kind":"redirect","http":308,"location":"http://a/b"}`:          faults.Redirect(308, "http://a/b"),
		`{"kind":"partial","message":"m","where":"name=\"a\" root"}`:      faults.RejectItems("m", where.Name("a"), where.Root()),
		`{"kind":"newer"}`:                                                faults.NewerAnswer(),
		`{"kind":"garbage","lost":true}`:                                  faults.Garbage().Lost(),
		`{"kind":"truncated"}`:                                            faults.Truncated(),
		`{"kind":"oversized","size":5}`:                                   faults.Oversized(5),
		`{"kind":"trailers","size":5}`:                                    faults.HugeTrailers(5),
		`{"kind":"encoded","type":"br"}`:                                  faults.Encoded("br"),
		`{"kind":"raw","http":200,"type":""}`:                             faults.Raw(200, "", ""),
		`{"kind":"raw","http":500,"type":"text/plain","body":"a\u003cb"}`: faults.Raw(500, "text/plain", "a<b"),
		`{"kind":"raw","http":500,"type":"","bodyBase64":"/wA="}`:         faults.Raw(500, "", "\xff\x00"),
		`{"kind":"capacity","itemsPerSecond":0.5}`:                        faults.Capacity(0.5, 0),
		`{"kind":"capacity","maxInFlight":4}`:                             faults.Capacity(0, 4),
		`{"kind":"old"}`:                                                  faults.OldServer(),
		`{"kind":"half"}`:                                                 faults.HalfAnswer(),
		`{"kind":"reset","unread":true}`:                                  faults.Reset().BeforeReading(),
		`{"kind":"close","readAfter":"1s","readRate":9}`:                  faults.Close().ReadAfter(time.Second).ReadSlowly(9),
		`{"kind":"blackhole"}`:                                            faults.Blackhole(),
		`{"kind":"rst","http2":"NO_ERROR"}`:                               faults.ResetStream(faults.NoError),
		`{"kind":"goaway","last":0}`:                                      faults.GoAway(0, faults.NoError),
		`{"kind":"goaway","http2":"ENHANCE_YOUR_CALM","last":7}`:          faults.GoAway(7, faults.EnhanceYourCalm),
		`{"kind":"down","for":"1m0s"}`:                                    faults.Outage(time.Minute),
		`{"kind":"reject","headers":[{"name":"X-A","value":"b"},{"name":"x-c","value":""}],"headersFirst":true,"closing":true}`:                                                                                          faults.Reject("").With("X-A", "b").With("x-c", "").AfterHeaders().ThenClose(),
		`{"kind":"unavailable","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"tenant","description":"too much"}]},{"@type":"type.googleapis.com/my.Own","@value":"AQI="}]}`: detailed(),
	} {
		text, err := json.Marshal(f)
		if err != nil || string(text) != want {
			t.Errorf("Marshal(%s)\n got %s, %v\nwant %s", f, text, err, want)
		}
		var got faults.Fault
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("Unmarshal(%s)\n got %#v, %v\nwant %#v", text, got, err, f)
		}
	}
}

func detailed() faults.Fault {
	f := faults.Unavailable().WithDetails(quota)
	f.Details = append(f.Details, faults.Detail{Type: "my.Own", Value: "\x01\x02"})
	return f
}

func TestRuleAsJSON(t *testing.T) {
	for _, c := range []struct {
		text string
		rule faults.Rule
	}{
		{`{"faults":[{"kind":"accept"}]}`, faults.Sequence(faults.Accept())},
		{`{"faults":[{"kind":"hang"}],"always":true}`, faults.Always(faults.Hang())},
		{
			`{"faults":[{"kind":"throttle","retryDelay":"30s","after":"200ms"},{"kind":"hang"}],"times":2,"signal":"traces","protocol":"grpc","where":"name=\"x\" not root"}`,
			faults.Sequence(faults.Throttle(30*time.Second).After(200*time.Millisecond), faults.Hang()).
				Times(2).On(query.Traces).Via(query.GRPC).Where(where.Name("x"), where.Not(where.Root())),
		},
		{`{"faults":[{"kind":"hang"}],"always":true,"chance":0.25,"seed":18446744073709551615}`, faults.Rate(0.25, math.MaxUint64, faults.Hang())},
		{
			`{"faults":[{"kind":"hang"}],"perBatch":true,"headers":[{"name":"x-a"},{"name":"x-b","value":"c"}],"connections":[2,1],"attempts":[1],"requests":[3],"from":"1s","until":"1m0s"}`,
			faults.Sequence(faults.Hang()).PerBatch().OnHeader("x-a", "").OnHeader("x-b", "c").OnConnection(2, 1).OnAttempt(1).OnRequest(3).Between(time.Second, time.Minute),
		},
	} {
		text, err := json.Marshal(c.rule)
		if err != nil || string(text) != c.text {
			t.Errorf("Marshal(%s)\n got %s, %v\nwant %s", c.rule, text, err, c.text)
		}
		var got faults.Rule
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, c.rule) {
			t.Errorf("Unmarshal(%s)\n got %#v, %v\nwant %#v", text, got, err, c.rule)
		}
	}
}

func TestJSONTakesFaultsAsText(t *testing.T) {
	var got faults.Rule
	const text = `{"faults": ["throttle 30s after 1s stored", "ok", {"kind": "ok"}, {"kind": "code", "code": "not_found"}, "reject \"no\"", {"kind": "raw", "http": 200, "type": "", "bodyBase64": "aGk="}], "connections": []}`
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := faults.Sequence(faults.Throttle(30*time.Second).After(time.Second).Stored(),
		faults.Accept(), faults.Accept(), faults.Code(codes.NotFound), faults.Reject("no"), faults.Raw(200, "", "hi"))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestJSONErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`null`, `rule: got null, want an object`},
		{`"hang"`, `rule: got "hang", want an object`},
		{`{}`, `rule: the rule has no fault`},
		{`{"faults":[]}`, `rule: the rule has no fault`},
		{`{"faults":null}`, `rule: faults: got null, want a list of faults`},
		{`{"faults":"hang"}`, `rule: faults: got "hang", want a list of faults`},
		{`{"fault":["hang"],"Times":1}`, `rule: got field "Times", want one of faults, always, times, perBatch, chance, seed, signal, protocol, headers, connections, attempts, requests, from, until, where`},
		{`{"faults":["hang"],"times":1.5}`, `rule: times: got 1.5, want a whole number`},
		{`{"faults":["hang"],"chance":0}`, `rule: chance: got 0, want a number of more than 0, up to 1`},
		{`{"faults":["hang"],"chance":2}`, `rule: rate: got 2, want more than 0, up to 1`},
		{`{"faults":["hang"],"chance":"x"}`, `rule: chance: got "x", want a number of more than 0, up to 1`},
		{`{"faults":["hang"],"chance":0.5,"always":false}`, `rule: rate: got it for a sequence, want it for a rule without end`},
		{`{"faults":["hang"],"seed":-1}`, `rule: seed: got -1, want a whole number of 0 or more`},
		{`{"faults":["hang"],"seed":1}`, `rule: seed: got 1 without a rate, want both`},
		{`{"faults":["hang"],"headers":[{"value":"a"}]}`, `rule: headers: field 1: {"value":"a"} has no field "name"`},
		{`{"faults":["hang"],"headers":{"x":"a"}}`, `rule: headers: got {"x":"a"}, want a list of objects with name and value`},
		{`{"faults":["hang"],"headers":[{"name":1}]}`, `rule: headers: field 1: name: got 1, want a string`},
		{`{"faults":["hang"],"connections":1}`, `rule: connections: got 1, want a list of whole numbers`},
		{`{"faults":["hang"],"attempts":[0]}`, `rule: attempt: got 0, want 1 or more`},
		{`{"faults":["hang"],"from":"soon"}`, `rule: from: got "soon", want a duration such as "1.5s" or "200ms"`},
		{`{"faults":["hang"],"until":5}`, `rule: until: got 5, want a duration such as "1.5s" or "200ms"`},
		{`{"faults":["hang"],"times":-1}`, `rule: got -1 times, want 1 to 2147483647, or 0 for no number`},
		{`{"faults":["hang"],"always":1}`, `rule: always: got 1, want true or false`},
		{`{"faults":["hang","ok"],"always":true}`, `rule: got 2 faults for a rule without end, want 1`},
		{`{"faults":["hang"],"signal":"spans"}`, `rule: got signal "spans", want traces, metrics or logs`},
		{`{"faults":["hang"],"signal":1}`, `rule: signal: got 1, want "traces", "metrics" or "logs"`},
		{`{"faults":["hang"],"protocol":"http"}`, `rule: got protocol "http", want grpc, http/protobuf or http/json`},
		{`{"faults":["hang"],"where":["root"]}`, `rule: where: got ["root"], want filters as a string`},
		{`{"faults":["hang"],"where":"root=1"}`, `rule: where: filter "root=1": at character 5: root takes no value`},

		{`{"faults":["hang",null]}`, `rule: faults: fault 2: got null, want an object`},
		{`{"faults":[7]}`, `rule: faults: fault 1: got 7, want an object`},
		{`{"faults":["hang x2"]}`, `rule: faults: fault 1: "hang x2": at character 1: got several faults, want one`},
		{`{"faults":["hang, ok"]}`, `rule: faults: fault 1: "hang, ok": at character 5: got ",", want one of ` + modifiers + ` or the end`},
		{`{"faults":["nope"]}`, `rule: faults: fault 1: "nope": at character 1: got "nope", want one of ` + kinds},
		{`{"faults":[{}]}`, `rule: faults: fault 1: {} has no field "kind"`},
		{`{"faults":[{"kind":""}]}`, `rule: faults: fault 1: kind: got an empty name`},
		{`{"faults":[{"kind":"nope"}]}`, `rule: faults: fault 1: got fault "nope", want one of ` + kinds},
		{`{"faults":[{"kind":5}]}`, `rule: faults: fault 1: kind: got 5, want a name such as "throttle"`},
		{`{"faults":[{"kind":"hang","delay":"1s"}]}`, `rule: faults: fault 1: got field "delay", want one of kind, code, http, message, retryDelay, dated, rejected, where, details, headers, type, body, bodyBase64, location, size, http2, last, for, itemsPerSecond, maxInFlight, readAfter, readRate, unread, after, headersFirst, closing, stored, lost`},
		{`{"faults":[{"kind":"throttle"}]}`, `rule: faults: fault 1: {"kind":"throttle"} has no field "retryDelay"`},
		{`{"faults":[{"kind":"throttle","retryDelay":30}]}`, `rule: faults: fault 1: retryDelay: got 30, want a duration such as "1.5s" or "200ms"`},
		{`{"faults":[{"kind":"throttle","retryDelay":"30"}]}`, `rule: faults: fault 1: retryDelay: got "30", want a duration such as "1.5s" or "200ms"`},
		{`{"faults":[{"kind":"throttle","retryDelay":"-1s"}]}`, `rule: faults: fault 1: throttle: got a retry delay of -1s, want 0 or more`},
		{`{"faults":[{"kind":"hang","after":null}]}`, `rule: faults: fault 1: after: got null, want a duration such as "1.5s" or "200ms"`},
		{`{"faults":[{"kind":"hang","message":"x"}]}`, `rule: faults: fault 1: hang: does not use a message`},
		{`{"faults":[{"kind":"http"}]}`, `rule: faults: fault 1: {"kind":"http"} has no field "http"`},
		{`{"faults":[{"kind":"partial"}]}`, `rule: faults: fault 1: {"kind":"partial"} has no field "rejected" or "where"`},
		{`{"faults":[{"kind":"exhausted"}]}`, `rule: faults: fault 1: {"kind":"exhausted"} has no field "retryDelay"`},
		{`{"faults":[{"kind":"redirect"}]}`, `rule: faults: fault 1: {"kind":"redirect"} has no field "http"`},
		{`{"faults":[{"kind":"oversized"}]}`, `rule: faults: fault 1: {"kind":"oversized"} has no field "size"`},
		{`{"faults":[{"kind":"trailers"}]}`, `rule: faults: fault 1: {"kind":"trailers"} has no field "size"`},
		{`{"faults":[{"kind":"encoded"}]}`, `rule: faults: fault 1: {"kind":"encoded"} has no field "type"`},
		{`{"faults":[{"kind":"raw","http":200}]}`, `rule: faults: fault 1: {"kind":"raw","http":200} has no field "type"`},
		{`{"faults":[{"kind":"raw","http":200,"type":"","body":"a","bodyBase64":""}]}`, `rule: faults: fault 1: got body and bodyBase64, want one of the two`},
		{`{"faults":[{"kind":"raw","http":200,"type":"","bodyBase64":7}]}`, `rule: faults: fault 1: bodyBase64: got 7, want bytes in base64`},
		{`{"faults":[{"kind":"raw","http":200,"type":"","bodyBase64":"?"}]}`, `rule: faults: fault 1: bodyBase64: illegal base64 data at input byte 0`},
		{`{"faults":[{"kind":"capacity"}]}`, `rule: faults: fault 1: {"kind":"capacity"} has no field "itemsPerSecond" or "maxInFlight"`},
		{`{"faults":[{"kind":"rst"}]}`, `rule: faults: fault 1: {"kind":"rst"} has no field "http2"`},
		{`{"faults":[{"kind":"goaway"}]}`, `rule: faults: fault 1: {"kind":"goaway"} has no field "last"`},
		{`{"faults":[{"kind":"goaway","last":5000000000}]}`, `rule: faults: fault 1: last: got 5000000000, want the number of a stream`},
		{`{"faults":[{"kind":"down"}]}`, `rule: faults: fault 1: {"kind":"down"} has no field "for"`},
		{`{"faults":[{"kind":"hang","retryDelay":"0s"}]}`, `rule: faults: fault 1: hang: does not use retry`},
		{`{"faults":[{"kind":"partial","where":""}]}`, `rule: faults: fault 1: where: got no filter, want at least one`},
		{`{"faults":[{"kind":"partial","where":"root","rejected":1}]}`, `rule: faults: fault 1: partial: got 1 rejected items and filters, want one of the two`},
		{`{"faults":[{"kind":"ok","headers":[{"name":"a"}]}]}`, `rule: faults: fault 1: headers: field 1: {"name":"a"} has no field "value"`},
		{`{"faults":[{"kind":"ok","stored":"yes"}]}`, `rule: faults: fault 1: stored: got "yes", want true or false`},
		{`{"faults":[{"kind":"reject","details":["x"]}]}`, `rule: faults: fault 1: details: detail 1: got "x", want an object with @type`},
		{`{"faults":[{"kind":"code"}]}`, `rule: faults: fault 1: {"kind":"code"} has no field "code"`},
		{`{"faults":[{"kind":"code","code":5}]}`, `rule: faults: fault 1: code: got 5, want a name such as "NOT_FOUND"`},
	} {
		var r faults.Rule
		err := json.Unmarshal([]byte(c.text), &r)
		if err == nil {
			t.Errorf("%s: got %s, want an error", c.text, r)
		} else if err.Error() != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, err, c.want)
		}
		if !reflect.DeepEqual(r, faults.Rule{}) {
			t.Errorf("%s: an error left %#v behind", c.text, r)
		}
	}
}

func TestFaultErrorsStandAlone(t *testing.T) {
	f := faults.Hang()
	err := json.Unmarshal([]byte(`{"kind":"http","http":200}`), &f)
	if want := "fault: http: got status 200, want 400 to 599"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if !f.Equal(faults.Hang()) {
		t.Errorf("an error left %s behind", f)
	}
}

func TestJSONCannotHoldFunctions(t *testing.T) {
	big := where.Func("big", func(query.Span) bool { return true })
	for _, f := range []query.Filter{big, where.Not(big), where.Any(where.Root(), where.Not(big))} {
		_, err := json.Marshal(faults.Sequence(faults.Hang()).Where(where.Name("x"), f))
		if want := `filter func("big") is a function, which JSON cannot hold`; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", f, err, want)
		}
	}
	_, err := json.Marshal(faults.RejectItems("", big))
	if want := `filter func("big") is a function, which JSON cannot hold`; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = json.Marshal(faults.Sequence(faults.Hang()).Where(where.Attr("x", struct{}{})))
	if want := `filter attr.x="{}": got a value of type struct {}`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
