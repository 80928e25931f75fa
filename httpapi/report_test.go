package httpapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/otlptest"
)

// retried is a server to which a batch was sent twice, after the delay that it
// asked for.
func retried(t *testing.T) (*otlptest.Server, http.Handler) {
	t.Helper()
	srv, api := start(t)
	ask(t, api, request{method: "POST", target: "/api/v1/faults", body: "traces: throttle 2s"})
	send(t, srv, "/v1/traces", spans("a", "b"))
	time.Sleep(2 * time.Second)
	send(t, srv, "/v1/traces", spans("a", "b"))
	return srv, api
}

func TestTheReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, api := retried(t)
		_, body := ask(t, api, get("/api/v1/report"))
		var got map[string]any
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err)
		}
		for _, batch := range got["batches"].([]any) {
			attempts := batch.(map[string]any)["attempts"].([]any)
			if len(attempts) != 2 || attempts[1].(map[string]any)["outcome"] != "accepted" {
				t.Errorf("got attempts %v", attempts)
			}
			batch.(map[string]any)["attempts"] = len(attempts)
		}
		text, err := json.Marshal(got)
		const counts = `{"acknowledged":2,"delivered":2,"illegalDuplicates":0,"legalDuplicates":0,"lost":0,"refused":0,"sent":2,"unacknowledged":0}`
		const none = `{"acknowledged":0,"delivered":0,"illegalDuplicates":0,"legalDuplicates":0,"lost":0,"refused":0,"sent":0,"unacknowledged":0}`
		const want = `{"batches":[{"acknowledged":true,"attempts":2,"deliveries":1,"gaps":["2s"],"items":2,"number":1,"promised":["2s","0s"],"signal":"traces"}],` +
			`"drops":{"dropped":0,"refused":0,"unread":0},"exports":2,"items":` + counts + `,"lost":null,"produced":null,"signals":{"logs":` + none + `,"metrics":` + none + `,"traces":` + counts + `},` +
			`"throughput":{"ceiling":0,"itemsPerExport":2,"measured":0,"peak":1,"roundTrip":0,"serverTime":0}}`
		if err != nil || string(text) != want {
			t.Errorf("got\n%s\nwant\n%s", text, want)
		}
	})
}

func TestTheReportCountsWhatTheServerLeftOut(t *testing.T) {
	for policy, want := range map[otlptest.MemoryPolicy]string{
		otlptest.RefuseExports: `"drops":{"refused":1,"dropped":0,"unread":0}`,
		otlptest.DropOldest:    `"drops":{"refused":0,"dropped":1,"unread":0}`,
	} {
		srv := otlptest.Start(t, otlptest.WithInMemory(), otlptest.WithMemoryLimit(150, policy))
		send(t, srv, "/v1/traces", spans("a"))
		send(t, srv, "/v1/traces", spans("b"))
		if _, body := ask(t, httpapi.New(srv), get("/api/v1/report")); !strings.Contains(body, want) {
			t.Errorf("got %s, want %s", body, want)
		}
	}
}

func TestASummaryOfTheReportIsWithoutBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, api := retried(t)
		_, whole := ask(t, api, get("/api/v1/report"))
		_, summary := ask(t, api, get("/api/v1/report?format=summary"))
		from, to := strings.Index(whole, `"batches":`), strings.Index(whole, `"items":{`)
		if want := whole[:from] + whole[to:]; summary != want {
			t.Errorf("got %s, want %s", summary, want)
		}
	})
}

func TestTheReportAsText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := retried(t)
		const unknown = "\nlost: not known, since nobody has said how many items were produced (POST produced)\n"
		want := strings.TrimRight(srv.Report().String(), "\n") + unknown
		if _, body := ask(t, api, get("/api/v1/report?format=text")); body != want {
			t.Errorf("got\n%swant\n%s", body, want)
		}
		for accept, plain := range map[string]bool{
			"": false, "*/*": false, "text/plain": true, "text/plain, application/json": true, "application/json, text/plain": false, "text/html": false,
		} {
			rec := from(t, api, "/api/v1/report", "localhost", "Accept", accept)
			if got := rec.Body.String() == want; got != plain {
				t.Errorf("Accept %q: got %s", accept, rec.Body)
			}
		}
		if _, body := ask(t, api, get("/api/v1/report?format=json")); !strings.HasPrefix(body, "{") {
			t.Errorf("got %s", body)
		}
	})
}

// lossOf is what a report says of what was produced and lost.
func lossOf(t *testing.T, api http.Handler) string {
	t.Helper()
	_, body := ask(t, api, get("/api/v1/report"))
	_, rest, ok := strings.Cut(body, `"produced":`)
	if !ok {
		t.Fatalf("got %s", body)
	}
	return strings.TrimSpace(rest)
}

func TestLossIsKnownOnceItIsSaidWhatWasProduced(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("a", "b"))
	produced := func(body, want string) {
		t.Helper()
		if status, got := ask(t, api, request{"POST", "/api/v1/produced", jsonType, body}); status != http.StatusOK || got != want+"\n" {
			t.Errorf("got %d %s, want %s", status, got, want)
		}
	}
	loss := func(want string) {
		t.Helper()
		if got := lossOf(t, api); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	loss(`null,"lost":null}`)
	produced(`{"traces":3}`, `{"traces":3}`)
	loss(`{"traces":3},"lost":{"traces":1}}`)
	produced(` {"traces": 2, "logs": 1, "metrics": 0} `, `{"logs":1,"metrics":0,"traces":5}`)
	loss(`{"logs":1,"metrics":0,"traces":5},"lost":{"logs":1,"metrics":0,"traces":3}}`)
	if _, body := ask(t, api, get("/api/v1/report?format=text")); !strings.HasSuffix(body,
		"\nlost: 3 of 5 spans produced, 0 of 0 points produced, 1 of 1 log record produced\n") {
		t.Errorf("got %s", body)
	}
	send(t, srv, "/v1/logs", logs())
	loss(`{"logs":1,"metrics":0,"traces":5},"lost":{"logs":0,"metrics":0,"traces":3}}`)
	srv.Reset()
	loss(`null,"lost":null}`)
	produced(`{"traces":1}`, `{"traces":1}`)
	ask(t, api, request{method: "POST", target: "/api/v1/reset"})
	loss(`null,"lost":null}`)
}

func TestProducedNumbersThatCannotBe(t *testing.T) {
	_, api := start(t)
	const want = `, want an object such as {"traces":100,"metrics":0,"logs":7}`
	for body, problem := range map[string]string{
		``:                               `body: JSON: EOF` + want,
		`{}`:                             `body: got "{}"` + want,
		`null`:                           `body: got "null"` + want,
		`{"spans":1}`:                    `body: got field "spans", want one of traces, metrics, logs`,
		`{"traces":-1}`:                  `body: traces: got -1, want a number of 0 to 9007199254740992`,
		`{"traces":1.5}`:                 `body: traces: got 1.5, want a number of 0 to 9007199254740992`,
		`{"traces":9223372036854775807}`: `body: traces: got 9223372036854775807, want a number of 0 to 9007199254740992`,
		`{"traces":1}{"traces":1}`:       `body: got "{\"traces\":1}{\"traces\":1}"` + want,
	} {
		if got := detail(t, api, request{"POST", "/api/v1/produced", jsonType, body}, http.StatusBadRequest); got != problem {
			t.Errorf("%s: got\n%s\nwant\n%s", body, got, problem)
		}
	}
	if got := lossOf(t, api); got != `null,"lost":null}` {
		t.Errorf("got %s, want that nothing was taken", got)
	}
	most := request{"POST", "/api/v1/produced", jsonType, `{"traces":9007199254740992}`}
	ask(t, api, most)
	if _, body := ask(t, api, most); body != `{"traces":9007199254740992}`+"\n" {
		t.Errorf("got %s, want that it stops where numbers are not exact any more", body)
	}
}

func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		send(t, srv, "/v1/traces", spans("a", "b"))
		send(t, srv, "/v1/metrics", points())
		ask(t, api, request{method: "POST", target: "/api/v1/faults", body: "unavailable; throttle 1s"})
		ask(t, api, request{method: "POST", target: "/api/v1/hold", body: "protocol=grpc"})
		time.Sleep(3 * time.Second)
		want := `{"state":"up","endpoints":{"grpc":"` + srv.GRPCEndpoint() + `","http":"` + srv.HTTPEndpoint() + `"},"mark":"2","exports":2,"open":0,"spans":2,"points":1,"logs":0,"connections":1,"reached":true,"idle":"3s",` +
			`"waitTimeout":"10s","rules":2,"holds":1,"memory":{"kept":253,"limit":0,"refused":0,"dropped":0},"streams":{"open":0,"total":0,"sent":0,"dropped":0}}` + "\n"
		if _, body := ask(t, api, get("/api/v1/stats")); body != want {
			t.Errorf("got\n%swant\n%s", body, want)
		}
	})
}

func TestChangesWaitForAnotherVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		version := func(query string) (v string, closed bool, took time.Duration) {
			t.Helper()
			began := time.Now()
			_, body := ask(t, api, get("/api/v1/changes"+query))
			var c struct {
				Version string
				Closed  bool
			}
			if err := json.Unmarshal([]byte(body), &c); err != nil {
				t.Fatal(err)
			}
			return c.Version, c.Closed, time.Since(began)
		}
		first, _, _ := version("")
		if same, _, took := version("?since=" + first + "&timeout=1m"); same != first || took != time.Minute {
			t.Errorf("got %s after %s, want %s after 1m: nothing has changed", same, took, first)
		}
		later(func() { send(t, srv, "/v1/traces", spans("a")) })
		second, _, took := version("?since=" + first + "&timeout=1m")
		if second == first || took != time.Second {
			t.Errorf("got %s after %s, want another one after 1s", second, took)
		}
		if third, _, took := version("?since=" + first); third == first || took != 0 {
			t.Errorf("got %s after %s, want a later one at once", third, took)
		}
		time.Sleep(time.Second)
		last, _, _ := version("")
		later(func() { srv.Close() })
		for closed := false; !closed; { // closing is a change of connections, too
			last, closed, took = version("?since=" + last + "&timeout=1m")
			if took > time.Second {
				t.Fatalf("got closed %v after %s, want it after 1s", closed, took)
			}
		}
		if _, closed, took := version("?since=" + last + "&timeout=1m"); !closed || took != 0 {
			t.Errorf("got closed %v after %s, want it at once", closed, took)
		}
		const want = "timeout: is given without since, want since=VERSION beside it"
		if got := detail(t, api, get("/api/v1/changes?timeout=1s"), http.StatusBadRequest); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestTheAPIIsOneHandler(t *testing.T) {
	srv, _ := start(t)
	web := httptest.NewServer(httpapi.New(srv))
	defer web.Close()
	answer, err := web.Client().Get(web.URL + "/api/v1/spans")
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("got %v %v", answer, err)
	}
	answer.Body.Close()
	web.Client().CloseIdleConnections()
}
