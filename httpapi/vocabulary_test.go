package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"

	"github.com/otlptest/otlptest/faults"
	"github.com/otlptest/otlptest/query/where"
)

func TestKeysAreThoseThatWereSeen(t *testing.T) {
	srv, api := start(t)
	m := spans("pay", "pay", "ship")
	ss := m.ResourceSpans[0].ScopeSpans[0]
	ss.Spans[0].Attributes = []*commonpb.KeyValue{value("n", 1), value("my key", true), value("n", 2), value("long", strings.Repeat("x", 79))}
	ss.Spans[1].Attributes = []*commonpb.KeyValue{value("n", 1.5), value("list", []any{1})}
	send(t, srv, "/v1/traces", m)
	send(t, srv, "/v1/metrics", points())
	record := logs()
	record.ResourceLogs[0].ScopeLogs[0].LogRecords[0].EventName = "paid"
	send(t, srv, "/v1/logs", record)
	for target, want := range map[string]string{
		"": `{"keys":[{"key":"name","count":3,"values":["\"pay\"","\"ship\""]},{"key":"service","count":3,"values":["\"shop\""]},` +
			`{"key":"kind","count":3,"values":["server"]},{"key":"status","count":3,"values":["unset"]},` +
			`{"key":"resource.service.name","count":3,"values":["\"shop\""]},{"key":"attr.n","count":2,"values":["1.5","1"]},` +
			`{"key":"attr.http.route","count":1,"values":["\"/<id>\""]},{"key":"attr.list","count":1,"values":[]},` +
			`{"key":"attr.\"my key\"","count":1,"values":["true"]},{"key":"attr.long","count":1,"values":[]}]}`,
		"?of=points": `{"keys":[{"key":"name","count":1,"values":["\"stock\""]},{"key":"service","count":1,"values":["\"shop\""]},` +
			`{"key":"unit","count":1,"values":["\"{item}\""]},{"key":"type","count":1,"values":["gauge"]},{"key":"resource.service.name","count":1,"values":["\"shop\""]}]}`,
		"?of=logs": `{"keys":[{"key":"event","count":1,"values":["\"paid\""]},{"key":"service","count":1,"values":["\"shop\""]},` +
			`{"key":"severity","count":1,"values":["info"]},{"key":"resource.service.name","count":1,"values":["\"shop\""]}]}`,
	} {
		if _, body := ask(t, api, get("/api/v1/keys"+target)); body != want+"\n" {
			t.Errorf("%s: got\n%swant\n%s", target, body, want)
		}
	}
	if got, want := detail(t, api, get("/api/v1/keys?of=traces"), http.StatusBadRequest), `of: got "traces", want one of spans, points, logs`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// keysOf is the answer of keys.
func keysOf(t *testing.T, api http.Handler, of string) (keys []struct {
	Key    string
	Count  int
	Values []string
}) {
	t.Helper()
	_, body := ask(t, api, get("/api/v1/keys?of="+of))
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all["keys"], &keys); err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestKeysAndValuesMakeFilters(t *testing.T) {
	srv, api := start(t)
	if keys := keysOf(t, api, "spans"); len(keys) != 0 {
		t.Errorf("got %v before anything came", keys)
	}
	everything(t, srv)
	for path, ms := range hostileData() {
		for _, m := range ms {
			send(t, srv, path, m)
		}
	}
	for path := range methods {
		for _, k := range keysOf(t, api, path) {
			for _, v := range k.Values {
				fs, err := where.Parse(k.Key + "=" + v)
				if err != nil {
					t.Errorf("%s: %v", path, err)
				}
				found := map[string]int{"spans": srv.Spans(fs...).Len(), "points": srv.Points(fs...).Len(), "logs": srv.Logs(fs...).Len()}[path]
				if found == 0 {
					t.Errorf("%s: %s=%s holds for nothing", path, k.Key, v)
				}
			}
		}
	}
}

func TestKeysAreBounded(t *testing.T) {
	srv, api := start(t)
	m := spans("old")
	s := m.ResourceSpans[0].ScopeSpans[0].Spans[0]
	s.Attributes = []*commonpb.KeyValue{text("old", "")}
	send(t, srv, "/v1/traces", m)
	names := make([]string, 2000)
	for i := range names {
		names[i] = fmt.Sprint("span ", i)
	}
	m = spans(names...)
	for i := range 300 {
		s := m.ResourceSpans[0].ScopeSpans[0].Spans[i]
		s.Attributes = append(s.Attributes, text(fmt.Sprint("key ", i), ""))
	}
	send(t, srv, "/v1/traces", m)
	keys := keysOf(t, api, "spans")
	if len(keys) != 200 || keys[0].Key != "name" || keys[0].Count != 2000 || len(keys[0].Values) != 10 || keys[0].Values[0] != `"span 1999"` {
		t.Errorf("got %d keys, the first of which is %v", len(keys), keys[0])
	}
	for _, k := range keys {
		if k.Key == "attr.old" {
			t.Error("got a key that only the span before the last 2000 has")
		}
	}
}

// grammarOf is the answer of grammar.
func grammarOf(t *testing.T) (g struct {
	Filters []struct {
		Term, Example, Doc string
		Of                 []string
	}
	Faults    []struct{ Kind, Example, Doc string }
	Selectors []struct{ Term, Example, Doc string }
}) {
	t.Helper()
	_, api := start(t)
	_, body := ask(t, api, get("/api/v1/grammar"))
	if err := json.Unmarshal([]byte(body), &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestTheGrammarHasEveryFilter(t *testing.T) {
	srv, _ := start(t)
	var terms []string
	for _, f := range grammarOf(t).Filters {
		terms = append(terms, f.Term)
		fs, err := where.Parse(f.Example)
		if err != nil || f.Doc == "" {
			t.Errorf("%s: %v", f.Term, err)
		}
		for of, err := range map[string]error{
			"spans": srv.Spans(fs...).Err(), "points": srv.Points(fs...).Err(), "logs": srv.Logs(fs...).Err(),
			"traces": srv.Traces(fs...).Err(), "exports": srv.Exports(fs...).Err(), "violations": srv.Violations(fs...).Err(),
		} {
			if slices.Contains(f.Of, of) != (err == nil) {
				t.Errorf("%s of %s: got %v, want it otherwise", f.Term, of, f.Of)
			}
		}
	}
	_, err := where.Parse("?")
	if want := "want one of " + strings.Join(terms, ", "); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got\n%s\nwant what package where lists\n%v", want, err)
	}
}

func TestTheGrammarHasEveryFault(t *testing.T) {
	doc, err := os.ReadFile("../faults/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []faults.Kind
	for _, f := range grammarOf(t).Faults {
		rules, err := faults.Parse(f.Example)
		if err != nil || len(rules) != 1 || len(rules[0].Faults) != 1 {
			t.Errorf("%s: got %v: %v", f.Example, rules, err)
			continue
		}
		kind := rules[0].Faults[0].Kind
		if kind != faults.Kind(f.Kind) && (kind != faults.KindAccept || f.Kind != "accept") {
			t.Errorf("%s: got kind %s, want %s", f.Example, f.Kind, kind)
		}
		kinds = append(kinds, kind)
		if line := regexp.MustCompile(`(?m)^//\t` + f.Kind + ` .*` + regexp.QuoteMeta(f.Doc) + `$`); !line.Match(doc) {
			t.Errorf("%s: got %q, want the words of package faults", f.Kind, f.Doc)
		}
	}
	if want := faults.Kinds(); !slices.Equal(slices.Compact(kinds), want) {
		t.Errorf("got\n%v\nwant\n%v", kinds, want)
	}
}

func TestTheGrammarHasEverySelector(t *testing.T) {
	var terms []string
	for _, s := range grammarOf(t).Selectors {
		if _, err := faults.Parse(s.Example + ": unavailable"); err != nil || s.Doc == "" {
			t.Errorf("%s: %v", s.Term, err)
		}
		terms = append(terms, s.Term)
	}
	_, err := faults.Parse("traces ?")
	last := len(terms) - 1
	want := "want a colon or one of " + strings.Join(terms[:last], ", ") + " or filters in []"
	if err == nil || !strings.HasSuffix(err.Error(), want) || terms[last] != "[" {
		t.Errorf("got\n%s\nwant what package faults lists\n%v", want, err)
	}
}
