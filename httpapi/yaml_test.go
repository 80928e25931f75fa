package httpapi_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// document is openapi.yaml.
var document = sync.OnceValue(func() map[string]any {
	text, err := os.ReadFile("openapi.yaml")
	if err != nil {
		panic(err)
	}
	y := &yaml{}
	for n, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		body := strings.TrimLeft(line, " ")
		if body != "" {
			y.lines = append(y.lines, yamlLine{n + 1, len(line) - len(body), body})
		}
	}
	return y.block(0).(map[string]any)
})

// yaml reads as much of YAML as openapi.yaml has: blocks, flow lists of words,
// and plain and double-quoted scalars.
type yaml struct {
	lines []yamlLine
	at    int
}

type yamlLine struct {
	number, indent int
	text           string
}

// block reads the lines at an indentation.
func (y *yaml) block(indent int) any {
	if strings.HasPrefix(y.lines[y.at].text, "- ") {
		list := []any{}
		for y.at < len(y.lines) && y.lines[y.at].indent == indent && strings.HasPrefix(y.lines[y.at].text, "- ") {
			l := &y.lines[y.at]
			l.text, l.indent = l.text[2:], l.indent+2
			if l.text == "{}" {
				list = append(list, map[string]any{})
				y.at++
				continue
			}
			list = append(list, y.block(l.indent))
		}
		return list
	}
	m := map[string]any{}
	for y.at < len(y.lines) && y.lines[y.at].indent == indent {
		l := y.lines[y.at]
		key, value, ok := strings.Cut(l.text, ":")
		if unquoted, err := scalar(key); err == nil {
			key = fmt.Sprint(unquoted)
		}
		value = strings.TrimSpace(value)
		if _, twice := m[key]; !ok || twice {
			panic(fmt.Sprintf("line %d: got %q, want a new key and a value", l.number, l.text))
		}
		y.at++
		if value == "" {
			if y.at == len(y.lines) || y.lines[y.at].indent <= indent {
				panic(fmt.Sprintf("line %d: %q has no value", l.number, l.text))
			}
			m[key] = y.block(y.lines[y.at].indent)
			continue
		}
		v, err := scalar(value)
		if err != nil {
			panic(fmt.Sprintf("line %d: %v", l.number, err))
		}
		m[key] = v
	}
	return m
}

func scalar(text string) (v any, err error) {
	switch {
	case strings.HasPrefix(text, "["):
		list := []any{}
		for part := range strings.SplitSeq(strings.Trim(text, "[]"), ", ") {
			if part == "" {
				continue
			}
			v, err := scalar(part)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case strings.HasPrefix(text, `"`):
		err = json.Unmarshal([]byte(text), &v)
		return v, err
	case strings.Contains(text, ": ") || strings.Contains(text, " #"):
		return nil, fmt.Errorf("%q has to be quoted", text)
	case json.Unmarshal([]byte(text), &v) == nil:
		return v, nil
	}
	return text, nil
}

func TestTheReaderOfTheDescription(t *testing.T) {
	y := &yaml{lines: []yamlLine{{1, 0, "a:"}, {2, 2, "- {}"}, {3, 2, `- "b c": [1, x]`}, {4, 4, "d: true"}, {5, 0, `e: "null"`}}}
	got, err := json.Marshal(y.block(0))
	if want := `{"a":[{},{"b c":[1,"x"],"d":true}],"e":"null"}`; err != nil || string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
