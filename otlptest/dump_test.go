package otlptest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/otlptest"
	"github.com/otlptest/otlptest/query"
)

// S-52.
func TestWhatWasStoredIsWrittenAsLinesOfJSON(t *testing.T) {
	srv := otlptest.Start(t, otlptest.WithFaults(faults.Sequence(faults.Accept(), faults.Reject("no"), faults.Accept())))
	for _, name := range []string{"charge", "refused", "line\nbreak"} {
		send(t, srv, span(name))
	}
	post(t, srv, "/v1/logs", nil)
	var b strings.Builder
	if err := srv.WriteJSONL(&b, query.Traces); err != nil {
		t.Fatal(err)
	}
	const before = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}},{"key":"tenant","value":{"stringValue":"b"}}]},` +
		`"scopeSpans":[{"spans":[{"traceId":"01010101010101010101010101010101","spanId":"0202020202020202","name":"`
	want := before + `charge"}]}]}]}` + "\n" + before + `line\nbreak"}]}]}]}` + "\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	line, _, _ := strings.Cut(b.String(), "\n")
	res, err := srv.HTTPClient().Post(srv.HTTPEndpoint()+"/v1/traces", "application/json", strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 {
		t.Errorf("got status %d for a line that was sent again, want 200", res.StatusCode)
	}
}
