package otlptest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

var httpRequirements = []requirement{
	{number: "S-20", text: "An answer has the request's Content-Type.", test: answersHaveTheRequestsType},
	{number: "S-22", text: "Success is 200 with the encoded response message.", test: successIs200},
	{number: "S-23", text: "The body of every 4xx and 5xx is a google.rpc.Status in the request's encoding.", test: everyErrorIsAStatus},
	{number: "S-24", text: "An error has a message, and may have a code and details.", test: errorsHaveAMessage},
	{number: "S-25", text: "The status tells errors that may be retried from those that are final.", test: statusTellsWhetherToRetry},
	{number: "S-26", text: "What can never be decoded is 400, and a BadRequest says where.", test: badDataIs400},
	{number: "S-27", text: "Overload is 429 or 503, and may have Retry-After.", test: overloadIs429Or503},
	{number: "S-28", text: "An answer is in gzip only for a client that asks for that, and says so.", test: gzipOnlyWhenAskedFor},
	{number: "S-30", text: "The rest is as HTTP has it: 404, 405 with Allow, 415.", test: theRestIsAsHTTPHasIt},
	{number: "S-31", text: "Media types are compared in any case and without parameters.", test: mediaTypesHaveNoCase},
}

// faultByStatus is one fault of each kind that answers, by the status that it gives.
var faultByStatus = map[int]faults.Fault{
	200: faults.Accept(),
	400: faults.Reject("no"),
	401: faults.Code(codes.Unauthenticated),
	413: faults.Code(codes.ResourceExhausted),
	429: faults.HTTPStatus(429),
	500: faults.Code(codes.Internal),
	503: faults.Throttle(time.Second),
}

func answersHaveTheRequestsType(t *testing.T) {
	for status, f := range faultByStatus {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(f)))
		w := newWire(t, srv)
		for _, via := range overHTTP {
			for _, sig := range signals {
				r := w.export(via, sample(sig, 1))
				if got := r.Header.Values("Content-Type"); r.HTTP != status || !slices.Equal(got, []string{mediaType[via]}) {
					t.Errorf("got status %d and Content-Type %q, want %d and %s", r.HTTP, got, status, mediaType[via])
				}
			}
		}
	}
	w := newWire(t, otlptest.Start(t))
	for _, path := range []string{"/v1/traces", "/v1/nothing"} {
		r := w.post(path, http.Header{"Content-Type": {"Application/JSON; charset=utf-8"}}, []byte("{"))
		if got := r.Header.Get("Content-Type"); got != "application/json" {
			t.Errorf("got Content-Type %q from %s, want application/json", got, path)
		}
	}
}

func successIs200(t *testing.T) {
	srv := otlptest.Start(t)
	w := newWire(t, srv)
	for via, want := range map[query.Protocol]string{query.HTTPProtobuf: "", query.HTTPJSON: "{}"} {
		for _, sig := range signals {
			if r := w.export(via, sample(sig, 1)); r.HTTP != 200 || r.Body != want || r.Header.Get("Content-Length") == "" {
				t.Errorf("got %d with body %q, want 200 with %q and its length", r.HTTP, r.Body, want)
			}
		}
	}
}

// newWire's client checks that each of these is a Status.
func everyErrorIsAStatus(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithInMemory())
	w := newWire(t, srv)
	for status := 400; status <= 599; status++ {
		if err := srv.Inject(faults.Always(faults.HTTPStatus(status)).Times(2)); err != nil {
			t.Fatal(err)
		}
		for _, via := range overHTTP {
			r := w.export(via, sample(query.Logs, 1))
			if r.HTTP != status || r.Code == codes.OK || r.Message == "" || len(r.Details) != 0 {
				t.Errorf("got %s over %s, want %d, a code and a message", r, via, status)
			}
		}
	}
	srv = otlptest.Start(t, otlptest.WithFaults(faults.Always(faults.Throttle(350*time.Millisecond))))
	want := map[string]any{"code": 14.0, "message": "overloaded, as scripted: retry after 350ms", "details": []any{
		map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.350s"},
	}}
	if diff := cmp.Diff(want, jsonOf(t, srv, sample(query.Metrics, 1))); diff != "" {
		t.Errorf("a Status in JSON (-want +got):\n%s", diff)
	}
}

func errorsHaveAMessage(t *testing.T) {
	for status, f := range faultByStatus {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(f)))
		w := newWire(t, srv)
		for _, via := range overHTTP {
			if r := w.export(via, sample(query.Traces, 1)); (r.Message != "") != (status >= 400) || (len(r.Details) != 0) != (status == 503) {
				t.Errorf("got %s over %s", r, via)
			}
		}
	}
}

func statusTellsWhetherToRetry(t *testing.T) {
	retryable := []codes.Code{codes.Canceled, codes.DeadlineExceeded, codes.Aborted, codes.OutOfRange, codes.Unavailable, codes.DataLoss}
	srv := otlptest.Start(t, otlptest.WithInMemory())
	w := newWire(t, srv)
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		if err := srv.Inject(faults.Always(faults.Code(code)).Times(2)); err != nil {
			t.Fatal(err)
		}
		for _, via := range overHTTP {
			r := w.export(via, sample(query.Traces, 1))
			if again := slices.Contains([]int{429, 502, 503, 504}, r.HTTP); r.Code != code || again != slices.Contains(retryable, code) {
				t.Errorf("got %s for %s over %s, want a status that says the same", r, code, via)
			}
		}
	}
}

func badDataIs400(t *testing.T) {
	tests := []struct {
		via   query.Protocol
		body  string
		field string // how it ends; in JSON it begins with the body's first key
	}{
		{query.HTTPProtobuf, "\x0a\x04\x12\x02\x12\x7f", ""},
		{query.HTTPProtobuf, "\x0a\x04\x1a\x02\xc3\x28", "schema_url"},
		{query.HTTPJSON, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"W47/95gDgQPSabYzgT/GDA=="}]}]}]}`, "resourceSpans[0].scopeSpans[0].spans[0].traceId"},
		{query.HTTPJSON, `{"resourceSpans":[{},{"schemaUrl":1}]}`, "resourceSpans[1].schemaUrl"},
		{query.HTTPJSON, `{"resourceSpans":{}}`, "resourceSpans"},
	}
	for _, test := range tests {
		srv := otlptest.Start(t)
		r := newWire(t, srv).send(test.via, query.Traces, []byte(test.body), false)
		got := r.String()
		if !strings.HasPrefix(got, `400 INVALID_ARGUMENT "`) || !strings.Contains(got, " BadRequest(") || !strings.HasSuffix(got, test.field+")") {
			t.Errorf("got %s for %q, want 400 and a BadRequest of %q", got, test.body, test.field)
		}
		if e := otlptest.One(t, srv.Exports()); e.Outcome != query.Malformed || e.Stored != 0 || e.Status.Message != r.Message {
			t.Errorf("got %s on record, want it malformed with the client's message", e)
		}
	}
	for _, body := range []string{"", "[]", "{", "null", "\xff", `{"resourceSpans":[`, "\x0a\x00"} {
		w := newWire(t, otlptest.Start(t))
		for _, sig := range signals {
			if r := w.send(query.HTTPJSON, sig, []byte(body), false); r.HTTP != 400 || r.Code != codes.InvalidArgument {
				t.Errorf("got %s for %q as JSON, want 400", r, body)
			}
			if r := w.send(query.HTTPProtobuf, sig, []byte("\xff"+body), false); r.HTTP != 400 || r.Code != codes.InvalidArgument {
				t.Errorf("got %s for %q as protobuf, want 400", r, "\xff"+body)
			}
		}
	}
}

func overloadIs429Or503(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Throttle(30*time.Second), faults.HTTPStatus(429), faults.Unavailable(),
		faults.ResourceExhausted(20*time.Second), faults.HTTPStatus(429).RetryIn(10*time.Second), faults.HTTPStatus(503).RetryIn(time.Second)).Times(2)))
	w := newWire(t, srv)
	type answer struct {
		HTTP       int
		RetryAfter []string
	}
	want := []answer{{503, []string{"30"}}, {429, nil}, {503, nil}, {429, []string{"20"}}, {429, []string{"10"}}, {503, []string{"1"}}}
	for _, via := range overHTTP {
		var got []answer
		for range want {
			r := w.export(via, sample(query.Traces, 1))
			got = append(got, answer{r.HTTP, r.Header.Values("Retry-After")})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("answers over %s (-want +got):\n%s", via, diff)
		}
		retryAfterMayBeADate(t, via)
	}
}

func retryAfterMayBeADate(t *testing.T, via query.Protocol) {
	for _, f := range []faults.Fault{faults.Throttle(90 * time.Second), faults.ResourceExhausted(90 * time.Second), faults.HTTPStatus(503).RetryIn(90 * time.Second)} {
		srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(f.AsDate())))
		header := newWire(t, srv).export(via, sample(query.Traces, 1)).Header.Get("Retry-After")
		at, err := http.ParseTime(header)
		e := otlptest.One(t, srv.Exports())
		if err != nil || !at.Equal(e.Answered.Add(e.RetryDelay)) || e.RetryDelay < 90*time.Second || e.RetryDelay >= 91*time.Second {
			t.Errorf("%s over %s: got Retry-After %q (%v) and a delay of %s on record, want a date and 90 seconds, rounded up", f, via, header, err, e.RetryDelay)
		}
	}
}

func gzipOnlyWhenAskedFor(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Always(faults.PartialSuccess(1, "m")).On(query.Traces), faults.Always(faults.Reject("no")).On(query.Logs)))
	w := newWire(t, srv)
	for accept, zipped := range map[string]bool{
		"gzip": true, "GZIP": true, "deflate, gzip": true, "gzip;q=0.5, identity": true, "br;q=1.0, gzip ; q=0.8": true,
		"identity": false, "br": false, "gzip;q=0": false, "gzip; q=0.0, br": false, "xgzip": false,
	} {
		for _, via := range overHTTP {
			for _, sig := range []query.Signal{query.Traces, query.Logs} {
				h := http.Header{"Content-Type": {mediaType[via]}, "Accept-Encoding": {"identity"}}
				plain := bodyOf(t, srv, "/v1/"+string(sig), h, encode(t, via, sample(sig, 1)))
				h.Set("Accept-Encoding", accept)
				if got := bodyOf(t, srv, "/v1/"+string(sig), h, encode(t, via, sample(sig, 1))); got.zipped != zipped || got.body != plain.body || plain.zipped {
					t.Errorf("got %+v with Accept-Encoding %q, want gzip %t and what is %q without", got, accept, zipped, plain.body)
				}
			}
		}
	}
	if r := w.send(query.HTTPProtobuf, query.Metrics, nil, true); r.Header.Get("Content-Encoding") != "" {
		t.Errorf("got Content-Encoding %q because the request was in gzip", r.Header.Get("Content-Encoding"))
	}
}

type zippedBody struct {
	zipped bool
	body   string
}

func bodyOf(t *testing.T, srv *otlptest.Server, path string, h http.Header, body []byte) zippedBody {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, srv.HTTPEndpoint()+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = h.Clone()
	res, err := srv.HTTPClient().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var r io.Reader = res.Body
	zipped := res.Header.Get("Content-Encoding") == "gzip"
	if zipped {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return zippedBody{zipped, string(answer)}
}

func theRestIsAsHTTPHasIt(t *testing.T) {
	tests := []struct {
		name, method, path, media, encoding string
		status                              int
	}{
		{"other path", "POST", "/v1/trace", "", "", 404},
		{"slash at the end", "POST", "/v1/traces/", "", "", 404},
		{"root", "POST", "/", "", "", 404},
		{"GET", "GET", "/v1/traces", "", "", 405},
		{"PUT", "PUT", "/v1/logs", "", "", 405},
		{"OPTIONS", "OPTIONS", "/v1/metrics", "", "", 405},
		{"other type", "POST", "/v1/traces", "text/plain", "", 415},
		{"type of gRPC", "POST", "/v1/traces", "application/grpc", "", 415},
		{"empty type", "POST", "/v1/traces", " ", "", 415},
		{"other encoding", "POST", "/v1/traces", "", "br", 415},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, via := range overHTTP {
				srv := otlptest.Start(t)
				req, err := http.NewRequest(test.method, srv.HTTPEndpoint()+test.path, bytes.NewReader(encode(t, via, sample(query.Traces, 1))))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", strings.TrimSpace(test.media))
				if test.media == "" {
					req.Header.Set("Content-Type", mediaType[via])
				}
				if test.encoding != "" {
					req.Header.Set("Content-Encoding", test.encoding)
				}
				r := newWire(t, srv).do(req)
				if r.HTTP != test.status || r.Message == "" || len(r.Details) != 0 {
					t.Errorf("got %s, want %d and a message", r, test.status)
				}
				if allow := r.Header.Get("Allow"); (allow == "POST") != (test.status == 405) {
					t.Errorf("got Allow %q with a %d", allow, test.status)
				}
				if e := otlptest.One(t, srv.Exports()); e.Outcome != query.Refused || e.Path != test.path || e.Status.HTTP != test.status || e.Stored != 0 {
					t.Errorf("got %+v on record, want it refused", e)
				}
			}
		})
	}
}

func mediaTypesHaveNoCase(t *testing.T) {
	w := newWire(t, otlptest.Start(t))
	for _, via := range overHTTP {
		for _, media := range []string{
			strings.ToUpper(mediaType[via]), mediaType[via] + "; charset=utf-8", mediaType[via] + ";charset=UTF-8;v=1", " " + mediaType[via] + " ; x", mediaType[via] + ";", mediaType[via] + "; v=1; v=2", mediaType[via] + "; v=\"",
		} {
			r := w.post("/v1/traces", http.Header{"Content-Type": {media}}, encode(t, via, sample(query.Traces, 1)))
			if got := r.Header.Get("Content-Type"); r.String() != success(via) || got != mediaType[via] {
				t.Errorf("got %s of type %q for Content-Type %q, want %s of %s", r, got, media, success(via), mediaType[via])
			}
		}
	}
}
