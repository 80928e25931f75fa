package httpapi_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestBatchesSayWhatBecameOfThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		ask(t, api, request{method: "POST", target: "/api/v1/faults", body: "traces: throttle 2s, unavailable stored; logs: always reject"})
		for range 2 {
			send(t, srv, "/v1/traces", spans("a"))
			time.Sleep(time.Second)
		}
		send(t, srv, "/v1/traces", spans("a"))
		send(t, srv, "/v1/logs", logs())
		send(t, srv, "/v1/metrics", points())
		const throttled = "delivered twice, legal: the acknowledgement of export 2 was lost (C-43); export 2 came 1s after export 1, too early (2s promised)"
		const refused = "not delivered: export 4 400 INVALID_ARGUMENT (always reject of rule 2)"
		for target, want := range map[string]string{
			"":                      "[1: " + throttled + "] [2: " + refused + "] [3: delivered] total -1 next ",
			"?order=newest":         "[3: delivered] [2: " + refused + "] [1: " + throttled + "] total 3 next ",
			"?order=newest&limit=1": "[3: delivered] total 3 next 3",
			"?order=newest&after=2": "[1: " + throttled + "] total 3 next ",
			"?limit=1&after=1":      "[2: " + refused + "] total -1 next 2",
			"?q=outcome=refused+export=2&order=newest": "[1: " + throttled + "] total 1 next ",
			"?q=" + url.QueryEscape(`body="paid"`):     "[2: " + refused + "] total -1 next ",
			"?q=" + url.QueryEscape(`name="none"`):     "total -1 next ",
		} {
			p := pageOf(t, api, "/api/v1/batches"+target)
			var got strings.Builder
			for _, item := range p.Items {
				fmt.Fprintf(&got, "[%v: %v] ", item["number"], item["text"])
				for _, attempt := range item["attempts"].([]any) {
					if _, has := attempt.(map[string]any)["headers"]; has {
						t.Errorf("%s: got headers, want none", target)
					}
				}
			}
			total := -1
			if p.Total != nil {
				total = *p.Total
			}
			fmt.Fprintf(&got, "total %d next %s", total, p.Next)
			if got.String() != want {
				t.Errorf("%s: got\n%s\nwant\n%s", target, &got, want)
			}
		}
		const want = `q: filter rule="S-40" applies to violations, not to exports`
		if got := detail(t, api, get(`/api/v1/batches?q=rule="S-40"`), http.StatusBadRequest); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestAFilterLeavesWhatABatchRepeatsAsItIs(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/metrics", points())
	for range 2 {
		send(t, srv, "/v1/traces", spans("a"))
	}
	p := pageOf(t, api, `/api/v1/batches?q=export=3`)
	if p.Count != 1 || p.Items[0]["repeatOf"] != 2.0 || p.Items[0]["text"] != "delivered, again: batch 2 was acknowledged" {
		t.Errorf("got %v", p.Items)
	}
}

func TestHoldsAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		list := func(want string) {
			t.Helper()
			if _, body := ask(t, api, get("/api/v1/hold")); body != want+"\n" {
				t.Errorf("got %s, want %s", body, want)
			}
		}
		list(`{"count":0,"items":[]}`)
		askHold(t, api, post(`/api/v1/hold?q=name="a"`), http.StatusCreated)
		askHold(t, api, post("/api/v1/hold?q=protocol=grpc"), http.StatusCreated)
		askHold(t, api, post("/api/v1/hold"), http.StatusCreated)
		var exporting sync.WaitGroup
		for range 2 {
			exporting.Go(func() { send(t, srv, "/v1/traces", spans("a")) })
		}
		synctest.Wait()
		askHold(t, api, post("/api/v1/hold/1/release?index=0"), http.StatusOK)
		askHold(t, api, post("/api/v1/hold/3/release?index=0"), http.StatusOK)
		synctest.Wait()
		list(`{"count":3,"items":[{"id":"1","q":"name=\"a\"","held":2,"waiting":1},{"id":"2","q":"protocol=grpc","held":0,"waiting":0},{"id":"3","q":"","held":2,"waiting":1}]}`)
		ask(t, api, post("/api/v1/reset"))
		list(`{"count":0,"items":[]}`)
		exporting.Wait()
	})
}

func TestSeriesInShort(t *testing.T) {
	srv, api := start(t)
	for i := range 3 {
		m := points()
		m.ResourceMetrics[0].ScopeMetrics[0].Metrics[0].GetGauge().DataPoints[0].TimeUnixNano = uint64(i+1) * 1e9
		send(t, srv, "/v1/metrics", m)
	}
	const want = `{"count":1,"items":[{"name":"stock","unit":"{item}","type":"gauge","resource":{"attributes":{"service.name":"shop"}},"scope":{},` +
		`"count":3,"first":"1970-01-01T00:00:01Z","last":"1970-01-01T00:00:03Z"}]}` + "\n"
	if _, body := ask(t, api, get("/api/v1/series?format=summary")); body != want {
		t.Errorf("got\n%swant\n%s", body, want)
	}
	points := pageOf(t, api, "/api/v1/series?points=2").Items[0]["points"].([]any)
	if len(points) != 2 || points[0].(map[string]any)["time"] != "1970-01-01T00:00:02Z" {
		t.Errorf("got %v, want the last two", points)
	}
	if got, want := detail(t, api, get("/api/v1/series?points=0"), http.StatusBadRequest), `points: got "0", want a number of 1 to 2147483647`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestViolationsByRule(t *testing.T) {
	srv, api := start(t)
	if _, body := ask(t, api, get("/api/v1/violations?format=groups")); body != `{"count":0,"items":[]}`+"\n" {
		t.Errorf("got %s before anything came", body)
	}
	for range 7 {
		send(t, srv, "/v1/traces/", spans("wrong")) // a slash too many
	}
	everything(t, srv)
	all, groups := pageOf(t, api, "/api/v1/violations"), pageOf(t, api, "/api/v1/violations?format=groups")
	count := 0.0
	weights := map[any]int{"error": 0, "warning": 1, "info": 2}
	for i, g := range groups.Items {
		first := g["first"].([]any)
		count += g["count"].(float64)
		if len(first) == 0 || len(first) > 5 || g["doc"] == "" || first[0].(map[string]any)["rule"] != g["rule"] {
			t.Errorf("got group %v", g)
		}
		if i > 0 {
			before := groups.Items[i-1]
			if w, b := weights[g["level"]], weights[before["level"]]; w < b || w == b && g["count"].(float64) > before["count"].(float64) {
				t.Errorf("got %v %v behind %v %v", g["level"], g["count"], before["level"], before["count"])
			}
		}
		if g["rule"] == "C-27" && (g["count"] != 7.0 || len(first) != 5) {
			t.Errorf("got %v, want 7 with 5 of them", g)
		}
	}
	want := 0.0
	for _, v := range all.Items {
		more, _ := v["more"].(float64)
		want += 1 + more
	}
	if count != want || groups.Count < 3 {
		t.Errorf("got %d groups of %v violations, want %v", groups.Count, count, want)
	}
	if got, want := detail(t, api, get("/api/v1/violations?format=text"), http.StatusBadRequest), `format: got "text", want one of json, groups`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
