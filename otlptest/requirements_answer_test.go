package otlptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

var answerRequirements = []requirement{
	{number: "S-04", text: "Answers have a size limit, before compression: 4 MiB, or what the user wants.", test: answersAreLimited,
		unsupported: "another limit on answers than 4 MiB"},
	{number: "S-05", text: "A message that makes an answer too large is shortened.", test: longMessagesAreShortened},
	{number: "S-06", text: "An empty request succeeds: no bytes of protobuf, or {}.", test: emptyRequestsSucceed},
	{number: "S-07", text: "Success is the signal's response message without a partial success.", test: successIsAnEmptyResponse},
	{number: "S-08", text: "A partial success is the response message, and 200, with the number of items that were refused.", test: partialSuccessCounts},
	{number: "S-09", text: "A partial success says why in a message.", test: partialSuccessSaysWhy},
	{number: "S-10", text: "A warning with everything accepted is a partial success that refuses 0 and has a message.", test: warningsRefuseNothing},
	{number: "S-11", text: "An error that may be retried is UNAVAILABLE, with RetryInfo or without.", test: retryableIsUnavailable},
	{number: "S-12", text: "An error that is final is INVALID_ARGUMENT, and a BadRequest may say where.", test: finalIsInvalidArgument},
	{number: "S-13", text: "Overload is UNAVAILABLE, with RetryInfo to throttle the client.", test: overloadThrottles},
	{number: "S-14", text: "The retry delay is long enough to recover and short enough to lose nothing: just what the script says.", test: delayIsAsScripted},
	{number: "S-51", text: "An empty partial success is the same as none.", test: emptyPartialSuccessIsSuccess},
}

// eachPath runs a test for each signal and each protocol against a server with
// rules of its own.
func eachPath(t *testing.T, rules []faults.Rule, test func(t *testing.T, w *wire, sig query.Signal, via query.Protocol)) {
	t.Helper()
	for _, sig := range signals {
		for _, via := range protocols {
			t.Run(fmt.Sprint(sig, " ", via), func(t *testing.T) {
				test(t, newWire(t, otlptest.Start(t, otlptest.WithFaults(rules...))), sig, via)
			})
		}
	}
}

func always(f faults.Fault) []faults.Rule { return []faults.Rule{faults.Always(f)} }

const answerLimit = 4 << 20

func answersAreLimited(t *testing.T) {
	for _, f := range []faults.Fault{
		faults.PartialSuccess(1, strings.Repeat("x", answerLimit+1)), faults.Reject(strings.Repeat(`"é`, answerLimit/4)),
	} {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(f)))
		w := newWire(t, srv)
		for _, via := range protocols {
			if via == query.GRPC && f.Kind == faults.KindReject {
				continue // it is in the trailers, where clients have their own limits
			}
			r := w.export(via, sample(query.Traces, 1))
			size := len(r.Body)
			if via != query.GRPC {
				size, _ = strconv.Atoi(r.Header.Get("Content-Length"))
			}
			if size > answerLimit || len(r.Body)+len(r.Message) < answerLimit/5 {
				t.Errorf("got an answer of %d bytes over %s, want no more than %d and not much less", size, via, answerLimit)
			}
		}
	}
}

func longMessagesAreShortened(t *testing.T) {
	long := strings.Repeat("é", answerLimit/2+1)
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(faults.PartialSuccess(2, long))))
	w := newWire(t, srv)
	for i, via := range protocols {
		r := w.export(via, sample(signals[i], 5))
		rejected, message := partialSuccess(t, signals[i], via, r)
		if rejected != 2 || !strings.HasPrefix(long, message) || len(r.Body) > answerLimit || len(r.Body) < answerLimit-100 {
			t.Errorf("got %d rejected and a message of %d bytes in %d over %s, want 2 and as much of the message as fits", rejected, len(message), len(r.Body), via)
		}
		if e := srv.Exports().Slice()[i]; e.Stored != 3 || e.Status.Message != message {
			t.Errorf("got %d items stored and a message of %d bytes on record, want 3 and %d", e.Stored, len(e.Status.Message), len(message))
		}
	}
}

// partialSuccess decodes the answer of a partial success.
func partialSuccess(t *testing.T, sig query.Signal, via query.Protocol, r reply) (rejected int64, message string) {
	t.Helper()
	if want := refusal(via, codes.OK, 200); !strings.HasPrefix(r.String(), want+" ") {
		t.Fatalf("got %.100s, want %s and a partial success", r, want)
	}
	if via == query.HTTPJSON {
		var body struct{ PartialSuccess map[string]string }
		if err := json.Unmarshal([]byte(r.Body), &body); err != nil {
			t.Fatalf("body %.100q: %v", r.Body, err)
		}
		n, err := strconv.ParseInt(body.PartialSuccess[rejectedName[sig]], 10, 64)
		if err != nil {
			t.Fatalf("body %.100q: %v", r.Body, err)
		}
		return n, body.PartialSuccess["errorMessage"]
	}
	num, _, n := protowire.ConsumeTag([]byte(r.Body))
	partial, m := protowire.ConsumeBytes([]byte(r.Body)[max(n, 0):])
	if num != 1 || m < 0 || n+m != len(r.Body) {
		t.Fatalf("got body %.100x, want only field 1", r.Body)
	}
	for len(partial) > 0 {
		num, _, n := protowire.ConsumeTag(partial)
		partial = partial[n:]
		switch num {
		case 1:
			v, n := protowire.ConsumeVarint(partial)
			rejected, partial = int64(v), partial[n:]
		case 2:
			v, n := protowire.ConsumeString(partial)
			message, partial = v, partial[n:]
		default:
			t.Fatalf("got field %d in a partial success", num)
		}
	}
	return rejected, message
}

var rejectedName = map[query.Signal]string{query.Traces: "rejectedSpans", query.Metrics: "rejectedDataPoints", query.Logs: "rejectedLogRecords"}

func emptyRequestsSucceed(t *testing.T) {
	eachPath(t, nil, func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		var body []byte
		if via == query.HTTPJSON {
			body = []byte("{}")
		}
		for _, zipped := range []bool{false, true} {
			if got := w.send(via, sig, body, zipped).String(); got != success(via) {
				t.Errorf("got %s, gzip %t, want %s", got, zipped, success(via))
			}
		}
		for _, e := range otlptest.Exactly(t, w.srv.Exports(), 2) {
			if e.Outcome != query.Accepted || e.Items != 0 {
				t.Errorf("got %s, want it accepted without items", e)
			}
		}
	})
}

func successIsAnEmptyResponse(t *testing.T) {
	eachPath(t, nil, func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		r := w.export(via, sample(sig, 3))
		if want := map[query.Protocol]string{query.HTTPJSON: "{}"}[via]; r.String() != success(via) || r.Body != want {
			t.Errorf("got %s with body %q, want %s with %q", r, r.Body, success(via), want)
		}
		if n := stored(w.srv, sig); n != 3 {
			t.Errorf("got %d items stored, want 3", n)
		}
	})
}

// partialAnswer is the reply of a partial success. A number of 0 and an empty
// message are left out.
func partialAnswer(sig query.Signal, via query.Protocol, rejected int, message string) string {
	switch {
	case via == query.HTTPJSON && rejected == 0 && message == "":
		return `200 OK {"partialSuccess":{}}`
	case via == query.HTTPJSON && rejected == 0:
		return fmt.Sprintf(`200 OK {"partialSuccess":{"errorMessage":%q}}`, message)
	case via == query.HTTPJSON && message == "":
		return fmt.Sprintf(`200 OK {"partialSuccess":{"%s":"%d"}}`, rejectedName[sig], rejected)
	case via == query.HTTPJSON:
		return fmt.Sprintf(`200 OK {"partialSuccess":{"errorMessage":%q,"%s":"%d"}}`, message, rejectedName[sig], rejected)
	}
	var inner []byte
	if rejected > 0 {
		inner = append(inner, 0x08, byte(rejected))
	}
	if message != "" {
		inner = append(append(inner, 0x12, byte(len(message))), message...)
	}
	return fmt.Sprintf("%s 0a%02x%x", refusal(via, codes.OK, 200), len(inner), inner)
}

// partialSuccessIs checks the answer, and that the first of 5 items were
// refused.
func partialSuccessIs(t *testing.T, rejected int, message string) {
	t.Helper()
	f := faults.PartialSuccess(int64(rejected), message)
	eachPath(t, always(f), func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		want := partialAnswer(sig, via, rejected, message)
		if got := w.export(via, sample(sig, 5)).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		e := otlptest.One(t, w.srv.Exports())
		if n := stored(w.srv, sig); n != 5-rejected || e.Stored != 5-rejected || e.Rejected != int64(rejected) || !e.Acknowledged() {
			t.Errorf("got %d items stored of %s, want %d", n, e, 5-rejected)
		}
	})
}

func partialSuccessCounts(t *testing.T) {
	partialSuccessIs(t, 2, "m")
	partialSuccessIs(t, 5, "")
}

func partialSuccessSaysWhy(t *testing.T) { partialSuccessIs(t, 1, `"charge" has no end & <no> start`) }

func warningsRefuseNothing(t *testing.T) { partialSuccessIs(t, 0, "this version is deprecated") }

func emptyPartialSuccessIsSuccess(t *testing.T) { partialSuccessIs(t, 0, "") }

func retryableIsUnavailable(t *testing.T) {
	eachPath(t, always(faults.Unavailable()), func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		want := refusal(via, codes.Unavailable, 503) + ` "unavailable, as scripted"`
		r := w.export(via, sample(sig, 3))
		if r.String() != want || r.Header.Get("Retry-After") != "" {
			t.Errorf("got %s and Retry-After %q, want %s and none", r, r.Header.Get("Retry-After"), want)
		}
		if n := stored(w.srv, sig); n != 0 {
			t.Errorf("got %d items stored of what was refused", n)
		}
	})
}

func finalIsInvalidArgument(t *testing.T) {
	eachPath(t, always(faults.Reject("no")), func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		want := refusal(via, codes.InvalidArgument, 400) + ` "no"`
		if got := w.export(via, sample(sig, 3)).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		w.srv.ClearFaults()
		r := w.send(via, sig, brokenName(t, sig, via), false)
		if r.Code != codes.InvalidArgument || r.Message == "" || len(r.Details) != 1 {
			t.Fatalf("got %s for a name that is not UTF-8, want INVALID_ARGUMENT and a detail", r)
		}
		bad, _ := r.Details[0].(*errdetails.BadRequest)
		if fields := bad.GetFieldViolations(); len(fields) != 1 || !strings.Contains(fields[0].Field, ".attributes[0].value") || fields[0].Description == "" {
			t.Errorf("got details %v, want the field that is not UTF-8", r.Details)
		}
		if n := stored(w.srv, sig); n != 0 {
			t.Errorf("got %d items stored of what was refused", n)
		}
	})
}

// brokenName is a request whose service.name is not valid UTF-8.
func brokenName(t *testing.T, sig query.Signal, via query.Protocol) []byte {
	t.Helper()
	return []byte(strings.Replace(string(encode(t, via, sample(sig, 1))), "shop", "sh\xffp", 1))
}

func overloadThrottles(t *testing.T) {
	t.Run("exhausted", exhaustedThrottles)
	eachPath(t, always(faults.Throttle(350*time.Millisecond)), func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		want := refusal(via, codes.Unavailable, 503) + ` "overloaded, as scripted: retry after 350ms" RetryInfo(350ms)`
		if got := w.export(via, sample(sig, 3)).String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if e := otlptest.One(t, w.srv.Exports()); !e.Throttled || e.RetryDelay < 350*time.Millisecond || e.Stored != 0 {
			t.Errorf("got %+v on record, want it throttled", e)
		}
	})
}

func exhaustedThrottles(t *testing.T) {
	eachPath(t, always(faults.ResourceExhausted(350*time.Millisecond)), func(t *testing.T, w *wire, sig query.Signal, via query.Protocol) {
		want := refusal(via, codes.ResourceExhausted, 429) + ` "overloaded, as scripted: retry after 350ms" RetryInfo(350ms)`
		r := w.export(via, sample(sig, 3))
		if got := r.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := r.Header.Get("Retry-After"); via != query.GRPC && got != "1" {
			t.Errorf("got Retry-After %q, want 1", got)
		}
	})
}

func delayIsAsScripted(t *testing.T) {
	for delay, want := range map[time.Duration]string{
		0: "0", time.Nanosecond: "1", 350 * time.Millisecond: "1", time.Second: "1", 1500 * time.Millisecond: "2", time.Hour: "3600",
	} {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(faults.Throttle(delay))))
		w := newWire(t, srv)
		for _, via := range protocols {
			r := w.export(via, sample(query.Traces, 1))
			var info *errdetails.RetryInfo
			if len(r.Details) == 1 {
				info, _ = r.Details[0].(*errdetails.RetryInfo)
			}
			if info.GetRetryDelay() == nil || info.GetRetryDelay().AsDuration() != delay {
				t.Errorf("got details %v over %s, want a delay of %s", r.Details, via, delay)
			}
			if got := r.Header.Get("Retry-After"); via != query.GRPC && got != want {
				t.Errorf("got Retry-After %q for %s over %s, want %q: no less than was meant", got, delay, via, want)
			}
		}
	}
}

// jsonOf sends a request in JSON and returns the answer's body, decoded.
func jsonOf(t *testing.T, srv *otlptest.Server, m proto.Message) map[string]any {
	t.Helper()
	res, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/"+string(signalOf(m)), "application/json", strings.NewReader(string(otlpJSON(t, m))))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var v map[string]any
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
		t.Fatalf("the body of a %s: %v", http.StatusText(res.StatusCode), err)
	}
	return v
}
