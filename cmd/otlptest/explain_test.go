package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// failing is expectations of every kind, none of which holds for what busy has
// received.
var failing = []string{
	`spans name="charged" | >= 1`,
	`spans service="shops" attr.http.route="/pay" | == 1`,
	`spans | == 3`,
	`spans resource.tenant="b" duration>=1s not kind=client | > 2`,
	`spans child(name="checkout") | >= 1`,
	`points name="job" | >= 1`,
	`points name="jobs" | total == 9`,
	`points name="jobs" | latest == 9`,
	`points name="other" | total == 9`,
	`points | observations == 2`,
	`logs severity>=error | == 0`,
	`logs body~"refused" | >= 1`,
	`traces complete spans>=4 | >= 1`,
	`exports outcome=refused | == 0`,
	`exports protocol=grpc | >= 1`,
	`violations | == 0`,
	`connections | == 9`,
	"no loss", "all delivered", "no duplicates", "delivered once", "honours retry delay", "max attempts 1", "min gap 1h", "stops by 1ms",
	"not retried", "backoff 10s 2 1m 0.1", "reuses connections", "concurrency 2 3", "no violations", "no warnings", "no errors", "all faults met",
}

// busy is a server that has received much, and refused half of it.
func busy(t *testing.T) *otlptest.Server {
	script := faults.Sequence(slices.Repeat([]faults.Fault{faults.Throttle(2 * time.Second), faults.Accept()}, 30)...).On(query.Traces)
	srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithFaults(script), otlptest.WithUnusedFaultsAllowed())
	const resource = `"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}},{"key":"tenant","value":{"stringValue":"a"}}]}`
	send := func(path, body string) {
		// Each has a connection of its own.
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.HTTPEndpoint()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Close = true
		answer, err := srv.HTTPClient().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		time.Sleep(time.Second)
	}
	for i := range 16 {
		span := fmt.Sprintf(`{"resourceSpans":[{%s,"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc6%02x","spanId":"eee19b7ec3c1b1%02x",`+
			`"parentSpanId":"0000000000000000","name":"charge","startTimeUnixNano":"946684800000000000","endTimeUnixNano":"946684800100000000",`+
			`"attributes":[{"key":"http.route","value":{"stringValue":"/pay"}}]}]}]}]}`, resource, i, i+1)
		for range 3 {
			send("/v1/traces", span)
		}
	}
	if err := srv.Inject(faults.Sequence(faults.Reject("no such tenant")).On(query.Metrics)); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		send("/v1/metrics", fmt.Sprintf(`{"resourceMetrics":[{%s,"scopeMetrics":[{"metrics":[{"name":"jobs","sum":{"aggregationTemporality":2,"isMonotonic":true,`+
			`"dataPoints":[{"startTimeUnixNano":"946684800000000000","timeUnixNano":"946684801000000000","asInt":"5","attributes":[{"key":"queue","value":{"stringValue":"q%d"}}]}]}}]}]}]}`, resource, i))
	}
	for range 16 {
		send("/v1/logs", fmt.Sprintf(`{"resourceLogs":[{%s,"scopeLogs":[{"logRecords":[{"timeUnixNano":"946684800000000000","severityNumber":17,"body":{"stringValue":"declined"}}]}]}]}`, resource))
	}
	return srv
}

// What a failing expectation says, in fewer than 15 lines however much there is
// to say.
func TestFailingExpectationsExplainThemselvesBriefly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := busy(t)
		var all strings.Builder
		for _, text := range failing {
			e, err := parseExpectation(text)
			if err != nil {
				t.Fatal(err)
			}
			tr := &trial{srv: srv, expectations: []expectation{e}}
			tr.judge()
			var b strings.Builder
			tr.complain(&b)
			if n := strings.Count(b.String(), "\n"); n < 2 || n >= 15 {
				t.Errorf("got %d lines, want 2 to 14:\n%s", n, b.String())
			}
			all.WriteString(b.String() + "\n")
		}
		golden(t, "failing.txt", all.String())
	})
}

func TestWithoutNumbersLossIsUnknownAndOrphansAreShown(t *testing.T) {
	srv := otlptest.Start(t)
	post(t, srv.HTTPEndpoint()+"/v1/traces", `{"resourceSpans":[{"scopeSpans":[{"spans":[`+
		`{"traceId":"5b8efff798038103d269b633813fc600","spanId":"eee19b7ec3c1b101","parentSpanId":"eee19b7ec3c1b1ff","name":"a"},`+
		`{"traceId":"5b8efff798038103d269b633813fc600","spanId":"eee19b7ec3c1b102","parentSpanId":"eee19b7ec3c1b1fe","name":"b"}]}]}]}`)
	const orphans = "orphans    2 spans in 1 trace, whose parent has not come\n"
	tr := &trial{srv: srv}
	if got, want := tr.lossText(), "lost       not known, since nobody has said how many items were produced (--produced)\n"+orphans; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	tr.loss = loss{Produced: map[query.Signal]int64{query.Traces: 3}, Lost: map[query.Signal]int64{query.Traces: 1}}
	if got, want := tr.lossText(), "lost       1 of 3 spans produced\n"+orphans; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
