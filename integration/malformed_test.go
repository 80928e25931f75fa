package integration_test

import (
	"bytes"
	"context"
	"net/http"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// malformed is bodies that the official unmarshaler rejects, for any signal.
var malformed = map[string][]byte{
	"cut off within a field":     {0x0a, 0x05, 0x01},
	"cut off within a tag":       {0x80},
	"field number 0":             {0x00, 0x00},
	"group that does not end":    {0x0b},
	"deeper garbage":             {0x0a, 0x04, 0x12, 0x02, 0x12, 0x7f},
	"invalid UTF-8":              {0x0a, 0x04, 0x1a, 0x02, 0xc3, 0x28}, // the schema URL
	"invalid UTF-8 in an item":   append([]byte{0x0a, 0x08, 0x12, 0x06}, 0x1a, 0x04, 'o', 'k', 0xff, 'x'),
	"text where protobuf should": []byte(`{"resourceSpans":[]}`),
}

// S-12, S-23, S-26: final errors, on the record, and nothing is stored.
func TestMalformedBodiesAreRefusedForGood(t *testing.T) {
	for name, body := range malformed {
		t.Run(name, func(t *testing.T) {
			eachPath(t, func(t *testing.T, p path) {
				if err := proto.Unmarshal(body, fullOf(p.signal).data.ProtoReflect().New().Interface()); err == nil {
					t.Fatal("the official unmarshaler takes it")
				}
				for _, zipped := range []bool{false, true} {
					srv := otlptest.Start(t)
					r, err := newClient(t, srv).send(context.Background(), p, body, zipped)
					if err != nil {
						t.Fatal(err)
					}
					wantRefusal(t, p, r, codes.InvalidArgument, http.StatusBadRequest)
					wantOnRecord(t, srv, p, r, query.Malformed)
					if n := len(srv.Report().Batches); n != 0 {
						t.Errorf("got %d batches of what is not OTLP, want none", n)
					}
				}
			})
		})
	}
}

// wantRefusal checks an answer: the code with a message, and on HTTP the status
// too, with a google.rpc.Status as protobuf for a body (S-20, S-23, S-24).
func wantRefusal(t *testing.T, p path, r reply, want codes.Code, wantHTTP int) {
	t.Helper()
	if code(r.status) != want || r.status.GetMessage() == "" {
		t.Errorf("got status %v, want %s with a message", r.status, want)
	}
	for _, d := range r.status.GetDetails() {
		if d.TypeUrl == "type.googleapis.com/google.rpc.BadRequest" && want == codes.InvalidArgument {
			continue // S-26: it says where
		}
		t.Errorf("got detail %v, want none but a BadRequest: a RetryInfo would invite a retry", d)
	}
	if p.grpc() {
		return
	}
	if got := r.header.Get("Content-Type"); r.http != wantHTTP || got != "application/x-protobuf" {
		t.Errorf("got HTTP %d with Content-Type %q, want %d with application/x-protobuf", r.http, got, wantHTTP)
	}
	if got := r.header.Get("Retry-After"); got != "" {
		t.Errorf("got Retry-After %q for a final error, want none", got)
	}
}

// wantOnRecord checks that the server's only export is what was answered, and
// that nothing of it is stored.
func wantOnRecord(t *testing.T, srv *otlptest.Server, p path, r reply, outcome query.Outcome) {
	t.Helper()
	e := otlptest.One(t, srv.Exports())
	want := query.Status{Code: query.Code(r.status.GetCode()), HTTP: r.http, Message: r.status.GetMessage()}
	if e.Outcome != outcome || e.Status != want {
		t.Errorf("got %q with status %#v, want %q with %#v", e.Outcome, e.Status, outcome, want)
	}
	if e.Signal != p.signal || e.Protocol != p.protocol || e.Answered.IsZero() {
		t.Errorf("got export %s, answered %s, want one of %s", e, e.Answered, p)
	}
	wantNothing(t, srv)
}

func TestABodyThatIsNotGzipIsRefusedForGood(t *testing.T) {
	whole := gzipped(bytes.Repeat([]byte("otlp"), 100))
	for name, body := range map[string][]byte{
		"plain":                {0x0a, 0x00},
		"empty":                {},
		"cut off":              whole[:len(whole)-9],
		"with a bad checksum":  append(bytes.Clone(whole[:len(whole)-8]), make([]byte, 8)...),
		"with bytes behind it": append(bytes.Clone(whole), "otlp"...),
	} {
		t.Run(name, func(t *testing.T) {
			srv := otlptest.Start(t)
			c := newClient(t, srv)
			req, err := http.NewRequest(http.MethodPost, c.base+"/v1/traces", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/x-protobuf")
			req.Header.Set("Content-Encoding", "gzip")
			r, err := c.do(req)
			if err != nil {
				t.Fatal(err)
			}
			p := path{query.Traces, query.HTTPProtobuf}
			wantRefusal(t, p, r, codes.InvalidArgument, http.StatusBadRequest)
			wantOnRecord(t, srv, p, r, query.Malformed)
		})
	}
}

// S-06: nothing at all is a valid request.
func TestAnEmptyRequestSucceeds(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		srv := otlptest.Start(t)
		r, err := newClient(t, srv).send(context.Background(), p, nil, false)
		if err != nil || r.err() != nil || len(r.body) != 0 {
			t.Errorf("got answer %v, %v with body %x, want an empty success", err, r.err(), r.body)
		}
		if e := otlptest.One(t, srv.Exports()); e.Outcome != query.Accepted || e.Items != 0 {
			t.Errorf("got %s, want accepted without items", e)
		}
	})
}

// S-23, S-30: what is no export at all is answered as HTTP has it, and is on
// record.
func TestWhatIsNoExportIsRefusedAsHTTPHasIt(t *testing.T) {
	for name, test := range map[string]struct {
		method, path, contentType, encoding string
		status                              int
	}{
		"other path":     {http.MethodPost, "/v2/traces", "application/x-protobuf", "", http.StatusNotFound},
		"root":           {http.MethodPost, "/", "application/x-protobuf", "", http.StatusNotFound},
		"other method":   {http.MethodGet, "/v1/traces", "", "", http.StatusMethodNotAllowed},
		"other type":     {http.MethodPost, "/v1/traces", "text/plain", "", http.StatusUnsupportedMediaType},
		"no type":        {http.MethodPost, "/v1/traces", "", "", http.StatusUnsupportedMediaType},
		"other encoding": {http.MethodPost, "/v1/traces", "application/x-protobuf", "br", http.StatusUnsupportedMediaType},
	} {
		t.Run(name, func(t *testing.T) {
			srv := otlptest.Start(t)
			c := newClient(t, srv)
			req, err := http.NewRequest(test.method, c.base+test.path, bytes.NewReader([]byte{0x0a, 0x00}))
			if err != nil {
				t.Fatal(err)
			}
			for field, value := range map[string]string{"Content-Type": test.contentType, "Content-Encoding": test.encoding} {
				if value != "" {
					req.Header.Set(field, value)
				}
			}
			r, err := c.do(req)
			if err != nil {
				t.Fatal(err)
			}
			if r.http != test.status || r.status.GetMessage() == "" {
				t.Errorf("got HTTP %d, %v, want %d with a message", r.http, r.status, test.status)
			}
			if got := r.header.Get("Allow"); (got == http.MethodPost) != (test.status == http.StatusMethodNotAllowed) {
				t.Errorf("got Allow %q", got)
			}
			if e := otlptest.One(t, srv.Exports()); e.Outcome != query.Refused || e.Path != test.path || e.Status.HTTP != test.status {
				t.Errorf("got %s, want it refused with %d", e, test.status)
			}
			wantNothing(t, srv)
		})
	}
}

// S-31: media types have no case, and parameters do not matter.
func TestContentTypesAreComparedAsMediaTypes(t *testing.T) {
	for _, contentType := range []string{"application/x-protobuf", "Application/X-Protobuf", "application/x-protobuf; charset=utf-8"} {
		srv := otlptest.Start(t)
		c := newClient(t, srv)
		resp, err := c.http.Post(c.base+"/v1/traces", contentType, bytes.NewReader(spanNamed(t, "a")))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || got != "application/x-protobuf" {
			t.Errorf("%s: got HTTP %d with Content-Type %q, want 200 with application/x-protobuf", contentType, resp.StatusCode, got)
		}
		otlptest.Exactly(t, srv.Spans(), 1)
	}
}
