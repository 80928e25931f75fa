package otlpjson

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/otlptest/otlptest/internal/wire"
)

// verdict1 is what the documentation says of a row in a mode.
type column struct {
	text    string
	rule    string // that is named
	refused bool
	warns   bool
}

var ruleName = regexp.MustCompile(`S-\d\d`)

func parseColumn(s string) column {
	s = strings.TrimSpace(s)
	return column{
		text: s, rule: ruleName.FindString(s),
		refused: strings.HasPrefix(s, "refused"), warns: strings.Contains(s, "warns"),
	}
}

// documented is the rows of the package documentation's table.
func documented(t *testing.T) (names []string, columns map[string]map[Mode]column) {
	t.Helper()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	columns = map[string]map[Mode]column{}
	for _, line := range strings.Split(string(doc), "\n") {
		cells := strings.Split(strings.TrimPrefix(line, "//"), "|")
		if len(cells) != 3 || strings.TrimSpace(cells[0]) == "input" {
			continue
		}
		name := strings.TrimSpace(cells[0])
		names = append(names, name)
		columns[name] = map[Mode]column{Lenient: parseColumn(cells[1]), Strict: parseColumn(cells[2])}
	}
	return names, columns
}

func TestEveryRowOfTheDocumentationIsATest(t *testing.T) {
	names, columns := documented(t)
	for i, name := range names {
		if i >= len(rows) || rows[i].name != name {
			t.Fatalf("row %d of the documentation is %q, which is not the row of the test", i, name)
		}
	}
	if len(rows) != len(names) {
		t.Fatalf("the documentation has %d rows, the test %d", len(names), len(rows))
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			seen := map[string]bool{}
			for _, in := range r.inputs {
				seen[string(in.sig)] = true
				for mode, c := range columns[r.name] {
					in.check(t, mode, c)
				}
			}
			if len(seen) != len(signals) {
				t.Errorf("only %v are tested, want all signals", seen)
			}
		})
	}
}

func (in input) check(t *testing.T, mode Mode, c column) {
	t.Helper()
	out, departures, err := ToProto(nil, in.sig, []byte(in.json), mode)
	what := in.json
	if len(what) > 300 {
		what = what[:300] + "..."
	}
	if c.refused {
		var e *Error
		if !errors.As(err, &e) || e.Rule != c.rule || e.Got == "" || e.Want == "" {
			t.Errorf("mode %d, %s: got error %v, want one of %s", mode, what, err, c.rule)
		}
		if out != nil || departures != nil {
			t.Errorf("mode %d, %s: got bytes %x and departures %v with an error", mode, what, out, departures)
		}
		return
	}
	if err != nil {
		t.Errorf("mode %d, %s: got error %v, want none", mode, what, err)
		return
	}
	if _, err := wire.Validate(in.sig, out); err != nil {
		t.Errorf("%s: wire.Validate: %v", what, err)
	}
	if got, err := FromProto(nil, in.sig, out); err != nil || string(got) != in.want {
		if len(got) > 300 {
			got = got[:300]
		}
		t.Errorf("mode %d, %s: got %s, %v, want %s", mode, what, got, err, in.want)
	}
	var rules []string
	for _, d := range departures {
		rules = append(rules, d.Rule)
		if d.Warning != c.warns || d.Got == "" || d.Want == "" || d.More != 0 {
			t.Errorf("mode %d, %s: got departure %#v", mode, what, d)
		}
	}
	if got := strings.Join(rules, " "); got != c.rule {
		t.Errorf("mode %d, %s: got departures of %q, want %q", mode, what, got, c.rule)
	}
}
