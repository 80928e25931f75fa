package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"github.com/otlptest/otlptest/httpapi"
)

func TestTheDescriptionHasExactlyTheRoutes(t *testing.T) {
	srv, _ := start(t)
	var got, want []string
	walk := func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		page := route == "/" || strings.HasPrefix(route, "/page/") // which is no part of the API
		if method != http.MethodHead && !page {
			got = append(got, method+" "+route)
		}
		return nil
	}
	if err := chi.Walk(httpapi.RouterOf(srv), walk); err != nil {
		t.Fatal(err)
	}
	for path, operations := range document()["paths"].(map[string]any) {
		for method := range operations.(map[string]any) {
			want = append(want, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	for _, route := range got {
		if !slices.Contains(want, route) {
			t.Errorf("%s is not described", route)
		}
	}
	for _, route := range want {
		if !slices.Contains(got, route) {
			t.Errorf("%s is described and not there", route)
		}
	}
}

func TestTheDescriptionHasExactlyTheParameters(t *testing.T) {
	_, api := start(t)
	for path, operations := range document()["paths"].(map[string]any) {
		for method, op := range operations.(map[string]any) {
			names := queryOf(op.(map[string]any))
			want := `query: got parameter "ZZ", want none`
			if len(names) > 0 {
				want = `query: got parameter "ZZ", want one of ` + strings.Join(names, ", ")
			}
			target := strings.NewReplacer("{id}", "1", "{number}", "1").Replace(path) + "?ZZ=1"
			if got := detail(t, api, request{method: strings.ToUpper(method), target: target}, http.StatusBadRequest); got != want {
				t.Errorf("%s %s: got\n%s\nwant\n%s", method, path, got, want)
			}
		}
	}
}

// queryOf is the parameters that an operation takes in the URL.
func queryOf(op map[string]any) (names []string) {
	list, _ := op["parameters"].([]any)
	for _, p := range list {
		of := schema(p.(map[string]any))
		if ref, is := of["$ref"]; is {
			of = look(ref.(string))
		}
		if of["in"] == "query" {
			names = append(names, fmt.Sprint(of["name"]))
		}
	}
	return names
}

func TestEveryReferenceLeadsSomewhereAndEverySchemaIsUsed(t *testing.T) {
	used := map[string]bool{}
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, element := range v {
				visit(element)
			}
		case map[string]any:
			for key, of := range v {
				if ref, is := of.(string); is && key == "$ref" {
					look(ref)
					used[ref] = true
				}
				visit(of)
			}
		}
	}
	visit(document())
	for _, kind := range []string{"schemas", "responses", "parameters", "headers"} {
		for _, name := range slices.Sorted(maps.Keys(look("#/components/" + kind))) {
			if ref := "#/components/" + kind + "/" + name; !used[ref] {
				t.Errorf("nothing refers to %s", ref)
			}
		}
	}
}

func TestTheDescriptionIsServed(t *testing.T) {
	_, api := start(t)
	want, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if status, body := ask(t, api, get("/openapi.yaml")); status != http.StatusOK || body != string(want) {
		t.Errorf("got %d and %d bytes, want the file of %d", status, len(body), len(want))
	}
}
