package otlptest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/query"
)

// updateVariable is what rewrites golden files.
const updateVariable = "OTLPTEST_UPDATE"

// Redactor changes a golden text, so that it is the same in every run.
type Redactor func(text string) string

// RedactAttr is a [Redactor] that hides the values of attributes.
func RedactAttr(keys ...string) Redactor {
	return func(text string) string {
		for _, key := range keys {
			value := regexp.MustCompile(` (` + regexp.QuoteMeta(key) + `)=("(?:[^"\\]|\\.)*"|[^ \n]+)`)
			text = value.ReplaceAllString(text, " $1=…")
		}
		return text
	}
}

// RedactMatch is a [Redactor] that replaces what matches a regular expression,
// in which $1 and so on stand for its groups. A pattern that is none panics.
func RedactMatch(pattern, replacement string) Redactor {
	re := regexp.MustCompile(pattern)
	return func(text string) string { return re.ReplaceAllString(text, replacement) }
}

// Golden compares what matches now with a file, as the text of [query.Stable]
// after the redactors: flush the provider first. With OTLPTEST_UPDATE=1 in the
// environment the file is written instead, with its directory. Otherwise it is
// an error, with the lines that differ, if the text is another one, if there is
// no such file, and fatal if nothing matches at all, since that would prove
// nothing.
//
// Times are in the text only in a bubble of testing/synctest, relative to the
// earliest: on a real clock they are another each time.
func Golden[T any](t testing.TB, v query.View[T], file string, redact ...Redactor) {
	t.Helper()
	if err := v.Err(); err != nil {
		t.Fatalf("otlptest: Golden: %v", err)
	}
	items := v.Slice()
	if len(items) == 0 {
		t.Fatalf("otlptest: Golden: %s", v.Explain(0, 0, "at least 1"))
	}
	text := query.Stable(items, inBubble(t))
	for _, r := range redact {
		text = r(text)
	}
	if os.Getenv(updateVariable) == "1" {
		if err := write(file, text); err != nil {
			t.Fatalf("otlptest: Golden: %v", err)
		}
		return
	}
	want, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("otlptest: Golden: there is no %s; %s=1 writes it:\n%s", file, updateVariable, text)
	case err != nil:
		t.Fatalf("otlptest: Golden: %v", err)
	case string(want) != text:
		t.Errorf("otlptest: Golden: got a text other than %s; %s=1 rewrites it (- want, + got):\n%s", file, updateVariable, differ(string(want), text))
	}
}

func write(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the directory of %s: %w", file, err)
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// differ is the lines of two texts, those of one alone marked, and of those of
// both only what is near.
func differ(want, got string) string {
	const near = 2
	lines := merge(strings.Split(strings.TrimSuffix(want, "\n"), "\n"), strings.Split(strings.TrimSuffix(got, "\n"), "\n"))
	shown := make([]bool, len(lines))
	for i, l := range lines {
		for j := max(0, i-near); l[0] != ' ' && j < min(len(lines), i+near+1); j++ {
			shown[j] = true
		}
	}
	var b strings.Builder
	skipped := false
	for i, l := range lines {
		if shown[i] {
			b.WriteString(l + "\n")
		} else if !skipped {
			b.WriteString("  …\n")
		}
		skipped = !shown[i]
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// merge is the lines of two lists in one: those that both begin and end with,
// and what is between.
func merge(want, got []string) []string {
	before, after := 0, 0
	for before < min(len(want), len(got)) && want[before] == got[before] {
		before++
	}
	for after < min(len(want), len(got))-before && want[len(want)-1-after] == got[len(got)-1-after] {
		after++
	}
	return slices.Concat(marked("  ", want[:before]),
		align(want[before:len(want)-after], got[before:len(got)-after]),
		marked("  ", want[len(want)-after:]))
}

func marked(mark string, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = mark + l
	}
	return out
}

// align merges by the longest common subsequence, unless that takes too long.
func align(want, got []string) (lines []string) {
	const most = 1_000_000
	if len(want)*len(got) > most {
		return slices.Concat(marked("- ", want), marked("+ ", got))
	}
	common := make([][]int, len(want)+1) // of the rests from i and j on
	for i := range common {
		common[i] = make([]int, len(got)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(got) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if want[i] == got[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	for i < len(want) || j < len(got) {
		switch {
		case i < len(want) && j < len(got) && want[i] == got[j]:
			lines = append(lines, "  "+want[i])
			i, j = i+1, j+1
		case j == len(got) || i < len(want) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, "- "+want[i])
			i++
		default:
			lines = append(lines, "+ "+got[j])
			j++
		}
	}
	return lines
}
