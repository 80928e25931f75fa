package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// schema is a JSON schema of the description.
type schema map[string]any

// look follows a reference.
func look(ref string) schema {
	var v any = document()
	for part := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		v = v.(map[string]any)[part]
	}
	if v == nil {
		panic("nothing is at " + ref)
	}
	return v.(map[string]any)
}

// check says where a value departs from the schema.
func (s schema) check(at string, v any) error {
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		if err := s.keyword(keyword, at, v); err != nil {
			return err
		}
	}
	return nil
}

func (s schema) keyword(keyword, at string, v any) error {
	arg := s[keyword]
	switch keyword {
	case "description", "contentEncoding", "format", "properties":
		return s.properties(keyword, at, v)
	case "$ref":
		return look(arg.(string)).check(at, v)
	case "type":
		types, several := arg.([]any)
		if !several {
			types = []any{arg}
		}
		if is := typesOf(v); !slices.ContainsFunc(types, func(t any) bool { return slices.Contains(is, t.(string)) }) {
			return fmt.Errorf("%s: got %.80v (%v), want %v", at, v, is, types)
		}
	case "const", "enum":
		values, several := arg.([]any)
		if !several {
			values = []any{arg}
		}
		if !slices.ContainsFunc(values, func(w any) bool { return fmt.Sprint(w) == fmt.Sprint(v) }) {
			return fmt.Errorf("%s: got %v, want one of %v", at, v, values)
		}
	case "anyOf":
		var errs []error
		for _, one := range arg.([]any) {
			err := schema(one.(map[string]any)).check(at, v)
			if err == nil {
				return nil
			}
			errs = append(errs, err)
		}
		return fmt.Errorf("%s: is none of those: %v", at, errs)
	case "required":
		return s.required(at, v)
	case "additionalProperties":
		return s.additional(at, v)
	case "items":
		list, _ := v.([]any)
		for i, element := range list {
			if err := schema(arg.(map[string]any)).check(fmt.Sprintf("%s[%d]", at, i), element); err != nil {
				return err
			}
		}
	case "pattern":
		if text, ok := v.(string); ok && !regexp.MustCompile(arg.(string)).MatchString(text) {
			return fmt.Errorf("%s: got %q, want %s", at, text, arg)
		}
	case "minimum", "maximum":
		n, err := strconv.ParseFloat(fmt.Sprint(v), 64)
		if limit := arg.(float64); err == nil && (keyword == "minimum" && n < limit || keyword == "maximum" && n > limit) {
			return fmt.Errorf("%s: got %v, want a %s of %v", at, v, keyword, limit)
		}
	default:
		return fmt.Errorf("%s: the validator does not know %s", at, keyword)
	}
	return nil
}

func (s schema) properties(keyword, at string, v any) error {
	object, ok := v.(map[string]any)
	if keyword != "properties" || !ok {
		return nil
	}
	for name, of := range s["properties"].(map[string]any) {
		if field, there := object[name]; there {
			if err := schema(of.(map[string]any)).check(at+"."+name, field); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s schema) required(at string, v any) error {
	object, ok := v.(map[string]any)
	for _, name := range s["required"].([]any) {
		if _, there := object[name.(string)]; ok && !there {
			return fmt.Errorf("%s: has no %s", at, name)
		}
	}
	return nil
}

func (s schema) additional(at string, v any) error {
	object, _ := v.(map[string]any)
	known, _ := s["properties"].(map[string]any)
	for name, field := range object {
		if _, is := known[name]; is {
			continue
		}
		of, any := s["additionalProperties"].(map[string]any)
		if !any {
			return fmt.Errorf("%s: has a field %s", at, name)
		}
		if err := schema(of).check(at+"."+name, field); err != nil {
			return err
		}
	}
	return nil
}

func typesOf(v any) []string {
	switch v := v.(type) {
	case nil:
		return []string{"null"}
	case bool:
		return []string{"boolean"}
	case string:
		return []string{"string"}
	case []any:
		return []string{"array"}
	case map[string]any:
		return []string{"object"}
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			return []string{"integer", "number"}
		}
	}
	return []string{"number"}
}

// described says whether an answer is as the description has it.
func described(method, path string, status int, header http.Header, body []byte) error {
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil && status != http.StatusNoContent {
		return err
	}
	of, known := answers(method, path)[strconv.Itoa(status)]
	if !known {
		if of, known = answers(method, path)["default"]; !known || status < 400 {
			of = map[string]any{"$ref": "#/components/responses/Problem"}
		}
	}
	if ref, is := of.(map[string]any)["$ref"]; is {
		of = map[string]any(look(ref.(string)))
	}
	content, _ := of.(map[string]any)["content"].(map[string]any)
	if len(content) == 0 && media == "" && len(body) == 0 {
		return nil
	}
	as, known := content[media].(map[string]any)
	if !known {
		return fmt.Errorf("got %d of type %q, want one of %v", status, media, slices.Sorted(maps.Keys(content)))
	}
	if !strings.HasSuffix(media, "json") {
		return nil
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	return schema(as["schema"].(map[string]any)).check("body", v)
}

// answers is what the description says of a path and a method.
func answers(method, path string) map[string]any {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	parts := strings.Split(path, "/")
	for template, operations := range document()["paths"].(map[string]any) {
		of := strings.Split(template, "/")
		if len(of) != len(parts) {
			continue
		}
		same := true
		for i := range of {
			same = same && (of[i] == parts[i] || strings.HasPrefix(of[i], "{"))
		}
		if op, is := operations.(map[string]any)[strings.ToLower(method)]; same && is {
			return op.(map[string]any)["responses"].(map[string]any)
		}
	}
	return nil
}

func TestTheValidatorRefusesWhatIsNotDescribed(t *testing.T) {
	json := http.Header{"Content-Type": {"application/json"}}
	for body, want := range map[string]string{
		`{"count":0,"items":[]}`:           "",
		`{"count":0}`:                      "body: has no items",
		`{"count":"0","items":[]}`:         "body.count: got 0 ([string]), want [integer]",
		`{"count":0,"items":[],"x":1}`:     "body: has a field x",
		`{"count":1,"items":[{"rule":1}]}`: "body.items[0]: has no level",
	} {
		got := ""
		if err := described("GET", "/api/v1/violations", 200, json, []byte(body)); err != nil {
			got = err.Error()
		}
		if got != want && !(want != "" && strings.HasPrefix(got, "body")) {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}
