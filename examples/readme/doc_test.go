package readme

import (
	"os"
	"strings"
	"testing"
)

// The test that the README shows is the one in this folder, which runs.
func TestReadmeShowsTheTestThatRuns(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, ok := strings.Cut(string(readme), "```go\n")
	shown, _, closed := strings.Cut(shown, "```")
	if !ok || !closed {
		t.Fatal("README.md has no block of Go")
	}
	_, code, _ := strings.Cut(string(source), "package readme\n")
	if want := strings.TrimSpace(code); !strings.HasSuffix(want, strings.TrimSpace(shown)) {
		t.Errorf("README.md shows\n%s\nwant the end of readme_test.go:\n%s", shown, want)
	}
}
