package otlptest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// kinds is a fault of every kind, as text, and some of the forms that a kind
// has.
var kinds = []string{
	"accept",
	"accept lost",
	"accept closing",
	`accept with x-tenant "b"`,
	"unavailable",
	"unavailable stored",
	"unavailable unread",
	"unavailable closing",
	"unavailable headers-first",
	`unavailable with grpc-retry-pushback-ms "1500"`,
	"throttle 1.5s",
	"throttle 1.5s dated",
	"throttle 0s",
	"exhausted 30s",
	`reject "why"`,
	`code NOT_FOUND "why"`,
	"code RESOURCE_EXHAUSTED",
	"code UNAVAILABLE retry 2s",
	`code RESOURCE_EXHAUSTED "why" detail {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"subject":"tenant","description":"too much"}]}`,
	"http 502",
	"http 429 retry 2s",
	`http 418 "why"`,
	`redirect 307 "http://other.invalid"`,
	"redirect 302",
	"partial 1",
	`partial 0 "old version"`,
	"partial 0",
	`partial [name="b"] "no b"`,
	"newer",
	"garbage",
	"truncated",
	"oversized 5000000",
	"trailers 100000",
	"encoded br",
	"encoded gzip",
	`raw 200 "application/json" "{\"ok\":true}"`,
	`raw 200 "text/html" "<html>" lost`,
	`raw 503 "text/plain" "busy"`,
	"capacity 1/s",
	"old",
	"hang",
	"hang unread",
	"half",
	"reset",
	"reset stored",
	"reset unread",
	"close",
	"blackhole",
	"rst REFUSED_STREAM",
	"rst INTERNAL_ERROR stored",
	"goaway 0",
	"goaway 1",
	"goaway 0 ENHANCE_YOUR_CALM",
	"down 30s",
}

// Every kind of fault does on every transport what the golden file says that a
// client sees of it, frame by frame.
func TestKindsOnTheWire(t *testing.T) {
	var text strings.Builder
	for _, fault := range kinds {
		text.WriteString(fault + "\n")
		for _, via := range []string{"grpc", "http/2", "http/1.1", "json"} {
			synctest.Test(t, func(t *testing.T) {
				saw, stored := meet(t, fault, via, otlptest.WithInMemory())
				fmt.Fprintf(&text, "  %-9s %s\n  %-9s stored %d\n", via, saw, "", stored)
			})
		}
	}
	golden(t, "kinds", text.String())
}

// A network of the machine's shows the same as the one in memory, but for how
// long things take.
func TestKindsOverTCP(t *testing.T) {
	for _, fault := range kinds {
		if strings.HasPrefix(fault, "hang") || strings.HasPrefix(fault, "blackhole") || strings.HasPrefix(fault, "down") {
			continue // they take minutes
		}
		if strings.Contains(fault, "dated") {
			continue // another date each time
		}
		for _, via := range []string{"grpc", "http/2", "http/1.1", "json"} {
			t.Run(fault+" "+via, func(t *testing.T) {
				t.Parallel()
				got, stored := meet(t, fault, via)
				var want string
				var wantStored int
				synctest.Test(t, func(t *testing.T) {
					want, wantStored = meet(t, fault, via, otlptest.WithInMemory())
				})
				if strings.HasSuffix(want, "EOF") {
					// With bytes unread TCP makes a reset of the server's close.
					got = strings.Replace(got, "ECONNRESET", "EOF", 1)
				}
				if got != want || stored != wantStored {
					t.Errorf("\n got %s, stored %d\nwant %s, stored %d as in memory", got, stored, want, wantStored)
				}
			})
		}
	}
}

// meet sends an export that meets a fault, and returns what the client sees and
// how many items are stored.
func meet(t *testing.T, fault, via string, opts ...otlptest.Option) (saw string, stored int) {
	t.Helper()
	if strings.HasPrefix(fault, "capacity") {
		fault = "always " + fault
	}
	rules, err := faults.Parse(fault)
	if err != nil {
		t.Fatal(err)
	}
	srv := otlptest.Start(t, append(opts, otlptest.WithFaults(rules...))...)
	start := time.Now()
	switch data := traces(span("a"), span("b")); via {
	case "grpc":
		saw = dialBare(t, srv, srv.GRPCEndpoint()).http2(t).call(encode(t, query.GRPC, data))
	case "http/2":
		saw = dialBare(t, srv, srv.HTTPEndpoint()).http2(t).post2(encode(t, query.HTTPProtobuf, data))
	case "http/1.1":
		saw = dialBare(t, srv, srv.HTTPEndpoint()).post1(mediaType[query.HTTPProtobuf], encode(t, query.HTTPProtobuf, data))
	case "json": // by HTTP/1.1, too
		saw = dialBare(t, srv, srv.HTTPEndpoint()).post1(mediaType[query.HTTPJSON], encode(t, query.HTTPJSON, data))
	}
	if took := time.Since(start); took >= time.Minute {
		saw += fmt.Sprintf(" after %s", took)
	}
	e := otlptest.One(t, srv.Exports())
	if e.Outcome == query.Open {
		t.Errorf("%s %s: the export is still open", fault, via)
	}
	return saw, e.Stored
}

// Every kind is in the table above, and in the README's.
func TestKindsAreComplete(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range faults.Kinds() {
		name := string(k)
		if k == faults.KindAccept {
			name = "accept"
		}
		tried := false
		for _, text := range kinds {
			tried = tried || strings.HasPrefix(text+" ", name+" ")
		}
		if !tried {
			t.Errorf("no fault of kind %s is in the table", name)
		}
		if !strings.Contains(string(readme), "`"+name) {
			t.Errorf("README has no row of kind %s", name)
		}
	}
}
