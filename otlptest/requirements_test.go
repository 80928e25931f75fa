package otlptest_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// requirement is what the specification of OTLP wants of a server, in our own
// words and with our number.
type requirement struct {
	number, text string
	test         func(t *testing.T)
	unsupported  string // what of it the server may leave out, and does; the README says so
}

// requirements are all of them. Each test drives a server over the wire, by
// gRPC, protobuf over HTTP and JSON over HTTP where all have to do the same.
var requirements = slices.Concat(
	transportRequirements, answerRequirements, httpRequirements, jsonRequirements, dataRequirements, metricRequirements, otherRequirements,
)

func TestServerRequirements(t *testing.T) {
	missing := notSupported(t)
	for _, r := range requirements {
		t.Run(r.number, func(t *testing.T) {
			if r.test == nil && r.unsupported == "" {
				t.Fatal("it is neither tested nor said to be unsupported")
			}
			if r.unsupported != "" && !slices.Contains(missing, "- "+r.number+": "+r.unsupported) {
				t.Errorf("the README's section \"Not supported\" does not have the line %q", "- "+r.number+": "+r.unsupported)
			}
			if r.test != nil {
				r.test(t)
			}
		})
	}
}

func TestRequirementsAreComplete(t *testing.T) {
	byNumber := map[string]int{}
	for _, r := range requirements {
		byNumber[r.number]++
		if r.text == "" || strings.Contains(r.text, "\n") {
			t.Errorf("%s: got text %q, want one line", r.number, r.text)
		}
	}
	const last = 52
	for i := 1; i <= last; i++ {
		if number := fmt.Sprintf("S-%02d", i); byNumber[number] != 1 {
			t.Errorf("%s is there %d times, want once", number, byNumber[number])
		}
	}
	if len(byNumber) != last {
		t.Errorf("got %d numbers, want S-01 to S-%d", len(byNumber), last)
	}
	for _, line := range notSupported(t) {
		number, text, ok := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
		said := func(r requirement) bool { return r.number == number && r.unsupported == text }
		if ok && strings.HasPrefix(line, "- S-") && !slices.ContainsFunc(requirements, said) {
			t.Errorf("the README says that this is not supported, the requirements do not: %s", line)
		}
	}
}

// notSupported is the lines of that section of the README.
func notSupported(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(readme), "\n## Not supported\n")
	if !ok {
		t.Fatal(`the README has no section "Not supported"`)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return strings.Split(section, "\n")
}
