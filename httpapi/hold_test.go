package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// holdOf is what a hold says as the tests look at it.
type holdOf struct {
	ID    string
	Count int
	Items []struct {
		Number  int
		Outcome string
	}
}

func (h holdOf) String() string { return fmt.Sprintf("%s: %d %v", h.ID, h.Count, h.Items) }

func askHold(t *testing.T, api http.Handler, r request, want int) (h holdOf) {
	t.Helper()
	status, body := ask(t, api, r)
	if err := json.Unmarshal([]byte(body), &h); err != nil || status != want {
		t.Fatalf("%s %s: got %d %s, want %d: %v", r.method, r.target, status, body, want, err)
	}
	return h
}

func post(target string) request { return request{method: http.MethodPost, target: target} }

func TestAnswersAreHeldUntilTheyAreReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		if got := askHold(t, api, post("/api/v1/hold?q=protocol=http/protobuf"), http.StatusCreated); got.String() != "1: 0 []" {
			t.Errorf("got %s", got)
		}
		var exporting sync.WaitGroup
		for i := range 3 {
			exporting.Go(func() {
				time.Sleep(time.Duration(i+1) * time.Second)
				send(t, srv, "/v1/traces", spans(fmt.Sprint(i)))
			})
		}
		if got := askHold(t, api, get("/api/v1/hold/1?wait=2"), http.StatusOK); got.String() != "1: 2 [{1 open} {2 open}]" {
			t.Errorf("got %s", got)
		}
		askHold(t, api, post("/api/v1/hold/1/release?index=1"), http.StatusOK)
		synctest.Wait()
		if got := askHold(t, api, get("/api/v1/hold/1"), http.StatusOK); got.String() != "1: 2 [{1 open} {2 accepted}]" {
			t.Errorf("got %s, want that only the second was released", got)
		}
		askHold(t, api, get("/api/v1/hold/1?wait=3"), http.StatusOK)
		askHold(t, api, post("/api/v1/hold/1/release"), http.StatusOK)
		exporting.Wait()
		exporting.Go(func() { send(t, srv, "/v1/traces", spans("more")) })
		if got := askHold(t, api, get("/api/v1/hold/1?wait=4"), http.StatusOK); got.String() != "1: 4 [{1 accepted} {2 accepted} {3 accepted} {4 open}]" {
			t.Errorf("got %s, want that releasing all goes on holding", got)
		}
		if status, body := ask(t, api, request{method: http.MethodDelete, target: "/api/v1/hold/1"}); status != http.StatusNoContent {
			t.Errorf("got %d %s", status, body)
		}
		exporting.Wait()
		send(t, srv, "/v1/traces", spans("after")) // not held any more
		if got, want := detail(t, api, get("/api/v1/hold/1"), http.StatusNotFound), `id: got "1", of which there is no hold`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestWaitingForHeldAnswersEndsWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		askHold(t, api, post("/api/v1/hold"), http.StatusCreated)
		time.AfterFunc(time.Second, func() { srv.Close() })
		began := time.Now()
		const want = "got 0 held in 1s, want at least 1\n  exports  none has come"
		got := detail(t, api, get("/api/v1/hold/1?wait=1&timeout=5m"), http.StatusServiceUnavailable)
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "\n  the backend is closed: nothing more can arrive") || time.Since(began) != time.Second {
			t.Errorf("got after %s %s, want %s", time.Since(began), got, want)
		}
	})
}

func TestHoldsTakeFiltersInEveryForm(t *testing.T) {
	for _, r := range []request{
		{"POST", "/api/v1/hold", textType, `name="charge"`},
		{"POST", "/api/v1/hold", curlType, `name="charge"`},
		{"POST", "/api/v1/hold", "", `name="charge"`},
		{"POST", "/api/v1/hold", jsonType, `{"q":"name=\"charge\""}`},
		{"POST", `/api/v1/hold?q=name="charge"`, "", ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			srv, api := start(t)
			askHold(t, api, r, http.StatusCreated)
			send(t, srv, "/v1/traces", spans("refund"))
			var exporting sync.WaitGroup
			exporting.Go(func() { send(t, srv, "/v1/traces", spans("charge")) })
			if got := askHold(t, api, get("/api/v1/hold/1?wait=1"), http.StatusOK); got.String() != "1: 1 [{2 open}]" {
				t.Errorf("%v: got %s, want the second export", r, got)
			}
			ask(t, api, post("/api/v1/reset")) // ends it
			exporting.Wait()
		})
	}
}

func TestHoldsThatCannotBe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, api := start(t)
		for _, test := range []struct {
			request
			status int
			want   string
		}{
			{request{"POST", "/api/v1/hold", textType, `name=`}, 400, `q: filter "name=": at character 6: `},
			{request{"POST", "/api/v1/hold", textType, `rule="S-40"`}, 400, `q: filter rule="S-40" applies to violations, not to exports`},
			{request{"POST", `/api/v1/hold?q=protocol=grpc`, textType, `protocol=grpc`}, 400, "q: is given beside a body, want one of them"},
			{request{"POST", "/api/v1/hold", jsonType, `{"where":"x"}`}, 400, `body: got field "where", want q`},
			{request{"POST", "/api/v1/hold", jsonType, `[]`}, 400, `body: JSON: `},
			{post("/api/v1/hold/7/release"), 404, `id: got "7", of which there is no hold`},
			{request{method: "DELETE", target: "/api/v1/hold/7"}, 404, `id: got "7", of which there is no hold`},
		} {
			if got := detail(t, api, test.request, test.status); !strings.HasPrefix(got, test.want) {
				t.Errorf("%v: got %s, want %s", test.request, got, test.want)
			}
		}
		askHold(t, api, post("/api/v1/hold"), http.StatusCreated)
		if got, want := detail(t, api, post("/api/v1/hold/1/release?index=0"), 409), "index: got 0, want one of the 0 that have been held, from 0"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got, want := detail(t, api, get("/api/v1/hold/1?wait=1&timeout=2s"), 409), "got 0 held in 2s, want at least 1\n  exports  none has come"; !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestHoldsAreBounded(t *testing.T) {
	_, api := start(t)
	for range 1000 {
		askHold(t, api, post("/api/v1/hold"), http.StatusCreated)
	}
	const want = "there are 1000 holds already, want fewer: DELETE some"
	if got := detail(t, api, post("/api/v1/hold"), http.StatusConflict); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnOutageIsSeenByExporters(t *testing.T) {
	srv, api := start(t)
	reach := func() error {
		answer, err := srv.HTTPClient().Get(srv.HTTPEndpoint() + "/v1/traces")
		if err == nil {
			answer.Body.Close()
		}
		return err
	}
	ask(t, api, post("/api/v1/down"))
	if err := reach(); err == nil {
		t.Error("got an answer while the backend is down")
	}
	ask(t, api, post("/api/v1/up"))
	if err := reach(); err != nil {
		t.Errorf("got %v, want that it is up again", err)
	}
}
