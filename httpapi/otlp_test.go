package httpapi_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// paths is where the signals are received and asked for.
var paths = map[query.Signal][2]string{
	query.Traces:  {"/v1/traces", "/api/v1/spans"},
	query.Metrics: {"/v1/metrics", "/api/v1/points"},
	query.Logs:    {"/v1/logs", "/api/v1/logs"},
}

// deliver delivers OTLP JSON, all of which must be accepted.
func deliver(t *testing.T, srv *otlptest.Server, path, body string) {
	t.Helper()
	answer, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("got %s for %s", answer.Status, body)
	}
}

// everything delivers an item of every form.
func everything(t *testing.T, srv *otlptest.Server) {
	t.Helper()
	for _, sig := range []query.Signal{query.Traces, query.Metrics, query.Logs} {
		deliver(t, srv, paths[sig][0], sample(t, sig))
	}
}

// sample is the items of a signal in every form.
func sample(t *testing.T, sig query.Signal) string {
	t.Helper()
	body, err := os.ReadFile("testdata/" + string(sig) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestOTLPThatIsSentAgainIsEqual(t *testing.T) {
	srv, api := start(t)
	everything(t, srv)
	again, _ := start(t)
	for _, path := range paths {
		status, body := ask(t, api, get(path[1]+"?format=otlp"))
		if status != http.StatusOK {
			t.Fatalf("%s: got %d %s", path[1], status, body)
		}
		deliver(t, again, path[0], body)
	}
	if d := cmp.Diff(srv.Spans().Slice(), again.Spans().Slice()); d != "" {
		t.Errorf("spans that were sent again differ:\n%s", d)
	}
	if d := cmp.Diff(srv.Points().Slice(), again.Points().Slice()); d != "" {
		t.Errorf("points that were sent again differ:\n%s", d)
	}
	if d := cmp.Diff(srv.Logs().Slice(), again.Logs().Slice()); d != "" {
		t.Errorf("log records that were sent again differ:\n%s", d)
	}
	if n := srv.Spans().Len() * srv.Points().Len() * srv.Logs().Len(); n != 4*10*5 {
		t.Errorf("got %d spans, %d points, %d logs, want 4, 10, 5", srv.Spans().Len(), srv.Points().Len(), srv.Logs().Len())
	}
}

func TestOTLPHasOnlyWhatMatches(t *testing.T) {
	srv, api := start(t)
	send(t, srv, "/v1/traces", spans("charge", "refund"))
	const want = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeSpans":[{"scope":{},"spans":[{` +
		`"traceId":"abababababababababababababababab","spanId":"0202020202020202","name":"refund","kind":2,"startTimeUnixNano":"1000000000","endTimeUnixNano":"2000000000",` +
		`"attributes":[{"key":"http.route","value":{"stringValue":"/<id>"}}]}]}]}]}` + "\n"
	if _, body := ask(t, api, get(`/api/v1/spans?format=otlp&q=name="refund"`)); body != want {
		t.Errorf("got\n%swant\n%s", body, want)
	}
	if _, body := ask(t, api, get(`/api/v1/logs?format=otlp`)); body != "{}\n" {
		t.Errorf("got %s, want an empty message", body)
	}
}

func TestPointsOfAMetricStayTogether(t *testing.T) {
	srv, api := start(t)
	everything(t, srv)
	_, body := ask(t, api, get("/api/v1/points?format=otlp"))
	for _, name := range []string{"stock", "sales", "took", "wide", "old"} {
		if n := strings.Count(body, `"name":"`+name+`"`); n != 1 {
			t.Errorf("got metric %s %d times, want it once with all of its points", name, n)
		}
	}
}

func TestTracesAsOTLPAreTheirSpans(t *testing.T) {
	srv, api := start(t)
	everything(t, srv)
	_, body := ask(t, api, get("/api/v1/traces?format=otlp&q=complete"))
	again, _ := start(t)
	deliver(t, again, "/v1/traces", body)
	if d := cmp.Diff(srv.Spans().Slice()[:2], again.Spans().Slice()); d != "" {
		t.Errorf("the spans of the trace differ:\n%s", d)
	}
	const id = "0af7651916cd43dd8448eb211c80319c"
	if _, one := ask(t, api, get("/api/v1/traces/"+id+"?format=otlp")); one != body {
		t.Errorf("got\n%swant\n%s", one, body)
	}
}
