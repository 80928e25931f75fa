package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestATraceSaysWhatBroughtItsSpans(t *testing.T) {
	srv, api := start(t)
	first := spans("a", "b")
	send(t, srv, "/v1/traces", first)
	again := spans("a")
	again.ResourceSpans[0].ScopeSpans[0].Spans[0].SpanId = first.ResourceSpans[0].ScopeSpans[0].Spans[1].SpanId
	send(t, srv, "/v1/traces", again)
	_, body := ask(t, api, get("/api/v1/traces/abababababababababababababababab"))
	var got struct{ Received json.RawMessage }
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	const want = `[{"spanId":"0101010101010101","number":1,"export":1},{"spanId":"0202020202020202","number":2,"export":1},` +
		`{"spanId":"0202020202020202","number":3,"export":2}]`
	if string(got.Received) != want {
		t.Errorf("got\n%s\nwant\n%s", got.Received, want)
	}
}

// Nested as they are, the parsers of most languages and Go's own writer would
// give up.
func TestATraceThatIsTooDeepToBeNestedIsAnswered(t *testing.T) {
	srv, api := start(t)
	const n = 7_000
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint("span ", i)
	}
	chain := spans(names...)
	all := chain.ResourceSpans[0].ScopeSpans[0].Spans
	for i, s := range all {
		s.SpanId = fmt.Appendf(nil, "%08d", i+1)
		if i > 0 {
			s.ParentSpanId = all[i-1].SpanId
		}
	}
	send(t, srv, "/v1/traces", chain)
	for _, path := range []string{"/api/v1/traces/abababababababababababababababab", "/api/v1/traces"} {
		rec, body := ask(t, api, get(path))
		var got any
		if err := json.Unmarshal([]byte(body), &got); rec != 200 || err != nil {
			t.Fatalf("%s: got %d, %v: %.200s", path, rec, err, body)
		}
		if count := strings.Count(body, `"name":"span `); count != n {
			t.Errorf("%s: got %d spans, want %d", path, count, n)
		}
		if deep := strings.Count(body, `"children":`); deep != 1000 {
			t.Errorf("%s: got %d levels below the first, want 1000", path, deep)
		}
	}
}
