package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/otlptest/otlptest/query"
)

func TestATraceInALine(t *testing.T) {
	srv, api := start(t)
	deliver(t, srv, "/v1/traces", sample(t, query.Traces))
	m := spans("first", "second", "first")
	list := m.ResourceSpans[0].ScopeSpans[0].Spans
	list[0].ParentSpanId, list[1].ParentSpanId = []byte("notthere"), list[0].SpanId
	list[1].Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR}
	list[2].SpanId = list[0].SpanId
	send(t, srv, "/v1/traces", m)
	const orphan = `{"number":5,"traceId":"abababababababababababababababab","name":"first","service":"shop","services":["shop"],` +
		`"start":"1970-01-01T00:00:01Z","duration":"1s","spans":2,"errors":1,"orphans":1,"duplicates":1,"complete":false}`
	_, body := ask(t, api, get("/api/v1/traces?format=summary&order=newest&limit=1"))
	if want := `{"count":1,"total":3,"items":[` + orphan + `],"next":"5"}` + "\n"; body != want {
		t.Errorf("got\n%swant\n%s", body, want)
	}
	whole := pageOf(t, api, "/api/v1/traces")
	for i, line := range pageOf(t, api, "/api/v1/traces?format=summary").Items {
		for _, field := range []string{"number", "traceId", "spans", "complete", "duration"} {
			if line[field] != whole.Items[i][field] {
				t.Errorf("trace %d: %s: got %v, want %v", i, field, line[field], whole.Items[i][field])
			}
		}
	}
}

func TestATraceSaysWhatDeterminedHowLongItTook(t *testing.T) {
	srv, api := start(t)
	m := spans("a", "b")
	list := m.ResourceSpans[0].ScopeSpans[0].Spans
	list[1].ParentSpanId, list[1].StartTimeUnixNano, list[1].EndTimeUnixNano = list[0].SpanId, 12e8, 15e8
	send(t, srv, "/v1/traces", m)
	const target = "/api/v1/traces/abababababababababababababababab"
	const want = `,"criticalPath":[{"spanId":"0101010101010101","start":"1970-01-01T00:00:01Z","end":"1970-01-01T00:00:01.2Z"},` +
		`{"spanId":"0202020202020202","start":"1970-01-01T00:00:01.2Z","end":"1970-01-01T00:00:01.5Z"},` +
		`{"spanId":"0101010101010101","start":"1970-01-01T00:00:01.5Z","end":"1970-01-01T00:00:02Z"}]}` + "\n"
	if _, body := ask(t, api, get(target)); !strings.HasSuffix(body, want) {
		t.Errorf("got\n%swant\n%s", body, want)
	}
	send(t, srv, "/v1/traces", &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{
		Spans: []*tracepb.Span{{TraceId: []byte("aaaaaaaaaaaaaaaa"), SpanId: []byte("bbbbbbbb")}},
	}}}}})
	if _, body := ask(t, api, get(fmt.Sprintf("/api/v1/traces/%x", "aaaaaaaaaaaaaaaa"))); !strings.HasSuffix(body, `,"criticalPath":[]}`+"\n") {
		t.Errorf("got %s, want no path of a span without a length", body)
	}
}

func TestOneItem(t *testing.T) {
	srv, api := start(t)
	everything(t, srv)
	for _, path := range []string{"spans", "points", "logs"} {
		all := pageOf(t, api, "/api/v1/"+path)
		for i, want := range all.Items {
			var got map[string]any
			_, body := ask(t, api, get(fmt.Sprintf("/api/v1/%s/%d", path, i+1)))
			if err := json.Unmarshal([]byte(body), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s %d: got\n%v\nwant\n%v", path, i+1, got, want)
			}
		}
		for _, test := range []struct {
			number string
			status int
			want   string
		}{
			{fmt.Sprint(all.Count + 1), http.StatusNotFound, fmt.Sprintf("number: got %d, of which there is no item", all.Count+1)},
			{"0", http.StatusBadRequest, `number: got "0", want that of an item, 1 or more`},
			{"one", http.StatusBadRequest, `number: got "one", want that of an item, 1 or more`},
		} {
			if got := detail(t, api, get("/api/v1/"+path+"/"+test.number), test.status); got != test.want {
				t.Errorf("%s/%s: got %s, want %s", path, test.number, got, test.want)
			}
		}
	}
}

func TestOneExportSaysWhichAttemptItIs(t *testing.T) {
	srv, api := start(t)
	ask(t, api, request{method: "POST", target: "/api/v1/faults", body: "traces: unavailable x2"})
	send(t, srv, "/v1/traces", spans("other"))
	for range 3 {
		send(t, srv, "/v1/traces", spans("a", "b"))
	}
	garbage, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/x-protobuf", strings.NewReader("\xff"))
	if err != nil {
		t.Fatal(err)
	}
	garbage.Body.Close()
	for number, want := range map[int]string{
		1: `"batch":1,"attempt":1,"attempts":1}`, 2: `"batch":2,"attempt":1,"attempts":2}`, 3: `"batch":2,"attempt":2,"attempts":2}`,
		4: `"batch":3,"attempt":1,"attempts":1}`,
	} {
		_, body := ask(t, api, get(fmt.Sprintf("/api/v1/exports/%d", number)))
		if !strings.HasPrefix(body, fmt.Sprintf(`{"number":%d,`, number)) || !strings.HasSuffix(body, ","+want+"\n") {
			t.Errorf("got %s, want %s", body, want)
		}
	}
	if status, body := ask(t, api, get("/api/v1/exports/5")); status != http.StatusOK || strings.Contains(body, "attempt") {
		t.Errorf("got %d %s, want no attempt of what is no telemetry", status, body)
	}
	if got, want := detail(t, api, get("/api/v1/exports/6"), http.StatusNotFound), "number: got 6, of which there is no item"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
