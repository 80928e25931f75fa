package faults_test

import (
	"encoding/json"
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
		`{"kind":"accept"}`:                               faults.Accept(),
		`{"kind":"unavailable","stored":true}`:            faults.Unavailable().Stored(),
		`{"kind":"hang","after":"1.5s"}`:                  faults.Hang().After(1500 * time.Millisecond),
		`{"kind":"throttle","retryDelay":"30s"}`:          faults.Throttle(30 * time.Second),
		`{"kind":"throttle","retryDelay":"0s"}`:           faults.Throttle(0),
		`{"kind":"reject","message":"no"}`:                faults.Reject("no"),
		`{"kind":"code","code":"NOT_FOUND"}`:              faults.Code(codes.NotFound),
		`{"kind":"http","http":502}`:                      faults.HTTPStatus(502),
		`{"kind":"partial","message":"old","rejected":0}`: faults.PartialSuccess(0, "old"),
	} {
		text, err := json.Marshal(f)
		if err != nil || string(text) != want {
			t.Errorf("Marshal(%s)\n got %s, %v\nwant %s", f, text, err, want)
		}
		var got faults.Fault
		if err := json.Unmarshal(text, &got); err != nil || got != f {
			t.Errorf("Unmarshal(%s)\n got %#v, %v\nwant %#v", text, got, err, f)
		}
	}
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
	const text = `{"faults": ["throttle 30s after 1s stored", "ok", {"kind": "ok"}, {"kind": "code", "code": "not_found"}, "reject \"no\""]}`
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := faults.Sequence(faults.Throttle(30*time.Second).After(time.Second).Stored(),
		faults.Accept(), faults.Accept(), faults.Code(codes.NotFound), faults.Reject("no"))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestJSONErrors(t *testing.T) {
	const kinds = "want one of accept, unavailable, throttle, reject, code, http, partial, hang"
	for _, c := range []struct{ text, want string }{
		{`null`, `rule: got null, want an object`},
		{`"hang"`, `rule: got "hang", want an object`},
		{`{}`, `rule: the rule has no fault`},
		{`{"faults":[]}`, `rule: the rule has no fault`},
		{`{"faults":null}`, `rule: faults: got null, want a list of faults`},
		{`{"faults":"hang"}`, `rule: faults: got "hang", want a list of faults`},
		{`{"fault":["hang"],"Times":1}`, `rule: got field "Times", want one of faults, always, times, signal, protocol, where`},
		{`{"faults":["hang"],"times":1.5}`, `rule: times: got 1.5, want a whole number`},
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
		{`{"faults":["hang, ok"]}`, `rule: faults: fault 1: "hang, ok": at character 5: got ",", want after, stored or the end`},
		{`{"faults":["nope"]}`, `rule: faults: fault 1: "nope": at character 1: got "nope", ` + kinds},
		{`{"faults":[{}]}`, `rule: faults: fault 1: {} has no field "kind"`},
		{`{"faults":[{"kind":""}]}`, `rule: faults: fault 1: kind: got an empty name`},
		{`{"faults":[{"kind":"nope"}]}`, `rule: faults: fault 1: got fault "nope", ` + kinds},
		{`{"faults":[{"kind":5}]}`, `rule: faults: fault 1: kind: got 5, want a name such as "throttle"`},
		{`{"faults":[{"kind":"hang","delay":"1s"}]}`, `rule: faults: fault 1: got field "delay", want one of kind, code, http, message, retryDelay, rejected, after, stored`},
		{`{"faults":[{"kind":"throttle"}]}`, `rule: faults: fault 1: {"kind":"throttle"} has no field "retryDelay"`},
		{`{"faults":[{"kind":"throttle","retryDelay":30}]}`, `rule: faults: fault 1: retryDelay: got 30, want a duration such as "1.5s" or "200ms"`},
		{`{"faults":[{"kind":"throttle","retryDelay":"30"}]}`, `rule: faults: fault 1: retryDelay: got "30", want a duration such as "1.5s" or "200ms"`},
		{`{"faults":[{"kind":"throttle","retryDelay":"-1s"}]}`, `rule: faults: fault 1: throttle: got a retry delay of -1s, want 0 or more`},
		{`{"faults":[{"kind":"hang","after":null}]}`, `rule: faults: fault 1: after: got null, want a duration such as "1.5s" or "200ms"`},
		{`{"faults":[{"kind":"hang","message":"x"}]}`, `rule: faults: fault 1: hang: does not use a message`},
		{`{"faults":[{"kind":"http"}]}`, `rule: faults: fault 1: {"kind":"http"} has no field "http"`},
		{`{"faults":[{"kind":"partial"}]}`, `rule: faults: fault 1: {"kind":"partial"} has no field "rejected"`},
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
	if f != faults.Hang() {
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
	_, err := json.Marshal(faults.Sequence(faults.Hang()).Where(where.Attr("x", struct{}{})))
	if want := `filter attr.x="{}": got a value of type struct {}`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
