package faults_test

import (
	"encoding/json"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
)

const prefix = `reject detail {"@type":"type.googleapis.com/google.rpc.`

func detailOf(name, value string) faults.Fault {
	return faults.Fault{Kind: faults.KindReject, Details: []faults.Detail{{Type: name, Value: value}}}
}

func TestEqualMessagesHaveEqualTexts(t *testing.T) {
	const requestInfo = "google.rpc.RequestInfo"
	for _, c := range []struct {
		what, name, a, b string
		want             string
	}{
		{"order of fields", requestInfo, "\x0a\x01a\x12\x01b", "\x12\x01b\x0a\x01a", prefix + `RequestInfo","requestId":"a","servingData":"b"}`},
		{"repeated scalar", requestInfo, "\x0a\x01a", "\x0a\x01x\x0a\x01a", prefix + `RequestInfo","requestId":"a"}`},
		{"unknown field, order", requestInfo, "\x0a\x01a\x50\x01", "\x50\x01\x0a\x01a", prefix + `RequestInfo","@value":"CgFhUAE="}`},
		{"no message", requestInfo, "\x0a", "\x0a", prefix + `RequestInfo","@value":"Cg=="}`},
		{"map", "google.rpc.ErrorInfo", "\x1a\x03\x0a\x01a\x1a\x03\x0a\x01b", "\x1a\x03\x0a\x01b\x1a\x03\x0a\x01a", prefix + `ErrorInfo","metadata":{"a":"","b":""}}`},
	} {
		a, b := detailOf(c.name, c.a), detailOf(c.name, c.b)
		if a.String() != c.want || !a.Equal(b) {
			t.Errorf("%s\n got %s\n and %s\nwant %s", c.what, a, b, c.want)
		}
	}
	known, unknown := detailOf(requestInfo, "\x0a\x01a"), detailOf(requestInfo, "\x0a\x01a\x50\x01")
	if known.Equal(unknown) {
		t.Errorf("%s is equal to the message with a field more", known)
	}
}

func TestDetailsAreReadInAnyForm(t *testing.T) {
	want := faults.Reject("").WithDetails(&errdetails.RequestInfo{RequestId: "a"})
	for _, text := range []string{
		`{"@type":"type.googleapis.com/google.rpc.RequestInfo","requestId":"a"}`,
		`{"@type":"example.com/google.rpc.RequestInfo","request_id":"a"}`,
		`{"requestId":"a","@type":"google.rpc.RequestInfo"}`,
		`{"@type":"type.googleapis.com/google.rpc.RequestInfo","@value":"CgFh"}`,
		`{"@type":"type.googleapis.com/google.rpc.RequestInfo","@value":"CgF4CgFh"}`, // with the field twice
	} {
		got, err := faults.Parse("reject detail " + text)
		if err != nil || !got[0].Faults[0].Equal(want) || got[0].Faults[0].Details[0] != want.Details[0] {
			t.Errorf("%s: got %v, %v, want %s", text, got, err, want)
		}
		var f faults.Fault
		if err := json.Unmarshal([]byte(`{"kind":"reject","details":[`+text+`]}`), &f); err != nil || !f.Equal(want) {
			t.Errorf("%s: got %v, %v, want %s", text, f, err, want)
		}
	}
}

func TestDetailsThatCannotBeRead(t *testing.T) {
	const such = `want one such as "type.googleapis.com/google.rpc.QuotaFailure"`
	for _, c := range []struct{ text, want string }{
		{`{}`, `got no @type in a detail, ` + such},
		{`{"@type":5}`, `got no @type in a detail, ` + such},
		{`{"@type":"a b"}`, `got @type "a b", ` + such},
		{`{"@type":"x/"}`, `got @type "x/", ` + such},
		{`{"@type":"x/my.Own","a":1}`, `got a detail of type my.Own, which this program does not know: want its bytes in base64, as "@value"`},
		{`{"@type":"x/my.Own","@value":1}`, `@value: got 1, want bytes in base64`},
		{`{"@type":"x/my.Own","@value":"?"}`, `@value: illegal base64 data at input byte 0`},
		{`{"@type":"x/my.Own","@value":"","a":1}`, `got field "a", want one of @type, @value`},
		{`{"@type":"google.rpc.RequestInfo","a":1}`, `unknown field "a"`},
	} {
		_, err := faults.Parse("reject detail " + c.text)
		if err == nil || !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestWithDetailsAddsToEarlierOnes(t *testing.T) {
	bad := &errdetails.RequestInfo{RequestId: "\xff"}
	base := faults.Reject("").WithDetails(quota, bad)
	left, right := base.WithDetails(quota), base.WithDetails(&errdetails.RequestInfo{})
	if len(base.Details) != 1 || len(left.Details) != 2 || left.Equal(right) {
		t.Errorf("got %s, %s and %s", base, left, right)
	}
	var m errdetails.QuotaFailure
	if err := proto.Unmarshal([]byte(left.Details[1].Value), &m); err != nil || !proto.Equal(&m, quota) {
		t.Errorf("got %v, %v, want %v", &m, err, quota)
	}
}
