package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/httpapi"
	"github.com/otlptest/otlptest/httpapi/client"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a server, its API on a real port, and a client of that.
func start(t *testing.T, opts ...otlptest.Option) (*otlptest.Server, *client.Client) {
	t.Helper()
	srv := otlptest.Start(t, append(opts, otlptest.WithInMemory(), otlptest.WithUnusedFaultsAllowed())...)
	web := httptest.NewServer(httpapi.New(srv))
	t.Cleanup(web.Close)
	return srv, dial(t, web.URL)
}

func dial(t *testing.T, url string, opts ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(url, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// export sends OTLP JSON.
func export(t *testing.T, srv *otlptest.Server, path, body string) {
	t.Helper()
	answer, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	answer.Body.Close()
}

// spanNamed is a request with one span.
func spanNamed(name string) string {
	return `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"` + name + `"}]}]}]}`
}

// everything sends an item of every form, and what is wrong.
func everything(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	if err := srv.Inject(faults.Sequence(faults.Throttle(1500*time.Millisecond).With("x", "y"), faults.PartialSuccess(1, "one")).On(query.Traces)); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []string{"traces", "metrics", "logs", "traces", "traces"} {
		body, err := os.ReadFile("../testdata/" + sig + ".json")
		if err != nil {
			t.Fatal(err)
		}
		export(t, srv, "/v1/"+sig, string(body))
	}
	export(t, srv, "/v1/traces/", "{")
	export(t, srv, "/v1/traces", "{")
}

// same compares views of both sides, with where their items are from.
func same[T any](t *testing.T, there, here query.View[T], ref func(T) query.Ref) {
	t.Helper()
	want, got := there.Slice(), here.Slice()
	if d := cmp.Diff(want, got); d != "" || len(want) == 0 {
		t.Errorf("of %d %T got another one:\n%s", len(want), *new(T), d)
		return
	}
	for i := range want {
		w, g := ref(want[i]), ref(got[i])
		if w.Number() != g.Number() {
			t.Errorf("%T %d: got number %d, want %d", got[i], i, g.Number(), w.Number())
		}
		if d := cmp.Diff(w.Export(), g.Export()); d != "" {
			t.Errorf("%T %d: got another export:\n%s", got[i], i, d)
		}
	}
}

func TestAClientSeesExactlyWhatTheServerHas(t *testing.T) {
	srv, c := start(t)
	everything(t, srv)
	same(t, srv.Spans(), c.Spans(), func(s query.Span) query.Ref { return s.Ref })
	same(t, srv.Points(), c.Points(), func(p query.Point) query.Ref { return p.Ref })
	same(t, srv.Logs(), c.Logs(), func(l query.Log) query.Ref { return l.Ref })
	same(t, srv.Violations(), c.Violations(), func(v query.Violation) query.Ref { return v.Ref })
	same(t, srv.Exports(), c.Exports(), func(query.Export) query.Ref { return query.Ref{} })
	same(t, srv.Connections(), c.Connections(), func(query.Connection) query.Ref { return query.Ref{} })
	same(t, srv.Traces(), c.Traces(), func(query.Trace) query.Ref { return query.Ref{} })
}

func TestAClientHasTheOfficialMessages(t *testing.T) {
	srv, c := start(t)
	everything(t, srv)
	spans, points, logs := c.Spans().Slice(), c.Points().Slice(), c.Logs().Slice()
	for i, s := range srv.Spans().Slice() {
		sameMessage(t, s.Proto(), spans[i].Proto())
	}
	for i, p := range srv.Points().Slice() {
		sameMessage(t, p.Proto(), points[i].Proto())
	}
	for i, l := range srv.Logs().Slice() {
		sameMessage(t, l.Proto(), logs[i].Proto())
	}
}

func sameMessage(t *testing.T, want, got proto.Message) {
	t.Helper()
	if !proto.Equal(want, got) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFiltersAreTheServers(t *testing.T) {
	srv, c := start(t)
	everything(t, srv)
	for _, fs := range [][]query.Filter{
		{where.Name("charge <&>")},
		{where.Attr("int", int64(-9223372036854775808)), where.Status(query.StatusError)},
		{where.Not(where.Any(where.Root(), where.Name("x")))},
		{where.Name(where.Matches(`^(orphan|bare)$`))},
	} {
		if d := cmp.Diff(srv.Spans(fs...).Slice(), c.Spans(fs...).Slice()); d != "" || c.Spans(fs...).Len() == 0 {
			t.Errorf("%v: got another one:\n%s", fs, d)
		}
	}
	if got := c.Traces(where.Complete(), where.MinSpans(2)).Len(); got != 1 {
		t.Errorf("got %d traces, want 1", got)
	}
}

func TestAwaitWorksOnAServerElsewhere(t *testing.T) {
	srv, c := start(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range []string{"refund", "charge", "charge"} {
			export(t, srv, "/v1/traces", spanNamed(name))
		}
	}()
	if got := otlptest.Await(t, c.Spans(where.Name("charge")), 2); len(got) != 2 || got[1].Ref.Number() != 3 {
		t.Errorf("got %v, want the second and the third", got)
	}
	<-done
	if got := otlptest.One(t, c.Spans(where.Name("refund"))); got.Name != "refund" {
		t.Errorf("got %v", got)
	}
	otlptest.Exactly(t, c.Logs(), 0)
	otlptest.Never(t, c.Spans(where.Name("void")), time.Millisecond)
}

func TestShapesAreLookedForInTracesElsewhere(t *testing.T) {
	srv, c := start(t)
	time.AfterFunc(10*time.Millisecond, func() { export(t, srv, "/v1/traces", spanNamed("charge")) })
	if got := otlptest.HasShape(t, c.Traces(), query.Shape("charge")); got.Len() != 1 {
		t.Errorf("got %s", got)
	}
	const want = "otlptest: HasShape: got 1 trace in "
	if got := failure(t, func(t testing.TB) { otlptest.HasShape(t, c.Traces(), query.Shape("refund")) }); !strings.HasPrefix(got, want) || !strings.Contains(got, "refund") {
		t.Errorf("got %s, want %s", got, want)
	}
}

// failing is a test that must fail.
type failing struct {
	testing.TB
	text string
}

func (f *failing) Deadline() (time.Time, bool) { return time.Now().Add(100 * time.Millisecond), true }
func (f *failing) Fatalf(format string, args ...any) {
	f.text = fmt.Sprintf(format, args...)
	panic(f)
}

// failure is what a test fails with; empty where it passes.
func failure(t *testing.T, test func(testing.TB)) (text string) {
	f := &failing{TB: t}
	defer func() {
		if r := recover(); r != nil && r != f {
			panic(r)
		}
		text = f.text
	}()
	test(f)
	return ""
}

// Nothing is proved by what could not be asked.
func TestThatNothingCameIsKnownOnlyOfAServerThatAnswers(t *testing.T) {
	srv, _ := start(t)
	web := httptest.NewServer(httpapi.New(srv, httpapi.WithToken("secret")))
	stranger := dial(t, web.URL)
	for call, nothing := range map[string]func(testing.TB){
		"Exactly": func(t testing.TB) { otlptest.Exactly(t, stranger.Spans(), 0) },
		"Never":   func(t testing.TB) { otlptest.Never(t, stranger.Spans(), time.Millisecond) },
	} {
		if got := failure(t, nothing); !strings.HasPrefix(got, "otlptest: "+call+": ") || !strings.Contains(got, "GET spans: 401 Unauthorized") {
			t.Errorf("got %q, want that %s was not answered", got, call)
		}
	}
	web.Close()
	gone := dial(t, web.URL)
	if got := failure(t, func(t testing.TB) { otlptest.Exactly(t, gone.Logs(), 0) }); !strings.Contains(got, "connection refused") {
		t.Errorf("got %q, want that nothing listens", got)
	}
}

func TestAFailureHasTheServersDiagnosis(t *testing.T) {
	srv, c := start(t)
	everything(t, srv)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, fs := range [][]query.Filter{{where.Name("charge"), where.Attr("int", 5)}, nil} {
		there, here := srv.Spans(fs...), c.Spans(fs...)
		if got, want := here.Source().Explain(fs), there.Source().Explain(fs); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	_, err := c.Spans(where.Name("charge")).Wait(ctx, 1)
	if err == nil || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), `#2 orphan  service=shop  name: got "orphan", want "charge"`) {
		t.Errorf("got %v, want what came closest", err)
	}
}

func TestAWaitEndsWhenTheServerCloses(t *testing.T) {
	srv, c := start(t)
	time.AfterFunc(10*time.Millisecond, func() { srv.Close() })
	_, err := c.Spans().Wait(t.Context(), 1)
	const want = "got 0 spans in "
	end := strings.TrimRight(srv.Spans().Source().Explain(nil), "\n") + "\n  the backend is closed: nothing more can arrive"
	if !errors.Is(err, query.ErrClosed) || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), end) {
		t.Errorf("got %v, want %s…%s", err, want, end)
	}
}

func TestAFunctionCannotTravel(t *testing.T) {
	srv, c := start(t)
	everything(t, srv)
	slow := where.Func("slow", func(query.Span) bool { return true })
	const want = `filter func("slow") is a Go function, which cannot be asked of a server in another process`
	for _, f := range []query.Filter{slow, where.Not(slow), where.Any(where.Root(), slow)} {
		for _, v := range []query.View[query.Span]{c.Spans(f), c.Spans(where.Root()).Where(f)} {
			if err := v.Err(); err == nil || err.Error() != want {
				t.Errorf("%s: got %v, want %s", v, err, want)
			}
			if n := v.Len(); n != 0 {
				t.Errorf("%s: got %d spans, want none", v, n)
			}
			if _, err := v.Wait(t.Context(), 1); err == nil || err.Error() != want {
				t.Errorf("%s: a wait got %v, want at once %s", v, err, want)
			}
		}
	}
}

func TestAServerThatCannotBeAsked(t *testing.T) {
	srv, _ := start(t)
	web := httptest.NewServer(httpapi.New(srv, httpapi.WithToken("secret")))
	const refused = "GET spans: 401 Unauthorized: Authorization: want Bearer and the API's token"
	stranger := dial(t, web.URL, client.WithToken("wrong"))
	_, err := stranger.Spans().Wait(t.Context(), 1)
	if err == nil || !strings.Contains(err.Error(), "\n  the API  "+refused) {
		t.Errorf("got %v, want at once %s", err, refused)
	}
	if err := stranger.Ping(); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("got %v, want 401", err)
	}
	friend := dial(t, web.URL, client.WithToken("secret"))
	export(t, srv, "/v1/traces", spanNamed("a"))
	if err := friend.Ping(); err != nil || friend.Spans().Len() != 1 {
		t.Errorf("got %v and %d spans, want one", err, friend.Spans().Len())
	}
	friend.Close()
	web.Close()
	gone := dial(t, web.URL)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := gone.Spans().Wait(ctx, 1); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("got %v, want that nothing listens", err)
	}
}

func TestAClosedClientFindsNothing(t *testing.T) {
	srv, c := start(t)
	export(t, srv, "/v1/traces", spanNamed("a"))
	time.AfterFunc(10*time.Millisecond, c.Close)
	if _, err := c.Spans().Wait(t.Context(), 2); !errors.Is(err, query.ErrClosed) {
		t.Errorf("got %v, want that the wait ends", err)
	}
	if n := c.Spans().Len(); n != 0 {
		t.Errorf("got %d spans, want none", n)
	}
}

func TestAClientAsksThroughTheHTTPClientThatItIsGiven(t *testing.T) {
	srv, _ := start(t)
	web := httptest.NewServer(httpapi.New(srv))
	t.Cleanup(web.Close)
	asked := 0
	through := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		asked++
		return web.Client().Transport.RoundTrip(r)
	})}
	if err := dial(t, web.URL, client.WithHTTPClient(through)).Ping(); err != nil || asked != 1 {
		t.Errorf("got %v and %d requests, want one", err, asked)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestURLsThatCannotBe(t *testing.T) {
	for _, url := range []string{"", "127.0.0.1:4319", "ftp://h", "http://", "http://h?x=1", "http://h:port"} {
		if c, err := client.New(url); err == nil {
			t.Errorf("%q: got no error", url)
			c.Close()
		}
	}
}
