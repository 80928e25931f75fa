package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/otlptest/otlptest/httpapi"
)

// reader reads a stream.
type reader struct {
	t      *testing.T
	cancel context.CancelFunc
	body   *sink
	done   chan struct{}
}

// sent is an event.
type sent struct{ id, name, data string }

// follow opens a stream; last is the Last-Event-ID.
func follow(t *testing.T, api http.Handler, query, last string) *reader {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	req := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/api/v1/stream"+query, nil)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	r := &reader{t, cancel, newSink(), make(chan struct{})}
	go func() {
		defer close(r.done)
		defer r.body.close()
		api.ServeHTTP(r.body, req)
	}()
	if line, err := r.body.line(); err != nil || line != "retry: 1000" {
		t.Fatalf("got %q and %v", line, err)
	}
	r.body.line()
	return r
}

// next is the next event; without one, its name is how the stream ended.
func (r *reader) next() (e sent) {
	for {
		line, err := r.body.line()
		if err != nil {
			return sent{name: err.Error()}
		}
		field, value, _ := strings.Cut(line, ": ")
		switch field {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				return e
			}
		}
	}
}

// numbers is the events that follow, as words such as span 3.
func (r *reader) numbers(n int) string {
	var words []string
	for range n {
		e := r.next()
		var item struct{ Number int }
		if err := json.Unmarshal([]byte(e.data), &item); err != nil {
			r.t.Fatalf("got %v: %v", e, err)
		}
		words = append(words, fmt.Sprintf("%s %d", e.name, item.Number))
	}
	return strings.Join(words, ", ")
}

// stop ends it.
func (r *reader) stop() {
	r.cancel()
	r.body.close()
	<-r.done
}

// sink is an http.ResponseWriter whose writes wait for a reader.
type sink struct {
	header http.Header
	lines  *bufio.Reader
	in     chan []byte
	over   chan struct{}
	once   sync.Once
}

func newSink() *sink {
	s := &sink{header: http.Header{}, in: make(chan []byte), over: make(chan struct{})}
	s.lines = bufio.NewReader(s)
	return s
}

func (s *sink) Header() http.Header                { return s.header }
func (s *sink) WriteHeader(int)                    {}
func (s *sink) Flush()                             {}
func (s *sink) SetWriteDeadline(d time.Time) error { return s.deadline(d) }
func (s *sink) close()                             { s.once.Do(func() { close(s.over) }) }

func (s *sink) deadline(d time.Time) error {
	if !d.IsZero() {
		time.AfterFunc(time.Until(d), s.close)
	}
	return nil
}

func (s *sink) Write(b []byte) (int, error) {
	select {
	case s.in <- append([]byte(nil), b...):
		return len(b), nil
	case <-s.over:
		return 0, fmt.Errorf("nobody reads")
	}
}

func (s *sink) Read(b []byte) (int, error) {
	select {
	case in := <-s.in:
		return copy(b, in), nil
	case <-s.over:
		return 0, fmt.Errorf("over")
	}
}

func (s *sink) line() (string, error) {
	line, err := s.lines.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

func TestAStreamTellsOfExportsOnceTheyHaveEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		send(t, srv, "/v1/traces", spans("before"))
		r := follow(t, api, "", "")
		ask(t, api, request{method: "POST", target: "/api/v1/faults", body: "unavailable after 1s"})
		began := time.Now()
		send(t, srv, "/v1/traces", spans("a"))
		e := r.next()
		if e.id != "0.exports-2" || e.name != "export" || !strings.HasPrefix(e.data, `{"number":2,`) || !strings.Contains(e.data, `"outcome":"refused"`) {
			t.Errorf("got %v", e)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("got it after %s, want it when it was answered", took)
		}
		r.stop()
	})
}

func TestAStreamOfWhatBecameOfExports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		askHold(t, api, post(`/api/v1/hold?q=name="slow"`), http.StatusCreated)
		r := follow(t, api, "?q=outcome=accepted", "")
		var exporting sync.WaitGroup
		exporting.Go(func() { send(t, srv, "/v1/traces", spans("slow")) })
		askHold(t, api, get("/api/v1/hold/1?wait=1"), http.StatusOK)
		send(t, srv, "/v1/traces", spans("quick"))
		if got := r.numbers(1); got != "export 2" {
			t.Errorf("got %s, want the one that was accepted", got)
		}
		askHold(t, api, post("/api/v1/hold/1/release"), http.StatusOK)
		if got := r.numbers(1); got != "export 1" {
			t.Errorf("got %s, want the one that matches only now", got)
		}
		exporting.Wait()
		r.stop()
	})
}

func TestAStreamOfItemsThatMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		r := follow(t, api, `?of=spans&q=name="charge"`, "")
		send(t, srv, "/v1/traces", spans("charge", "refund", "charge"))
		want := sent{"0.spans-1", "span", `{"number":1,"export":1,"traceId":"abababababababababababababababab","spanId":"0101010101010101","name":"charge","kind":"server",` +
			`"start":"1970-01-01T00:00:01Z","end":"1970-01-01T00:00:02Z","attributes":{"http.route":"/<id>"},"resource":{"attributes":{"service.name":"shop"}},"scope":{}}`}
		if got := r.next(); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		if got := r.next(); got.id != "0.spans-3" {
			t.Errorf("got %v, want the third", got)
		}
		r.stop()
		r = follow(t, api, "?of=spans,points,logs,exports&after=start", "")
		send(t, srv, "/v1/metrics", points())
		send(t, srv, "/v1/logs", logs())
		got := strings.Split(r.numbers(8), ", ")
		for _, word := range []string{"span 1", "span 2", "span 3", "point 1", "log 1", "export 1", "export 2", "export 3"} {
			if strings.Count(strings.Join(got, "|")+"|", word+"|") != 1 {
				t.Errorf("got %v, want %s once", got, word)
			}
		}
		r.stop()
	})
}

func TestAStreamGoesOnBehindEveryEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		askHold(t, api, post(`/api/v1/hold?q=name="b"`), http.StatusCreated)
		var exporting sync.WaitGroup
		for _, name := range []string{"a", "b", "c", "b", "d"} {
			exporting.Go(func() { send(t, srv, "/v1/traces", spans(name)) })
			synctest.Wait()
		}
		const of = "?of=exports,spans"
		r := follow(t, api, of+"&after=start", "")
		var all []sent
		for range 8 { // three exports have ended
			all = append(all, r.next())
		}
		askHold(t, api, post("/api/v1/hold/1/release"), http.StatusOK)
		all = append(all, r.next(), r.next())
		r.stop()
		exporting.Wait()
		for i := range all {
			r := follow(t, api, of, all[i].id)
			seen := map[string]bool{}
			for range all[i+1:] {
				e := r.next()
				seen[e.name+e.data] = true
			}
			for _, e := range all[i+1:] {
				if !seen[e.name+e.data] {
					t.Errorf("behind %s: got %v, want %s among them", all[i].id, seen, e.data)
				}
			}
			synctest.Wait()
			select {
			case more := <-r.body.in:
				t.Errorf("behind %s: got %s, which came before", all[i].id, more)
			default:
			}
			r.stop()
		}
	})
}

func TestAResetIsToldAndNothingAfterItIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		r := follow(t, api, "?of=spans", "")
		send(t, srv, "/v1/traces", spans("a", "b", "c"))
		if got := r.numbers(3); got != "span 1, span 2, span 3" {
			t.Errorf("got %s", got)
		}
		srv.Reset()
		send(t, srv, "/v1/traces", spans("d"))
		if got := r.next(); got.name != "reset" || got.id != "1.spans-0" {
			t.Errorf("got %v, want a reset", got)
		}
		if got := r.next(); got.id != "1.spans-1" || !strings.Contains(got.data, `"name":"d"`) {
			t.Errorf("got %v, want d", got)
		}
		r.stop()
		r = follow(t, api, "?of=spans", "0.spans-3")
		if got := r.next(); got.name != "reset" {
			t.Errorf("got %v, want a reset", got)
		}
		if got := r.next(); !strings.Contains(got.data, `"name":"d"`) {
			t.Errorf("got %v, want d", got)
		}
		r.stop()
	})
}

func TestNobodyWaitsForWhoDoesNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		r := follow(t, api, "?of=spans&buffer=2", "")
		for i := range 10 {
			synctest.Wait()
			send(t, srv, "/v1/traces", spans(fmt.Sprint(i))) // it returns, although nothing is read
		}
		synctest.Wait()
		if got := r.numbers(1); got != "span 1" {
			t.Errorf("got %s, want what it was at when the others came", got)
		}
		if got, want := r.next(), (sent{"", "dropped", `{"count":7,"of":"spans"}`}); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		if got := r.numbers(2); got != "span 9, span 10" {
			t.Errorf("got %s, want the last two", got)
		}
		synctest.Wait()
		_, body := ask(t, api, get("/api/v1/stats"))
		if want := `"streams":{"open":1,"total":1,"sent":3,"dropped":7}}`; !strings.Contains(body, want) {
			t.Errorf("got %s, want %s", body, want)
		}
		_, body = ask(t, api, get("/api/v1/report"))
		if want := `"drops":{"refused":0,"dropped":0,"unread":7}`; !strings.Contains(body, want) {
			t.Errorf("got %s, want %s", body, want)
		}
		_, body = ask(t, api, get("/api/v1/report?format=text"))
		if want := "\nstreams: 7 items left out, since nobody read them in time\n"; !strings.Contains(body, want) {
			t.Errorf("got %s, want %s", body, want)
		}
		r.stop()
		r = follow(t, api, "?of=spans&buffer=2&after=start", "")
		if got := r.numbers(10); !strings.HasSuffix(got, "span 10") {
			t.Errorf("got %s, want all: what was there is no fault of the reader's", got)
		}
		r.stop()
	})
}

func TestAStreamSaysThatItIsThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, api := start(t)
		r := follow(t, api, "", "")
		began := time.Now()
		if line, err := r.body.line(); err != nil || line != ": still here" || time.Since(began) != 15*time.Second {
			t.Errorf("got %q %v after %s", line, err, time.Since(began))
		}
		r.stop()
	})
}

func TestAStreamEndsWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, api := start(t)
		reading, stuck := follow(t, api, "?of=spans", ""), follow(t, api, "?of=spans", "")
		send(t, srv, "/v1/traces", spans("a", "b"))
		reading.numbers(2)
		synctest.Wait()
		began := time.Now()
		go srv.Close()
		if got, want := reading.next(), (sent{"0.spans-2", "end", `{"reason":"the backend is closed"}`}); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		<-reading.done
		<-stuck.done
		if took := time.Since(began); took > time.Second {
			t.Errorf("a stream that nobody reads ended after %s, want at most 1s", took)
		}
	})
}

func TestAHundredStreamsSeeEverything(t *testing.T) {
	srv, _ := start(t)
	api := httpapi.New(srv)
	web := httptest.NewServer(api)
	defer web.Close()
	const streams, exports = 100, 50
	var reading sync.WaitGroup
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for range streams {
		answer, err := client.Get(web.URL + "/api/v1/stream?of=exports,spans&buffer=100000")
		if err != nil {
			t.Fatal(err)
		}
		reading.Go(func() {
			defer answer.Body.Close()
			r := &reader{t: t, body: &sink{lines: bufio.NewReader(answer.Body)}}
			got := map[string]int{}
			for range 2 * exports {
				e := r.next()
				got[e.name]++
			}
			if got["export"] != exports || got["span"] != exports {
				t.Errorf("got %v, want %d exports and spans", got, exports)
			}
		})
	}
	for i := range exports {
		send(t, srv, "/v1/traces", spans(fmt.Sprint(i)))
	}
	reading.Wait()
}

func TestStreamsThatCannotBe(t *testing.T) {
	_, api := start(t)
	const id = ", want the id of an event of a stream of the same things"
	for query, want := range map[string]string{
		"?of=":                         `of: got "", want some of exports, spans, points, logs, with commas between them`,
		"?of=traces":                   `of: got "traces", want some of exports, spans, points, logs, with commas between them`,
		"?of=spans,spans":              `of: got "spans,spans", want some of exports, spans, points, logs, with commas between them`,
		"?of=spans,logs&q=kind=server": `q: filter kind=server applies to spans, not to logs`,
		"?buffer=0":                    `buffer: got "0", want a number of 1 to 100000`,
		"?after=x":                     `after: got "x"` + id,
		"?after=0.spans-1":             `after: got "0.spans-1"` + id,
		"?after=0.exports-1.spans-1":   `after: got "0.exports-1.spans-1"` + id,
		"?after=0.exports--1":          `after: got "0.exports--1"` + id,
		"?after=0.exports-5-4-3":       `after: got "0.exports-5-4-3"` + id,
	} {
		if got := detail(t, api, get("/api/v1/stream"+query), http.StatusBadRequest); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}
