package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/query"
)

// page is a list as a client reads it.
type page struct {
	Count int
	Items []map[string]any
	Next  string
	Total *int
}

func pageOf(t *testing.T, api http.Handler, target string) (p page) {
	t.Helper()
	status, body := ask(t, api, get(target))
	if err := json.Unmarshal([]byte(body), &p); err != nil || status != http.StatusOK || p.Count != len(p.Items) {
		t.Fatalf("%s: got %d %s: %v", target, status, body, err)
	}
	return p
}

func TestPagesAreTheWholeList(t *testing.T) {
	srv, api := start(t)
	everything(t, srv)
	send(t, srv, "/v1/traces", spans("a", "b", "c", "d", "e"))
	send(t, srv, "/v1/traces/", spans("wrong"))
	for _, path := range []string{"spans", "points", "logs", "traces", "series", "exports", "violations", "connections"} {
		all := pageOf(t, api, "/api/v1/"+path)
		if all.Next != "" || all.Count == 0 {
			t.Errorf("%s: got next %q and %d items without a limit", path, all.Next, all.Count)
		}
		for limit := 1; limit <= all.Count+1; limit++ {
			var got []map[string]any
			for next, more := "", true; more; more = next != "" {
				p := pageOf(t, api, fmt.Sprintf("/api/v1/%s?limit=%d&after=%s", path, limit, next))
				if p.Count > limit || p.Count < limit && p.Next != "" {
					t.Fatalf("%s: limit %d: got %d items and next %q", path, limit, p.Count, p.Next)
				}
				got, next = append(got, p.Items...), p.Next
			}
			if fmt.Sprint(got) != fmt.Sprint(all.Items) {
				t.Errorf("%s: pages of %d: got\n%v\nwant\n%v", path, limit, got, all.Items)
			}
		}
	}
}

func TestAPageStaysWhereItIsWhenMoreComes(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("a", "x", "b"))
	first := pageOf(t, api, `/api/v1/spans?limit=1&q=not+name="x"`)
	if first.Next != "1" {
		t.Fatalf("got next %q, want 1", first.Next)
	}
	send(t, srv, "/v1/traces", spans("c"))
	rest := pageOf(t, api, `/api/v1/spans?q=not+name="x"&after=`+first.Next)
	if rest.Count != 2 || rest.Items[0]["number"] != 3.0 || rest.Items[1]["number"] != 4.0 || rest.Next != "" {
		t.Errorf("got %v, want 3 and 4", rest)
	}
}

func TestWaitingBehindAPageIsForWhatComesNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		send(t, srv, "/v1/traces", spans("a"))
		later(func() { send(t, srv, "/v1/traces", spans("b")) })
		began := time.Now()
		p := pageOf(t, api, "/api/v1/spans?after=1&wait=1&timeout=1m")
		if took := time.Since(began); took != time.Second || p.Count != 1 || p.Items[0]["name"] != "b" {
			t.Errorf("got %v after %s, want b after 1s", p, took)
		}
		time.Sleep(time.Second) // the goroutine has its answer then
		const want = "got 0 spans, want at least 1\n  match    #1 a  service=shop\n           #2 b  service=shop\n"
		if got := detail(t, api, get("/api/v1/spans?after=2&wait=1&timeout=0s"), http.StatusConflict); !strings.HasPrefix(got, want) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// later does something in a second of a bubble.
func later(do func()) {
	go func() {
		time.Sleep(time.Second)
		do()
	}()
}

func TestThePageBehindOTLPIsLinked(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("a", "b"))
	link := func(target string) string {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+target, nil)
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, req)
		return rec.Header().Get("Link")
	}
	if got, want := link("/api/v1/spans?format=otlp&limit=1"), `<?after=1&format=otlp&limit=1>; rel="next"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := link("/api/v1/spans?format=otlp&limit=2"); got != "" {
		t.Errorf("got %s, want none: that was all", got)
	}
}

func TestOneTrace(t *testing.T) {
	srv, api := start(t)
	everything(t, srv)
	const id = "0af7651916cd43dd8448eb211c80319c"
	_, body := ask(t, api, get("/api/v1/traces/"+id))
	if !strings.HasPrefix(body, `{"number":1,"spans":2,"complete":true,"duration":"999.999998ms","traceId":"`+id+`","roots":[{"traceId":"`+id) ||
		!strings.Contains(body, `"children":[{`) {
		t.Errorf("got %s", body)
	}
	if _, text := ask(t, api, get("/api/v1/traces/"+id+"?format=text")); text != srv.Traces().Slice()[0].String() {
		t.Errorf("got\n%s\nwant\n%s", text, srv.Traces().Slice()[0])
	}
	for _, test := range []struct {
		id     string
		status int
		want   string
	}{
		{"3af7651916cd43dd8448eb211c80319c", http.StatusNotFound, "id: got 3af7651916cd43dd8448eb211c80319c, of which no span was received"},
		{"3a", http.StatusBadRequest, `id: got id "3a" of 2 characters, want 32 hexadecimal digits`},
		{strings.Repeat("0", 32), http.StatusNotFound, "id: got " + strings.Repeat("0", 32) + ", of which no span was received"},
	} {
		if got := detail(t, api, get("/api/v1/traces/"+test.id), test.status); got != test.want {
			t.Errorf("%s: got %s, want %s", test.id, got, test.want)
		}
	}
}

func TestSeriesAreThePointsByWhatTheyMeasure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		send(t, srv, "/v1/metrics", points())
		send(t, srv, "/v1/metrics", points())
		const want = `{"count":1,"items":[{"name":"stock","unit":"{item}","type":"gauge","resource":{"attributes":{"service.name":"shop"}},"scope":{},"points":[` +
			`{"number":1,"export":1,"name":"stock","unit":"{item}","type":"gauge","time":"1970-01-01T00:00:01Z","value":41,"resource":{"attributes":{"service.name":"shop"}},"scope":{}}]}]}` + "\n"
		if _, body := ask(t, api, get("/api/v1/series?q="+url.QueryEscape(`name="stock"`))); body != want {
			t.Errorf("got\n%swant\n%s", body, want)
		}
		const less = "got 1 series in 5s, want at least 2 where name=\"stock\"\n  match    #1 stock  service=shop  (and 1 more like it)\n"
		if got := detail(t, api, get("/api/v1/series?wait=2&q="+url.QueryEscape(`name="stock"`)), http.StatusConflict); !strings.HasPrefix(got, less) {
			t.Errorf("got\n%s\nwant\n%s", got, less)
		}
		later(func() { deliver(t, srv, "/v1/metrics", sample(t, query.Metrics)) })
		if p := pageOf(t, api, "/api/v1/series?wait=2"); p.Count != 7 {
			t.Errorf("got %d series, want 7", p.Count)
		}
		time.Sleep(time.Second) // the goroutine has its answers then
	})
}
