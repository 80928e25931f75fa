package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
)

func TestExpectationsThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `at character 1: got the end, want one of spans, points, logs, traces, exports, violations, connections with a |, or one of no loss, all delivered, `,
		"span | == 1":           `at character 1: got "span", want one of spans, points, `,
		"no los":                `at character 1: got "no", want one of spans, `,
		`spans name="a|b"`:      `at character 17: got the end, want | and what their number has to be, as in spans | >= 1`,
		`spans nam="x" | == 1`:  `filter "nam=\"x\"": at character 1: got "nam", want one of name, `,
		"logs root | == 1":      `filter root applies to spans, not to log`,
		"violations root | < 1": `filter root applies to spans, not to violations`,
		"spans |":               `at character 8: got the end, want count, or an operator such as >=`,
		"spans | total == 1":    `at character 9: got "total", want count, or an operator such as >=`,
		"points | mean == 1":    `at character 10: got "mean", want count, latest, observations, sum, total, or an operator`,
		"spans | = 1":           `at character 9: got "=", want one of == != >= > <= <`,
		"spans | == 1.5":        `at character 12: got "1.5", want a whole number`,
		"spans | ==":            `at character 11: got the end, want a whole number`,
		"points | total > x":    `at character 18: got "x", want a number`,
		"spans | >= 0":          `at character 12: got "0", want more: a number of items is always at least 0`,
		"spans | < 0":           `at character 11: got "0", want more: a number of items is always at least 0`,
		"spans | > -1":          `at character 11: got "-1", want more: a number of items is always at least 0`,
		"spans | == 1 2":        `at character 14: got "2", want the end`,
		"max attempts":          `at character 13: got the end, want max attempts N`,
		"max attempts 0":        `max attempts N: got "0", want a whole number of at least 1`,
		"min gap 5":             `min gap DURATION: got "5", want a duration such as 500ms`,
		"backoff 1s 0.5 9s 0":   `backoff INITIAL FACTOR LIMIT JITTER: got "0.5" and "0", want a factor of at least 1 and a jitter of 0 to 1`,
		"concurrency 3 2":       `concurrency LEAST MOST: got 3 to 2, want the smaller number first`,
		"no loss please":        `at character 9: got "please", want the end`,
		`spans name="é" | == x`: `at character 21: got "x", want a whole number`,
	} {
		_, err := parseExpectation(text)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "expectation ") {
			t.Errorf("%q: got error %v, want %s", text, err, want)
		}
	}
}

func TestConditionsHoldForNumbers(t *testing.T) {
	i, f := query.IntValue, query.FloatValue
	for text, numbers := range map[string]struct{ yes, no []query.Value }{
		"== 2":                {[]query.Value{i(2), f(2)}, []query.Value{i(1), f(2.5)}},
		"!=2":                 {[]query.Value{i(1), f(2.5)}, []query.Value{i(2), f(2)}},
		">= 2":                {[]query.Value{i(2), i(3)}, []query.Value{i(1), f(1.9)}},
		"> 2":                 {[]query.Value{i(3), f(2.1)}, []query.Value{i(2)}},
		"<=2":                 {[]query.Value{i(2), i(-1)}, []query.Value{i(3)}},
		"< 2.5":               {[]query.Value{i(2), f(2.4)}, []query.Value{i(3), f(2.5)}},
		"== -1":               {[]query.Value{i(-1)}, []query.Value{i(1)}},
		"== NaN":              {nil, []query.Value{i(1)}},
		"== 9007199254740993": {[]query.Value{i(9007199254740993)}, []query.Value{i(9007199254740992)}},
	} {
		c, err := parseCondition(&phrase{text: text}, false)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		for _, v := range numbers.yes {
			if !c.holds(v) {
				t.Errorf("%s does not hold for %s", text, v)
			}
		}
		for _, v := range numbers.no {
			if c.holds(v) {
				t.Errorf("%s holds for %s", text, v)
			}
		}
	}
}

// Every check can be written, and each form names its arguments.
func TestChecksAreParsedByTheirNames(t *testing.T) {
	args := map[string]string{"N": "5", "DURATION": "1s", "INITIAL": "1s", "FACTOR": "1.5", "LIMIT": "30s", "JITTER": "0.5", "LEAST": "1", "MOST": "4"}
	for _, c := range checks {
		text := c.name
		for _, a := range c.args {
			text += "  " + args[a]
		}
		if _, err := parseExpectation(text); err != nil {
			t.Error(err)
		}
	}
}

func TestLongReasonsAreCut(t *testing.T) {
	tr := &trial{expectations: []expectation{{"x", func(*trial) error { return errors.New(strings.Repeat("why\n", 99)) }}}}
	tr.judge()
	var b strings.Builder
	tr.complain(&b)
	lines := slices.Collect(strings.Lines(b.String()))
	if len(lines) >= 15 || lines[len(lines)-3] != "  … and 87 more lines\n" {
		t.Errorf("got %d lines\n%s\nwant less than 15, and how many were left out", len(lines), b.String())
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]size{"1": 1, "12B": 12, "64MiB": 64 << 20, "1.5 KiB": 1536, "2GB": 2e9, "3kB": 3000} {
		var s size
		if err := s.UnmarshalText([]byte(text)); err != nil || s != want {
			t.Errorf("%s: got %d and error %v, want %d", text, s, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "MiB", "1.5", "1TB", "9999999999GiB", "NaN"} {
		var s size
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: got %d, want an error", text, s)
		}
	}
}

func TestRulesComeFromFiles(t *testing.T) {
	for content, want := range map[string]string{
		"# comment\n\ntraces: throttle 1s x2\nmetrics: always unavailable\n": "traces: throttle 1s x2; metrics: always unavailable",
		`{"signal":"traces","faults":[{"kind":"unavailable"}]}`:              "traces: unavailable",
		` ["traces: unavailable", {"faults":[{"kind":"hang"}]}]`:             "traces: unavailable; hang",
	} {
		file := filepath.Join(t.TempDir(), "rules")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{file, "@" + file} {
			var s ruleSet
			if err := s.UnmarshalText([]byte(name)); err != nil {
				t.Errorf("%s: %v", content, err)
				continue
			}
			var texts []string
			for _, r := range s.rules {
				texts = append(texts, r.String())
			}
			if got := strings.Join(texts, "; "); got != want {
				t.Errorf("%s: got %s, want %s", content, got, want)
			}
		}
	}
}
