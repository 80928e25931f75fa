package httpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/query/where"
)

func TestItems(t *testing.T) {
	srv, api := start(t)
	for _, path := range []string{"spans", "points", "logs", "exports"} {
		if _, body := ask(t, api, get("/api/v1/"+path)); body != `{"count":0,"items":[]}`+"\n" {
			t.Errorf("%s: got %s, want no items before any came", path, body)
		}
	}
	call(t, srv, spans("charge"))
	send(t, srv, "/v1/metrics", points())
	send(t, srv, "/v1/logs", logs())
	for _, test := range []struct{ path, want string }{
		{"spans", `{"number":1,"export":1,"traceId":"abababababababababababababababab","spanId":"0101010101010101","name":"charge","kind":"server",` +
			`"start":"1970-01-01T00:00:01Z","end":"1970-01-01T00:00:02Z","attributes":{"http.route":"/<id>"},` +
			`"resource":{"attributes":{"service.name":"shop"}},"scope":{}}`},
		{"points", `{"number":1,"export":2,"name":"stock","unit":"{item}","type":"gauge","time":"1970-01-01T00:00:01Z","value":41,` +
			`"resource":{"attributes":{"service.name":"shop"}},"scope":{}}`},
		{"logs", `{"number":1,"export":3,"time":"1970-01-01T00:00:01Z","severity":"info","body":"paid",` +
			`"resource":{"attributes":{"service.name":"shop"}},"scope":{}}`},
	} {
		status, body := ask(t, api, get("/api/v1/"+test.path))
		if want := `{"count":1,"items":[` + test.want + "]}\n"; status != http.StatusOK || body != want {
			t.Errorf("%s: got %d\n%swant\n%s", test.path, status, body, want)
		}
	}
}

func TestViolationsAndConnectionsAreListed(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces/", spans("charge")) // a slash too many
	_, body := ask(t, api, get("/api/v1/violations?q="+url.QueryEscape(`rule="C-27"`)))
	if !strings.HasPrefix(body, `{"count":1,"items":[{"rule":"C-27","level":"error","export":1,`) || !strings.Contains(body, `"want":"\"/v1/traces\""`) {
		t.Errorf("got %s, want the wrong path", body)
	}
	_, body = ask(t, api, get("/api/v1/connections"))
	if !strings.HasPrefix(body, `{"count":1,"items":[{"number":1,"peer":"`) || !strings.Contains(body, `"requests":1,"open":0,`) {
		t.Errorf("got %s, want one connection with a request", body)
	}
	if _, body := ask(t, api, get("/api/v1/spans?q="+url.QueryEscape(`rule="C-27"`))); !strings.Contains(body, "applies to violations, not to spans") {
		t.Errorf("got %s, want an error: a rule is of violations", body)
	}
}

func TestExportsSayWhatBecameOfThem(t *testing.T) {
	srv, api := start(t)
	if status, body := ask(t, api, request{method: "POST", target: "/api/v1/faults", body: "traces: throttle 1500ms"}); status != http.StatusOK {
		t.Fatalf("got %d %s", status, body)
	}
	send(t, srv, "/v1/traces", spans("charge", "charge"))
	_, body := ask(t, api, get("/api/v1/exports"))
	var got struct {
		Count int
		Items []map[string]any
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.Count != 1 || len(got.Items) != 1 {
		t.Fatalf("got %s, want one export: %v", body, err)
	}
	export, err := json.Marshal(map[string]any{
		"number": got.Items[0]["number"], "protocol": got.Items[0]["protocol"], "items": got.Items[0]["items"], "stored": got.Items[0]["stored"],
		"status": got.Items[0]["status"], "retryDelay": got.Items[0]["retryDelay"], "fault": got.Items[0]["fault"],
	})
	const want = `{"fault":{"fault":1,"of":1,"rule":1,"text":"throttle 1.5s"},"items":2,"number":1,"protocol":"http/protobuf","retryDelay":"2s",` +
		`"status":{"code":"UNAVAILABLE","http":503,"message":"overloaded, as scripted: retry after 1.5s"},"stored":0}`
	if err != nil || string(export) != want {
		t.Errorf("got %s %v\nwant %s", export, err, want)
	}
}

func TestFiltersNarrow(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("charge", "refund", "charge"))
	for q, want := range map[string]string{
		``:                            `{"count":3,`,
		`name="charge"`:               `{"count":2,`,
		`name="charge" kind=client`:   `{"count":0,"items":[]}`,
		`attr.http.route="/<id>"`:     `{"count":3,`,
		`not name="charge"`:           `{"count":1,`,
		`(name="x" or name="refund")`: `{"count":1,`,
	} {
		status, body := ask(t, api, get("/api/v1/spans?q="+url.QueryEscape(q)))
		if status != http.StatusOK || !strings.HasPrefix(body, want) {
			t.Errorf("q=%s: got %d %s, want %s", q, status, body, want)
		}
	}
}

func TestParametersThatCannotBe(t *testing.T) {
	_, api := start(t)
	for _, test := range []struct{ query, want string }{
		{`Q=x`, `query: got parameter "Q", want one of q, wait, timeout, limit, after, order, format`},
		{`q=name`, `q: filter "name": at character 5: got the end after name, want =, ~ or *=`},
		{`q=name="a"&q=name="b"`, `q: is given 2 times, want it once`},
		{`q=%zz`, `query: got "q=%zz": invalid URL escape "%zz"`},
		{`wait=`, `wait: got "", want a number of items, 1 or more`},
		{`wait=0`, `wait: got "0", want a number of items, 1 or more`},
		{`wait=2s`, `wait: got "2s", want a number of items, 1 or more`},
		{`timeout=1s`, `timeout: is given without wait, want wait=N beside it`},
		{`wait=1&timeout=5`, `timeout: got "5", want a duration of 0s to 5m, such as 30s`},
		{`wait=1&timeout=-1s`, `timeout: got "-1s", want a duration of 0s to 5m, such as 30s`},
		{`limit=0`, `limit: got "0", want a number of 1 to 2147483647`},
		{`limit=-1`, `limit: got "-1", want a number of 1 to 2147483647`},
		{`after=x`, `after: got "x", want the next of an earlier answer`},
		{`after=1.0`, `after: got "1.0", want the next of an earlier answer`},
		{`order=latest`, `order: got "latest", want one of oldest, newest`},
		{`format=xml`, `format: got "xml", want one of json, otlp, protobuf`},
		{`wait=1&timeout=5m1s`, `timeout: got "5m1s", want a duration of 0s to 5m, such as 30s`},
	} {
		if got := detail(t, api, get("/api/v1/spans?"+test.query), http.StatusBadRequest); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.query, got, test.want)
		}
	}
	const want = `q: filter kind=client applies to spans, not to logs`
	if got := detail(t, api, get("/api/v1/logs?q=kind=client"), http.StatusBadRequest); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWaitAnswersWhenEnoughCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		began := time.Now()
		go func() {
			for range 3 {
				time.Sleep(time.Minute)
				send(t, srv, "/v1/traces", spans("charge"))
			}
		}()
		status, body := ask(t, api, get(`/api/v1/spans?q=name="charge"&wait=2&timeout=5m`))
		if status != http.StatusOK || !strings.HasPrefix(body, `{"count":2,`) {
			t.Errorf("got %d %s, want 2 spans", status, body)
		}
		if took := time.Since(began); took != 2*time.Minute {
			t.Errorf("got them after %s, want 2m", took)
		}
		time.Sleep(time.Hour)
	})
}

func TestWaitFailsWithTheDiagnosis(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		send(t, srv, "/v1/traces", spans("refund"))
		charges := srv.Spans(where.Name("charge"))
		for query, took := range map[string]time.Duration{"": 5 * time.Second, "&timeout=90s": 90 * time.Second, "&timeout=0s": 0} {
			got := detail(t, api, get(`/api/v1/spans?q=name="charge"&wait=1`+query), http.StatusConflict)
			if want := charges.Explain(0, took, "at least 1"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		}
	})
}

func TestWaitFailsAsItDoesInTheTest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		send(t, srv, "/v1/traces", spans("charge", "refund"))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := srv.Spans(where.Name("charge")).Wait(ctx, 2)
		if got := detail(t, api, get(`/api/v1/spans?q=name="charge"&wait=2`), http.StatusConflict); got != err.Error() {
			t.Errorf("got\n%s\nwant\n%v", got, err)
		}
	})
}

func TestWaitEndsWhenTheBackendCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		go func() {
			time.Sleep(time.Second)
			srv.Close()
		}()
		got := detail(t, api, get("/api/v1/logs?wait=1"), http.StatusServiceUnavailable)
		want := srv.Logs().Explain(0, time.Second, "at least 1") + "\n  the backend is closed: nothing more can arrive"
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}
