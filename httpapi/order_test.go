package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// ordered is every kind of list that takes an order.
var ordered = []string{"spans", "points", "logs", "traces", "exports", "violations", "connections"}

func TestNewestFirstIsTheWholeListFromTheOtherEnd(t *testing.T) {
	srv, api := start(t)
	everything(t, srv)
	send(t, srv, "/v1/traces", spans("a", "b", "c", "d", "e"))
	send(t, srv, "/v1/traces/", spans("wrong"))
	for _, path := range ordered {
		all := pageOf(t, api, "/api/v1/"+path)
		if all.Total != nil {
			t.Errorf("%s: got a total of %d, want none where the oldest stand first", path, *all.Total)
		}
		slices.Reverse(all.Items)
		for limit := 1; limit <= all.Count+1; limit++ {
			var got []map[string]any
			for next, more := "", true; more; more = next != "" {
				p := pageOf(t, api, fmt.Sprintf("/api/v1/%s?order=newest&limit=%d&after=%s", path, limit, next))
				if p.Count > limit || p.Count < limit && p.Next != "" || p.Total == nil || *p.Total != all.Count {
					t.Fatalf("%s: limit %d: got %d items, next %q and total %v", path, limit, p.Count, p.Next, p.Total)
				}
				got, next = append(got, p.Items...), p.Next
			}
			if fmt.Sprint(got) != fmt.Sprint(all.Items) {
				t.Errorf("%s: pages of %d: got\n%v\nwant\n%v", path, limit, got, all.Items)
			}
		}
	}
}

func TestNewestFirstTakesFilters(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("a", "x", "b", "x"))
	send(t, srv, "/v1/metrics", points())
	for target, want := range map[string]string{
		`spans?q=name="x"&limit=1`:          "[4] of 2, next 4",
		`spans?q=name="x"&limit=1&after=4`:  "[2] of 2, next ",
		`spans?q=name="y"`:                  "[] of 0, next ",
		`spans?after=1`:                     "[] of 4, next ",
		`spans?after=0`:                     "[] of 4, next ",
		`exports?q=signal&limit=1`:          "",
		`exports?q=outcome=accepted&after=`: "[2 1] of 2, next ",
		`traces?q=complete`:                 "[] of 0, next ",
		`traces?q=spans=4`:                  "[1] of 1, next ",
		`traces?q=name="x"&limit=5`:         "[1] of 1, next ",
		`traces?q=name="x"+spans<4`:         "[] of 0, next ",
		`traces?q=name="x"+spans>3`:         "[1] of 1, next ",
	} {
		if want == "" {
			detail(t, api, get("/api/v1/"+target+"&order=newest"), http.StatusBadRequest)
			continue
		}
		p := pageOf(t, api, "/api/v1/"+target+"&order=newest")
		numbers := []any{}
		for _, item := range p.Items {
			numbers = append(numbers, item["number"])
		}
		if got := fmt.Sprintf("%v of %d, next %s", numbers, *p.Total, p.Next); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

func TestOlderItemsStayWhereTheyAreWhenMoreComes(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("a", "b", "c"))
	first := pageOf(t, api, "/api/v1/spans?order=newest&limit=2")
	send(t, srv, "/v1/traces", spans("d", "e"))
	rest := pageOf(t, api, "/api/v1/spans?order=newest&limit=2&after="+first.Next)
	if first.Next != "2" || rest.Count != 1 || rest.Items[0]["name"] != "a" || rest.Next != "" || *rest.Total != 5 {
		t.Errorf("got next %s and then %v, want 2 and a", first.Next, rest)
	}
}

func TestWaitingForTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		send(t, srv, "/v1/traces", spans("a"))
		later(func() { send(t, srv, "/v1/traces", spans("b", "c")) })
		began := time.Now()
		p := pageOf(t, api, "/api/v1/spans?order=newest&limit=1&wait=3&timeout=1m")
		if took := time.Since(began); took != time.Second || p.Count != 1 || p.Items[0]["name"] != "c" {
			t.Errorf("got %v after %s, want c after 1s", p, took)
		}
		time.Sleep(time.Second) // the goroutine has its answer then
		if got, want := detail(t, api, get("/api/v1/exports?order=newest&wait=3&timeout=0s"), http.StatusConflict), "got 2 exports, want at least 3"; got[:len(want)] != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
