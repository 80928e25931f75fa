package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// update says that golden files are to be written rather than compared.
var update = os.Getenv("OTLPTEST_UPDATE") == "1"

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant (OTLPTEST_UPDATE=1 rewrites it)\n%s", file, got, want)
	}
}

func TestDemoIsTheSameInEveryRun(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"demo"}, &stdout, &stderr); status != 0 {
		t.Errorf("got status %d, want 0: %s", status, stderr.String())
	}
	fits(t, stdout.String(), maxWidth)
	golden(t, "demo.txt", redacted(stdout.String()))
}

// redacted is the demo's output without the durations that differ between
// runs: how long retries waited.
func redacted(s string) string {
	shown, measured, _ := strings.Cut(s, "── ledger")
	measured = regexp.MustCompile(`(?m) +(\d+ms|\d+\.\d\ds)$`).ReplaceAllString(measured, " WAITED")
	measured = regexp.MustCompile(`\d\.\d\ds ≥`).ReplaceAllString(measured, "WAITED ≥")
	return shown + "── ledger" + measured
}

func fits(t *testing.T, s string, width int) {
	t.Helper()
	for line := range strings.Lines(s) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
			t.Errorf("got a line of %d characters, want at most %d:\n%s", n, width, line)
		}
	}
}
