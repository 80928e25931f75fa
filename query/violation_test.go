package query_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/otlptest/otlptest/query"
)

func TestViolationIsOneLine(t *testing.T) {
	parent := query.Violation{
		Rule: "S-40", Level: query.LevelError, Export: 3, Conn: 1, Signal: query.Traces,
		Path: "resourceSpans[0].scopeSpans[0].spans[2].parentSpanId", Item: "charge", Service: "shop",
		Got: "8 zero bytes", Want: "it to be empty in a root span",
	}
	resource := query.Violation{
		Rule: "S-49", Level: query.LevelError, Export: 1, Signal: query.Metrics, Path: "resource_metrics[0].resource.attributes[2].key",
		Service: `the "shop"`, Got: "a key", Want: "none", More: 499,
	}
	request := query.Violation{Rule: "C-35", Level: query.LevelWarning, Export: 2, Got: "no User-Agent", Want: "one"}
	metric := query.Violation{Rule: "S-44", Level: query.LevelInfo, Export: 2, Signal: query.Metrics, Path: "p", Item: "m", Got: "a", Want: "b"}
	log := query.Violation{Rule: "S-48", Level: query.LevelInfo, Export: 2, Signal: query.Logs, Path: "p", Item: "line\n2", Got: "a", Want: "b"}
	for _, c := range []struct {
		v    query.Violation
		want string
	}{
		{parent, `S-40 error  export 3 resourceSpans[0].scopeSpans[0].spans[2].parentSpanId of span "charge": got 8 zero bytes, want it to be empty in a root span`},
		{resource, `S-49 error  export 1 resource_metrics[0].resource.attributes[2].key of service "the \"shop\"": got a key, want none (and 499 more)`},
		{request, `C-35 warning  export 2: got no User-Agent, want one`},
		{metric, `S-44 info  export 2 p of metric "m": got a, want b`},
		{log, `S-48 info  export 2 p of log record "line\n2": got a, want b`},
	} {
		if got := c.v.String(); got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
	}
}

func TestViolationsCompareAndHaveJSON(t *testing.T) {
	v := query.Violation{Rule: "S-40", Level: query.LevelError, Export: 3, Got: "a", Want: "b"}
	same := v
	same.Ref = query.NewRef(nil, 7, nil, 0)
	if diff := cmp.Diff(v, same); diff != "" {
		t.Errorf("got a difference in where it came from:\n%s", diff)
	}
	same.Got = "c"
	if cmp.Diff(v, same) == "" {
		t.Error("got no difference between violations that differ")
	}
	text, err := json.Marshal(v)
	if want := `{"rule":"S-40","level":"error","export":3,"got":"a","want":"b"}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}
