package otlptest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/otlptest/otlptest/otlptest"
)

// mistake is one that users make, in a test that fails for it.
type mistake struct {
	name string
	opts []otlptest.Option
	test func(testing.TB, *otlptest.Server)
}

// What a failure says about the mistakes that users make stands in a file of
// testdata each: it has to lead to the mistake. They are made in virtual time,
// so that every duration is exact.
func TestFailuresLeadToTheMistake(t *testing.T) {
	unsetenv(t)
	names := map[string]bool{}
	for _, m := range append(append(append(mistakesInFilters, mistakesOnTheWay...), mistakesAtTheServer...), mistakesInCounts...) {
		if names[m.name] {
			t.Errorf("there are two mistakes %s", m.name)
		}
		names[m.name] = true
		t.Run(m.name, func(t *testing.T) {
			text := failure(t, m)
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
					t.Errorf("a line has %d columns, want at most 100: %s", n, line)
				}
			}
			golden(t, "mistakes/"+m.name, redacted(text))
		})
	}
	files, err := filepath.Glob("testdata/mistakes/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".golden"); !names[name] {
			t.Errorf("there is no mistake for %s", file)
		}
	}
}

// failure makes a mistake and returns what the test then says.
func failure(t *testing.T, m mistake) (text string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := run(t, func(tb testing.TB) {
			m.test(tb, otlptest.Start(tb, append(m.opts, otlptest.WithInMemory())...))
		})
		if !f.failed {
			t.Error("the test passed, want it to fail")
		}
		text = f.log.String()
	})
	return text
}

var (
	addresses = regexp.MustCompile(`\d+\.\d+\.\d+\.\d+:\d+|\[[0-9a-f:]+\]:\d+`)
	entries   = regexp.MustCompile(`(?m)^ {2}.{9}\S.*\n( {12,}.*\n)*`)
)

// redacted is a text in which addresses in memory, of which each server has its
// own, have the ports that they stand for. Where there is one, lines are not
// broken: that would depend on how long it is.
func redacted(text string) string {
	return entries.ReplaceAllStringFunc(text, func(entry string) string {
		if !addresses.MatchString(entry) {
			return entry
		}
		label, rest := entry[:11], strings.Join(strings.Fields(entry[11:]), " ")
		return label + addresses.ReplaceAllStringFunc(rest, func(addr string) string {
			if i := strings.LastIndex(addr, ":"); addr[i:] == ":4317" || addr[i:] == ":4318" {
				return "HOST" + addr[i:]
			}
			return "CLIENT"
		}) + "\n"
	})
}

// unsetenv keeps the environment of whoever runs the test out of it.
func unsetenv(t *testing.T) {
	t.Helper()
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "")
		}
	}
}

// must fails a test for an error that is no part of the mistake.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		panic(fmt.Sprint("unexpected: ", err))
	}
}
