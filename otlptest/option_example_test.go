package otlptest_test

import (
	"compress/zlib"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

// answerTo is the status that an export is answered, with one header field.
func answerTo(srv *otlptest.Server, header, value, body string) int {
	req, err := http.NewRequest(http.MethodPost, srv.HTTPEndpoint()+"/v1/traces", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(header, value)
	answer, err := srv.HTTPClient().Do(req)
	if err != nil {
		panic(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

func ExampleWithAuth() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithAuth(otlptest.Bearer("secret"), otlptest.Basic("user", "pass")))
	fmt.Println(answerTo(srv, "Authorization", "Bearer secret", "{}"), answerTo(srv, "Authorization", "Basic dXNlcjpwYXNz", "{}"), answerTo(srv, "Authorization", "", "{}"))
	// Output: 200 200 401
}

// Handshakes that fail are told of.
func ExampleWithCertificate() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithCertificate(otlptest.ExpiredCertificate))
	_, err := srv.HTTPClient().Get(srv.HTTPEndpoint())
	fmt.Println(err != nil)
	failed := where.Func("failed", func(c query.Connection) bool { return c.Err != "" })
	fmt.Println(len(otlptest.Await(t, srv.Connections(failed), 1)))
	// Output:
	// true
	// 1
}

func ExampleWithEncoding() {
	t := &exampleT{}
	defer t.done()

	inflate := func(r io.Reader, _ int) (io.ReadCloser, error) { return zlib.NewReader(r) }
	srv := otlptest.Start(t, otlptest.WithEncoding("deflate", inflate))
	var body strings.Builder
	deflate := zlib.NewWriter(&body)
	fmt.Fprint(deflate, "{}")
	deflate.Close()
	fmt.Println(answerTo(srv, "Content-Encoding", "deflate", body.String()), answerTo(srv, "Content-Encoding", "br", "{}"))
	// Output: 200 415
}

func ExampleWithListeners() {
	t := &exampleT{}
	defer t.done()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	srv := otlptest.Start(t, otlptest.WithListeners(l, nil)) // the one for HTTP as usual
	fmt.Println(srv.GRPCEndpoint() == l.Addr().String())
	// Output: true
}

func ExampleWithPathPrefix() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithPathPrefix("/otlp"))
	fmt.Println(strings.HasSuffix(srv.HTTPEndpoint(), "/otlp"), answerTo(srv, "X-Tenant", "a", "{}"))
	// Output: true 200
}

// A test of a network that is slow; in a testing/synctest bubble it takes no
// time at all.
func ExampleWithRoundTrip() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithRoundTrip(20*time.Millisecond))
	start := time.Now()
	pay(t, srv)
	fmt.Println(time.Since(start) >= 20*time.Millisecond)
	// Output: true
}

// What departs from OTLP is refused, and told of in any case.
func ExampleWithStrict() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithStrict())
	span := made("charge", 2, 0)
	span.SpanId = nil
	fmt.Println(deliver(t, srv, traces(span)), srv.Violations(where.Rule("S-40")).Len())
	// Output: 400 1
}

// Limits for tests of what a client does at them.
func ExampleWithMaxRequestSize() {
	t := &exampleT{}
	defer t.done()

	srv := otlptest.Start(t, otlptest.WithMaxRequestSize(1000), otlptest.WithHangLimit(time.Minute), otlptest.WithWaitTimeout(time.Second))
	fmt.Println(deliver(t, srv, traces(made("charge", 2, 0, "note", strings.Repeat("x", 1000)))))
	// Output: 413
}

func ExampleRedactMatch() {
	redact := otlptest.RedactMatch(`build="[^"]*"`, `build=…`)
	fmt.Println(redact(`resource build="1f3c" service.name="shop"`))
	// Output: resource build=… service.name="shop"
}
