package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query"
	"github.com/otlptest/otlptest/query/where"
)

const (
	textType = "text/plain; charset=utf-8"
	jsonType = "application/json"
	curlType = "application/x-www-form-urlencoded"
)

func TestFaultsAreAddedInEveryForm(t *testing.T) {
	const (
		text     = `traces: throttle 30s; metrics grpc: always http 502`
		throttle = `{"faults":[{"kind":"throttle","retryDelay":"30s"}],"signal":"traces"}`
		always   = `{"faults":[{"kind":"http","http":502}],"always":true,"signal":"metrics","protocol":"grpc"}`
		want     = `{"count":2,"rules":[{"text":"traces: throttle 30s","rule":` + throttle + `},{"text":"metrics grpc: always http 502","rule":` + always + "}]}\n"
	)
	for _, test := range []struct{ contentType, body string }{
		{textType, text},
		{curlType, text},
		{"", text},
		{jsonType, `"` + text + `"`},
		{jsonType, " [" + throttle + ", " + always + "]\n"},
		{jsonType, `["traces: throttle 30s", ` + always + `]`},
		{curlType, "[" + throttle + "," + always + "]"},
		{"", `["` + text + `"]`},
	} {
		_, api := start(t)
		status, body := ask(t, api, request{"POST", "/api/v1/faults", test.contentType, test.body})
		if status != http.StatusOK || body != want {
			t.Errorf("%s %s: got %d\n%swant\n%s", test.contentType, test.body, status, body, want)
		}
		if _, body := ask(t, api, get("/api/v1/faults")); body != want {
			t.Errorf("%s %s: GET: got\n%swant\n%s", test.contentType, test.body, body, want)
		}
	}
}

func TestFaultsWithFiltersAreNotTakenForJSON(t *testing.T) {
	_, api := start(t)
	if status, body := ask(t, api, request{"POST", "/api/v1/faults", curlType, `[name="charge"]: unavailable`}); status != http.StatusOK {
		t.Errorf("got %d %s", status, body)
	}
}

func TestFaultsAreWhatIsLeft(t *testing.T) {
	srv, api := start(t)
	ask(t, api, request{"POST", "/api/v1/faults", textType, "unavailable x2"})
	send(t, srv, "/v1/traces", spans("charge"))
	const one = `{"count":1,"rules":[{"text":"unavailable","rule":{"faults":[{"kind":"unavailable"}]}}]}` + "\n"
	if _, body := ask(t, api, get("/api/v1/faults")); body != one {
		t.Errorf("got %s, want %s", body, one)
	}
	if status, body := ask(t, api, request{method: "DELETE", target: "/api/v1/faults"}); status != http.StatusNoContent || body != "" {
		t.Errorf("got %d %q, want 204", status, body)
	}
	const none = `{"count":0,"rules":[]}` + "\n"
	if _, body := ask(t, api, get("/api/v1/faults")); body != none {
		t.Errorf("got %s, want %s", body, none)
	}
}

func TestFaultsWithFunctionsHaveOnlyText(t *testing.T) {
	srv, api := start(t)
	slow := where.Func("slow", func(query.Span) bool { return true })
	if err := srv.Inject(faults.Sequence(faults.Unavailable()).Where(slow)); err != nil {
		t.Fatal(err)
	}
	const want = `{"count":1,"rules":[{"text":"[func(\"slow\")]: unavailable"}]}` + "\n"
	if _, body := ask(t, api, get("/api/v1/faults")); body != want {
		t.Errorf("got %s, want %s", body, want)
	}
}

func TestFaultsThatCannotBe(t *testing.T) {
	_, api := start(t)
	for _, test := range []struct{ contentType, body, want string }{
		{textType, "", `body: got no rule, want text such as "traces: throttle 30s", or JSON`},
		{jsonType, "[]", `body: got no rule, want text such as "traces: throttle 30s", or JSON`},
		{jsonType, "", `body: JSON: unexpected end of JSON input`},
		{jsonType, `{"faults":`, `body: JSON: unexpected end of JSON input`},
		{curlType, `{"faults":`, `body: JSON: unexpected end of JSON input`},
		{jsonType, `[{"faults":["unavailable"]}`, `body: JSON: unexpected end of JSON input`},
		{jsonType, `5`, `body: rule: got 5, want an object`},
		{jsonType, `{"fault":["unavailable"]}`, `body: rule: got field "fault", want one of faults, always, times, perBatch, chance, seed, signal, protocol, headers, connections, attempts, requests, from, until, where`},
		{jsonType, `["unavailable",{"faults":[{"kind":"throttle"}]}]`, `body: element 2: rule: faults: fault 1: {"kind":"throttle"} has no field "retryDelay"`},
		{jsonType, `["unavailable","throttle"]`, `body: element 2: faults "throttle": at character 9: got the end after throttle, want a duration such as 1.5s or 200ms`},
		{textType, `throttle -1s`, `body: faults "throttle -1s": at character 1: throttle: got a retry delay of -1s, want 0 or more`},
		{textType, `unavailable after 1h`, `body: rule 1 (unavailable after 1h0m0s): a delay of 1h0m0s is longer than the hang limit of 10m0s (WithHangLimit)`},
		{"text/;", `unavailable`, `Content-Type: got "text/;": mime: expected token after slash`},
	} {
		if got := detail(t, api, request{"POST", "/api/v1/faults", test.contentType, test.body}, http.StatusBadRequest); got != test.want {
			t.Errorf("%s %s: got\n%s\nwant\n%s", test.contentType, test.body, got, test.want)
		}
	}
	if _, body := ask(t, api, get("/api/v1/faults")); !strings.HasPrefix(body, `{"count":0,`) {
		t.Errorf("got %s, want that none was added", body)
	}
}

func TestFaultsOfAnotherTypeOrTooMany(t *testing.T) {
	_, api := start(t)
	yaml := request{"POST", "/api/v1/faults", "application/yaml", "unavailable"}
	if got, want := detail(t, api, yaml, http.StatusUnsupportedMediaType), "Content-Type: got application/yaml, want application/json or text/plain"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	large := request{"POST", "/api/v1/faults", textType, strings.Repeat(" ", 1<<20+1)}
	if got, want := detail(t, api, large, http.StatusRequestEntityTooLarge), "body: is longer than 1048576 bytes"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
